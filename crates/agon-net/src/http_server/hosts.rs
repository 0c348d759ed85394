//! Which `Host` and `Origin` headers may speak to `/mcp`.
//!
//! A web page in the operator's browser must not reach an agent on the same machine. By DNS
//! rebinding a page's own *name* may point at us, so names are refused unless they are listed; an
//! address cannot be rebound. A page may also post across sites, and then its `Origin` tells.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use hyper::header::{HOST, HeaderMap, HeaderName, ORIGIN};
use hyper::{Request, Uri};

/// The names under which this server may be called, beside `localhost` and every IP address.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hosts {
    /// Host names without a port, such as `league.example.org`.
    pub listed: Vec<String>,
}

impl Hosts {
    /// Whether this request was meant for us and not sent by a foreign web page.
    pub(super) fn accept<B>(&self, request: &Request<B>) -> bool {
        let Ok(Some(host)) = only(request.headers(), &HOST) else {
            return false;
        };
        self.is_ours(host) && self.is_our_target(request.uri()) && self.is_our_page(request, host)
    }

    /// An absolute request target overrules the `Host` header, so it must pass as well.
    fn is_our_target(&self, uri: &Uri) -> bool {
        uri.authority().is_none_or(|authority| self.is_ours(authority.as_str()))
    }

    /// No browser at all, a page of this very server, of this machine, or of a listed name. A page
    /// of some other address is foreign: only as a `Host` does an address prove anything.
    fn is_our_page<B>(&self, request: &Request<B>, host: &str) -> bool {
        match only(request.headers(), &ORIGIN) {
            Ok(None) => true,
            Ok(Some(origin)) => {
                let site = origin.strip_prefix("http://").or(origin.strip_prefix("https://"));
                site.is_some_and(|site| {
                    site.eq_ignore_ascii_case(host)
                        || host_of(site).is_some_and(|host| match host {
                            Host::Address(address) => address.is_loopback(),
                            Host::Name(name) => self.lists(name),
                        })
                })
            }
            Err(Unclear) => false,
        }
    }

    fn is_ours(&self, authority: &str) -> bool {
        match host_of(authority) {
            Some(Host::Address(_)) => true,
            Some(Host::Name(name)) => self.lists(name),
            None => false,
        }
    }

    fn lists(&self, name: &str) -> bool {
        name.eq_ignore_ascii_case("localhost")
            || self.listed.iter().any(|listed| listed.eq_ignore_ascii_case(name))
    }
}

/// A header that must be read one way only was sent twice, or is no text.
struct Unclear;

/// The value of a header that may occur once.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, Unclear> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => value.to_str().map(Some).map_err(|_no_text| Unclear),
        (Some(_), Some(_)) => Err(Unclear),
    }
}

enum Host<'a> {
    Address(IpAddr),
    Name(&'a str),
}

/// The host of `host`, `host:port` or `[address]:port`.
fn host_of(authority: &str) -> Option<Host<'_>> {
    let (host, port) = match authority.strip_prefix('[') {
        Some(rest) => {
            let (address, port) = rest.split_once(']')?;
            (Host::Address(address.parse::<Ipv6Addr>().ok()?.into()), port)
        }
        None => {
            let (host, port) = authority.split_at(authority.find(':').unwrap_or(authority.len()));
            let address = host.parse::<Ipv4Addr>().map(IpAddr::from);
            (address.map_or(Host::Name(host), Host::Address), port)
        }
    };
    let port_is_sound =
        port.is_empty() || port.strip_prefix(':').is_some_and(|port| port.parse::<u16>().is_ok());
    port_is_sound.then_some(host)
}

#[cfg(test)]
mod tests;
