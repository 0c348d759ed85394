//! Data folders: the manager's secrets beside its journal, readable by their owner only.

use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use agon_core::{ManagerOptions, Secrets, TokenHash};
use agon_node::random_secret;
use agon_proto::AuthToken;
use anyhow::Context;

const OPERATOR_FILE: &str = "operator.token";
const KEY_FILE: &str = "token.key";
const TOKEN_VARIABLE: &str = "AGON_TOKEN";

/// What the manager of that folder is told at every start. The first one makes its secrets.
pub(crate) fn manager_options(dir: &Path) -> anyhow::Result<ManagerOptions> {
    create(dir)?;
    let operator = secret(&dir.join(OPERATOR_FILE))?;
    let key = secret(&dir.join(KEY_FILE))?;
    let key = key.secret().context("token.key is damaged; restore it, or begin a new folder")?;
    let operator = TokenHash::of(&operator)
        .context("operator.token is damaged; restore it, or begin a new folder")?;
    let secrets = Secrets::new(*key);
    Ok(ManagerOptions { secrets, operator, start_when: None, referee_code: None })
}

/// The operator's token: from the environment, or from the folder of a manager on this machine. No
/// flag takes it, because everybody on a machine can read the flags of its processes.
pub(crate) fn operator_token(dir: &Path) -> anyhow::Result<AuthToken> {
    if let Some(token) = given_token() {
        let token = token.to_str().context("AGON_TOKEN is no token")?;
        return Ok(AuthToken::from(token.trim()));
    }
    let path = dir.join(OPERATOR_FILE);
    let text = fs::read_to_string(&path).with_context(|| {
        format!("no operator's token in {}; say --data DIR or set AGON_TOKEN", dir.display())
    })?;
    Ok(AuthToken::from(text.trim()))
}

fn given_token() -> Option<OsString> {
    std::env::var_os(TOKEN_VARIABLE).filter(|token| !token.is_empty())
}

/// The operator's token in that folder as it is written there, if there is one.
pub(crate) fn operator_secret(dir: &Path) -> anyhow::Result<Option<String>> {
    read_if_there(&dir.join(OPERATOR_FILE))
}

fn read_if_there(path: &Path) -> anyhow::Result<Option<String>> {
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

/// The operator's token, for whoever looks at something and may have none.
pub(crate) fn viewer_token(dir: Option<&Path>) -> anyhow::Result<Option<AuthToken>> {
    if dir.is_none() && given_token().is_none() {
        return Ok(None);
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
