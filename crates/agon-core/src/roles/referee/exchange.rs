//! What a referee writes to players: questions and scores. Which of these letters still lie here,
//! and whose time begins anew?
//!
//! Every letter's id follows from what it is about, so that a letter that is sent twice is the same
//! letter. The secret of a game stands in none of them.
//!
//! Spec: docs/protocol/q21.md

use std::sync::Arc;
use std::time::Duration;

use agon_proto::act::{Act, ActKind, Asked, Break, Worth};
use agon_proto::known::{Contestant, RefereeContext};
use agon_proto::{
    Address, AsPayload, AuthToken, Context, GameId, Heading, LeagueId, Letter, MatchId, MessageId,
    Payload, Score, SeasonId, Timestamp,
};

use super::fact::{Entrant, RefereeFact, Start};
use super::records::{Matches, Pairing, Records};
use crate::agent::{self, Agent};
use crate::effect::{Effect, Effects, Ending};
use crate::letterbox::{Parcel, ParcelId};
use crate::matches::{Match, MatchEffect, Open};
use crate::verdict::Seat;

/// The letters of one match.
#[derive(Debug)]
pub(super) struct Exchange {
    start: Arc<Start>,
    /// The letters in which each player has answered, by the number of the question.
    answers: [Vec<(u16, MessageId)>; 2],
    /// Why it is being broken off.
    pub(super) aborted: Option<Break>,
}

impl Exchange {
    pub(super) fn new(start: Arc<Start>) -> Self {
        Self { start, answers: [Vec::new(), Vec::new()], aborted: None }
    }

    /// The letters that say to a player what the match wants to have said. By letter nobody is
    /// warned that it will be asked again.
    pub(super) fn say(
        &self,
        live: &Match,
        effect: &MatchEffect,
        me: &Agent,
        now: Timestamp,
    ) -> Vec<(Seat, Letter, Timestamp)> {
        // By call nobody tries for ever to reach a player that has gone.
        let later = |seat| now + live.ask_time(seat);
        match *effect {
            MatchEffect::Ask { seat, step, ask, until, .. } => {
                let open = Open { step, ask, until };
                vec![(seat, self.question(live, seat, open, me, now), until)]
            }
            MatchEffect::Through(seat) => {
                vec![(seat, self.score(live, seat, me, now), later(seat))]
            }
            MatchEffect::Lapsed(ref lapsed) => {
                let seat = lapsed.seat;
                let score = live.has_failed(seat).then(|| self.score(live, seat, me, now));
                let told = self.lapsed(live, lapsed, me, now).into_iter().chain(score);
                told.map(|letter| (seat, letter, later(seat))).collect()
            }
            MatchEffect::Warn { .. }
            | MatchEffect::Roll(_)
            | MatchEffect::Consult { .. }
            | MatchEffect::Report(..) => Vec::new(),
        }
    }

    /// That letter on its way to that player. By mail it waits until it is taken.
    pub(super) fn parcel(
        &self,
        me: &Agent,
        (seat, letter, until): (Seat, &Letter, Timestamp),
    ) -> Parcel {
        let to = self.player(seat).address.clone();
        let until = to.is_endpoint().then_some(until);
        me.letterbox.parcel(vec![to], letter, until)
    }

    /// A player has answered that question, in the letter of that id. Called from `apply`.
    pub(super) fn answered(&mut self, seat: Seat, step: u16, letter: &MessageId) {
        self.answers[seat.index()].push((step, letter.clone()));
    }

    /// The match is over: of its letters nothing is kept. Called from `apply`.
    pub(super) fn forget(&mut self) {
        self.answers = [Vec::new(), Vec::new()];
        self.aborted = None;
    }

    /// The match, as the table spells it.
    pub(super) fn game(&self) -> &GameId {
        &self.start.fixture.game
    }

    pub(super) fn player(&self, seat: Seat) -> &Entrant {
        &self.start.fixture.players[seat.index()]
    }

    /// What every letter of this match carries, to and from that player.
    pub(super) fn token(&self, seat: Seat) -> &AuthToken {
        &self.start.tokens[seat.index()]
    }

    /// Where both are reached, and what was given to them.
    pub(super) fn reached(&self) -> [(&Address, &AuthToken); 2] {
        Seat::BOTH.map(|seat| (&self.player(seat).address, self.token(seat)))
    }

    /// Whether that player is called, and not written to.
    pub(super) fn is_called(&self, seat: Seat) -> bool {
        self.player(seat).address.is_endpoint()
    }

    /// What a letter of this match is about.
    pub(super) fn about(&self, me: &Agent) -> Context {
        Context {
            league: me.season.league.clone(),
            season: me.season.id.clone(),
            round: Some(self.start.round.clone()),
            game: Some(self.game().clone()),
            broadcast: None,
        }
    }

    /// What our own program is told besides its question.
    pub(super) fn told_besides(&self, me: &Agent) -> Payload {
        let Start { fixture, round, .. } = &*self.start;
        let contestant = |player: &Entrant| Contestant {
            id: player.group.clone(),
            address: player.address.clone(),
        };
        let context = RefereeContext {
            season: me.season.id.clone().unwrap_or_else(|| SeasonId::new("")),
            league: me.season.league.clone().unwrap_or_else(|| LeagueId::new("")),
            game: fixture.game.clone(),
            referee: me.profile.name.as_str().into(),
            round_number: fixture.match_id.round,
            round: round.clone(),
            players: fixture.players.each_ref().map(contestant),
        };
        context.payload()
    }

    /// Which player that letter of ours asks, and for which step.
    pub(super) fn asked_by(&self, parcel: &Parcel) -> Option<(Seat, u16)> {
        let letter = &parcel.letter;
        if letter.head.context.game.as_ref() != Some(self.game()) {
            return None;
        }
        let ActKind::Ask(step) = letter.kind else { return None };
        let seat = Seat::BOTH.into_iter().find(|seat| {
            letter.head.recipient.as_ref() == self.player(*seat).group.as_str()
                && parcel.to.contains(&self.player(*seat).address)
        });
        seat.map(|seat| (seat, step))
    }

    /// The letter that puts this question to this player.
    fn question(&self, live: &Match, seat: Seat, open: Open, me: &Agent, now: Timestamp) -> Letter {
        let asked = Asked {
            game: self.game().clone(),
            number: open.step,
            view: live.view(Some(seat)),
            deadline: Some(open.until),
            token: Some(self.token(seat).reveal().into()),
        };
        let again = if open.ask > 1 { format!("-{}", open.ask) } else { String::new() };
        let letter = self.to_player(seat, Act::Ask(asked.into()), me, now);
        let id = MessageId::new(&format!("{}{again}", letter.head.id));
        // It answers what the player said last.
        let answers = open.step.checked_sub(1).and_then(|before| self.letter(seat, before));
        Letter { head: Heading { id, answers, ..letter.head }, ..letter }
    }

    /// The letter that tells this player its score; nothing, if it has failed.
    fn score(&self, live: &Match, seat: Seat, me: &Agent, now: Timestamp) -> Letter {
        let gain = live.gain(seat);
        let act = Act::Worth(Worth {
            game: self.game().clone(),
            league_points: gain.map_or(0, |gain| self.start.played.thresholds.points(gain)),
            private_score: Score::from_hundredths(u32::try_from(gain.unwrap_or(0)).unwrap_or(0)),
            view: live.view(Some(seat)),
            token: Some(self.token(seat).reveal().into()),
        });
        let answers = live.reached(seat).and_then(|last| self.letter(seat, last));
        let letter = self.to_player(seat, act, me, now);
        Letter { head: Heading { answers, ..letter.head }, ..letter }
    }

    pub(super) fn to_player(&self, seat: Seat, act: Act, me: &Agent, now: Timestamp) -> Letter {
        let name = act.kind().tag();
        let player = self.player(seat);
        let head = Heading {
            id: MessageId::new(&format!("{name}-{}-{}", self.game(), player.group)),
            sent_at: now,
            from: agent::origin(me, &player.address),
            recipient: player.group.as_str().into(),
            answers: None,
            context: self.about(me),
        };
        // By mail the mail server vouches for us, and a token would only be copied about.
        let auth_token = self.is_called(seat).then(|| self.token(seat).clone());
        Letter { head, auth_token, act }
    }

    /// The letter in which that player answered the question of that number.
    fn letter(&self, seat: Seat, number: u16) -> Option<MessageId> {
        let letters = self.answers[seat.index()].iter();
        letters.rev().find(|(answered, _)| *answered == number).map(|(_, id)| id.clone())
    }
}

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
