//! Pieces: the messages of some matches as their referee had them, one after the other, compressed.
//!
//! Of each message there is a line of JSON about it, then the bytes of what was asked and of what
//! came back, with a line feed behind each. A piece has a bound, whatever it says of its own
//! length: whoever reads it is not at the mercy of who wrote it.
//!
//! Spec: docs/protocol/match.md

use lz4_flex::block::{compress_prepend_size, decompress, uncompressed_size};

use crate::json::objects;
use crate::tool::{Direction, PieceBody};
use crate::{MatchId, ShortText, Timestamp, micros};

/// So long a piece is at most when it is read, in bytes.
pub const PIECE_MAX: usize = 160 * 1024;
/// From so many bytes on a piece is handed in.
pub const PIECE_FULL: usize = 64 * 1024;
/// So much is kept of one request or one answer, in bytes. Answers are not longer.
pub const BODY_MAX: usize = 64 * 1024;
/// So much is kept of one attempt at a match, in bytes. Two players that write long letters in
/// every step of a game stay below.
pub const ATTEMPT_MAX: usize = 512 * 1024;
/// So many pieces may tell of one attempt at a match.
pub const PIECES_MAX: u32 = 64;
/// The longest line about a message, in bytes.
const HEAD_MAX: usize = 2 * 1024;

objects! {
    /// What is known of a message besides its bytes.
    #[derive(Eq)]
    pub struct MessageHead {
        /// The match that it belongs to.
        required match_id: MatchId,
        /// Which attempt at it.
        required attempt: u32,
        /// Which message of it, counted from 1.
        required number: u32,
        /// When it was sent, or arrived.
        #[serde(with = "micros")]
        #[cfg_attr(feature = "schema", schemars(with = "i64"))]
        required at: Timestamp,
        /// Which way it went.
        required direction: Direction,
        /// Who was at the other end: where that is.
        required peer: ShortText,
        /// What it says it is.
        required name: ShortText,
        /// How long its answer took, in microseconds.
        optional took_us: Option<u64>,
        /// What became of it.
        required outcome: ShortText,
        /// How many bytes of what was asked are here.
        required request: u32,
        /// How many bytes of what came back are here.
        required answer: u32,
        /// How many bytes were cut off these two.
        optional cut: u64,
    }
}

/// One message of a piece.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageNote<'a> {
    /// What is known of it.
    pub head: MessageHead,
    /// What was asked.
    pub request: &'a [u8],
    /// What came back.
    pub answer: &'a [u8],
}

/// Why a piece cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadPiece {
    /// It is no compressed text, or one that is too long.
    #[error("a piece of messages is no piece, or longer than {PIECE_MAX} bytes")]
    Packed,
    /// Its text is not what it should be.
    #[error("a piece of messages makes no sense")]
    Text,
}

/// A piece that is being written.
#[derive(Debug, Default)]
pub struct PieceText(Vec<u8>);

impl PieceText {
    /// How long it is.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether nothing stands there.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a message: what is known of it, what was asked, what came back.
    pub fn add(&mut self, head: &MessageHead, request: &[u8], answer: &[u8]) {
        let sizes = (head.request as usize, head.answer as usize);
        assert_eq!(sizes, (request.len(), answer.len()), "a line that says how long both are");
        serde_json::to_writer(&mut self.0, head).expect("our own types, into memory");
        self.0.push(b'\n');
        self.0.extend_from_slice(request);
        self.0.push(b'\n');
        self.0.extend_from_slice(answer);
        self.0.push(b'\n');
    }

    /// Adds what another one holds.
    pub fn append(&mut self, other: &Self) {
        self.0.extend_from_slice(&other.0);
    }

    /// Compresses it.
    pub fn pack(&self) -> PieceBody {
        PieceBody::new(compress_prepend_size(&self.0))
    }
}

/// Hands every message of a piece to `each`, in the order in which they were written.
///
/// # Errors
/// When it is no piece. What stood before that was handed over.
pub fn read_piece(packed: &[u8], mut each: impl FnMut(MessageNote<'_>)) -> Result<(), BadPiece> {
    let (size, rest) = uncompressed_size(packed).map_err(|_| BadPiece::Packed)?;
    if size > PIECE_MAX {
        return Err(BadPiece::Packed);
    }
    let text = decompress(rest, size).map_err(|_| BadPiece::Packed)?;
    let mut left = &text[..];
    while !left.is_empty() {
        let (note, after) = read_note(left).ok_or(BadPiece::Text)?;
        each(note);
        left = after;
    }
    Ok(())
}

fn read_note(text: &[u8]) -> Option<(MessageNote<'_>, &[u8])> {
    let end = text.iter().take(HEAD_MAX).position(|byte| *byte == b'\n')?;
    let head: MessageHead = serde_json::from_slice(&text[..end]).ok()?;
    let (request, rest) = read_body(&text[end + 1..], head.request)?;
    let (answer, rest) = read_body(rest, head.answer)?;
    Some((MessageNote { head, request, answer }, rest))
}

fn read_body(text: &[u8], length: u32) -> Option<(&[u8], &[u8])> {
    let (body, rest) = text.split_at_checked(length as usize)?;
    Some((body, rest.strip_prefix(b"\n")?))
}

#[cfg(test)]
mod tests;
