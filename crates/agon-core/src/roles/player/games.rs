//! A player's matches: joining, choosing once, hearing the end.
//!
//! Spec: docs/protocol/match.md

use agon_proto::message::{AskedMove, GameJoinAck, GameOver, Message, move_message};
use agon_proto::{
    Answer, Envelope, MatchId, Payload, PlayerId, RoundId, Sender, ShortText, Timestamp,
};

use super::{Out, Player, history};
use crate::Refusal;
use crate::effect::{Alert, Effect, RequestId};
use crate::fact::PlayerFact;
use crate::thinking::{Mishap, MishapKind, Question, What};

/// A question of a referee's. Its answer goes back in the same envelope: the conversation and the
/// match token stand there already, so the league token stays at home.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) request: RequestId,
    pub(super) letter: Box<Envelope>,
}

/// A match this player is in.
#[derive(Debug)]
pub(super) struct Game {
    pub(super) attempt: u32,
    pub(super) opponent: PlayerId,
    /// Which question of the match is before us, counted from 1; 0 before the first.
    pub(super) step: u32,
    /// The move that we make in answer to it.
    pub(super) choice: Option<Payload>,
    /// Our moves before that, oldest first.
    pub(super) said: Vec<Payload>,
    /// The question to whoever thinks for us.
    pub(super) thought: u64,
    /// Questions that wait for the same thought.
    pub(super) waiting: Vec<Asked>,
    /// When we give up hearing of it.
    pub(super) until: Timestamp,
}

impl Game {
    pub(super) fn new(attempt: u32, opponent: PlayerId, until: Timestamp) -> Self {
        let (waiting, said) = (Vec::new(), Vec::new());
        Self { attempt, opponent, step: 0, choice: None, said, thought: 0, waiting, until }
    }

    /// Another question is before us: what we said to the last one is behind us.
    pub(super) fn go_on_to(&mut self, step: u32) {
        if step > self.step {
            self.step = step;
            self.said.extend(self.choice.take());
            self.thought = 0;
        }
    }
}

impl Player {
    /// The game of that attempt: the one under way, or a new one that replaces an older one.
    fn game(
        &mut self,
        match_id: MatchId,
        attempt: u32,
        opponent: PlayerId,
        now: Timestamp,
        out: &mut Out,
    ) -> Result<&mut Game, Refusal> {
        // A question that is asked again after the end must not be thought about anew.
        if self.over_up_to(match_id).is_some_and(|over| attempt <= over) {
            return Err(Refusal::OutOfTurn("the match is over"));
        }
        if self.left.get(&match_id).is_some_and(|left| attempt <= *left) {
            return Err(Refusal::OutOfTurn("the match took too long"));
        }
        let until = now + self.times.match_max;
        let fresh = || Game::new(attempt, opponent, until);
        let game = self.games.entry(match_id).or_insert_with(fresh);
        if attempt < game.attempt {
            return Err(Refusal::StaleAttempt { current: game.attempt });
        }
        if attempt > game.attempt {
            let old = std::mem::replace(game, fresh());
            for asked in old.waiting {
                out.refuse(asked.request, Refusal::StaleAttempt { current: attempt });
            }
        }
        Ok(game)
    }

    /// The last attempt that is over, as far as we know. Who never heard of a match of a round that
    /// is complete missed its first attempt at least; a higher one is played again.
    fn over_up_to(&self, match_id: MatchId) -> Option<u32> {
        let missed = (match_id.round <= self.rounds_over).then_some(1);
        self.history.attempt(match_id).max(missed)
    }

    /// Every match of that round has its result. The news of the last ones may still be on its
    /// way, so only older games are forgotten; whoever waits in them for a thought hears so.
    pub(super) fn round_completed(&mut self, round: RoundId, out: &mut Out) {
        self.rounds_over = self.rounds_over.max(round);
        let over = self.games.extract_if(|id, _| id.round < round);
        for (id, game) in over {
            self.left.insert(id, game.attempt);
            for asked in game.waiting {
                out.refuse(asked.request, Refusal::OutOfTurn("the match is over"));
            }
        }
    }

    pub(super) fn join(&mut self, asked: Asked, attempt: u32, now: Timestamp, out: &mut Out) {
        let Message::GameInvitation(said) = &asked.letter.message else {
            return;
        };
        let (match_id, opponent) = (said.match_id, said.opponent_id);
        let Some(player_id) = self.id() else {
            return out.refuse(asked.request, Refusal::NotRegistered);
        };
        match self.game(match_id, attempt, opponent, now, out) {
            Err(refusal) => out.refuse(asked.request, refusal),
            Ok(_) => {
                let ack = GameJoinAck { match_id, player_id, arrival_timestamp: now, accept: true };
                asked.answer(player_id, Message::GameJoinAck(ack), now, out);
            }
        }
    }

    pub(super) fn choose(&mut self, asked: Asked, attempt: u32, now: Timestamp, out: &mut Out) {
        let Some(AskedMove { match_id, opponent, step, kind, view, options, deadline }) =
            AskedMove::of(&asked.letter.message)
        else {
            return;
        };
        let opponent = opponent.unwrap_or(PlayerId::new(0));
        let Some(player) = self.id() else {
            return out.refuse(asked.request, Refusal::NotRegistered);
        };
        let number = self.questions + 1;
        let game = match self.game(match_id, attempt, opponent, now, out) {
            Ok(game) => game,
            Err(refusal) => return out.refuse(asked.request, refusal),
        };
        if step < game.step {
            return out.refuse(asked.request, Refusal::OutOfTurn("a later question was asked"));
        }
        if step > game.step {
            for passed in game.waiting.drain(..) {
                out.refuse(passed.request, Refusal::OutOfTurn("a later question was asked"));
            }
        }
        game.go_on_to(step);
        if let Some(choice) = &game.choice {
            let choice = choice.clone();
            return asked.make(player, &choice, now, out);
        }
        game.waiting.push(asked);
        if game.waiting.len() == 1 {
            game.thought = number;
            let what = What::Move { view, options, said: game.said.clone() };
            self.questions = number;
            let until = self.times.thinking.until(Some(deadline), now);
            let question = Question { number, match_id, attempt, kind, what, until };
            out.push(Effect::Think(Box::new(question)));
        }
    }

    /// The thought is there: it becomes the choice, and everybody who asked hears it.
    pub(super) fn thought(
        &mut self,
        number: u64,
        answer: Result<Payload, Mishap>,
        now: Timestamp,
        out: &mut Out,
    ) {
        let Some(player) = self.id() else { return };
        let asked = self.games.iter_mut().find(|(_, game)| game.thought == number);
        let Some((match_id, game)) = asked else { return };
        let (match_id, attempt, step) = (*match_id, game.attempt, game.step);
        let waiting = std::mem::take(&mut game.waiting);
        let late = matches!(&answer, Err(Mishap { kind: MishapKind::TimedOut, .. }));
        let refusal = || if late { Refusal::TooSlow } else { Refusal::NoDecision };
        if game.choice.is_none()
            && let Ok(choice) = answer
        {
            let asked = waiting.first().map(|asked| &asked.letter.message);
            if asked.is_some_and(|asked| move_message(asked, player, &choice).is_some()) {
                self.record(PlayerFact::Chosen { match_id, attempt, step, choice }, out);
            } else {
                let said = ShortText::new(choice.as_str());
                out.push(Effect::Alert(Alert::NoMove { match_id, said }));
            }
        }
        let first = self.games.get(&match_id).and_then(|game| game.choice.clone());
        for asked in waiting {
            match &first {
                Some(choice) => asked.make(player, choice, now, out),
                None => out.refuse(asked.request, refusal()),
            }
        }
    }

    pub(super) fn over(&mut self, said: &GameOver, attempt: u32, now: Timestamp, out: &mut Out) {
        let Some(me) = self.id() else { return };
        let match_id = said.match_id;
        // Late news of an attempt that does not count any more.
        if self.games.get(&match_id).is_some_and(|game| attempt < game.attempt) {
            return;
        }
        let opponent = self.games.remove(&match_id).map(|game| {
            for asked in game.waiting {
                out.refuse(asked.request, Refusal::OutOfTurn("the match is over"));
            }
            game.opponent
        });
        if self.history.attempt(match_id).is_some_and(|known| attempt <= known) {
            return;
        }
        let played = history::played(me, opponent, (said, attempt), now);
        self.record(PlayerFact::Over(played), out);
    }
}

impl Asked {
    /// Answers with a move.
    fn make(self, player: PlayerId, choice: &Payload, now: Timestamp, out: &mut Out) {
        match move_message(&self.letter.message, player, choice) {
            Some(message) => self.answer(player, message, now, out),
            None => out.refuse(self.request, Refusal::NoDecision),
        }
    }

    fn answer(self, player: PlayerId, message: Message, now: Timestamp, out: &mut Out) {
        let Self { request, mut letter } = self;
        letter.sender = Sender::Player(player);
        letter.timestamp = now;
        letter.message = message;
        out.reply(request, Answer::Letter(letter));
    }
}
