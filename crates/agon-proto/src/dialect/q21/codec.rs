//! The dialects of a Q21 league: reads what every known generation of agents sends, and writes what
//! all of them can read.
//!
//! Tolerant in: the names of fields and messages, the shape of the envelope and the place of a
//! field may be those of any generation. Bounded in: what is too large, too deep or too long is not
//! read. One form out. What was opened is written and opened again as the same letter. What we make
//! ourselves says the same when it is opened, with exceptions that the wire cannot tell: times have
//! whole seconds; a season or a game that stands in the letter's context or in its body stands in
//! both once it has travelled, and so does the role of somebody who registers; and which of the two
//! reports it is, the sender's role decides.
//!
//! Spec: docs/protocol/q21.md

mod fields;
mod league;
mod page;
mod read;
mod subject;
mod wire;
mod write;

pub(crate) use fields::Fields;
pub(crate) use read::{Reading, Row};
pub use subject::{attachment_name, subject};
pub(crate) use wire::{Settle, Wire, spelling};
pub use write::write;
pub(crate) use write::{
    KEYS, Named, Put, Writing, fraction, in_digits, lettered, or_empty, or_null, spelled,
};

use self::page::Page;
use self::subject::Subject;
use super::{ActKind, Context, GameId, Letter};
use crate::{Address, WrittenLetter};

/// One mail, as far as it matters for what it says.
#[derive(Debug, Clone, Copy)]
pub struct Mail<'a> {
    /// The subject, decoded; it may still be folded.
    pub subject: &'a str,
    /// Who sent it, as the mail server vouches for.
    pub from: &'a Address,
    /// The mail's own id, which counts if the letter has none.
    pub header_id: Option<&'a str>,
    /// What may be the letter's JSON, the best first: attachments, then the text. The first that is
    /// a JSON object decides.
    pub documents: &'a [&'a [u8]],
}

/// What a letter claims to be, even if it cannot be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// What it says.
    pub kind: ActKind,
    /// About which game.
    pub game: Option<GameId>,
}

/// Why a letter was not opened. The text is for whoever wrote the agent: it repeats names of
/// fields, never what stood in them, except for the addresses that do not agree.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// There is nothing that could be JSON.
    #[error("there is no letter: attach it as a file that ends in .json")]
    NoDocument,
    /// What is there is not a JSON object.
    #[error("the letter is not a JSON object in UTF-8")]
    NotJson,
    /// Larger than is read.
    #[error("the letter is larger than {max} bytes")]
    TooLarge {
        /// The bound.
        max: usize,
    },
    /// Nested more deeply than is read.
    #[error("the letter is nested more than {max} deep")]
    TooDeep {
        /// The bound.
        max: usize,
    },
    /// Neither the JSON nor the subject says what it is.
    #[error("`message_type` is missing, and the subject does not name one either")]
    NoType,
    /// Nothing tells this letter from another one.
    #[error("`message_id` is missing, and the subject has no transaction id either")]
    NoId,
    /// It names another sender than the mail server does.
    #[error("the letter names {claimed} as its sender, but it came from {from}")]
    SenderMismatch {
        /// Who it says it is from.
        claimed: Address,
        /// Who it is from.
        from: Address,
    },
    /// A field that is needed is not there, or is something else.
    #[error("`{field}` of {} must be {needs}", message.name())]
    BadField {
        /// What the letter says it is.
        message: ActKind,
        /// Which field, such as `assignments[3].role`.
        field: Box<str>,
        /// What must stand there.
        needs: &'static str,
    },
    /// A list is longer than is read.
    #[error("`{field}` of {} has more than {max} entries", message.name())]
    TooMany {
        /// What the letter says it is.
        message: ActKind,
        /// Which list.
        field: &'static str,
        /// The bound.
        max: usize,
    },
}

/// Opens a letter that came by mail.
///
/// # Errors
/// Says what its author must mend.
pub fn open_mail(mail: &Mail<'_>) -> Result<Letter, Unreadable> {
    let subject = Subject::parse(mail.subject);
    let document = page::first_object(mail.documents, page::MAIL_MAX)?;
    let page = Page::new(&document);
    let claims = [page.sender_address(), subject.address()];
    if let Some(claimed) = claims.into_iter().flatten().find(|claimed| claimed != mail.from) {
        return Err(Unreadable::SenderMismatch { claimed, from: mail.from.clone() });
    }
    read::letter(&page, &subject, mail.header_id)
}

/// Opens a letter that came by call: its envelope must say everything.
///
/// # Errors
/// Says what its author must mend.
pub fn open_json(bytes: &[u8]) -> Result<Letter, Unreadable> {
    let document = page::first_object(&[bytes], page::CALL_MAX)?;
    read::letter(&Page::new(&document), &Subject::default(), None)
}

impl WrittenLetter {
    /// The letter; `None` if these words cannot be read any more.
    pub fn read(&self) -> Option<Letter> {
        let document = page::first_object(&[self.text.as_bytes()], page::MAIL_MAX).ok()?;
        let letter = read::letter(&Page::new(&document), &Subject::default(), None).ok()?;
        // Its own head knows more: in words a time has whole seconds.
        Some(Letter { head: self.head.clone(), ..letter })
    }
}

/// What a mail claims to be, if that can be told: for a letter that cannot be opened, so that it
/// can be counted against its sender where a game waits for it.
pub fn claimed(mail: &Mail<'_>) -> Option<Claim> {
    let subject = Subject::parse(mail.subject);
    let document = page::first_object(mail.documents, page::MAIL_MAX).unwrap_or_default();
    let page = Page::new(&document);
    let name = read::name(&page, &subject)?;
    let kind = read::kind(&page, &subject, &name);
    Some(Claim { kind, game: page.context(&subject).game })
}

/// What a letter is about, with what only its body says.
fn whole_context(letter: &Letter) -> Context {
    let mut context = letter.head.context.clone();
    if let Some(said) = letter.act.said() {
        said.tell(&mut context);
    }
    context
}

#[cfg(test)]
mod tests;
