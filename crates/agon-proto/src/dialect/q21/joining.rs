//! How letters spell joining: each field with every name that a known generation gives it.

use super::codec::spelling;
use super::league::{GROUP, NAME, ROLE};
use crate::act::{Applying, Decided, Denial};
use crate::{Address, Contact};

spelling! {
    Applying {
        season = season([]),
        group = group(GROUP),
        participant = name(["participant_id", "agent_id", "referee_id"]),
        name = name(NAME),
        role = role(ROLE),
        also = contact(["also_reached_at"]) => address_of ["also_reached_at"],
        ..Self::default()
    }

    Decided {
        denial = denial(["status"]) => status ["status"],
        season = season([]),
        + "reason" = |said, _| {
            said.denial.as_ref().map(Denial::word).filter(|word| !word.is_empty())
        },
        text = text(["message", "message_text"]),
        registration = word(["registration_id"]),
        token = token(["auth_token"]),
        ..Self::default()
    }
}

fn address_of(contact: &Option<Contact>) -> Option<Address> {
    contact.as_ref().map(Contact::address)
}

/// Some readers compare it without case; one takes only capitals for a yes. All take the first for
/// a yes, and the other for a no.
fn status(denial: &Option<Denial>) -> &'static str {
    if denial.is_none() { "ACCEPTED" } else { "rejected" }
}

/// The manager's words for what keeps somebody out.
static DENIALS: [(&str, Denial); 8] = [
    ("already_registered", Denial::AlreadyIn),
    ("registration_closed", Denial::Closed),
    ("unknown_season", Denial::UnknownSeason),
    ("not_on_roster", Denial::NotOnRoster),
    ("group_taken", Denial::TeamTaken),
    ("incomplete_team", Denial::TeamIncomplete),
    ("league_full", Denial::Full),
    ("code_needed", Denial::LeaveNeeded),
];

impl Denial {
    /// As it is sent.
    pub fn word(&self) -> Box<str> {
        if let Self::Other(word) = self {
            return word.clone();
        }
        let known = DENIALS.iter().find(|(_, denial)| denial == self);
        known.map(|(word, _)| (*word).into()).unwrap_or_default()
    }

    /// What that word means.
    pub fn of(word: &str) -> Self {
        let same = |(known, _): &&(&str, Self)| word.trim().eq_ignore_ascii_case(known);
        let known = DENIALS.iter().find(same).map(|(_, denial)| denial.clone());
        known.unwrap_or_else(|| Self::Other(word.into()))
    }
}
