//! How large a payload may be: whoever sends more is refused before anything is built of it.

use thiserror::Error;

/// Longest move, word or view that is read, in bytes.
pub const PAYLOAD_MAX: usize = 64 * 1024;
/// Deepest of them, in brackets.
pub const DEPTH_MAX: usize = 16;
/// Longest view that is shown, in bytes.
pub const VIEW_MAX: usize = 8 * 1024;

/// Why a payload is not even looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum BadPayload {
    #[error("it has {bytes} bytes, {max} is the most")]
    TooLong { bytes: usize, max: usize },
    #[error("it is nested deeper than {DEPTH_MAX}")]
    TooDeep,
}

/// Whether a text is short and flat enough to be read.
pub(crate) fn check(json: &[u8], max: usize) -> Result<(), BadPayload> {
    if json.len() > max {
        return Err(BadPayload::TooLong { bytes: json.len(), max });
    }
    if depth(json) > DEPTH_MAX { Err(BadPayload::TooDeep) } else { Ok(()) }
}

/// How deep the brackets of a JSON text go. Those in strings do not count.
pub fn depth(json: &[u8]) -> usize {
    let (mut open, mut deepest) = (0_usize, 0);
    let (mut quoted, mut escaped) = (false, false);
    for byte in json {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'[' | b'{' if !quoted => {
                open += 1;
                deepest = deepest.max(open);
            }
            b']' | b'}' if !quoted => open = open.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}
