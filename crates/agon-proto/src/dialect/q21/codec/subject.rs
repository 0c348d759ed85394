//! Subjects: five parts joined by `::`, in all the forms that were ever seen, and in the one that
//! we send.
//!
//! A subject may be useless; then the JSON alone decides. That of a reply (`RE: …`) names what is
//! answered and its sender, not what is said, so it counts for nothing.
//!
//! Spec: docs/protocol/q21.md

use super::page::role;
use crate::dialect::q21::body::kind_of;
use crate::dialect::q21::{GAME_PROTOCOL, Role};
use crate::text::printable;
use crate::{Address, PROTOCOL, WrittenLetter};

/// Between the parts.
const JOINT: &str = "::";
/// Longest part that is kept.
const PART_MAX: usize = 254;

/// What a subject says.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Subject {
    pub(super) role: Option<Role>,
    address: Option<Box<str>>,
    /// The transaction id, without brackets.
    pub(super) transaction: Option<Box<str>>,
    /// The name of the message.
    pub(super) name: Option<Box<str>>,
    pub(super) league: Option<Box<str>>,
    pub(super) round: Option<Box<str>>,
    pub(super) game: Option<Box<str>>,
}

impl Subject {
    pub(super) fn parse(subject: &str) -> Self {
        // No part holds a blank: those that are there come from folding a long line.
        let whole: String = subject.chars().filter(|c| !c.is_whitespace()).collect();
        if whole.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("re:")) {
            return Self::default();
        }
        let parts: Vec<&str> = whole.split(JOINT).collect();
        match *parts {
            [_, role, address, transaction, name] => {
                Self::of_five([role, address, transaction, name])
            }
            [_, role, address, transaction, name, league, round, game] => Self {
                league: part(league),
                round: part(round),
                game: part(game),
                ..Self::of_five([role, address, transaction, name])
            },
            _ => Self::bracketed(&whole).unwrap_or_default(),
        }
    }

    fn of_five([as_role, address, transaction, name]: [&str; 4]) -> Self {
        let bare = transaction.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        Self {
            role: role(as_role),
            address: part(address),
            transaction: part(bare.unwrap_or(transaction)),
            name: part(name),
            ..Self::default()
        }
    }

    /// `[Q21G][REFEREE][0102001][Q21WARMUPCALL]`. Brackets are common in subjects, so the name must
    /// be one that is known.
    fn bracketed(whole: &str) -> Option<Self> {
        let inside = whole.strip_prefix('[')?.strip_suffix(']')?;
        let parts: Vec<&str> = inside.split("][").collect();
        let [_, as_role, game, name] = *parts else { return None };
        kind_of(name)?;
        Some(Self { role: role(as_role), game: part(game), name: part(name), ..Self::default() })
    }

    pub(super) fn address(&self) -> Option<Address> {
        self.address.as_deref().map(Address::new)
    }
}

fn part(text: &str) -> Option<Box<str>> {
    Some(printable(text, PART_MAX)).filter(|text| !text.is_empty()).map(Into::into)
}

/// The subject of a letter that `from` sends by mail.
pub fn subject(letter: &WrittenLetter, from: &Address) -> String {
    let of_game = letter.kind.is_of_match();
    let protocol = if of_game { GAME_PROTOCOL } else { PROTOCOL };
    let role = letter.head.from.role.unwrap_or_default().name();
    let parts = [protocol, role, from.as_str(), letter.head.id.as_str(), letter.kind.name()];
    parts.join(JOINT)
}

/// What the file with the letter's JSON is called.
pub fn attachment_name(letter: &WrittenLetter) -> String {
    format!("{}.json", letter.kind.name())
}
