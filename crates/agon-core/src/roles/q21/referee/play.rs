//! Games under way: players' answers, deadlines, and what the match asks for.
//!
//! A deadline that is printed is the one that is enforced. If a question did not leave us in time,
//! that is not the player's fault, and its time begins anew.
//!
//! Spec: docs/protocol/q21.md

use std::time::Duration;

use agon_proto::act::{Act, ActKind};
use agon_proto::{AuthToken, Payload, Timestamp};
use agon_proto::{GameId, Letter};

use super::fact::{AbortReason, Fact};
use super::held::{Held, Live};
use super::{Out, Referee, Times};
use crate::Refusal;
use crate::agent;
use crate::effect::{Garbled, Proof, RequestId};
use crate::matches::{self, Event, Open};
use crate::post::ParcelId;
use crate::verdict::Seat;

/// The least time that a player gets when its time begins anew.
const EXTENSION_MIN: Duration = Duration::from_secs(1);

impl Referee {
    /// A player of that game has written. Whatever it repeats changes nothing.
    pub(super) fn player_said(
        &mut self,
        game: &GameId,
        seat: Seat,
        letter: Letter,
        times: Times,
        out: &mut Out,
    ) -> Result<(), Refusal> {
        let Act::Move(moved) = &letter.act else {
            return Err(Refusal::Unsupported("this from a player"));
        };
        let step = moved.number;
        let at = self.clock(times.now);
        let arrived = times.arrived.min(at);
        let live = self.games.get(game).and_then(Held::live);
        let live = live.ok_or(Refusal::OutOfTurn("this game is over"))?;
        if live.play.has_answered(seat, step) {
            return Ok(());
        }
        if !live.play.takes(seat, step, arrived) {
            let late = live.play.open(seat).is_some_and(|open| open.step == step);
            let why = if late { "it came after its deadline" } else { "this is not awaited now" };
            return Err(Refusal::OutOfTurn(why));
        }
        self.keep_open(game, seat, at, out);
        // What is too long to be kept is no answer.
        let said = Payload::new(moved.said.as_str());
        let (id, letter) = (game.clone(), letter.id);
        let fact = match said {
            Some(said) => Fact::Answered { game: id, seat, step, said, letter, at },
            None => Fact::Garbled { game: id, seat, step, at },
        };
        self.play(game, fact, times.now, out);
        Ok(())
    }

    /// A letter of that kind came for that game, and nobody can read what it says. If one of its
    /// players is proved to have sent it, in place of an answer that is awaited, that player has
    /// failed; from anybody else it changes nothing.
    pub(super) fn garbled(
        &mut self,
        request: RequestId,
        (proof, token): (&Proof, Option<&AuthToken>),
        letter: &Garbled,
        times: Times,
        out: &mut Out,
    ) {
        let ActKind::Move(step) = letter.kind else {
            return out.refuse(request, Refusal::BadValue("the letter cannot be read"));
        };
        let Some(game) = &letter.game else {
            return out.refuse(request, Refusal::BadValue("the letter names no game"));
        };
        let seat = match self.seat_of(game, proof, token) {
            Ok(seat) => *seat.get(),
            Err(refusal) => return out.refuse(request, refusal),
        };
        let at = self.clock(times.now);
        let arrived = times.arrived.min(at);
        let live = self.games.get(game).and_then(Held::live);
        let open = live.and_then(|live| live.play.open(seat));
        if open.is_some_and(|open| open.step == step && arrived <= open.until) {
            self.keep_open(game, seat, at, out);
            let garbled = Fact::Garbled { game: game.clone(), seat, step, at };
            self.play(game, garbled, times.now, out);
        }
        out.refuse(request, Refusal::BadValue("the letter cannot be read"));
    }

    /// An answer arrived in time and is read only now: its question is open until now.
    fn keep_open(&mut self, game: &GameId, seat: Seat, at: Timestamp, out: &mut Out) {
        if self.open(game, seat).is_some_and(|open| open.until < at) {
            self.record(Fact::Extended { game: game.clone(), seat, until: at }, out);
        }
    }

    /// Does what the match asks for.
    pub(super) fn carry_out(
        &mut self,
        game: &GameId,
        effects: Vec<matches::Effect>,
        now: Timestamp,
        out: &mut Out,
    ) {
        for effect in effects {
            match effect {
                matches::Effect::Ask { seat, step, ask, until, .. } => {
                    self.send_question(game, seat, Open { step, ask, until }, now, out);
                }
                matches::Effect::Consult { about, judgement } => {
                    self.consult(game, (about, judgement), 1, now, out);
                }
                matches::Effect::Through(seat) => self.send_score(game, seat, now, out),
                matches::Effect::Report(verdict, _) => self.report(game, verdict, now, out),
                // Nobody rolls dice here, and nobody is warned.
                matches::Effect::Warn { .. }
                | matches::Effect::Lapsed(_)
                | matches::Effect::Roll(..) => {}
            }
        }
    }

    fn send_question(
        &mut self,
        game: &GameId,
        seat: Seat,
        open: Open,
        now: Timestamp,
        out: &mut Out,
    ) {
        let Some((held, live)) = self.game(game) else {
            return;
        };
        let letter = self.question(held, live, seat, open, now);
        let to = held.fixture.players[seat.index()].address.clone();
        let until = to.is_endpoint().then_some(open.until);
        self.queue(to, letter, until, out);
    }

    pub(super) fn send_score(&mut self, game: &GameId, seat: Seat, now: Timestamp, out: &mut Out) {
        let Some((held, live)) = self.game(game) else {
            return;
        };
        let Some(letter) = self.score(held, live, seat, now) else {
            return;
        };
        let to = held.fixture.players[seat.index()].address.clone();
        // By call nobody tries for ever to reach a player that has gone.
        let until = to.is_endpoint().then(|| now + live.play.ask_time(seat));
        self.queue(to, letter, until, out);
    }

    pub(super) fn game(&self, game: &GameId) -> Option<(&Held, &Live)> {
        let held = self.games.get(game)?;
        Some((held, held.live()?))
    }

    /// The first game in which somebody's time is up.
    pub(super) fn due(&self, now: Timestamp) -> Option<GameId> {
        if self.me.season.paused_at.is_some() {
            return None;
        }
        let due = |held: &Held| held.live()?.play.deadline().filter(|due| *due <= now);
        self.games.iter().find(|(_, held)| due(held).is_some()).map(|(game, _)| game.clone())
    }

    /// Time is up. But whose question still lies here has not been asked anything: by call it could
    /// not be reached, by mail it is our own post that does not work.
    pub(super) fn time_out(&mut self, game: &GameId, now: Timestamp, out: &mut Out) {
        for seat in Seat::BOTH {
            let due = self.open(game, seat).filter(|open| open.until <= now);
            let by_mail = due.filter(|_| !self.is_called(game, seat));
            if by_mail.is_some_and(|open| self.unsent(game, seat, open.step).is_some()) {
                self.ask_again(game, seat, now, out);
            }
        }
        let due = self.game(game).and_then(|(_, live)| live.play.deadline());
        if due.is_some_and(|due| due <= now) {
            self.play(game, Fact::TimedOut { game: game.clone(), at: now }, now, out);
        }
    }

    /// Whether that player is called, and not written to.
    fn is_called(&self, game: &GameId, seat: Seat) -> bool {
        let held = self.games.get(game);
        held.is_some_and(|held| held.fixture.players[seat.index()].address.is_endpoint())
    }

    fn open(&self, game: &GameId, seat: Seat) -> Option<Open> {
        self.game(game)?.1.play.open(seat)
    }

    /// The question that still lies here.
    fn unsent(&self, game: &GameId, seat: Seat, step: u16) -> Option<ParcelId> {
        let held = self.games.get(game)?;
        let asks = |parcel: &crate::post::Parcel| held.asked_by(parcel) == Some((seat, step));
        self.me.post.waiting().find(|parcel| asks(parcel)).map(|parcel| parcel.id)
    }

    /// Who is called could not answer us while we were away: everybody of them that has a question
    /// before it is asked again, with all its time.
    pub(super) fn ask_all_again(&mut self, now: Timestamp, out: &mut Out) {
        let games: Vec<GameId> = self.games.keys().cloned().collect();
        for game in games {
            for seat in Seat::BOTH {
                if self.is_called(&game, seat) {
                    self.ask_again(&game, seat, now, out);
                }
            }
        }
    }

    /// The same question in the same letter, with a new deadline.
    fn ask_again(&mut self, game: &GameId, seat: Seat, now: Timestamp, out: &mut Out) {
        let Some(open) = self.open(game, seat) else {
            return;
        };
        if let Some(old) = self.unsent(game, seat, open.step) {
            agent::settle(self, vec![old], out);
        }
        self.extend(game, seat, now, out);
        if let Some(open) = self.open(game, seat) {
            self.send_question(game, seat, open, now, out);
        }
    }

    fn extend(&mut self, game: &GameId, seat: Seat, now: Timestamp, out: &mut Out) {
        let until = (self.clock(now) + self.limit(game, seat)).rounded_up();
        self.record(Fact::Extended { game: game.clone(), seat, until }, out);
    }

    fn limit(&self, game: &GameId, seat: Seat) -> Duration {
        let limit = self.game(game).map(|(_, live)| live.play.ask_time(seat));
        limit.unwrap_or_default().max(EXTENSION_MIN)
    }

    /// Whoever carries letters has taken one. A question that was taken only in the second half of
    /// its time leaves too little of it: its time begins anew.
    pub(super) fn dispatched(&mut self, parcel: ParcelId, now: Timestamp, out: &mut Out) {
        if !self.me.post.awaits(parcel) {
            return;
        }
        if let Some((game, seat, open)) = self.asked_by(parcel)
            && !self.is_called(&game, seat)
            && self.clock(now) + self.limit(&game, seat) / 2 > open.until
        {
            self.extend(&game, seat, now, out);
        }
        agent::settle(self, vec![parcel], out);
        self.finish_if_done(out);
    }

    /// The open question that this letter of ours puts to a player.
    fn asked_by(&self, parcel: ParcelId) -> Option<(GameId, Seat, Open)> {
        let parcel = self.me.post.waiting().find(|waiting| waiting.id == parcel)?;
        let game = parcel.letter.context.game.clone()?;
        let (held, live) = self.game(&game)?;
        let (seat, step) = held.asked_by(parcel)?;
        let open = live.play.open(seat).filter(|open| open.step == step)?;
        Some((game, seat, open))
    }

    /// Breaks off whatever is still played.
    pub(super) fn abort_all(&mut self, reason: AbortReason, now: Timestamp, out: &mut Out) {
        let live = self.games.iter().filter(|(_, held)| held.live().is_some());
        let games: Vec<GameId> = live.map(|(game, _)| game.clone()).collect();
        for game in games {
            let at = self.clock(now);
            self.play(&game, Fact::Aborted { game: game.clone(), reason, at }, now, out);
        }
    }

    /// The clocks of all games go on.
    pub(super) fn go_on(&mut self, now: Timestamp) {
        let Some(paused_at) = self.me.season.paused_at else {
            return;
        };
        let mut stood = now.since(paused_at);
        if stood.subsec_nanos() > 0 {
            stood = Duration::from_secs(stood.as_secs() + 1);
        }
        for live in self.games.values_mut().filter_map(Held::live_mut) {
            live.play.postpone(stood);
        }
    }
}

impl Live {
    /// Takes in a fact about this game.
    pub(super) fn take_in(&mut self, fact: &Fact) -> Vec<matches::Effect> {
        #[expect(clippy::wildcard_enum_match_arm, reason = "the others are about no live game")]
        match fact {
            Fact::Told { about, judgement, word, at, .. } => {
                let (about, judgement, word) = (*about, *judgement, Some(word.clone()));
                self.happened(Event::Told { about, judgement, word }, *at)
            }
            Fact::Lost { about, judgement, at, .. } => {
                let (about, judgement) = (*about, *judgement);
                self.happened(Event::Told { about, judgement, word: None }, *at)
            }
            Fact::Answered { seat, step, said, letter, at, .. } => {
                self.answered((*seat, *step), said, letter, *at)
            }
            Fact::Garbled { seat, step, at, .. } => self.garbled(*seat, *step, *at),
            Fact::TimedOut { at, .. } => self.happened(Event::TimedOut, *at),
            Fact::Extended { seat, until, .. } => {
                self.play.extend(*seat, *until);
                Vec::new()
            }
            Fact::Aborted { reason, at, .. } => self.aborted(*reason, *at),
            _ => Vec::new(),
        }
    }
}

impl Fact {
    /// The game under way that this is about.
    pub(super) fn game(&self) -> Option<&GameId> {
        match self {
            Self::Told { game, .. }
            | Self::Lost { game, .. }
            | Self::Answered { game, .. }
            | Self::Garbled { game, .. }
            | Self::TimedOut { game, .. }
            | Self::Extended { game, .. }
            | Self::Aborted { game, .. } => Some(game),
            Self::Agent(_)
            | Self::Assigned { .. }
            | Self::RoundBegan(_)
            | Self::RoundEnded { .. }
            | Self::Started(_)
            | Self::Judged { .. } => None,
        }
    }
}
