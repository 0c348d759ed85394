//! Names: addresses, teams, seasons, messages. Kept as text, bounded at the door.

use std::borrow::Cow;

use crate::json::name;
use crate::text::printable;
use crate::without_code;

/// Longest name that is kept; the rest is cut.
const NAME_MAX: usize = 254;

/// The text of a name, trimmed, without what could harm a terminal or a log.
pub(crate) fn short(text: &str) -> String {
    printable(text.trim(), NAME_MAX)
}

name! {
    /// The id of one letter, chosen by its sender. Two letters with one id are the same letter.
    MessageId = short;
    /// The id of one broadcast.
    BroadcastId = short;
    /// A season, such as `SEASON_2026-02-17`.
    SeasonId = short;
    /// A team, such as `alphateam`.
    GroupId = short;
    /// Where somebody gets letters: a mail address, or the URL of an endpoint. It is who they are.
    ///
    /// Mail addresses are the same in whatever case they are written, so they are kept in lower
    /// case.
    Address = in_lower_case;
}

/// A mail address or a URL, whose case matters.
fn in_lower_case(text: &str) -> String {
    let clean = short(text);
    if clean.contains("://") { clean } else { clean.to_lowercase() }
}

impl Address {
    /// The text for logs: without a code that its holder was given.
    pub fn shown(&self) -> Cow<'_, str> {
        without_code(&self.0)
    }

    /// Whether it is reached by a call, and not by mail.
    pub fn is_endpoint(&self) -> bool {
        self.0.contains("://")
    }
}

#[cfg(test)]
mod tests;
