//! Where an agent can be called: `http://host:port/path` or `https://…`, parsed once.
//!
//! Endpoints that mean the same are equal, however they are written: the case of the host and a
//! port that is written although it is the usual one make no difference.

use std::fmt;
use std::net::IpAddr;

use hyper::Uri;
use hyper::header::HeaderValue;
use hyper::http::uri::{self, InvalidUri};

use crate::authority::split;

/// Whether what is said on the way can be read by others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scheme {
    Http,
    Https,
}

impl Scheme {
    /// As an endpoint begins.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
        }
    }

    /// The port when none is written.
    const fn usual_port(self) -> u16 {
        match self {
            Self::Http => 80,
            Self::Https => 443,
        }
    }
}

/// A callable address. Its parts are shared, so a clone costs no allocation.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct EndpointUrl {
    scheme: Scheme,
    uri: Uri,
    /// Path and query, as a request names them.
    target: Uri,
    host: HeaderValue,
    address: Option<IpAddr>,
}

/// Why a text is no endpoint.
#[derive(Debug, thiserror::Error)]
pub enum BadEndpoint {
    #[error("the endpoint is no URL")]
    NotAUrl(#[source] InvalidUri),
    #[error("the endpoint must begin with http:// or https://")]
    NotHttp,
    #[error("the endpoint must name a host, and its port must be a number from 1 to 65535")]
    BadHost,
    #[error("the endpoint must not contain a user name or password")]
    UserInfo,
    #[error("the endpoint must not contain a fragment (#)")]
    Fragment,
}

impl EndpointUrl {
    /// Reads `http://host:port/path` or the same with `https`. The port may be left out and is then
    /// 80 or 443.
    pub fn parse(text: &str) -> Result<Self, BadEndpoint> {
        if text.contains('#') {
            return Err(BadEndpoint::Fragment); // The parser below would drop it without a word.
        }
        let uri: Uri = text.parse().map_err(BadEndpoint::NotAUrl)?;
        let scheme = match uri.scheme() {
            Some(scheme) if *scheme == uri::Scheme::HTTP => Scheme::Http,
            Some(scheme) if *scheme == uri::Scheme::HTTPS => Scheme::Https,
            Some(_) | None => return Err(BadEndpoint::NotHttp),
        };
        let authority = uri.authority().ok_or(BadEndpoint::BadHost)?;
        if authority.as_str().contains('@') {
            return Err(BadEndpoint::UserInfo);
        }
        let name = authority.host().to_ascii_lowercase();
        // The parser lets an empty port pass, and one that is too large, as no port at all.
        let (_, address, port) = split(authority.as_str()).ok_or(BadEndpoint::BadHost)?;
        let port = match port {
            Some(digits) => digits.parse().map_err(|_no_port| BadEndpoint::BadHost)?,
            None => scheme.usual_port(),
        };
        if name.is_empty() || port == 0 {
            return Err(BadEndpoint::BadHost);
        }
        let usual = port == scheme.usual_port();
        let host = if usual { name } else { format!("{name}:{port}") };
        let path = uri.path_and_query().map_or("/", |path| path.as_str());
        let target = path.parse().map_err(BadEndpoint::NotAUrl)?;
        let uri = format!("{}://{host}{path}", scheme.as_str());
        Ok(Self {
            scheme,
            target,
            uri: uri.parse().map_err(BadEndpoint::NotAUrl)?,
            host: HeaderValue::try_from(host).map_err(|_no_header| BadEndpoint::BadHost)?,
            address,
        })
    }

    /// Plain or encrypted.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The host in lower case; an IPv6 address keeps its brackets.
    pub fn host(&self) -> &str {
        self.uri.host().unwrap_or_default()
    }

    /// The port, also when it was not written.
    pub fn port(&self) -> u16 {
        self.uri.port_u16().unwrap_or(self.scheme.usual_port())
    }

    /// The address, when the host is one and not a name.
    pub fn address(&self) -> Option<IpAddr> {
        self.address
    }

    pub(super) fn target(&self) -> Uri {
        self.target.clone()
    }

    pub(super) fn host_header(&self) -> HeaderValue {
        self.host.clone()
    }
}

impl fmt::Display for EndpointUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.uri.fmt(formatter)
    }
}

#[cfg(test)]
mod tests;
