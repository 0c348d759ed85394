//! A mailbox of ours: where it is, and how we prove that it is ours.
//!
//! No secret shows itself in `Debug` or in an error.

use std::fmt;
use std::sync::Arc;

use super::oauth::OAuth2;
use super::server_url::{Protocol, Security, ServerUrl};
use crate::tls::Trust;

/// Everything that is needed to read and to send.
#[derive(Debug, Clone)]
pub struct Account {
    /// What others write to, and what `From:` says.
    pub address: String,
    /// The name to log in with; often the address.
    pub user: String,
    pub secret: Secret,
    pub imap: ServerUrl,
    pub smtp: ServerUrl,
    /// Whose certificates are believed.
    pub trust: Trust,
    /// Whether passwords may travel unencrypted beyond this machine, because somebody said so.
    pub insecure: bool,
    /// The name under which our own mail server signs `Authentication-Results`. Without it nobody's
    /// are believed, since anybody can write such a header.
    pub authserv_id: Option<String>,
}

/// How we prove who we are.
#[derive(Clone)]
pub enum Secret {
    /// A password, or an app password where the provider wants one.
    Password(String),
    /// An access token that is fetched anew when it runs out.
    OAuth2(Arc<OAuth2>),
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Password(_) => "Password(..)",
            Self::OAuth2(_) => "OAuth2(..)",
        })
    }
}

/// Why an account cannot be used as it is written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadAccount {
    #[error("{0:?} is no mail address; it must look like red@league.test")]
    Address(String),
    #[error("{0} is no IMAP server; its URL must begin with imaps://, imap+starttls:// or imap://")]
    NotImap(ServerUrl),
    #[error("{0} is no SMTP server; its URL must begin with smtps://, smtp+starttls:// or smtp://")]
    NotSmtp(ServerUrl),
    #[error(
        "the password would travel to {0} for everybody to read; write {1}:// instead, or say \
         `insecure = true`"
    )]
    Exposed(ServerUrl, &'static str),
}

impl Account {
    /// Checks what no server has to be asked for.
    ///
    /// # Errors
    /// Says what is wrong and what to write instead.
    pub fn check(&self) -> Result<(), BadAccount> {
        if !self.address.is_ascii() || self.address.parse::<lettre::Address>().is_err() {
            return Err(BadAccount::Address(self.address.clone()));
        }
        if self.imap.protocol != Protocol::Imap {
            return Err(BadAccount::NotImap(self.imap.clone()));
        }
        if self.smtp.protocol != Protocol::Smtp {
            return Err(BadAccount::NotSmtp(self.smtp.clone()));
        }
        for server in [&self.imap, &self.smtp] {
            let open = server.security == Security::Plain && !server.is_loopback();
            if open && !self.insecure {
                let instead = server.scheme(Security::Tls);
                return Err(BadAccount::Exposed(server.clone(), instead));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
