//! Secrets, and the folders that hold them: the manager's beside its journal, readable by their
//! owner only; the code of an invitation.

use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use agon_core::{AdmissionRules, AgentFact, ManagerOptions, PlayerFact, Secrets, TokenHash};
use agon_net::{EndpointUrl, MCP_PATH, is_of_this_machine};
use agon_node::random_secret;
use agon_proto::{AuthToken, Endpoint, InvitationCode, code_in, without_code};
use agon_store::Journal;
use anyhow::Context;

/// Where a manager keeps its data unless somebody says otherwise.
pub(crate) const USUAL_DATA: &str = "agon-data";
pub(crate) const OPERATOR_FILE: &str = "operator.token";
pub(crate) const KEY_FILE: &str = "token.key";
const TOKEN_VARIABLE: &str = "AGON_TOKEN";
const CODE_VARIABLE: &str = "AGON_INVITATION";

/// What the manager of that folder is told at every start. The first one makes its secrets.
pub(crate) fn manager_options(dir: &Path) -> anyhow::Result<ManagerOptions> {
    create(dir)?;
    let operator = secret(&dir.join(OPERATOR_FILE))?;
    let key = secret(&dir.join(KEY_FILE))?;
    let key = key.secret().context("token.key is damaged; restore it, or begin a new folder")?;
    let operator = TokenHash::of(&operator)
        .context("operator.token is damaged; restore it, or begin a new folder")?;
    let secrets = Secrets::new(*key);
    Ok(ManagerOptions { secrets, operator, start_when: None, admission: AdmissionRules::local() })
}

/// The operator's token: from the environment, or from the folder of a manager on this machine. No
/// flag takes it, because everybody on a machine can read the flags of its processes.
pub(crate) fn operator_token(dir: &Path) -> anyhow::Result<AuthToken> {
    if let Some(token) = variable(TOKEN_VARIABLE) {
        let token = token.to_str().context("AGON_TOKEN is no token")?;
        return Ok(AuthToken::from(token.trim()));
    }
    let path = dir.join(OPERATOR_FILE);
    let text = fs::read_to_string(&path).with_context(|| {
        format!("no operator's token in {}; say --data DIR or set AGON_TOKEN", dir.display())
    })?;
    Ok(AuthToken::from(text.trim()))
}

/// The usual folder of a manager, if that one is on this machine: what is there is shown to nobody
/// else unasked.
pub(crate) fn usual_data(manager: &str) -> Option<&'static Path> {
    let url = EndpointUrl::parse(manager).ok()?;
    let is_at_home = url.host() == "localhost" || url.address().is_some_and(is_of_this_machine);
    is_at_home.then(|| USUAL_DATA.as_ref())
}

/// What the environment says, if it says something.
fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|said| !said.is_empty())
}

/// What a player was given last, if that is its folder.
fn player_token(dir: &Path) -> Option<AuthToken> {
    let is_operators = dir.join(OPERATOR_FILE).exists();
    let journal = Journal::<PlayerFact>::read_only(dir).ok().filter(|_| !is_operators)?;
    let mut token = None;
    let read = journal.replay(|fact| {
        if let PlayerFact::Agent(AgentFact::Admitted { given: Some(given), .. }) = fact {
            token = Some(given.token);
        }
    });
    read.ok().and(token)
}

/// What a secret's file says, if there is one.
pub(crate) fn read_if_there(path: &Path) -> anyhow::Result<Option<String>> {
    match fs::read_to_string(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        read => read.map(Some).with_context(|| format!("could not read {}", path.display())),
    }
}

/// Puts the operator's token of an earlier season into a new folder. Without one a fresh one is
/// made later.
pub(crate) fn keep_operator_secret(dir: &Path, secret: Option<&str>) -> anyhow::Result<()> {
    secret.map_or(Ok(()), |text| write_atomically(&dir.join(OPERATOR_FILE), text.as_bytes()))
}

/// The token of whoever looks at something and may have none: the operator's, or that of the player
/// whose folder this is.
pub(crate) fn viewer_token(dir: Option<&Path>) -> anyhow::Result<Option<AuthToken>> {
    if variable(TOKEN_VARIABLE).is_none() {
        let Some(dir) = dir else { return Ok(None) };
        if let Some(token) = player_token(dir) {
            return Ok(Some(token));
        }
    }
    operator_token(dir.unwrap_or(Path::new(""))).map(Some)
}

/// The token that an agent was given by the operator. Like every secret it comes from a file.
pub(crate) fn agent_token(path: &Path) -> anyhow::Result<AuthToken> {
    let text = fs::read_to_string(path)
        .with_context(|| format!("could not read the token in {}", path.display()))?;
    let token = AuthToken::from(text.trim());
    token.secret().with_context(|| {
        format!("{} holds no token; it is the one line that `agon reset` prints", path.display())
    })?;
    let mode = fs::metadata(path).map(|file| file.permissions().mode());
    if mode.is_ok_and(|mode| mode & 0o044 != 0) {
        tracing::warn!(file = %path.display(), "others can read this token; say chmod 600");
    }
    Ok(token)
}

/// The code that was said: by a flag, or in the environment. The text of one that makes no sense is
/// not repeated: it may be nearly right.
pub(crate) fn invitation(flag: Option<&str>) -> anyhow::Result<Option<InvitationCode>> {
    if let Some(code) = flag {
        return code.parse().map(Some).context("--invitation does not work");
    }
    let Some(code) = variable(CODE_VARIABLE) else { return Ok(None) };
    let code = code.to_str().unwrap_or_default();
    code.parse().map(Some).with_context(|| format!("{CODE_VARIABLE} does not work"))
}

/// The manager's address, with a code in it or without. Where no path is said, it is `/mcp`.
pub(crate) fn manager_endpoint(url: &str) -> anyhow::Result<Endpoint> {
    let (code, shown) = (code_in(url), without_code(url));
    let wrong = || format!("--manager {shown} is no address such as http://127.0.0.1:8000/mcp");
    code.map(str::parse::<InvitationCode>).transpose().with_context(wrong)?;
    EndpointUrl::parse(url).with_context(wrong)?;
    let bare = url.trim_end_matches('/');
    let has_path = code.is_none() && bare.splitn(4, '/').nth(3).is_some();
    let path = if has_path || bare.ends_with(MCP_PATH) { "" } else { MCP_PATH };
    Ok(Endpoint::new(&format!("{bare}{path}")))
}

pub(crate) fn create(dir: &Path) -> anyhow::Result<()> {
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(dir)
        .with_context(|| format!("could not create the folder {}", dir.display()))
}

/// Reads a secret, or makes one. Written whole and synced before it is used.
fn secret(path: &Path) -> anyhow::Result<AuthToken> {
    if let Some(text) = read_if_there(path)? {
        return Ok(AuthToken::from(text.trim()));
    }
    let token = AuthToken::derived(random_secret());
    write_atomically(path, format!("{}\n", token.reveal()).as_bytes())?;
    Ok(token)
}

/// Writes a file that is either there whole or not at all, for its owner only.
pub(crate) fn write_atomically(path: &Path, content: &[u8]) -> anyhow::Result<()> {
    let fresh = PathBuf::from(format!("{}.new", path.display()));
    let write = || -> std::io::Result<()> {
        let mut options = OpenOptions::new();
        let mut file = options.write(true).create(true).truncate(true).mode(0o600).open(&fresh)?;
        file.write_all(content)?;
        file.sync_all()?;
        fs::rename(&fresh, path)?;
        match path.parent() {
            Some(dir) => fs::File::open(dir)?.sync_all(),
            None => Ok(()),
        }
    };
    write().with_context(|| format!("could not write {}", path.display()))
}
