//! The dialects of a Q21 league: reads what every known generation of agents sends, and writes what
//! all of them can read.
//!
//! Tolerant in: the names of fields and messages, the shape of the envelope and the place of a
//! field may be those of any generation. Bounded in: what is too large, too deep or too long is not
//! read. One form out. What is written can be opened again and says the same, with exceptions that
//! the wire cannot tell: times have whole seconds; a season or a game that stands in the letter's
//! context or in its body stands in both once it has travelled, and so does the role of somebody
//! who registers; and which of the two reports it is, the sender's role decides.
//!
//! Spec: docs/protocol/q21.md

mod fields;
mod game;
mod league;
mod page;
mod put;
mod read;
mod report;
mod subject;
mod unreadable;
mod wire;
mod write;

pub(crate) use put::{Put, fraction, in_digits, lettered, or_empty, or_null, spelled};
pub(crate) use read::{Reading, Row};
pub(crate) use report::by_player;
pub use subject::{attachment_name, subject};
pub use unreadable::Unreadable;
pub(crate) use wire::{Settle, Wire, spelling};
pub(crate) use write::Writing;
pub use write::write;

use self::page::Page;
use self::subject::Subject;
use super::{ActKind, Context, GameId, Letter};
use crate::Address;

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
