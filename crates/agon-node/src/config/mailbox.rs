//! The mailbox file: whose mailbox an agent uses, and who the league manager is.
//!
//! The password never stands in it: the file names the environment variable that holds it. What
//! does not work is said with the key and what to write instead.
//!
//! Spec: docs/q21.md

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use agon_proto::{Address, DisplayName, GroupId};
use serde::Deserialize;

/// A mailbox file, as it stands.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MailboxFile {
    pub address: Address,
    user: Option<String>,
    password_env: Option<String>,
    oauth2: Option<OAuth2File>,
    pub imap: String,
    pub smtp: String,
    pub ca: Option<PathBuf>,
    /// The league manager; an agent must name it.
    pub manager: Option<Address>,
    /// Our team, if the file says it.
    pub group: Option<GroupId>,
    /// Whose `Authentication-Results` are believed: the name that our mail server writes there.
    pub authserv_id: Option<String>,
    /// The teams that a manager invites.
    #[serde(default, rename = "team")]
    pub teams: Vec<Team>,
    open: Option<bool>,
    /// Whether the password may travel unencrypted beyond this machine.
    #[serde(default)]
    pub insecure: bool,
}

/// The names of the variables with what XOAUTH2 needs.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct OAuth2File {
    client_id_env: String,
    client_secret_env: String,
    refresh_token_env: String,
    token_url: String,
}

/// What lets us into the mailbox.
#[derive(Clone)]
pub enum MailboxSecret {
    /// A password, or an app password.
    Password(String),
    /// XOAUTH2: tokens are fetched with these as they are needed.
    OAuth2(OAuth2Keys),
}

impl std::fmt::Debug for MailboxSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// How fresh access tokens are got.
#[derive(Clone, PartialEq, Eq)]
pub struct OAuth2Keys {
    pub client_id: String,
    pub client_secret: String,
    pub refresh_token: String,
    pub token_url: String,
}

/// One team of the manager's list.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Team {
    pub group: GroupId,
    pub name: Option<DisplayName>,
    pub player: Option<Address>,
    pub referee: Option<Address>,
}

/// Why a mailbox file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BadMailbox {
    #[error("could not read the mailbox file {}", path.display())]
    Read { path: PathBuf, source: std::io::Error },
    #[error("could not understand {} as a mailbox file", path.display())]
    NotToml { path: PathBuf, source: Box<toml::de::Error> },
    #[error("`{key}` of the mailbox file {}: {problem}", path.display())]
    BadValue { path: PathBuf, key: &'static str, problem: String },
}

impl MailboxFile {
    /// Reads a file, and from `env` the secret that it names.
    ///
    /// # Errors
    /// When the file cannot be read, has a key too many or too few, or names a variable that is
    /// not set.
    pub fn load(
        path: &Path,
        env: impl Fn(&str) -> Option<String>,
    ) -> Result<(Self, MailboxSecret), BadMailbox> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| BadMailbox::Read { path: path.to_owned(), source })?;
        let mut file: Self = toml::from_str(&text).map_err(|source| BadMailbox::NotToml {
            path: path.to_owned(),
            source: Box::new(source),
        })?;
        // Named from the file's own folder, so that the file can be used from anywhere.
        file.ca = file.ca.map(|ca| path.parent().unwrap_or(Path::new("")).join(ca));
        match file.check().and_then(|()| file.secret(env)) {
            Ok(secret) => Ok((file, secret)),
            Err((key, problem)) => {
                Err(BadMailbox::BadValue { path: path.to_owned(), key, problem })
            }
        }
    }

    /// The name to log in with: the address, unless the file says it.
    pub fn user(&self) -> String {
        self.user.clone().unwrap_or_else(|| self.address.to_string())
    }

    /// Whether teams that are not in the list may register: without a list all may.
    pub fn is_open(&self) -> bool {
        self.open.unwrap_or(self.teams.is_empty())
    }

    fn check(&self) -> Result<(), Bad> {
        check_address("address", &self.address)?;
        self.manager.iter().try_for_each(|manager| check_address("manager", manager))?;
        check_teams(&self.teams)
    }

    fn secret(&self, env: impl Fn(&str) -> Option<String>) -> Result<MailboxSecret, Bad> {
        let read = |key: &'static str, name: &str| {
            let unset = || (key, format!("the environment variable {name} is not set"));
            env(name).filter(|value| !value.is_empty()).ok_or_else(unset)
        };
        match (&self.password_env, &self.oauth2) {
            (Some(name), None) => read("password_env", name).map(MailboxSecret::Password),
            (None, Some(oauth2)) => Ok(MailboxSecret::OAuth2(OAuth2Keys {
                client_id: read("oauth2.client_id_env", &oauth2.client_id_env)?,
                client_secret: read("oauth2.client_secret_env", &oauth2.client_secret_env)?,
                refresh_token: read("oauth2.refresh_token_env", &oauth2.refresh_token_env)?,
                token_url: oauth2.token_url.clone(),
            })),
            (Some(_), Some(_)) => {
                Err(("password_env", "name a password or [oauth2], not both".to_owned()))
            }
            (None, None) => {
                let hint = "the environment variable that holds the password (or write [oauth2])";
                Err(("password_env", format!("name {hint}")))
            }
        }
    }
}

/// A key whose value does not work, and why.
type Bad = (&'static str, String);

/// Every address is one agent's: whoever writes is known by it.
fn check_teams(teams: &[Team]) -> Result<(), Bad> {
    let mut seen = BTreeMap::new();
    for team in teams {
        let group = &team.group;
        if group.is_empty() {
            return Err(("team.group", "a team needs a name".to_owned()));
        }
        for (key, address) in [("team.player", &team.player), ("team.referee", &team.referee)] {
            let Some(address) = address else { continue };
            let Some(other) = seen.insert(address, group) else { continue };
            let each = "every player and every referee needs a mailbox of its own";
            return Err(if other == group && key == "team.referee" {
                (key, format!("{address} is both player and referee of the team {group}; {each}"))
            } else {
                (key, format!("{address} belongs to the teams {other} and {group}; {each}"))
            });
        }
    }
    Ok(())
}

fn check_address(key: &'static str, address: &Address) -> Result<(), Bad> {
    let address = address.as_str();
    match address.split_once('@') {
        Some((local, host)) if !local.is_empty() && !host.is_empty() && !host.contains('@') => {
            Ok(())
        }
        Some(_) | None => {
            Err((key, format!("{address:?} is no mail address; write one like ada@example.org")))
        }
    }
}

#[cfg(test)]
mod tests;
