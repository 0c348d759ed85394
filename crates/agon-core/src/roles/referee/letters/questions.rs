//! Our letters on their way: which of them still lie here, and whose time begins anew.
//!
//! Spec: docs/protocol/q21.md

use std::time::Duration;

use agon_proto::{MatchId, Timestamp};

use super::spelling::Exchange;
use crate::effect::{Effect, Effects, Ending};
use crate::letterbox::{Parcel, ParcelId};
use crate::matches::Match;
use crate::roles::referee::RefereeFact;
use crate::roles::referee::records::Records;
use crate::verdict::Seat;

/// The least time that a player gets when its time begins anew.
const EXTENSION_MIN: Duration = Duration::from_secs(1);

impl Records {
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
        let (match_id, exchange) =
            self.matches.exchange(parcel.letter.head.context.game.as_ref()?)?;
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

    /// Every seat of our matches whose player is called, and not written to.
    pub(super) fn called(&self) -> Vec<(MatchId, Seat)> {
        let seats = |match_id| Seat::BOTH.map(|seat| (match_id, seat));
        let is_called = |(match_id, seat): &(MatchId, Seat)| {
            self.matches.written(*match_id).is_some_and(|exchange| exchange.is_called(*seat))
        };
        self.matches.ids().into_iter().flat_map(seats).filter(is_called).collect()
    }

    /// The season is over: nothing is left to do once every letter is taken.
    pub(crate) fn finish_if_done(&self, out: &mut Effects<RefereeFact>) {
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
