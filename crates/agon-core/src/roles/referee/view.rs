//! What a referee's records say of letters. Who speaks? The league manager, or one of the two
//! players of a match: everybody else is refused, with the reason, and nothing changes. Which of
//! our own still lie here, and whose time begins anew? And where we are in the season.
//!
//! Spec: docs/protocol/q21.md

use std::time::Duration;

use agon_proto::act::{Act, ActKind, RefereeState};
use agon_proto::{Address, AuthToken, GameId, MatchId, Timestamp};

use super::exchange::Exchange;
use super::fact::RefereeFact;
use super::records::{Matches, Pairing, Records};
use crate::Refusal;
use crate::agent::Membership;
use crate::effect::{Effect, Effects, Ending, Garbled, Proof};
use crate::gate::{self, Arrival, Author, Doubt, Voice};
use crate::letterbox::{Parcel, ParcelId};
use crate::matches::Match;
use crate::verdict::Seat;

/// The least time that a player gets when its time begins anew.
const EXTENSION_MIN: Duration = Duration::from_secs(1);

const OF_MANAGER: &str = "only the league manager says that to a referee";
const OF_REFEREE: &str = "only a referee says that, and to players";

impl Records {
    /// Who speaks, and may they say this?
    pub(super) fn admit(&self, came: Arrival) -> Result<(Address, Author), Doubt> {
        let Arrival { proof, letter, .. } = came;
        let never = Doubt::Never;
        let Act::Move(said) = &letter.act else {
            if gate::voice(letter.act.kind()) == Voice::Referee {
                return Err(never(Refusal::NotPermitted(OF_REFEREE)));
            }
            return gate::manager(&self.me, came, OF_MANAGER);
        };
        let begun = gate::game_of(letter).and_then(|game| self.matches.exchange(game));
        let (match_id, exchange) = begun.ok_or(never(Refusal::NoSuchMatch))?;
        let shown = letter.auth_token.as_ref();
        let proved = gate::player(match_id, exchange.reached(), proof, shown).map_err(never)?;
        let (_, seat) = *proved.get();
        // By mail the address has proved the speaker; a token that is shown must still be right.
        let shown = said.token.as_deref().filter(|text| !text.is_empty()).map(AuthToken::from);
        match shown.filter(|shown| shown != exchange.token(seat)) {
            Some(wrong) => Err(never(Refusal::TokenInvalid(wrong))),
            None => Ok((exchange.player(seat).address.clone(), Author::Player(proved))),
        }
    }

    /// Where we are in the season.
    pub(super) fn state(&self) -> RefereeState {
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
        arrived: Timestamp,
    ) -> Result<bool, Refusal> {
        let live = self.matches.playing(match_id);
        let live = live.ok_or(Refusal::OutOfTurn("this game is over"))?;
        if live.has_answered(seat, step) {
            return Ok(true);
        }
        if live.takes(seat, step, arrived) {
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
        arrived: Timestamp,
    ) -> Result<Option<(MatchId, Seat, u16)>, Refusal> {
        let ActKind::Move(step) = letter.kind else { return Ok(None) };
        let game = letter.game.as_ref().ok_or(Refusal::BadValue("the letter names no game"))?;
        let (match_id, exchange) = self.matches.exchange(game).ok_or(Refusal::NoSuchMatch)?;
        let (_, seat) = *gate::player(match_id, exchange.reached(), proof, None)?.get();
        let open = self.matches.playing(match_id).and_then(|live| live.open(seat));
        let awaited = open.is_some_and(|open| open.step == step && arrived <= open.until);
        Ok(awaited.then_some((match_id, seat, step)))
    }

    /// Whether that player's time is up, is written to, and was never asked.
    pub(super) fn is_unasked(&self, match_id: MatchId, seat: Seat, now: Timestamp) -> bool {
        let Some((exchange, live)) = self.matches.under_way(match_id) else { return false };
        let due = live.open(seat).filter(|open| open.until <= now);
        let written = due.filter(|_| !exchange.is_called(seat));
        written.is_some_and(|open| self.unsent(exchange, seat, open.step).is_some())
    }

    /// For a player that is asked again: the letter that is to be taken back, and until when it has
    /// time then. `None` if no question is before it.
    pub(super) fn anew(
        &self,
        match_id: MatchId,
        seat: Seat,
        now: Timestamp,
    ) -> Option<(Option<ParcelId>, Timestamp)> {
        let (exchange, live) = self.matches.under_way(match_id)?;
        let open = live.open(seat)?;
        let until = self.clock(now) + time_for(live, seat);
        Some((self.unsent(exchange, seat, open.step), until.rounded_up()))
    }

    /// Whom this letter of ours asks, if it was taken late, and until when that one has time then.
    pub(super) fn taken_late(
        &self,
        parcel: ParcelId,
        now: Timestamp,
    ) -> Option<(MatchId, Seat, Timestamp)> {
        let parcel = self.me.letterbox.waiting().find(|waiting| waiting.id == parcel)?;
        let (match_id, exchange) = self.matches.exchange(parcel.letter.context.game.as_ref()?)?;
        let (seat, step) = exchange.asked_by(parcel)?;
        let live = self.matches.playing(match_id)?;
        let open = live.open(seat).filter(|open| open.step == step)?;
        let late = self.clock(now) + time_for(live, seat) / 2 > open.until;
        let (_, until) = self.anew(match_id, seat, now)?;
        (late && !exchange.is_called(seat)).then_some((match_id, seat, until))
    }

    /// Questions of that match that nobody needs to answer any more.
    pub(super) fn stale(&self, match_id: MatchId) -> Vec<ParcelId> {
        let Some((exchange, live)) = self.matches.under_way(match_id) else { return Vec::new() };
        let is_stale = |parcel: &&Parcel| {
            exchange.asked_by(parcel).is_some_and(|(seat, _)| live.gain(seat).is_none())
        };
        self.me.letterbox.waiting().filter(is_stale).map(|parcel| parcel.id).collect()
    }

    /// The season is over: nothing is left to do once every letter is taken.
    pub(super) fn finish_if_done(&self, out: &mut Effects<RefereeFact>) {
        if self.me.season.completed.is_some() && self.me.letterbox.waiting().next().is_none() {
            out.push(Effect::Finish(Ending::LeagueCompleted));
        }
    }

    /// The question that still lies here.
    fn unsent(&self, exchange: &Exchange, seat: Seat, step: u16) -> Option<ParcelId> {
        let asks = |parcel: &&Parcel| exchange.asked_by(parcel) == Some((seat, step));
        self.me.letterbox.waiting().find(asks).map(|parcel| parcel.id)
    }
}

fn time_for(live: &Match, seat: Seat) -> Duration {
    live.ask_time(seat).max(EXTENSION_MIN)
}

impl Matches {
    /// That match, if it stands in the table, is spelled so, and has begun.
    pub(super) fn exchange(&self, game: &GameId) -> Option<(MatchId, &Exchange)> {
        let match_id = game.match_id()?;
        let exchange = self.written(match_id).filter(|exchange| exchange.game() == game)?;
        Some((match_id, exchange))
    }

    pub(super) fn written(&self, match_id: MatchId) -> Option<&Exchange> {
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
