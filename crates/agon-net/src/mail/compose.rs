//! A mail as others can read it: a text, and a JSON document attached at the top level.
//!
//! The id comes from the caller, so a mail that is sent again is the same mail. Nothing that the
//! caller hands in can begin a header of its own.

use std::time::SystemTime;

use bytes::Bytes;
use lettre::Address;
use lettre::address::Envelope;
use lettre::message::header::{ContentTransferEncoding, ContentType, HeaderName, HeaderValue};
use lettre::message::{Attachment, Body, Mailbox, Message, MultiPart, SinglePart};

/// Longest subject, in characters: it may be one word, and must fit into a line of a mail.
const SUBJECT_MAX: usize = 950;
/// Longest id of a mail, in bytes.
const ID_MAX: usize = 900;
const TO: HeaderName = HeaderName::new_from_ascii_str("To");
const AUTO_SUBMITTED: HeaderName = HeaderName::new_from_ascii_str("Auto-Submitted");

/// A mail to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutgoingMail {
    pub to: Vec<String>,
    pub subject: String,
    pub text: String,
    /// The name of the attached document, and what it holds.
    pub attachment: (String, Bytes),
    /// With or without its angle brackets: `something@somewhere`.
    pub message_id: String,
    /// The id of the mail that this one answers.
    pub in_reply_to: Option<String>,
}

/// Why a mail cannot be sent to anybody.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadMail {
    #[error("its subject has {characters} characters, and {SUBJECT_MAX} are allowed")]
    Subject { characters: usize },
    #[error("{id:?} is no id of a mail; it must look like something@league.test")]
    Id { id: String },
    #[error("a mail needs a recipient")]
    Nobody,
    #[error("it could not be put together")]
    Form(String),
}

/// The bytes of a mail for these recipients.
pub(super) fn compose(
    from: &Address,
    to: &[Address],
    mail: &OutgoingMail,
) -> Result<Vec<u8>, BadMail> {
    let characters = mail.subject.chars().count();
    if characters > SUBJECT_MAX {
        return Err(BadMail::Subject { characters });
    }
    let mut builder = Message::builder()
        .from(Mailbox::new(None, from.clone()))
        .date(SystemTime::now())
        .subject(on_one_line(&mail.subject))
        .message_id(Some(id(&mail.message_id)?))
        .raw_header(HeaderValue::new(AUTO_SUBMITTED, "auto-generated".into()));
    if let Some(answered) = &mail.in_reply_to {
        let answered = id(answered)?;
        builder = builder.in_reply_to(answered.clone()).references(answered);
    }
    // The library writes all recipients into one line, and servers refuse a line that is too long.
    let names: Vec<&str> = to.iter().map(AsRef::as_ref).collect();
    let (plain, folded) = (names.join(", "), names.join(",\r\n "));
    let envelope = Envelope::new(Some(from.clone()), to.to_vec());
    builder = builder
        .envelope(envelope.map_err(|_empty| BadMail::Nobody)?)
        .raw_header(HeaderValue::dangerous_new_pre_encoded(TO, plain, folded));
    let message =
        builder.multipart(parts(mail)).map_err(|error| BadMail::Form(error.to_string()))?;
    Ok(message.formatted())
}

fn parts(mail: &OutgoingMail) -> MultiPart {
    let (name, document) = &mail.attachment;
    // Some readers look for nothing but base64, and no server on the way rewraps it.
    let encoded = Body::new_with_encoding(document.to_vec(), ContentTransferEncoding::Base64);
    let encoded = encoded.unwrap_or_else(Body::new);
    let json = ContentType::parse("application/json").expect("a valid content type");
    MultiPart::mixed()
        .singlepart(SinglePart::plain(mail.text.clone()))
        .singlepart(Attachment::new(on_one_line(name)).body(encoded, json))
}

fn on_one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// An id in its angle brackets.
fn id(text: &str) -> Result<String, BadMail> {
    let bare = text.trim().trim_start_matches('<').trim_end_matches('>');
    let plain = |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b'<' | b'>');
    let (left, right) = bare.split_once('@').unwrap_or_default();
    let whole = !left.is_empty() && !right.is_empty() && bare.len() <= ID_MAX;
    if whole && bare.bytes().all(plain) {
        Ok(format!("<{bare}>"))
    } else {
        Err(BadMail::Id { id: text.to_owned() })
    }
}

#[cfg(test)]
mod tests;
