//! The rules of Agon, pure.
//!
//! A machine takes an event and the time and says what must be done about it. It never waits,
//! reads a clock, rolls dice or opens anything. State changes only in `apply`, so a journal of
//! facts, read again, gives the same machine.
//!
//! Spec: docs/decisions.md

mod admission;
mod agent;
mod assignments;
mod effect;
mod fact;
pub mod format;
mod gate;
mod league;
pub mod letterbox;
pub mod matches;
mod moves_made;
mod refusal;
pub mod roles;
mod season;
mod secret;
mod settings;
mod standings;
#[cfg(test)]
#[path = "tests/testing.rs"]
mod testing;
mod thinking;
mod verdict;

pub use admission::{AdmissionPolicy, AdmissionRules};
pub use agent::{AgentFact, Credentials, Joins, Profile};
pub use agon_games::{BadRules, Rules};
pub use effect::{
    AddressKey, Alert, Broadcast, Caller, CallerPlace, Effect, Effects, Ending, Event, FailedAsk,
    Garbled, Lane, Noticed, Origin, Outgoing, Proof, Recipient, RequestId, Setback, Tag, Topic,
    Viewer, WrongClaim,
};
pub use fact::{LeagueFact, Order, Provenance, Registration, SeasonFact};
pub use format::Lineup;
pub use league::{Invitation, KeptPieces, League, next_season, schedule_page};
pub use refusal::{Contradiction, Refusal};
pub use roles::manager::{Manager, ManagerOptions};
pub use roles::player::{LetterTimes, Player, PlayerFact, PlayerTimes};
pub use roles::referee::{Referee, RefereeFact, RefereeSettings};
pub use season::{MatchRecord, Season};
pub use secret::{CodeHash, RequestDigest, Secrets, TokenHash};
pub use settings::{Pace, RosterEntry, SeasonSettings, Settings, TieBreaker};
pub use standings::{Row, Standings};
pub use thinking::{Known, Mishap, MishapKind, Question, ThinkingTime, What};
pub use verdict::{Outcome, OutcomePoints, Seat, Thresholds, Verdict};

use agon_proto::{AuthToken, Endpoint, Timestamp};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// When deadlines are looked at.
///
/// By call both times are the same. Mail lies in its box until somebody looks: what is decided is
/// decided now, but nobody is late before everything was read that came in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// What time it is.
    pub now: Timestamp,
    /// Up to when we know what has happened.
    pub heard: Timestamp,
}

impl Moment {
    /// With nothing unread.
    pub const fn at(now: Timestamp) -> Self {
        Self { now, heard: now }
    }
}

/// The first of these times, if there is any.
fn first_of<const N: usize>(times: [Option<Timestamp>; N]) -> Option<Timestamp> {
    // Asked at every turn of every loop: a plain fold is half the work of a flattened minimum.
    times.into_iter().fold(None, |first, next| match (first, next) {
        (Some(first), Some(next)) => Some(first.min(next)),
        (first, next) => first.or(next),
    })
}

/// A role. The corridor drives all three in the same way.
pub trait Machine {
    /// What this role writes down, and reads again after a restart.
    type Fact: Clone + Serialize + DeserializeOwned + Send + Sync + 'static;

    /// Takes one event. Never fails: a bad message is not our error, it is an event with an answer.
    fn handle(&mut self, event: Event, now: Timestamp, out: &mut Effects<Self::Fact>);

    /// Does what has fallen due.
    fn tick(&mut self, moment: Moment, out: &mut Effects<Self::Fact>);

    /// When `tick` is due next. Read off the state, so no timer can be lost, doubled or stale.
    fn deadline(&self) -> Option<Timestamp>;

    /// Begins, or begins again after a restart: what is owed is a function of the state.
    fn resume(&mut self, now: Timestamp, out: &mut Effects<Self::Fact>);

    /// What it knows besides a question of its own.
    fn known(&self, _: &Question) -> Known<'_> {
        Known::default()
    }

    /// Where messages of its matches are handed in, and what proves there that they are its own;
    /// nowhere, if that cannot be called or nobody has let it in.
    fn record_keeper(&self) -> Option<(Endpoint, AuthToken)> {
        None
    }

    /// Changes the state. The only place that does so durably; recovery replays it.
    fn apply(&mut self, fact: &Self::Fact);
}
