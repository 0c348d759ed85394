//! A player's matches: joining, choosing once, hearing the end.
//!
//! Spec: docs/protocol/match.md

use agon_proto::message::{
    ChooseParityCall, ChooseParityResponse, GameInvitation, GameJoinAck, GameOver, Message, Parity,
    StatedParity,
};
use agon_proto::{
    Answer, AuthToken, ConversationId, Envelope, MatchId, PlayerId, RoundId, Sender, Timestamp,
};

use super::{Out, Player, history};
use crate::Refusal;
use crate::effect::{Effect, Question, RequestId};
use crate::fact::PlayerFact;

/// A request that waits for an answer, with what the answer must carry.
pub(super) type Asked = (RequestId, Option<AuthToken>, ConversationId);

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
        if self.history.contains(match_id) || match_id.round <= self.rounds_over {
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
            for (request, ..) in old.waiting {
                out.refuse(request, Refusal::StaleAttempt { current: attempt });
            }
        }
        Ok(game)
    }

    /// Every match of that round has its result. The news of the last ones may still be on its
    /// way, so only older games are forgotten; whoever waits in them for a thought hears so.
    pub(super) fn round_completed(&mut self, round: RoundId, out: &mut Out) {
        self.rounds_over = self.rounds_over.max(round);
        self.left.retain(|id, _| id.round > self.rounds_over);
        let over = self.games.extract_if(.., |id, _| id.round < round);
        for (request, ..) in over.flat_map(|(_, game)| game.waiting) {
            out.refuse(request, Refusal::OutOfTurn("the match is over"));
        }
    }

    pub(super) fn join(
        &mut self,
        (request, token, conversation): Asked,
        said: &GameInvitation,
        attempt: u32,
        now: Timestamp,
        out: &mut Out,
    ) {
        let Some(player_id) = self.id() else {
            return out.refuse(request, Refusal::NotRegistered);
        };
        match self.game(said.match_id, attempt, said.opponent_id, now, out) {
            Err(refusal) => out.refuse(request, refusal),
            Ok(_) => {
                let message = Message::GameJoinAck(GameJoinAck {
                    match_id: said.match_id,
                    player_id,
                    arrival_timestamp: now,
                    accept: true,
                });
                out.reply(request, letter(player_id, token, conversation, message, now));
            }
        }
    }

    pub(super) fn choose(
        &mut self,
        asked: Asked,
        said: &ChooseParityCall,
        attempt: u32,
        now: Timestamp,
        out: &mut Out,
    ) {
        let request = asked.0;
        let Some(player) = self.id() else {
            return out.refuse(request, Refusal::NotRegistered);
        };
        let (match_id, opponent) = (said.match_id, said.context.opponent_id);
        let game = match self.game(match_id, attempt, opponent, now, out) {
            Ok(game) => game,
            Err(refusal) => return out.refuse(request, refusal),
        };
        if let Some(choice) = game.choice {
            return out.reply(request, chosen(player, match_id, choice, asked, now));
        }
        game.waiting.push(asked);
        if game.waiting.len() == 1 {
            let (round, deadline) = (said.context.round_id, said.deadline);
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
            let request = asked.0;
            match first {
                Some(choice) => out.reply(request, chosen(player, match_id, choice, asked, now)),
                None => out.refuse(request, Refusal::NoDecision),
            }
        }
    }

    pub(super) fn over(&mut self, said: &GameOver, now: Timestamp, out: &mut Out) {
        let Some(me) = self.id() else { return };
        let opponent = self.games.remove(&said.match_id).map(|game| {
            for (request, ..) in game.waiting {
                out.refuse(request, Refusal::OutOfTurn("the match is over"));
            }
            game.opponent
        });
        if self.history.contains(said.match_id) {
            return;
        }
        let played = history::played(me, opponent, said, now);
        self.record(PlayerFact::Over(played), out);
    }
}

/// Answers carry the match token that came with the question: the league token stays at home.
fn letter(
    player: PlayerId,
    auth_token: Option<AuthToken>,
    conversation_id: ConversationId,
    message: Message,
    timestamp: Timestamp,
) -> Answer {
    let sender = Sender::Player(player);
    Answer::Letter(Box::new(Envelope { sender, timestamp, conversation_id, auth_token, message }))
}

fn chosen(
    player_id: PlayerId,
    match_id: MatchId,
    choice: Parity,
    (_, token, conversation): Asked,
    now: Timestamp,
) -> Answer {
    let parity_choice = StatedParity::Valid(choice);
    let message =
        Message::ChooseParityResponse(ChooseParityResponse { match_id, player_id, parity_choice });
    letter(player_id, token, conversation, message, now)
}
