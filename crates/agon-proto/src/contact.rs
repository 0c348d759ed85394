//! Where an agent is reached, and by what: its endpoint is called, its mailbox is written to.
//!
//! The rules keep it as a value; only the edge opens it.

use std::borrow::Cow;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Address, folded, without_code};

/// How somebody is reached. It is who they are, as long as they have shown nothing better; two that
/// lead to the same place are the same, however their owners spell them.
#[derive(Clone, Serialize, Deserialize)]
pub enum Contact {
    /// By calls to an endpoint.
    Call(Endpoint),
    /// By mail.
    Mail(Address),
}

impl Contact {
    /// Of an address, which is either.
    pub fn of(address: &Address) -> Self {
        if address.is_endpoint() {
            Self::Call(Endpoint::new(address.as_str()))
        } else {
            Self::Mail(address.clone())
        }
    }

    /// What two of them are compared by.
    pub(crate) fn key(&self) -> (bool, Cow<'_, str>) {
        (self.vouches(), folded(self.as_str()))
    }

    /// Whether whoever carries the message says who sent it. Nobody does for a call.
    pub const fn vouches(&self) -> bool {
        matches!(self, Self::Mail(_))
    }

    /// The text of it.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Call(endpoint) => endpoint.as_str(),
            Self::Mail(address) => address.as_str(),
        }
    }

    /// The same, as letters name it.
    pub fn address(&self) -> Address {
        match self {
            Self::Call(endpoint) => Address::new(endpoint.as_str()),
            Self::Mail(address) => address.clone(),
        }
    }

    /// The same, as messages of `league.v2` name it, which know endpoints only.
    pub fn endpoint(&self) -> Endpoint {
        match self {
            Self::Call(endpoint) => endpoint.clone(),
            Self::Mail(address) => Endpoint::new(address.as_str()),
        }
    }

    /// The text for exports, without what its author may keep secret. Mail addresses are nobody's
    /// business but the league's.
    pub fn shown(&self) -> String {
        match self {
            Self::Call(endpoint) => endpoint.shown(),
            Self::Mail(_) => String::new(),
        }
    }
}

impl fmt::Debug for Contact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Call(endpoint) => endpoint.fmt(f),
            Self::Mail(address) => fmt::Debug::fmt(address, f),
        }
    }
}

impl From<Endpoint> for Contact {
    fn from(endpoint: Endpoint) -> Self {
        Self::Call(endpoint)
    }
}

/// `http://host:port/mcp`. Cheap to clone.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Endpoint(Arc<str>);

impl Endpoint {
    /// Takes the text as it is.
    pub fn new(url: &str) -> Self {
        Self(url.into())
    }

    /// The URL.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The URL for logs and exports: without a user, a query or a fragment, in which an author may
    /// keep a secret, and without a code. Nothing, if it is no URL.
    pub fn shown(&self) -> String {
        let url = without_code(&self.0);
        let url = url.split(['?', '#']).next().unwrap_or_default();
        let Some((scheme, rest)) = url.split_once("://") else {
            return String::new();
        };
        let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let host = host.rsplit('@').next().unwrap_or_default();
        format!("{scheme}://{host}{path}")
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&without_code(&self.0))
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&without_code(&self.0))
    }
}

/// An endpoint in the one spelling by which it is compared. It is called in its owner's:
/// `localhost` may be an address of IPv4 to one program and of IPv6 to another.
pub(crate) fn canonical_endpoint(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    let (place, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let scheme = scheme.to_ascii_lowercase();
    let usual = if scheme == "https" { 443 } else { 80 };
    let (host, port) = match place.rsplit_once(':').filter(|(_, port)| !port.ends_with(']')) {
        Some((host, digits)) => (host, digits.parse::<u16>().ok()?),
        None => (place, usual),
    };
    let host = host.to_ascii_lowercase();
    let literal = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    let address = literal.and_then(|it| it.parse::<Ipv6Addr>().ok()).map(|it| it.to_canonical());
    let host = match address {
        Some(IpAddr::V4(address)) => address.to_string(),
        Some(IpAddr::V6(Ipv6Addr::LOCALHOST)) => Ipv4Addr::LOCALHOST.to_string(),
        Some(IpAddr::V6(address)) => format!("[{address}]"),
        None if ["localhost", "localhost.localdomain"].contains(&&*host) => {
            Ipv4Addr::LOCALHOST.to_string()
        }
        None => host,
    };
    let port = if port == usual { String::new() } else { format!(":{port}") };
    let path = if path == "/" { "" } else { path };
    Some(format!("{scheme}://{host}{port}{path}"))
}

#[cfg(test)]
mod tests;
