//! A player's matches: joining, choosing once, hearing the end.
//!
//! Spec: docs/protocol/match.md

use agon_proto::message::{
    ChooseParityResponse, GameJoinAck, GameOver, Message, Parity, StatedParity,
};
use agon_proto::{Answer, Envelope, MatchId, PlayerId, RoundId, Sender, Timestamp};

use super::{Out, Player, history};
use crate::Refusal;
use crate::effect::{Effect, Question, RequestId};
use crate::fact::PlayerFact;

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
    pub(super) choice: Option<Parity>,
    /// Questions that wait for the same thought.
    pub(super) waiting: Vec<Asked>,
    /// When we give up hearing of it.
    pub(super) until: Timestamp,
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
        let until = now + self.match_time_max;
        let fresh = || Game { attempt, opponent, choice: None, waiting: Vec::new(), until };
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
        let Message::ChooseParityCall(said) = &asked.letter.message else {
            return;
        };
        let (match_id, opponent) = (said.match_id, said.context.opponent_id);
        let (round, deadline) = (said.context.round_id, said.deadline);
        let Some(player) = self.id() else {
            return out.refuse(asked.request, Refusal::NotRegistered);
        };
        let game = match self.game(match_id, attempt, opponent, now, out) {
            Ok(game) => game,
            Err(refusal) => return out.refuse(asked.request, refusal),
        };
        if let Some(choice) = game.choice {
            return asked.answer(player, chosen(player, match_id, choice), now, out);
        }
        game.waiting.push(asked);
        if game.waiting.len() == 1 {
            out.push(Effect::Think(Question {
                player,
                match_id,
                attempt,
                round,
                opponent,
                deadline,
            }));
        }
    }

    /// The thought is there: it becomes the choice, and everybody who asked hears it.
    pub(super) fn thought(
        &mut self,
        (match_id, attempt): (MatchId, u32),
        choice: Option<Parity>,
        now: Timestamp,
        out: &mut Out,
    ) {
        let Some(player) = self.id() else { return };
        let Some(game) = self.games.get_mut(&match_id).filter(|game| game.attempt == attempt)
        else {
            return;
        };
        let waiting = std::mem::take(&mut game.waiting);
        let first = game.choice.or(choice);
        if let (None, Some(choice)) = (game.choice, first) {
            self.record(PlayerFact::Chosen { match_id, attempt, choice }, out);
        }
        for asked in waiting {
            match first {
                Some(choice) => asked.answer(player, chosen(player, match_id, choice), now, out),
                None => out.refuse(asked.request, Refusal::NoDecision),
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
    fn answer(self, player: PlayerId, message: Message, now: Timestamp, out: &mut Out) {
        let Self { request, mut letter } = self;
        letter.sender = Sender::Player(player);
        letter.timestamp = now;
        letter.message = message;
        out.reply(request, Answer::Letter(letter));
    }
}

fn chosen(player_id: PlayerId, match_id: MatchId, choice: Parity) -> Message {
    let parity_choice = StatedParity::Valid(choice);
    Message::ChooseParityResponse(ChooseParityResponse { match_id, player_id, parity_choice })
}
