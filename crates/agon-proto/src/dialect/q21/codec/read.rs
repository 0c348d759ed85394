//! From JSON and subject to a letter.
//!
//! Spec: docs/protocol/q21.md

use std::ops::Deref;

use serde_json::{Map, Value};

use super::Unreadable;
use super::fields::Fields;
use super::page::{Page, role};
use super::subject::Subject;
use super::wire::Wire;
use crate::dialect::q21::body::{kind_of, same};
use crate::dialect::q21::{
    Act, ActKind, Approval, Claimed, Context, GameId, Heading, Letter, Role,
};
use crate::{MessageId, SeasonId};

/// Reads a letter. What the JSON says goes before what the subject says.
pub(super) fn letter(
    page: &Page<'_>,
    subject: &Subject,
    header_id: Option<&str>,
) -> Result<Letter, Unreadable> {
    let name = name(page, subject).ok_or(Unreadable::NoType)?;
    let ids = [page.top.id(&["message_id"]), subject.transaction.as_deref().map(MessageId::new)];
    let header = header_id.map(MessageId::new);
    let mut ids = ids.into_iter().flatten().chain(header).filter(|id| !id.is_empty());
    let id = ids.next().ok_or(Unreadable::NoId)?;
    let from = Claimed {
        address: page.sender_address().or_else(|| subject.address()),
        role: page.sender_role().or(subject.role),
        logical_id: page.sender_id(),
    };
    let context = page.context(subject);
    let (kind, fields) = (kind(page, subject, &name), page.payload);
    let reading = Reading { kind, name: &name, fields, from: &from, context: &context, row: None };
    let act = Act::read(&reading)?;
    let head = Heading {
        id,
        // A letter that does not say when it was written counts as written before any other.
        sent_at: page.top.time(&["timestamp"]).unwrap_or_default(),
        recipient: page.top.word(&["recipient_id", "recipient_email"]).unwrap_or_default(),
        answers: page.either(&["correlation_id"]).map(|id| MessageId::new(&id)),
        context,
        from,
    };
    let mut letter = Letter { head, auth_token: page.auth_token(), act };
    letter.head.context = super::whole_context(&letter);
    Ok(letter)
}

/// The name of the message: that of the envelope, of the subject, or of the payload.
pub(super) fn name(page: &Page<'_>, subject: &Subject) -> Option<Box<str>> {
    let within = || page.payload.word(&["message_type"]);
    page.top.word(&["message_type"]).or_else(|| subject.name.clone()).or_else(within)
}

/// What a letter of that name says. Two reports share a name: the sender's role tells them apart,
/// else what the payload looks like, else the role in the subject.
pub(super) fn kind(page: &Page<'_>, subject: &Subject, name: &str) -> ActKind {
    let kind = kind_of(name).unwrap_or(ActKind::Other);
    if kind != ActKind::ResultReport {
        return kind;
    }
    let by_payload = || page.payload.all(&["reporter"]).next().map(|_| Role::Player);
    match page.sender_role().or_else(by_payload).or(subject.role) {
        Some(Role::Player) => ActKind::StatusReport,
        Some(Role::Referee | Role::Manager) | None => ActKind::ResultReport,
    }
}

/// An object that is being read: a letter's payload, or one within it.
#[derive(Clone, Copy)]
pub(crate) struct Reading<'a> {
    pub(crate) kind: ActKind,
    /// The name under which the letter came.
    pub(crate) name: &'a str,
    fields: Fields<'a>,
    from: &'a Claimed,
    pub(super) context: &'a Context,
    /// Of which list this is a row, and which one, counted from 0.
    row: Option<(&'a str, usize)>,
}

/// Whatever is asked of fields can be asked of what is being read.
impl<'a> Deref for Reading<'a> {
    type Target = Fields<'a>;

    fn deref(&self) -> &Fields<'a> {
        &self.fields
    }
}

/// What stands in a list.
pub(crate) trait Row: Wire {
    /// More of them are not read.
    const MAX: usize;
    /// What each must be.
    const NEEDS: &'static str;

    /// The fields of a row that is no object, where that is understood.
    fn bare(_value: &Value) -> Option<Map<String, Value>> {
        None
    }
}

impl<'a> Reading<'a> {
    /// The same for an object within.
    pub(crate) fn within(&self, fields: Fields<'a>) -> Self {
        Self { fields, ..*self }
    }

    /// A field that is not what it must be. Of a row that is shown as a whole, unless the field
    /// begins with a dot.
    pub(crate) fn bad(&self, field: &str, needs: &'static str) -> Unreadable {
        let field = match self.row {
            None => field.into(),
            Some((list, place)) if field.starts_with('.') => format!("{list}[{place}]{field}"),
            Some((list, place)) => format!("{list}[{place}]"),
        };
        Unreadable::BadField { message: self.kind, field: field.into(), needs }
    }

    /// Which row this is, counted from 1.
    pub(crate) fn place(&self) -> Option<u32> {
        self.row.map(|(_, place)| place as u32 + 1)
    }

    /// A list within its bound.
    pub(super) fn bounded(
        &self,
        names: &[&'static str],
        max: usize,
    ) -> Result<Option<&'a [Value]>, Unreadable> {
        let list = self.list(names);
        if list.is_some_and(|list| list.len() > max) {
            return Err(Unreadable::TooMany { message: self.kind, field: names[0], max });
        }
        Ok(list)
    }

    /// All rows of a list that must be there.
    pub(crate) fn needed_rows<T: Row>(&self, names: &[&'static str]) -> Result<Vec<T>, Unreadable> {
        let list = self.bounded(names, T::MAX)?;
        let list = list.ok_or_else(|| self.bad(names[0], "a list"))?;
        let rows = list.iter().enumerate().map(|(place, value)| {
            let mut row = Self { row: Some((names[0], place)), ..*self };
            let bare = T::bare(value);
            let fields = value.as_object().or(bare.as_ref());
            row.fields = Fields(fields.ok_or_else(|| row.bad(names[0], T::NEEDS))?);
            T::read(&row)
        });
        rows.collect()
    }

    /// All rows of a list that may be missing.
    pub(crate) fn rows<T: Row>(&self, names: &[&'static str]) -> Result<Vec<T>, Unreadable> {
        if self.list(names).is_some() { self.needed_rows(names) } else { Ok(Vec::new()) }
    }

    /// An object within.
    pub(crate) fn nested<T: Wire>(&self, names: &[&str]) -> Option<T> {
        T::read(&self.within(self.object(names)?)).ok()
    }

    /// The game: the payload says it, else whatever else does.
    pub(crate) fn game(&self, names: &[&str]) -> Option<GameId> {
        self.id(names).or_else(|| self.context.game.clone())
    }

    /// The round that begins: the first, if the letter does not say which.
    pub(crate) fn round_begun(&self, names: &[&str]) -> Option<u32> {
        self.number(names).or(Some(1))
    }

    /// The season, of which a letter that contradicts itself means that of its envelope.
    pub(crate) fn season(&self, _: &[&str]) -> Option<SeasonId> {
        self.context.season.clone()
    }

    /// A role: what is said, or that of the sender.
    pub(crate) fn role(&self, names: &[&str]) -> Option<Role> {
        let by_name = same(self.name, "REFEREE_REGISTER_REQUEST").then_some(Role::Referee);
        let said = || self.word(names).and_then(|word| role(&word));
        by_name.or_else(said).or(self.from.role)
    }

    /// Yes or no, in all the words for it.
    pub(crate) fn verdict(&self, names: &[&str]) -> Result<Approval, Unreadable> {
        match &*self.word(names).unwrap_or_default().to_ascii_uppercase() {
            "ACCEPTED" | "REGISTERED" | "OK" | "APPROVED" | "SUCCESS" => Ok(Approval::Accepted),
            "REJECTED" | "DENIED" | "REFUSED" | "FAILED" | "ERROR" => Ok(Approval::Rejected),
            _ => Err(self.bad(names[0], "`accepted` or `rejected`")),
        }
    }
}
