//! A player's matches by call: joining, choosing once, hearing the end.
//!
//! Asked again in the same attempt it says the same; a higher attempt begins anew; an older one is
//! refused. A question that arrives while the answer is being thought out joins the same thought.
//!
//! Spec: docs/protocol/match.md

use agon_proto::act::Act;
use agon_proto::message::{
    AskedMove, GameJoinAck, GameOver, ResultStatus, asks_for_move, move_message,
};
use agon_proto::{Envelope, MatchId, Payload, PlayerId, ShortText, Timestamp};

use super::controller::{AskedInCall, Controller};
use super::{Out, Player, PlayerFact, Thought, history};
use crate::agent;
use crate::effect::{Alert, Effect, RequestId};
use crate::thinking::{Mishap, MishapKind, Question, What};
use crate::{Refusal, gate};

const OVER: Refusal = Refusal::OutOfTurn("the match is over");
const PASSED: Refusal = Refusal::OutOfTurn("a later question was asked");

impl Player {
    /// The whole routing table of calls.
    pub(super) fn route(
        &mut self,
        request: RequestId,
        letter: Box<Envelope>,
        now: Timestamp,
        out: &mut Out,
    ) {
        let Some(admitted) = agent::admitted(self, request, letter, out) else { return };
        let from_referee = admitted.attempt();
        let (_, letter) = admitted.open();
        match (&letter.act, from_referee) {
            (Act::GameInvitation(_), Some(attempt)) => {
                self.join(AskedInCall { request, letter }, attempt, now, out);
            }
            (message, Some(attempt)) if asks_for_move(message) => {
                self.choose(AskedInCall { request, letter }, attempt, now, out);
            }
            (Act::GameOver(said), Some(attempt)) => {
                self.say_if_forfeited(said, out);
                self.over(said, attempt, now, out);
                out.acknowledge(request);
                self.leave(now, out);
            }
            (Act::GameError(said), Some(_)) => {
                out.push(Effect::Alert(Alert::Complained(said.clone())));
                out.acknowledge(request);
            }
            (Act::RoundAnnouncement(_), _) => {
                self.me.activate();
                self.announced = true;
                out.acknowledge(request);
            }
            (Act::RoundCompleted(said), _) => {
                for mut passed in self.rounds.complete(said.round_id) {
                    send_away(&mut passed, &OVER, out);
                }
                out.acknowledge(request);
            }
            (Act::PlayerWithdrawn(_), _) => out.acknowledge(request),
            (Act::LeagueStandingsUpdate(said), _) => {
                self.table = said.standings.clone();
                out.acknowledge(request);
            }
            (Act::LeagueCompleted(_), _) => {
                self.me.shut_down(now);
                self.finished = false;
                out.acknowledge(request);
                self.leave(now, out);
            }
            (other, _) => out.refuse(request, gate::not_for_us(other)),
        }
    }

    /// Tells whoever runs us why a match of ours was lost without being played.
    fn say_if_forfeited(&self, said: &GameOver, out: &mut Out) {
        let result = &said.game_result;
        if result.status == ResultStatus::TechnicalLoss && result.winner_player_id != self.id() {
            let reason = ShortText::new(&result.reason);
            out.push(Effect::Alert(Alert::Forfeited { match_id: said.match_id, reason }));
        }
    }

    /// The controller of that attempt: the one under way, or a new one that replaces an older one.
    fn enter(
        &mut self,
        (match_id, attempt): (MatchId, u32),
        opponent: PlayerId,
        now: Timestamp,
        out: &mut Out,
    ) -> Result<&mut Controller, Refusal> {
        let (over, longest) = (self.history.attempt(match_id), self.times.match_max);
        let fresh = || Controller::called(attempt, opponent, Some(now + longest));
        let live = self.rounds.enter((match_id, attempt), over, fresh)?;
        if attempt > live.attempt {
            send_away(live, &Refusal::StaleAttempt { current: attempt }, out);
            *live = fresh();
        }
        Ok(live)
    }

    fn join(&mut self, asked: AskedInCall, attempt: u32, now: Timestamp, out: &mut Out) {
        let Act::GameInvitation(said) = &asked.letter.act else {
            return;
        };
        let (match_id, opponent) = (said.match_id, said.opponent_id);
        let Some(player_id) = self.id() else {
            return out.refuse(asked.request, Refusal::NotRegistered);
        };
        match self.enter((match_id, attempt), opponent, now, out) {
            Err(refusal) => out.refuse(asked.request, refusal),
            Ok(_) => {
                let ack = GameJoinAck { match_id, player_id, arrival_timestamp: now, accept: true };
                asked.answer(player_id, Act::GameJoinAck(ack), now, out);
            }
        }
    }

    fn choose(&mut self, asked: AskedInCall, attempt: u32, now: Timestamp, out: &mut Out) {
        let Some(AskedMove { match_id, opponent, step, kind, view, options, deadline }) =
            AskedMove::of(&asked.letter.act)
        else {
            return;
        };
        let opponent = opponent.unwrap_or(PlayerId::new(0));
        let Some(player) = self.id() else {
            return out.refuse(asked.request, Refusal::NotRegistered);
        };
        let live = match self.enter((match_id, attempt), opponent, now, out) {
            Ok(live) => live,
            Err(refusal) => return out.refuse(asked.request, refusal),
        };
        if step < live.step() {
            return out.refuse(asked.request, PASSED);
        }
        if step > live.step() {
            send_away(live, &PASSED, out);
        }
        live.go_on_to(step);
        if let Some(choice) = live.choice() {
            let choice = choice.clone();
            return make(asked, player, &choice, now, out);
        }
        live.waiting().push(asked);
        // Whoever asks the same meanwhile joins the same thought.
        if live.waiting().len() == 1 {
            let what = What::Move { view, options, said: live.said_before() };
            let thought = Thought { match_id, attempt, turn: step, second_try: false };
            let number = self.thinking.begin(thought);
            let until = self.times.thinking.until(Some(deadline), now);
            let question = Question { number, match_id, attempt, kind, what, until };
            out.push(Effect::Think(Box::new(question)));
        }
    }

    /// The thought is there: it becomes the choice, and everybody who asked hears it.
    pub(super) fn thought_of_call(
        &mut self,
        thought: Thought,
        answer: Result<Payload, Mishap>,
        now: Timestamp,
        out: &mut Out,
    ) {
        let Thought { match_id, attempt, turn: step, .. } = thought;
        let Some(player) = self.id() else { return };
        let asked = self.rounds.live_mut(match_id);
        let is_asked = |live: &&mut Controller| live.attempt == attempt && live.step() == step;
        let Some(live) = asked.filter(is_asked) else { return };
        let waiting = std::mem::take(live.waiting());
        let late = matches!(&answer, Err(Mishap { kind: MishapKind::TimedOut, .. }));
        let refusal = || if late { Refusal::TooSlow } else { Refusal::NoDecision };
        let mut first = live.choice().cloned();
        if first.is_none()
            && let Ok(choice) = answer
        {
            let asked = waiting.first().map(|asked| &asked.letter.act);
            if asked.is_some_and(|asked| move_message(asked, player, &choice).is_some()) {
                first = Some(choice.clone());
                let (instead_of, at) = (None, now);
                let fact = PlayerFact::Chosen { match_id, attempt, step, choice, instead_of, at };
                self.record(fact, out);
            } else {
                let said = ShortText::new(choice.as_str());
                out.push(Effect::Alert(Alert::NoMove { match_id, said }));
            }
        }
        for asked in waiting {
            match &first {
                Some(choice) => make(asked, player, choice, now, out),
                None => out.refuse(asked.request, refusal()),
            }
        }
    }

    fn over(&mut self, said: &GameOver, attempt: u32, now: Timestamp, out: &mut Out) {
        let Some(me) = self.id() else { return };
        let match_id = said.match_id;
        let live = self.rounds.live_mut(match_id);
        // Late news of an attempt that does not count any more.
        if live.as_ref().is_some_and(|live| attempt < live.attempt) {
            return;
        }
        let opponent = live.map(|live| {
            send_away(live, &OVER, out);
            live.opponent
        });
        if self.history.attempt(match_id).is_some_and(|known| attempt <= known) {
            return self.rounds.leave(match_id);
        }
        let played = history::played(me, opponent, (said, attempt), now);
        self.record(PlayerFact::Over(played), out);
    }
}

/// Nothing more is said in that match to whoever waits.
pub(super) fn send_away(live: &mut Controller, why: &Refusal, out: &mut Out) {
    for asked in std::mem::take(live.waiting()) {
        out.refuse(asked.request, why.clone());
    }
}

/// Answers with a move.
fn make(asked: AskedInCall, player: PlayerId, choice: &Payload, now: Timestamp, out: &mut Out) {
    match move_message(&asked.letter.act, player, choice) {
        Some(message) => asked.answer(player, message, now, out),
        None => out.refuse(asked.request, Refusal::NoDecision),
    }
}
