//! Where an agent can be called: `http://host:port/path` or `https://…`, parsed once; and which
//! addresses may be called at all.
//!
//! Endpoints that mean the same are equal, however they are written: the case of the host and a
//! port that is written although it is the usual one make no difference.
//!
//! They come from strangers. Without a policy, registering an endpoint would be a way to make us
//! call into the network we stand in, or ask a cloud's metadata service for its keys.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use hyper::Uri;
use hyper::header::HeaderValue;
use hyper::http::uri::{self, InvalidUri};

/// Whether what is said on the way can be read by others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scheme {
    Http,
    Https,
}

impl Scheme {
    /// As an endpoint begins.
    pub const fn as_str(self) -> &'static str {
        self.usual().0
    }

    /// How an endpoint begins, and its port when none is written.
    const fn usual(self) -> (&'static str, u16) {
        match self {
            Self::Http => ("http", 80),
            Self::Https => ("https", 443),
        }
    }
}

/// A callable address. Its parts are shared, so a clone costs no allocation.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct EndpointUrl {
    scheme: Scheme,
    uri: Uri,
    /// Path and query, as a request names them.
    pub(super) target: Uri,
    /// Host and port, as a request names them.
    pub(super) host: HeaderValue,
    address: Option<IpAddr>,
    pub(super) public_only: bool,
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
        let (_, address, port) = split_authority(authority.as_str()).ok_or(BadEndpoint::BadHost)?;
        let (begins, usual_port) = scheme.usual();
        let port = port.map_or(usual_port, |digits| digits.parse().unwrap_or(0));
        // Some resolver might take it for an address: `127.1`, `0x7f.1`; or it ends in nothing, as
        // `localhost.` does, and is another name for the same.
        let last = name.rsplit('.').next().unwrap_or_default();
        let is_number = last.starts_with("0x") || last.bytes().all(|digit| digit.is_ascii_digit());
        if port == 0 || name.len() > HOST_MAX || address.is_none() && is_number {
            return Err(BadEndpoint::BadHost);
        }
        let host = if port == usual_port { name } else { format!("{name}:{port}") };
        let path = uri.path_and_query().map_or("/", |path| path.as_str());
        let target = path.parse().map_err(BadEndpoint::NotAUrl)?;
        let uri = format!("{begins}://{host}{path}").parse().map_err(BadEndpoint::NotAUrl)?;
        let host = HeaderValue::try_from(host).map_err(|_no_header| BadEndpoint::BadHost)?;
        Ok(Self { scheme, uri, target, host, address, public_only: false })
    }

    /// The same, called only where it leads to a public address, or wherever the policy permits.
    pub fn bound(self, public_only: bool) -> Self {
        Self { public_only, ..self }
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
        self.uri.port_u16().unwrap_or(self.scheme.usual().1)
    }

    /// The address, when the host is one and not a name. Never one of IPv4 in the clothes of IPv6.
    pub fn address(&self) -> Option<IpAddr> {
        self.address
    }
}

impl fmt::Display for EndpointUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.uri.fmt(formatter)
    }
}

/// Longest name of a host that there can be.
const HOST_MAX: usize = 253;

/// Splits the part of a URL that says where, `host`, `host:port` or `[address]:port`: the host
/// without brackets, its address if it is one (of IPv4 also in the clothes of IPv6), and the port
/// as it is written, if it is.
pub(crate) fn split_authority(authority: &str) -> Option<(&str, Option<IpAddr>, Option<&str>)> {
    let (host, address, rest) = match authority.strip_prefix('[') {
        Some(literal) => {
            let (host, rest) = literal.split_once(']')?;
            (host, Some(host.parse::<Ipv6Addr>().ok()?.to_canonical()), rest)
        }
        None => {
            let (host, rest) = authority.split_at(authority.find(':').unwrap_or(authority.len()));
            (host, host.parse::<Ipv4Addr>().ok().map(IpAddr::from), rest)
        }
    };
    let port = if rest.is_empty() { None } else { Some(rest.strip_prefix(':')?) };
    Some((host, address, port))
}

/// Which kinds of address may be called. Link-local, metadata, unspecified, multicast, broadcast
/// and reserved addresses may never be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AddressPolicy {
    /// This machine.
    pub loopback: bool,
    /// Networks that are not routed on the internet.
    pub private: bool,
    /// The internet.
    pub public: bool,
}

impl AddressPolicy {
    /// What of it holds for that endpoint.
    pub(super) fn towards(self, endpoint: &EndpointUrl) -> Self {
        // Whoever gives a name to an address can give it to ours, and no check at its registration
        // would have seen that.
        let is_plain = endpoint.address.is_some() || endpoint.host() == "localhost";
        let is_near = !endpoint.public_only;
        let [loopback, private] = [self.loopback && is_plain, self.private].map(|it| it && is_near);
        Self { loopback, private, ..self }
    }

    /// Whether this address may be called. Looks at the IPv4 address inside an IPv6 one.
    pub fn permits(&self, address: IpAddr) -> bool {
        let zone = match address.to_canonical() {
            IpAddr::V4(address) => zone_v4(address),
            IpAddr::V6(address) => zone_v6(address),
        };
        match zone {
            Zone::Loopback => self.loopback,
            Zone::Private => self.private,
            Zone::Public => self.public,
            Zone::Never => false,
        }
    }
}

#[derive(Clone, Copy)]
enum Zone {
    Loopback,
    Private,
    Public,
    Never,
}

/// Networks by prefix; the first that matches counts, and what matches none is public.
const V4: &[([u8; 4], u32, Zone)] = &[
    ([0, 0, 0, 0], 8, Zone::Never), // Unspecified; some systems take it for themselves.
    ([127, 0, 0, 0], 8, Zone::Loopback),
    ([169, 254, 0, 0], 16, Zone::Never), // Link-local, and most clouds' metadata.
    ([100, 100, 100, 200], 32, Zone::Never), // Alibaba Cloud's metadata.
    ([168, 63, 129, 16], 32, Zone::Never), // Azure's platform service.
    ([192, 0, 0, 0], 24, Zone::Never),   // Protocol assignments; Oracle Cloud's metadata.
    ([10, 0, 0, 0], 8, Zone::Private),
    ([172, 16, 0, 0], 12, Zone::Private),
    ([192, 168, 0, 0], 16, Zone::Private),
    ([100, 64, 0, 0], 10, Zone::Private), // Behind a carrier's NAT.
    ([198, 18, 0, 0], 15, Zone::Private), // Test benches.
    ([192, 0, 2, 0], 24, Zone::Never),    // Documentation, three times.
    ([198, 51, 100, 0], 24, Zone::Never),
    ([203, 0, 113, 0], 24, Zone::Never),
    ([192, 88, 99, 0], 24, Zone::Never), // Relays of 6to4, retired.
    ([224, 0, 0, 0], 3, Zone::Never),    // Multicast, reserved, broadcast.
];

fn zone_v4(address: Ipv4Addr) -> Zone {
    let within = |&&(network, length, _): &&([u8; 4], u32, Zone)| {
        let network = u32::from_be_bytes(network);
        (address.to_bits() ^ network) >> (u32::BITS - length) == 0
    };
    V4.iter().find(within).map_or(Zone::Public, |&(_, _, zone)| zone)
}

/// In IPv6 only what is assigned counts, so unspecified, link-local, multicast and every range that
/// nobody has thought of yet fall through to the last line.
fn zone_v6(address: Ipv6Addr) -> Zone {
    match address.segments() {
        [0, 0, 0, 0, 0, 0, 0, 1] => Zone::Loopback,
        // Translated to IPv4 by NAT64 or 6to4: where the packet ends is what matters.
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] | [0x2002, high, low, ..] => {
            zone_v4(Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low)))
        }
        // Metadata of Amazon's and of Google's cloud.
        [0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254] | [0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254] => Zone::Never,
        [0xfc00..=0xfdff, ..] => Zone::Private,
        // Protocol assignments with Teredo in them, and documentation.
        [0x2001, 0..=0x1ff | 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => Zone::Never,
        [0x2000..=0x3fff, ..] => Zone::Public,
        _ => Zone::Never,
    }
}

#[cfg(test)]
mod tests;
