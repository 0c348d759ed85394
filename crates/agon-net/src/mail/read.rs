//! A mail that came in: who wrote it, when it was delivered, and the documents that it may carry.
//!
//! Every part is looked at, however deep it is nested, because senders differ in where they put a
//! document. How many are kept is bounded, and forwarded mails are not opened.

use std::panic::AssertUnwindSafe;

use bytes::Bytes;
use mail_parser::{HeaderName, Message, MessageParser, MessagePart, MimeHeaders, PartType};

use super::authentication::{Authentication, authenticate};

/// So many documents of one mail are kept; the best come first.
const DOCUMENTS_MAX: usize = 8;
/// Longest subject that is kept, in characters.
const SUBJECT_MAX: usize = 2000;
const AUTHENTICATION_RESULTS: &str = "Authentication-Results";

/// The folders in which mails are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Folder {
    Inbox,
    /// Where the server puts what it takes for unwanted.
    Junk,
}

/// Names a mail for good: once a folder is made anew, no old name fits a new mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MailId {
    pub folder: Folder,
    pub validity: u32,
    pub uid: u32,
}

/// A mail from the mailbox, still unread there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceivedMail {
    pub id: MailId,
    /// When the server had it, in microseconds since 1970. Servers count in whole seconds.
    pub delivered_at: i64,
    pub from: Author,
    /// Unfolded, decoded and trimmed.
    pub subject: String,
    /// Without its angle brackets.
    pub message_id: Option<String>,
    pub authentication: Authentication,
    pub contents: Contents,
    /// In bytes, as the server counts.
    pub size: u32,
}

/// Who wrote a mail, by its `From:`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Author {
    /// One address, in lower case.
    One(String),
    /// None that could be read.
    Nobody,
    /// More than one, or more than one `From:`: readers disagree on whom to believe.
    Several,
}

/// What a mail carries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Contents {
    /// What may be a JSON document, the best guess first.
    Documents(Vec<Bytes>),
    /// It is larger than we read; its headers alone are known.
    Oversized,
}

/// What the server knows of a mail without opening it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cover {
    pub(super) id: MailId,
    pub(super) delivered_at: i64,
    pub(super) size: u32,
}

/// Reads a whole mail.
pub(super) fn whole(cover: Cover, raw: &[u8], authserv_id: Option<&str>) -> ReceivedMail {
    let message = guarded(|| MessageParser::default().parse(raw));
    let documents = message.as_ref().map(documents).unwrap_or_default();
    mail(cover, message.as_ref(), authserv_id, Contents::Documents(documents))
}

/// Anybody can write a mail. One over which the parser trips must not stop those behind it.
fn guarded<T>(parse: impl FnOnce() -> Option<T>) -> Option<T> {
    std::panic::catch_unwind(AssertUnwindSafe(parse)).ok().flatten()
}

/// Reads the headers of a mail that is too large.
pub(super) fn head(cover: Cover, raw: &[u8], authserv_id: Option<&str>) -> ReceivedMail {
    let message = guarded(|| MessageParser::default().parse_headers(raw));
    mail(cover, message.as_ref(), authserv_id, Contents::Oversized)
}

fn mail(
    cover: Cover,
    message: Option<&Message<'_>>,
    authserv_id: Option<&str>,
    contents: Contents,
) -> ReceivedMail {
    let Cover { id, delivered_at, size } = cover;
    let from = message.map_or(Author::Nobody, author);
    let authentication = match (authserv_id, &from) {
        (Some(authserv_id), Author::One(author)) => {
            authenticate(topmost_results(message), authserv_id, author)
        }
        (Some(_), Author::Nobody | Author::Several) | (None, _) => Authentication::Unchecked,
    };
    let subject = message.and_then(Message::subject).unwrap_or_default().trim();
    ReceivedMail {
        id,
        delivered_at,
        from,
        subject: subject.chars().filter(|c| !c.is_control()).take(SUBJECT_MAX).collect(),
        message_id: message.and_then(Message::message_id).map(str::to_owned),
        authentication,
        contents,
        size,
    }
}

fn topmost_results<'a>(message: Option<&'a Message<'_>>) -> Option<&'a str> {
    let mut fields = message.into_iter().flat_map(Message::headers_raw);
    let found = fields.find(|(name, _)| name.eq_ignore_ascii_case(AUTHENTICATION_RESULTS));
    found.map(|(_, value)| value)
}

fn author(message: &Message<'_>) -> Author {
    let fields = message.headers().iter().filter(|header| header.name == HeaderName::From);
    let mut names = Vec::new();
    let mut count = 0;
    for field in fields {
        count += 1;
        let listed = field.value.as_address().into_iter().flat_map(|list| list.iter());
        names.extend(listed.filter_map(|one| one.address()));
    }
    match names.as_slice() {
        _ if count > 1 => Author::Several,
        [] => Author::Nobody,
        [one] => match one.trim().parse::<lettre::Address>() {
            Ok(address) => Author::One(address.to_string().to_lowercase()),
            Err(_no_address) => Author::Nobody,
        },
        [_, ..] => Author::Several,
    }
}

/// First what says that it is JSON, then plain texts; each in the order of the mail.
fn documents(message: &Message<'_>) -> Vec<Bytes> {
    let said = message.parts.iter().filter(|part| says_json(part));
    let is_text = |part: &MessagePart<'_>| matches!(part.body, PartType::Text(_));
    let texts = message.parts.iter().filter(|part| is_text(part) && !says_json(part));
    let found = said.chain(texts).map(MessagePart::contents);
    let filled = found.filter(|contents| !contents.trim_ascii().is_empty());
    filled.take(DOCUMENTS_MAX).map(Bytes::copy_from_slice).collect()
}

fn says_json(part: &MessagePart<'_>) -> bool {
    if matches!(part.body, PartType::Multipart(_) | PartType::Message(_)) {
        return false;
    }
    let named = part.attachment_name().is_some_and(|name| {
        name.trim().rsplit_once('.').is_some_and(|(_, end)| end.eq_ignore_ascii_case("json"))
    });
    let typed = part.content_type().and_then(|kind| kind.subtype()).is_some_and(|subtype| {
        subtype.eq_ignore_ascii_case("json") || subtype.to_ascii_lowercase().ends_with("+json")
    });
    named || typed
}

#[cfg(test)]
mod tests;
