//! How each kind of value is written.

use super::wire::Wire;
use super::write::Writing;
use crate::dialect::q21::{
    Aborted, Approval, Context, GameId, LastActor, Part, Progress, ReportStatus, Role, Score,
    StatedScore, StopReason,
};
use crate::message::{Blame, Cause};
use crate::{
    Address, AuthToken, BroadcastId, DisplayName, GroupId, LeagueId, MessageId, SeasonId, Timestamp,
};
use agon_games::q21::Q21Choice;

/// The keys of a question's options, as names of fields.
pub(super) const KEYS: [&str; 4] = ["A", "B", "C", "D"];

/// What can stand in a field.
pub(crate) trait Put {
    /// Writes the value.
    fn put(&self, to: &mut Writing<'_>);

    /// Whether there is anything to say.
    fn is_said(&self) -> bool {
        true
    }

    /// Adds the season or the game that this is to what the letter is about.
    fn tell(&self, _context: &mut Context) {}
}

/// Types, and what of theirs is written as JSON.
macro_rules! put {
    ($($($type:ty),+: $said:ident => $json:expr;)*) => {$($(
        impl Put for $type {
            fn put(&self, to: &mut Writing<'_>) {
                let $said = self;
                to.json(&$json);
            }
        }
    )+)*};
}

put! {
    bool, f64, u32, usize, str, &str, Box<str>, String: said => said;
    Address, BroadcastId, DisplayName, GroupId, LeagueId, MessageId: said => said;
    Aborted, Blame, Cause, LastActor, StopReason: said => said;
    Progress: said => said.name();
    AuthToken: said => said.reveal();
    Q21Choice, ReportStatus: said => said.as_str();
    Part: said => match said {
        Part::Player1 => "player1",
        Part::Player2 => "player2",
        Part::Referee => "referee",
    };
    Role: said => said.name();
    Score: said => said.points();
    Timestamp: said => iso(*said);
}

impl Put for GameId {
    fn put(&self, to: &mut Writing<'_>) {
        to.json(self);
    }

    fn tell(&self, context: &mut Context) {
        context.game.get_or_insert_with(|| self.clone());
    }
}

impl Put for SeasonId {
    fn put(&self, to: &mut Writing<'_>) {
        to.json(self);
    }

    fn tell(&self, context: &mut Context) {
        if !self.is_empty() {
            context.season.get_or_insert_with(|| self.clone());
        }
    }
}

impl Put for StatedScore {
    fn put(&self, to: &mut Writing<'_>) {
        match self {
            Self::Within(score) => score.put(to),
            Self::Beyond(digits) => digits.put(to),
        }
    }
}

/// An object of these names and values, unless there is none.
pub(crate) struct Named<'a, T>(pub(super) &'static [&'static str], pub(super) &'a [T]);

impl<T: Put> Put for Named<'_, T> {
    fn put(&self, to: &mut Writing<'_>) {
        to.object(|to| self.0.iter().zip(self.1).for_each(|(name, value)| to.put(name, value)));
    }

    fn is_said(&self) -> bool {
        !self.1.is_empty()
    }
}

/// What A, B, C and D mean.
pub(crate) fn lettered(options: &[Box<str>]) -> Named<'_, Box<str>> {
    Named(&KEYS, options)
}

impl<T: Wire> Put for T {
    fn put(&self, to: &mut Writing<'_>) {
        to.object(|to| self.write(to));
    }
}

impl<T: Put> Put for Vec<T> {
    fn put(&self, to: &mut Writing<'_>) {
        to.list(self);
    }
}

impl<T: Put> Put for Option<T> {
    fn put(&self, to: &mut Writing<'_>) {
        match self {
            Some(said) => said.put(to),
            None => to.json(&()),
        }
    }

    fn is_said(&self) -> bool {
        self.is_some()
    }

    fn tell(&self, context: &mut Context) {
        if let Some(said) = self {
            said.tell(context);
        }
    }
}

/// What is written even if there is nothing to say.
pub(crate) struct OrNull<'a, T>(&'a Option<T>);

/// `null` instead of no field.
pub(crate) fn or_null<T>(said: &Option<T>) -> OrNull<'_, T> {
    OrNull(said)
}

impl<T: Put> Put for OrNull<'_, T> {
    fn put(&self, to: &mut Writing<'_>) {
        self.0.put(to);
    }
}

/// A text that is empty instead of no field.
pub(crate) fn or_empty(time: &Option<Timestamp>) -> String {
    time.map_or(String::new(), iso)
}

/// A number as a text.
pub(crate) fn in_digits(number: &u32) -> String {
    number.to_string()
}

/// A number between 0 and 1.
pub(crate) fn fraction(hundredths: &u32) -> f64 {
    f64::from(*hundredths) / 100.0
}

/// A time as all known agents write it. Not all of their parsers read a `Z`.
fn iso(time: Timestamp) -> String {
    format!("{}+00:00", time.to_string().trim_end_matches('Z'))
}

/// Yes or no, in the words that its readers know.
pub(crate) fn spelled(verdict: &Approval, yes: &'static str, no: &'static str) -> &'static str {
    if *verdict == Approval::Accepted { yes } else { no }
}
