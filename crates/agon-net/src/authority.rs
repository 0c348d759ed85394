//! The part of a URL that says where: `host`, `host:port` or `[address]:port`.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The host without brackets, its address if it is one, and the port as it is written, if it is.
pub(crate) fn split(authority: &str) -> Option<(&str, Option<IpAddr>, Option<&str>)> {
    let (host, address, rest) = match authority.strip_prefix('[') {
        Some(literal) => {
            let (host, rest) = literal.split_once(']')?;
            (host, Some(host.parse::<Ipv6Addr>().ok()?.into()), rest)
        }
        None => {
            let (host, rest) = authority.split_at(authority.find(':').unwrap_or(authority.len()));
            (host, host.parse::<Ipv4Addr>().ok().map(IpAddr::from), rest)
        }
    };
    let port = if rest.is_empty() { None } else { Some(rest.strip_prefix(':')?) };
    Some((host, address, port))
}
