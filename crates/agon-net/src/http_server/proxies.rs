//! Who calls, when a proxy that the operator listed speaks for others: the address in the PROXY
//! protocol's header, or the right-most one in `Forwarded` or `X-Forwarded-For` that is no such
//! proxy's. What anybody else says about it is not believed.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::str::FromStr;

use hyper::header::{FORWARDED, HeaderMap, HeaderName, HeaderValue};

/// What proxies put into the requests of others, if not `Forwarded`.
const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

const TEXT: &[u8] = b"PROXY ";
/// With the end of its line.
const TEXT_MAX: usize = 107;
const BINARY: &[u8] = b"\r\n\r\n\0\r\nQUIT\n";
/// Signature, version and command, family, and the length of the rest.
const BINARY_FIXED: usize = 16;
/// The addresses and whatever else a proxy says. More is nonsense.
const BINARY_REST_MAX: usize = 4096;

/// Addresses that begin with the same bits: `10.0.0.0/8`, `fd00::/8`, or a single one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network {
    first: u128,
    mask: u128,
}

/// A text that is no network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("this is neither an address nor a network such as 10.0.0.0/8")]
pub struct BadNetwork;

impl FromStr for Network {
    type Err = BadNetwork;

    fn from_str(text: &str) -> Result<Self, BadNetwork> {
        let (address, length) = match text.split_once('/') {
            Some((address, length)) => (address, Some(length)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().map_err(|_no_address| BadNetwork)?;
        let width: u32 = if address.is_ipv4() { 32 } else { 128 };
        let length = length.map_or(Ok(width), str::parse).map_err(|_no_number| BadNetwork)?;
        if length > width {
            return Err(BadNetwork);
        }
        let mask = u128::MAX.checked_shl(width - length).unwrap_or(0);
        // An address of IPv4 is one of IPv6 with that beginning.
        Ok(Self { first: bits(address) & mask, mask })
    }
}

impl Network {
    fn contains(&self, address: IpAddr) -> bool {
        bits(address) & self.mask == self.first
    }
}

fn bits(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(address) => address.to_ipv6_mapped().to_bits(),
        IpAddr::V6(address) => address.to_bits(),
    }
}

/// The proxies that are believed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Proxies(pub Vec<Network>);

/// Who calls, as far as we know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallerAddress {
    pub address: SocketAddr,
    /// Somebody calls through a proxy, and it is not known who, or from where beyond our machine.
    pub is_veiled: bool,
}

impl Proxies {
    /// Whether whoever is there is one of them.
    pub fn lists(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(address))
    }

    /// Who calls by a request with these headers, on a connection that comes from there.
    pub(super) fn caller(&self, from: SocketAddr, headers: &HeaderMap) -> CallerAddress {
        // What is no text names nobody.
        let text = |value: &'_ HeaderValue| value.to_str().unwrap_or("?").to_owned();
        let [pairs, plain] = [FORWARDED, X_FORWARDED_FOR]
            .map(|name| headers.get_all(name).iter().map(text).collect::<Vec<_>>());
        self.named(from, &pairs, &plain)
    }

    /// Who calls by a request with these values of `Forwarded` and of `X-Forwarded-For`.
    pub fn named(&self, from: SocketAddr, pairs: &[String], plain: &[String]) -> CallerAddress {
        let veiled = CallerAddress { address: from, is_veiled: true };
        if pairs.is_empty() && plain.is_empty() {
            return CallerAddress { address: from, is_veiled: false };
        }
        if !self.lists(from.ip()) {
            return veiled;
        }
        let said = [(pairs, true), (plain, false)];
        // A proxy that writes one of them may let the other pass as its caller wrote it.
        let said = said.into_iter().filter(|(values, _)| !values.is_empty());
        let mut found = said.map(|(values, is_pairs)| self.rightmost(values, is_pairs));
        let first = found.next().flatten();
        let address = first.filter(|first| found.all(|other| other == Some(*first)));
        address.map_or(veiled, |address| CallerAddress {
            address: SocketAddr::new(address, 0),
            // Whoever is on our own machine need not call through a proxy.
            is_veiled: address.is_loopback(),
        })
    }

    /// The last address in a header that is no proxy's. Whatever stands before it, its caller may
    /// have written.
    fn rightmost(&self, values: &[String], is_pairs: bool) -> Option<IpAddr> {
        for element in values.iter().rev().flat_map(|text| text.rsplit(',')) {
            let address = node(if is_pairs { for_of(element)? } else { element.trim() })?;
            if !self.lists(address) {
                return Some(address);
            }
        }
        None
    }
}

/// What `for=` says in an element of `Forwarded`.
fn for_of(element: &str) -> Option<&str> {
    let mut pairs = element.split(';').filter_map(|pair| pair.trim().split_once('='));
    let (_, value) = pairs.find(|(name, _)| name.eq_ignore_ascii_case("for"))?;
    Some(value.trim_matches('"'))
}

/// An address, perhaps in brackets, perhaps with a port.
fn node(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let address = bare.parse().ok().or_else(|| text.parse().ok().map(|it: SocketAddr| it.ip()))?;
    Some(address.to_canonical())
}

/// What a proxy says of a connection before anything else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Preamble {
    /// Something else begins here.
    Absent,
    /// More of it must come.
    Part,
    /// It is so long, and names a caller unless the proxy speaks for itself.
    Whole {
        length: usize,
        caller: Option<SocketAddr>,
    },
    Broken,
}

impl Preamble {
    /// Reads the header of the PROXY protocol, version 1 or 2, at the beginning of a connection.
    pub fn read(bytes: &[u8]) -> Self {
        let begins = |with: &[u8]| bytes.iter().zip(with).all(|(one, other)| one == other);
        if begins(TEXT) {
            let line = bytes.windows(2).take(TEXT_MAX - 1).position(|end| end == b"\r\n");
            return match line {
                Some(end) => Self::of_text(&bytes[..end]).unwrap_or(Self::Broken),
                None if bytes.len() < TEXT_MAX => Self::Part,
                None => Self::Broken,
            };
        }
        if begins(BINARY) {
            let Some((fixed, rest)) = bytes.split_at_checked(BINARY_FIXED) else {
                return Self::Part;
            };
            let length = usize::from(u16::from_be_bytes([fixed[14], fixed[15]]));
            return match rest.get(..length) {
                Some(said) => Self::of_binary(fixed[12], fixed[13], said).unwrap_or(Self::Broken),
                None if length <= BINARY_REST_MAX => Self::Part,
                None => Self::Broken,
            };
        }
        Self::Absent
    }

    fn of_text(line: &[u8]) -> Option<Self> {
        let length = line.len() + 2;
        let mut words = str::from_utf8(line.get(TEXT.len()..)?).ok()?.split(' ');
        let family = words.next()?;
        if family == "UNKNOWN" {
            return Some(Self::Whole { length, caller: None });
        }
        let words: [&str; 4] = words.collect::<Vec<_>>().try_into().ok()?;
        let [source, target]: [IpAddr; 2] = [words[0].parse().ok()?, words[1].parse().ok()?];
        let [port, _]: [u16; 2] = [words[2].parse().ok()?, words[3].parse().ok()?];
        let is_v4 = match family {
            "TCP4" => true,
            "TCP6" => false,
            _ => return None,
        };
        let fits = source.is_ipv4() == is_v4 && target.is_ipv4() == is_v4;
        let caller = Some(SocketAddr::new(source.to_canonical(), port));
        fits.then_some(Self::Whole { length, caller })
    }

    fn of_binary(command: u8, family: u8, said: &[u8]) -> Option<Self> {
        let length = BINARY_FIXED + said.len();
        let caller = match (command, family) {
            (0x20, _) | (0x21, 0x00) => None, // The proxy itself, or whoever it cannot name.
            (0x21, 0x11) => {
                let said: &[u8; 12] = said.first_chunk()?;
                let [a, b, c, d, _, _, _, _, high, low, ..] = *said;
                let source = IpAddr::V4(Ipv4Addr::new(a, b, c, d));
                Some(SocketAddr::new(source, u16::from_be_bytes([high, low])))
            }
            (0x21, 0x21) => {
                let (source, rest) = said.split_first_chunk::<16>()?;
                let port: &[u8; 4] = rest.get(16..)?.first_chunk()?;
                let source = IpAddr::V6(Ipv6Addr::from(*source)).to_canonical();
                Some(SocketAddr::new(source, u16::from_be_bytes([port[0], port[1]])))
            }
            _ => return None,
        };
        Some(Self::Whole { length, caller })
    }
}

#[cfg(test)]
mod tests;
