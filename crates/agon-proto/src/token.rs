//! Secrets: tokens, and the codes that operators give out. They redact themselves wherever they
//! could be printed; a token compares in constant time.
//!
//! Spec: docs/protocol/README.md

use std::borrow::Cow;
use std::fmt;
use std::io::Write;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use subtle::ConstantTimeEq;

use crate::AgentId;
use crate::json::texts;
use crate::tool::AgentRole;

const PREFIX: &str = "tok-";
const HEX: &[u8; 16] = b"0123456789abcdef";
/// Longest token text that is read.
const TEXT_MAX: usize = 256;
/// Room for one of ours: prefix, the longest id, a dash and 64 digits make 82.
const OURS_MAX: usize = 96;

/// What proves who speaks.
#[derive(Clone)]
pub enum AuthToken {
    /// One of ours: `tok-p01-` and 64 hexadecimal digits, or `tok-` and the digits if derived.
    Ours {
        /// Whom the text names. Decoration: the secret alone decides.
        owner: Option<AgentId>,
        /// The 256 bits.
        secret: [u8; 32],
    },
    /// Anything else that stood in the field. It can never be right for us.
    Foreign(Box<str>),
}

impl AuthToken {
    /// A token for one agent.
    pub const fn minted(owner: AgentId, secret: [u8; 32]) -> Self {
        Self::Ours { owner: Some(owner), secret }
    }

    /// A token that both sides can compute.
    pub const fn derived(secret: [u8; 32]) -> Self {
        Self::Ours { owner: None, secret }
    }

    /// The 256 bits, if this can be one of ours.
    pub const fn secret(&self) -> Option<&[u8; 32]> {
        match self {
            Self::Ours { secret, .. } => Some(secret),
            Self::Foreign(_) => None,
        }
    }

    /// Whose token its text says it is. That proves nothing.
    pub const fn owner(&self) -> Option<AgentId> {
        match self {
            Self::Ours { owner, .. } => *owner,
            Self::Foreign(_) => None,
        }
    }

    /// The text for the one place that must show it: the holder's own message or file.
    pub fn reveal(&self) -> String {
        self.with_text(str::to_owned)
    }

    /// Lends the text without allocating it: a token stands in almost every message.
    fn with_text<R>(&self, take: impl FnOnce(&str) -> R) -> R {
        let (owner, secret) = match self {
            Self::Ours { owner, secret } => (owner, secret),
            Self::Foreign(text) => return take(text),
        };
        let mut text = [0; OURS_MAX];
        let mut rest = &mut text[..];
        let head = match owner {
            Some(owner) => write!(rest, "{PREFIX}{owner}-"),
            None => write!(rest, "{PREFIX}"),
        };
        head.expect("the longest id leaves room for the digits");
        let head_len = OURS_MAX - rest.len();
        text[..head_len].make_ascii_lowercase();
        digits(secret, &mut text[head_len..]);
        let text = &text[..head_len + 2 * secret.len()];
        take(std::str::from_utf8(text).expect("an id and hexadecimal digits are ASCII"))
    }

    /// What may be shown of it: enough to recognise a mix-up, not enough to use.
    pub fn redacted(&self) -> String {
        match self {
            Self::Ours { owner: Some(owner), .. } => format!("tok-{owner}-…").to_ascii_lowercase(),
            Self::Ours { owner: None, .. } => "tok-…".into(),
            Self::Foreign(text) => format!("… ({} characters)", text.chars().count()),
        }
    }
}

impl PartialEq for AuthToken {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Ours { secret: a, .. }, Self::Ours { secret: b, .. }) => same(a, b),
            (Self::Foreign(a), Self::Foreign(b)) => a.as_bytes().ct_eq(b.as_bytes()).into(),
            (Self::Ours { .. }, Self::Foreign(_)) | (Self::Foreign(_), Self::Ours { .. }) => false,
        }
    }
}

impl Eq for AuthToken {}

/// Compares in constant time, eight bytes at a time: almost every message brings a token.
fn same(a: &[u8; 32], b: &[u8; 32]) -> bool {
    let (a, b) = (a.as_chunks().0, b.as_chunks().0);
    let differing = a
        .iter()
        .zip(b)
        .fold(0, |differing, (a, b)| differing | (u64::from_ne_bytes(*a) ^ u64::from_ne_bytes(*b)));
    differing.ct_eq(&0).into()
}

impl fmt::Debug for AuthToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.redacted())
    }
}

/// Writes two digits for each byte, as far as there is room.
pub(crate) fn digits<'a>(bytes: &[u8], text: &'a mut [u8]) -> &'a str {
    for (pair, byte) in text.chunks_exact_mut(2).zip(bytes) {
        pair[0] = HEX[usize::from(byte >> 4)];
        pair[1] = HEX[usize::from(byte & 15)];
    }
    let text = &text[..text.len().min(2 * bytes.len())];
    std::str::from_utf8(text).expect("hexadecimal digits are ASCII")
}

pub(crate) fn unhex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let digits = text.as_bytes();
    let value = |digit: u8| match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    };
    let mut secret = [0; N];
    if digits.len() != 2 * secret.len() {
        return None;
    }
    for (byte, pair) in secret.iter_mut().zip(digits.chunks_exact(2)) {
        *byte = value(pair[0])? << 4 | value(pair[1])?;
    }
    Some(secret)
}

fn owner(text: &str) -> Option<AgentId> {
    if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
        return None;
    }
    let id = text.to_ascii_uppercase();
    id.parse().map(AgentId::Player).or_else(|_| id.parse().map(AgentId::Referee)).ok()
}

/// Reads a text of exactly the form that [`AuthToken::reveal`] writes.
fn ours(text: &str) -> Option<AuthToken> {
    let rest = text.strip_prefix(PREFIX)?;
    match rest.rsplit_once('-') {
        Some((name, digits)) => Some(AuthToken::minted(owner(name)?, unhex(digits)?)),
        None => unhex(rest).map(AuthToken::derived),
    }
}

impl From<&str> for AuthToken {
    fn from(text: &str) -> Self {
        ours(text).unwrap_or_else(|| Self::Foreign(text.into()))
    }
}

impl Serialize for AuthToken {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.with_text(|text| serializer.serialize_str(text))
    }
}

texts! {
    AuthToken: "a token of at most 256 characters",
        |text| (text.len() <= TEXT_MAX).then(|| text.into()),
        { "maxLength": TEXT_MAX };
}

/// What somebody is told who needs an invitation and shows none.
pub const fn code_needed(role: AgentRole) -> &'static str {
    match role {
        AgentRole::Referee => {
            "a referee from there needs an invitation of the operator's: send its code as \
             referee_meta.invitation_code (agon referee --invitation CODE), or call the manager at \
             http://HOST:PORT/join/CODE/mcp"
        }
        AgentRole::Player => {
            "a player from there needs an invitation of the operator's: send its code as \
             player_meta.invitation_code (agon player --invitation CODE), or call the manager at \
             http://HOST:PORT/join/CODE/mcp"
        }
    }
}

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

    /// One that is read from paper without doubt: 20 small letters and digits, none of which looks
    /// like another, for 100 random bits.
    pub fn spelled(random: &[u8; 32]) -> Self {
        const ALPHABET: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz234567890";
        let letter = |byte: &u8| char::from(ALPHABET[usize::from(byte % 32)]);
        let text: String = random.iter().take(20).map(letter).collect();
        Self(text.into())
    }

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

/// `serde(with)`: up to 32 bytes as hexadecimal digits, for journals.
pub mod hex {
    use serde::{Deserializer, Serializer};

    use crate::json::from_text;

    /// Writes the digits.
    ///
    /// # Errors
    /// Only what the serializer itself reports.
    pub fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        let mut text = [0; 64];
        serializer.serialize_str(super::digits(bytes, &mut text))
    }

    /// Reads the digits.
    ///
    /// # Errors
    /// When they are not so many, or no digits.
    pub fn deserialize<'de, const N: usize, D: Deserializer<'de>>(
        source: D,
    ) -> Result<[u8; N], D::Error> {
        from_text(source, "hexadecimal digits", super::unhex)
    }
}

#[cfg(test)]
mod tests;
