//! Where a mail server is: `imaps://host`, `smtp+starttls://host:port` and the like, parsed once.

use std::fmt;
use std::net::IpAddr;

use crate::authority;

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
        let (host, address, port) = authority::split(authority).ok_or(BadServerUrl::Host)?;
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
