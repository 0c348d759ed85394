//! News with a long list, opened without reading the list.
//!
//! Tables and announcements go to everybody after every round, and most who get them never look.
//! Most of such a letter is its list. So the list is taken out, the rest is read as any letter is,
//! and the list goes back unread. Whatever does not look exactly as expected is read in full.

use super::Request;
use super::request::Fast;
use crate::{Call, Listed, Message};

/// A letter that is shorter is read in full: there is little to save.
const LONG: usize = 1024;

/// Opens a request whose only list is the one that a piece of news is about.
pub(super) fn decode(json: &str) -> Option<Request> {
    if json.len() < LONG {
        return None;
    }
    let (begin, end) = (json.find('[')?, json.rfind(']')?);
    let (head, list, tail) = (json.get(..begin)?, json.get(begin..=end)?, json.get(end + 1..)?);
    // A bracket within a text is none. Without escapes, an even number of quotes ends every text.
    let plain = !head.contains('\\') && !tail.contains('\\');
    let closed = head.bytes().filter(|byte| *byte == b'"').count().is_multiple_of(2);
    let name = last_name(head)?;
    // A report has a long list too, and whoever gets one reads it.
    let listed = matches!(name, "matches" | "standings");
    if !listed || !plain || !closed || head.len() + tail.len() > LONG {
        return None;
    }
    let Fast(mut request) = serde_json::from_str(&[head, "[]", tail].concat()).ok()?;
    let Call::Message(letter) = &mut request.call else {
        return None;
    };
    // The token is all that such a letter may do without, so it may stand behind the list.
    letter.auth_token.as_ref()?;
    match (&mut letter.message, name) {
        (Message::RoundAnnouncement(said), "matches") => said.matches = Listed::unread(list),
        (Message::LeagueStandingsUpdate(said), "standings") => {
            said.standings = Listed::unread(list);
        }
        _ => return None,
    }
    Some(request)
}

/// The name of the field whose value comes next.
fn last_name(head: &str) -> Option<&str> {
    let head = head.trim_ascii_end().strip_suffix(':')?.trim_ascii_end().strip_suffix('"')?;
    let begin = head.rfind('"')?;
    head.get(begin + 1..)
}

#[cfg(test)]
mod tests;
