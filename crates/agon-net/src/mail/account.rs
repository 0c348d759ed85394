//! A mailbox of ours: where it is, `imaps://host`, `smtp+starttls://host:port` and the like, parsed
//! once; and how we prove that it is ours.
//!
//! No secret shows itself in `Debug` or in an error.

use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;

use super::oauth::OAuth2;
use crate::http_client::split_authority;
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

/// What is spoken there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Protocol {
    Imap,
    Smtp,
}

/// When encryption begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Security {
    /// With the first byte.
    Tls,
    /// After a few words in the clear, before anybody says who they are.
    StartTls,
    /// Never.
    Plain,
}

/// The address of a mail server. The host is in lower case; an IPv6 address has no brackets.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ServerUrl {
    pub protocol: Protocol,
    pub security: Security,
    pub host: String,
    pub port: u16,
}

/// Why a text is no address of a mail server, and what to write instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadServerUrl {
    #[error(
        "it must begin with imaps://, imap+starttls:// or imap://, or with smtps://, \
         smtp+starttls:// or smtp://; for instance imaps://mail.example.org"
    )]
    Scheme,
    #[error("it must name a host, for instance imaps://mail.example.org:993")]
    Host,
    #[error("its port must be a number from 1 to 65535, or be left out")]
    Port,
    #[error("it must hold neither a user nor a password; they have settings of their own")]
    UserInfo,
    #[error("it must end with the host or the port")]
    Path,
}

/// Every way to begin, with the port that is meant when none is written.
const SCHEMES: [(&str, Protocol, Security, u16); 6] = [
    ("imaps", Protocol::Imap, Security::Tls, 993),
    ("imap+starttls", Protocol::Imap, Security::StartTls, 143),
    ("imap", Protocol::Imap, Security::Plain, 143),
    ("smtps", Protocol::Smtp, Security::Tls, 465),
    ("smtp+starttls", Protocol::Smtp, Security::StartTls, 587),
    ("smtp", Protocol::Smtp, Security::Plain, 25),
];

impl ServerUrl {
    /// Reads a URL.
    ///
    /// # Errors
    /// Says what to write instead.
    pub fn parse(text: &str) -> Result<Self, BadServerUrl> {
        let (scheme, rest) = text.trim().split_once("://").ok_or(BadServerUrl::Scheme)?;
        let (_, protocol, security, usual_port) = SCHEMES
            .into_iter()
            .find(|(name, ..)| scheme.eq_ignore_ascii_case(name))
            .ok_or(BadServerUrl::Scheme)?;
        let authority = rest.strip_suffix('/').unwrap_or(rest);
        if authority.contains('@') {
            return Err(BadServerUrl::UserInfo);
        }
        if authority.contains(['/', '?', '#']) {
            return Err(BadServerUrl::Path);
        }
        let (host, address, port) = split_authority(authority).ok_or(BadServerUrl::Host)?;
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
        let named = (1..=253).contains(&host.len()) && host.chars().all(plain);
        if !named && address.is_none() {
            return Err(BadServerUrl::Host);
        }
        let port = match port {
            // Digits only: the library would also take a sign.
            Some(digits) if !digits.bytes().all(|byte| byte.is_ascii_digit()) => 0,
            Some(digits) => digits.parse().unwrap_or(0),
            None => usual_port,
        };
        if port == 0 {
            return Err(BadServerUrl::Port);
        }
        Ok(Self { protocol, security, host: host.to_ascii_lowercase(), port })
    }

    /// Whether nothing that is said to this server leaves the machine.
    pub fn is_loopback(&self) -> bool {
        match self.host.parse::<IpAddr>() {
            Ok(address) => address.to_canonical().is_loopback(),
            Err(_a_name) => self.host == "localhost",
        }
    }

    /// How it would begin if encryption began like this.
    pub(super) fn scheme(&self, security: Security) -> &'static str {
        let spoken = SCHEMES
            .iter()
            .find(|(_, protocol, begins, _)| (*protocol, *begins) == (self.protocol, security));
        spoken.map_or("", |(name, ..)| name)
    }
}

impl fmt::Display for ServerUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (scheme, Self { host, port, .. }) = (self.scheme(self.security), self);
        if host.contains(':') {
            return write!(f, "{scheme}://[{host}]:{port}");
        }
        write!(f, "{scheme}://{host}:{port}")
    }
}

#[cfg(test)]
mod tests;
