//! The gatekeeper: only the league manager may say league things, only a game's referee game
//! things.
//!
//! Who referees which game stands in the table of assignments; who has checked in, in the lookup
//! table that comes with each round. Whoever is turned away is told why.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::act::{Act, ActKind};
use agon_proto::{Address, GameId, Letter};

use super::lifecycle::RoundLifecycle;
use crate::Refusal;
use crate::agent::Agent;
use crate::effect::Proof;
use crate::gate::{self, Doubt, Proved, TheManager};

/// Who speaks, proved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Speaker {
    Manager(Proved<TheManager>),
    /// The referee of that game, spelled as in our table, at that address.
    Referee(Proved<(GameId, Address)>),
}

/// Whose words these are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Voice {
    Manager,
    Referee,
    /// The manager or a referee: trouble, and what nobody here knows.
    Either,
    /// Nobody says this to a player.
    Nobody,
}

const OF_MANAGER: &str = "only the league manager may say this";
const OF_REFEREE: &str = "only the referee of this game may say this";
const CHECKED_IN: &str = "the sender has checked in, but this game has another referee";

/// What the gatekeeper looks at.
pub(super) struct Gatekeeper<'a> {
    pub(super) me: &'a Agent,
    pub(super) rounds: &'a RoundLifecycle,
}

impl Gatekeeper<'_> {
    /// Who speaks, and may they say this?
    pub(super) fn admit(&self, proof: &Proof, letter: &Letter) -> Result<Speaker, Doubt> {
        let refused = |refusal| Err(Doubt::Never(refusal));
        if let (Proof::Vouched(from), Some(named)) = (proof, &letter.head.from.address)
            && !named.is_empty()
            && named != from
        {
            return refused(Refusal::NotPermitted("the letter names another sender than the post"));
        }
        match voice(letter.act.kind()) {
            Voice::Nobody => refused(Refusal::Unsupported(letter.act.kind().name())),
            Voice::Manager => self.manager(proof, letter),
            Voice::Referee => self.referee(proof, letter),
            Voice::Either if game_of(letter).is_none() => self.manager(proof, letter),
            Voice::Either => self.manager(proof, letter).or_else(|_| self.referee(proof, letter)),
        }
    }

    fn manager(&self, proof: &Proof, letter: &Letter) -> Result<Speaker, Doubt> {
        gate::manager(self.me, proof, letter, OF_MANAGER).map(Speaker::Manager)
    }

    fn referee(&self, proof: &Proof, letter: &Letter) -> Result<Speaker, Doubt> {
        let Some(named) = game_of(letter) else {
            return Err(Doubt::Never(Refusal::BadValue("the letter names no game")));
        };
        let Some(row) = self.rounds.assignment(named) else {
            let unknown = Refusal::NoSuchMatch;
            return Err(if self.rounds.has_table { Doubt::Never } else { Doubt::Early }(unknown));
        };
        let Some(address) = &row.referee else {
            let why = "the table names no address of this game's referee";
            return Err(Doubt::Never(Refusal::NotPermitted(why)));
        };
        let is_present = |from| self.rounds.present.as_ref().is_some_and(|it| it.contains(from));
        let why = match proof {
            Proof::Vouched(from) if is_present(from) => CHECKED_IN,
            Proof::Vouched(_) | Proof::Token => OF_REFEREE,
        };
        let proved = gate::referee(self.me, (proof, letter), (&row.game, address), why)?;
        if row.match_id.round > self.rounds.current_round() {
            let early = Refusal::OutOfTurn("the round of this game has not begun");
            return Err(Doubt::Early(early));
        }
        Ok(Speaker::Referee(proved))
    }
}

/// The game that a letter is about.
#[expect(clippy::wildcard_enum_match_arm, reason = "two acts are a referee's")]
fn game_of(letter: &Letter) -> Option<&GameId> {
    let named = match &letter.act {
        Act::Ask(said) => Some(&said.game),
        Act::Worth(said) => Some(&said.game),
        _ => None,
    };
    let named = named.filter(|game| !game.is_empty());
    named.or(letter.head.context.game.as_ref().filter(|game| !game.is_empty()))
}

/// The whole table of who says what to a player.
const fn voice(kind: ActKind) -> Voice {
    match kind {
        ActKind::StartSeason
        | ActKind::Decide
        | ActKind::AssignmentTable
        | ActKind::TableAnswer
        | ActKind::NewRound
        | ActKind::EndRound
        | ActKind::RoundResults
        | ActKind::SeasonCompleted
        | ActKind::KeepAlive
        | ActKind::Pause
        | ActKind::Continue
        | ActKind::Reset
        | ActKind::FreeText
        | ActKind::LeagueRegistrationAnswer
        | ActKind::ConnectivityCall
        | ActKind::ExtensionDecision
        | ActKind::Rejection
        | ActKind::AlreadyRejected
        | ActKind::ForceMajeureDecision => Voice::Manager,
        ActKind::Ask(_) | ActKind::Worth => Voice::Referee,
        ActKind::Problem | ActKind::Other => Voice::Either,
        ActKind::Apply
        | ActKind::RefereeAck
        | ActKind::PlayerAck
        | ActKind::TableRequest
        | ActKind::ResultReport
        | ActKind::StatusReport
        | ActKind::FreeTextAnswer
        | ActKind::LeagueRegistration
        | ActKind::StillHere
        | ActKind::ConnectivityEcho
        | ActKind::Extension
        | ActKind::ForceMajeure
        | ActKind::Move(_)
        | ActKind::State(_) => Voice::Nobody,
        // Said in calls only.
        ActKind::RoundAnnouncement
        | ActKind::RoundCompleted
        | ActKind::LeagueCompleted
        | ActKind::GameInvitation
        | ActKind::GameJoinAck
        | ActKind::ChooseParityCall
        | ActKind::ChooseParityResponse
        | ActKind::GameOver
        | ActKind::MatchResultReport
        | ActKind::LeagueStandingsUpdate
        | ActKind::LeagueError
        | ActKind::GameError
        | ActKind::LeagueQuery
        | ActKind::LeagueQueryResponse
        | ActKind::GameMoveCall
        | ActKind::GameMoveResponse
        | ActKind::MatchAssignment
        | ActKind::Heartbeat
        | ActKind::PlayerWithdrawn => Voice::Nobody,
    }
}

#[cfg(test)]
mod tests;
