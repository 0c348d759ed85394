//! The code that an operator gives to those who may come, and where it must not be seen.
//!
//! A code is a secret: it prints itself nowhere. It travels as a field, or in the address of the
//! manager (`http://host:8000/join/CODE/mcp`) for agents that know no such field.
//!
//! Spec: docs/protocol/registration.md

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use crate::words::texts;

/// What somebody is told who needs a code and shows none.
pub const CODE_NEEDED: &str = "a referee on another machine needs the operator's code: send it as \
    referee_meta.invitation_code (agon referee --referee-code CODE), or call the manager at \
    http://HOST:PORT/join/CODE/mcp";

/// What stands before the code in the path of an address.
const JOIN: &str = "/join/";
/// What stands in its place wherever an address is shown.
const HIDDEN: &str = "…";

/// A code that somebody shows. Whether it is the right one the league knows.
#[derive(Clone, PartialEq, Eq, Serialize)]
pub struct InvitationCode(Box<str>);

/// Why a text cannot be a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a code has 8 to 64 characters: letters, digits, \"-\" and \"_\"")]
pub struct BadCode;

impl InvitationCode {
    /// Fewer characters can be guessed.
    pub const LENGTH_MIN: usize = 8;
    /// More are not read.
    pub const LENGTH_MAX: usize = 64;

    /// The text, for the one place that must show it: the holder's own request.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// The address by which a manager is called with this code. One that has a code keeps it.
    pub fn in_address(&self, url: &str) -> String {
        let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
        let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        if path.starts_with(JOIN) {
            return url.to_owned();
        }
        format!("{scheme}://{host}{JOIN}{}{path}", self.0)
    }
}

impl FromStr for InvitationCode {
    type Err = BadCode;

    fn from_str(text: &str) -> Result<Self, BadCode> {
        let fits = (Self::LENGTH_MIN..=Self::LENGTH_MAX).contains(&text.len());
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        if fits && text.bytes().all(plain) { Ok(Self(text.into())) } else { Err(BadCode) }
    }
}

impl fmt::Debug for InvitationCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}

texts! {
    InvitationCode: "a code of at most 64 characters",
        |text| (text.len() <= Self::LENGTH_MAX).then(|| Self(text.into())),
        { "maxLength": Self::LENGTH_MAX };
}

/// The code in the path of an address, if there is one, whether it can be one or not.
pub fn code_in(url: &str) -> Option<&str> {
    parts(url).map(|[_, code, _]| code)
}

/// An address as it may be shown: without the code in its path.
pub fn without_code(url: &str) -> Cow<'_, str> {
    match parts(url) {
        Some([before, code, after]) if !code.is_empty() => {
            Cow::Owned(format!("{before}{HIDDEN}{after}"))
        }
        Some(_) | None => Cow::Borrowed(url),
    }
}

/// What stands before the code, the code, and what stands behind it.
fn parts(url: &str) -> Option<[&str; 3]> {
    let host = url.find("://")? + "://".len();
    let path = host + url[host..].find('/')?;
    let start = path + url[path..].starts_with(JOIN).then_some(JOIN.len())?;
    let (before, rest) = url.split_at(start);
    let (code, after) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    Some([before, code, after])
}

#[cfg(test)]
mod tests;
