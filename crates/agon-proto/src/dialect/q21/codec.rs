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
mod kinds;
mod page;
mod read;
mod subject;
mod unreadable;
mod write;

pub(crate) use kinds::kind_of;
pub use subject::{attachment_name, subject};
pub use unreadable::Unreadable;
pub use write::write;

use self::page::Page;
use self::subject::Subject;
use super::{Body, Context, GameId, Kind, Letter};
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
    pub kind: Kind,
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

/// The game that a body names.
fn game_of(body: &Body) -> Option<&GameId> {
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else names a game")]
    match body {
        Body::WarmupCall(said) => Some(&said.game),
        Body::WarmupResponse(said) => Some(&said.game),
        Body::RoundStart(said) => Some(&said.game),
        Body::QuestionsBatch(said) => Some(&said.game),
        Body::AnswersBatch(said) => Some(&said.game),
        Body::GuessSubmission(said) => Some(&said.game),
        Body::ScoreFeedback(said) => Some(&said.game),
        Body::ResultReport(said) => Some(&said.game),
        Body::StatusReport(said) => Some(&said.game),
        Body::State(_, said) => said.game.as_ref(),
        Body::ForceMajeure(said) => said.game.as_ref(),
        _ => None,
    }
}

/// What a letter is about, with what only its body says.
fn whole_context(letter: &Letter) -> Context {
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else names a season")]
    let season = match &letter.body {
        Body::StartSeason(said) => Some(&said.season),
        Body::RegistrationRequest(said) => said.season.as_ref(),
        Body::RegistrationAnswer(said) => said.season.as_ref(),
        Body::AssignmentTable(said) | Body::TableAnswer(said) => said.season.as_ref(),
        Body::RefereeAck(said) | Body::PlayerAck(said) => said.season.as_ref(),
        Body::TableRequest(said) => said.season.as_ref(),
        Body::LeagueCompleted(said) => said.season.as_ref(),
        Body::StatusReport(said) => said.season.as_ref(),
        _ => None,
    };
    let season = season.filter(|season| !season.is_empty());
    let context = letter.context.clone();
    Context {
        season: context.season.or_else(|| season.cloned()),
        game: context.game.or_else(|| game_of(&letter.body).cloned()),
        ..context
    }
}

#[cfg(test)]
mod tests;
