//! Who speaks? The league manager, or one of the two players of a match: everybody else is refused,
//! with the reason, and nothing changes. And where we are in the season.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::act::{Act, ActKind, RefereeState};
use agon_proto::{Address, AuthToken, GameId, Letter, MatchId};

use super::spelling::Exchange;
use crate::Refusal;
use crate::agent::{Membership, Times};
use crate::effect::{Garbled, Proof};
use crate::gate::{self, Doubt, Proved, TheManager};
use crate::matches::Match;
use crate::roles::referee::held::{Matches, Pairing};
use crate::roles::referee::records::Records;
use crate::verdict::Seat;

/// Who speaks, proved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Speaker {
    Manager(Proved<TheManager>),
    /// A player of that match.
    Player(MatchId, Proved<Seat>),
}

const OF_MANAGER: &str = "only the league manager says that to a referee";
const OF_REFEREE: &str = "only a referee says that, and to players";

impl Records {
    /// Who speaks, and may they say this?
    pub(super) fn admit(
        &self,
        proof: &Proof,
        letter: &Letter,
    ) -> Result<(Address, Speaker), Doubt> {
        let never = Doubt::Never;
        #[expect(clippy::wildcard_enum_match_arm, reason = "three acts are said in a match")]
        let said = match &letter.act {
            Act::Move(said) => said,
            Act::Ask(_) | Act::Worth(_) => {
                return Err(never(Refusal::NotPermitted(OF_REFEREE)));
            }
            _ => {
                let proved = gate::manager(&self.me, proof, letter, OF_MANAGER)?;
                return Ok((self.me.manager.clone(), Speaker::Manager(proved)));
            }
        };
        // The match that it is about: as its payload says, or else its envelope.
        let game = Some(&said.game).filter(|game| !game.is_empty());
        let game = game.or(letter.head.context.game.as_ref());
        let begun = game.and_then(|game| self.matches.exchange(game));
        let (match_id, exchange) = begun.ok_or(never(Refusal::NoSuchMatch))?;
        let seat = seat_of(exchange, proof, letter.auth_token.as_ref()).map_err(never)?;
        // By mail the address has proved the speaker; a token that is shown must still be right.
        let shown = said.token.as_deref().filter(|text| !text.is_empty()).map(AuthToken::from);
        match shown.filter(|shown| shown != exchange.token(*seat.get())) {
            Some(wrong) => Err(never(Refusal::TokenInvalid(wrong))),
            None => {
                let address = exchange.player(*seat.get()).address.clone();
                Ok((address, Speaker::Player(match_id, seat)))
            }
        }
    }

    /// Where we are in the season.
    pub(crate) fn state(&self) -> RefereeState {
        let season = &self.me.season;
        if season.paused_at.is_some() {
            return RefereeState::Paused;
        }
        if season.completed.is_some() {
            return RefereeState::SeasonCompleted;
        }
        if self.schedule.fixtures.is_some() {
            let playing = self.matches.live > 0;
            return if playing { RefereeState::InGame } else { RefereeState::Running };
        }
        match season.membership {
            Membership::In => RefereeState::AwaitingAssignment,
            Membership::Applying => RefereeState::WaitingForConfirmation,
            Membership::Outside | Membership::Rejected(_) => RefereeState::Outside,
        }
    }

    /// Whether that player only repeats what it has answered.
    ///
    /// # Errors
    /// Says why its answer does not count.
    pub(super) fn has_said(
        &self,
        match_id: MatchId,
        (seat, step): (Seat, u16),
        times: Times,
    ) -> Result<bool, Refusal> {
        let live = self.matches.playing(match_id);
        let live = live.ok_or(Refusal::OutOfTurn("this game is over"))?;
        if live.has_answered(seat, step) {
            return Ok(true);
        }
        if live.takes(seat, step, times.arrived.min(self.clock(times.now))) {
            return Ok(false);
        }
        let late = live.open(seat).is_some_and(|open| open.step == step);
        let why = if late { "it came after its deadline" } else { "this is not awaited now" };
        Err(Refusal::OutOfTurn(why))
    }

    /// Who fails by a letter that nobody can read, and at which question: a player who is proved to
    /// have sent it in place of an answer that is awaited.
    ///
    /// # Errors
    /// Says why it is from nobody who may answer.
    pub(super) fn fails_by(
        &self,
        proof: &Proof,
        letter: &Garbled,
        times: Times,
    ) -> Result<Option<(MatchId, Seat, u16)>, Refusal> {
        let ActKind::Move(step) = letter.kind else { return Ok(None) };
        let game = letter.game.as_ref().ok_or(Refusal::BadValue("the letter names no game"))?;
        let (match_id, exchange) = self.matches.exchange(game).ok_or(Refusal::NoSuchMatch)?;
        let seat = *seat_of(exchange, proof, None)?.get();
        let open = self.matches.playing(match_id).and_then(|live| live.open(seat));
        let arrived = times.arrived.min(self.clock(times.now));
        let awaited = open.is_some_and(|open| open.step == step && arrived <= open.until);
        Ok(awaited.then_some((match_id, seat, step)))
    }
}

/// Which player of that match is proved to speak.
fn seat_of(
    exchange: &Exchange,
    proof: &Proof,
    token: Option<&AuthToken>,
) -> Result<Proved<Seat>, Refusal> {
    let player = |seat| (&exchange.player(seat).address, exchange.token(seat));
    gate::player(Seat::BOTH.map(player), proof, token)
}

impl Matches {
    /// That match, if it stands in the table, is spelled so, and has begun.
    pub(super) fn exchange(&self, game: &GameId) -> Option<(MatchId, &Exchange)> {
        let match_id = game.match_id()?;
        let exchange = self.written(match_id).filter(|exchange| exchange.game() == game)?;
        Some((match_id, exchange))
    }

    pub(crate) fn written(&self, match_id: MatchId) -> Option<&Exchange> {
        match &self.held.get(&match_id)?.pairing {
            Pairing::Written(exchange) => Some(exchange),
            Pairing::Called(_) => None,
        }
    }

    /// The same, if it is being played.
    pub(super) fn under_way(&self, match_id: MatchId) -> Option<(&Exchange, &Match)> {
        Some((self.written(match_id)?, self.playing(match_id)?))
    }

    /// The first one that is being played.
    pub(super) fn first_under_way(&self) -> Option<&Exchange> {
        let mut ids = self.ids().into_iter();
        ids.find_map(|match_id| self.under_way(match_id)).map(|(exchange, _)| exchange)
    }
}
