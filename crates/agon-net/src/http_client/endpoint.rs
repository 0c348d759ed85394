//! Where an agent can be called: `http://host:port/path`, parsed once.
//!
//! Endpoints that mean the same are equal, however they are written: the case of the host and an
//! explicit port 80 make no difference.

use std::fmt;
use std::net::IpAddr;

use hyper::Uri;
use hyper::header::HeaderValue;
use hyper::http::uri::{InvalidUri, Scheme};

/// The port of `http` when none is written.
const PORT: u16 = 80;

/// A callable address. Its parts are shared, so a clone costs no allocation.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Endpoint {
    uri: Uri,
    host: HeaderValue,
    address: Option<IpAddr>,
}

/// Why a text is no endpoint.
#[derive(Debug, thiserror::Error)]
pub enum BadEndpoint {
    #[error("the endpoint is no URL")]
    NotAUrl(#[source] InvalidUri),
    #[error("https endpoints cannot be called yet, give an http:// one")]
    Https,
    #[error("the endpoint must begin with http://")]
    NotHttp,
    #[error("the endpoint must name a host, and its port must be a number from 1 to 65535")]
    BadHost,
    #[error("the endpoint must not contain a user name or password")]
    UserInfo,
    #[error("the endpoint must not contain a fragment (#)")]
    Fragment,
}

impl Endpoint {
    /// Reads `http://host:port/path`. The port may be left out and is then 80.
    pub fn parse(text: &str) -> Result<Self, BadEndpoint> {
        if text.contains('#') {
            return Err(BadEndpoint::Fragment); // The parser below would drop it without a word.
        }
        let uri: Uri = text.parse().map_err(BadEndpoint::NotAUrl)?;
        match uri.scheme() {
            Some(scheme) if *scheme == Scheme::HTTP => {}
            Some(scheme) if *scheme == Scheme::HTTPS => return Err(BadEndpoint::Https),
            Some(_) | None => return Err(BadEndpoint::NotHttp),
        }
        let authority = uri.authority().ok_or(BadEndpoint::BadHost)?;
        if authority.as_str().contains('@') {
            return Err(BadEndpoint::UserInfo);
        }
        let name = authority.host().to_ascii_lowercase();
        // The parser lets an empty port pass, and one that is too large, as no port at all.
        let port = match authority.as_str()[name.len()..].strip_prefix(':') {
            Some(digits) => digits.parse().map_err(|_no_port| BadEndpoint::BadHost)?,
            None => PORT,
        };
        if name.is_empty() || port == 0 {
            return Err(BadEndpoint::BadHost);
        }
        let literal = name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        let address = literal.unwrap_or(&name).parse().ok();
        if literal.is_some() && address.is_none() {
            return Err(BadEndpoint::BadHost);
        }
        let host = if port == PORT { name } else { format!("{name}:{port}") };
        let path = uri.path_and_query().map_or("/", |path| path.as_str());
        Ok(Self {
            uri: format!("http://{host}{path}").parse().map_err(BadEndpoint::NotAUrl)?,
            host: HeaderValue::try_from(host).map_err(|_no_header| BadEndpoint::BadHost)?,
            address,
        })
    }

    /// The host in lower case; an IPv6 address keeps its brackets.
    pub fn host(&self) -> &str {
        self.uri.host().unwrap_or_default()
    }

    /// The port, also when it was not written.
    pub fn port(&self) -> u16 {
        self.uri.port_u16().unwrap_or(PORT)
    }

    /// The address, when the host is one and not a name.
    pub fn address(&self) -> Option<IpAddr> {
        self.address
    }

    pub(super) fn uri(&self) -> Uri {
        self.uri.clone()
    }

    pub(super) fn host_header(&self) -> HeaderValue {
        self.host.clone()
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.uri.fmt(formatter)
    }
}

#[cfg(test)]
mod tests;
