//! Which answers to news are not read, because nobody waits for what stands there.

use agon_core::Tag;

/// How news is answered nearly always.
const TAKEN: &[u8] = br#"{"jsonrpc":"2.0","result":{"#;
/// The field of a receipt that somebody waits for.
const PLAYED: &[u8] = br#""played""#;
/// A receipt is not longer than this.
const RECEIPT_MAX: usize = 256;

/// Whether news was taken, and nothing was said to it that anybody waits for.
pub(super) fn is_plain(tag: Tag, answer: &[u8]) -> bool {
    let start = &answer[..answer.len().min(RECEIPT_MAX)];
    let says_moves = || {
        let is_asked = matches!(tag, Tag::RoundOver { .. });
        is_asked && start.windows(PLAYED.len()).any(|it| it == PLAYED)
    };
    tag.is_news() && start.starts_with(TAKEN) && !says_moves()
}

#[cfg(test)]
mod tests;
