//! The player: joins, chooses once, and remembers.
//!
//! Asked again in the same attempt it says the same; a higher attempt begins anew; an older one is
//! refused. A question that arrives while the answer is being thought out joins the same thought.
//!
//! Spec: docs/protocol/match.md

mod history;

use std::collections::BTreeMap;
use std::time::Duration;

use agon_proto::message::{
    ChooseParityCall, ChooseParityResponse, GameInvitation, GameJoinAck, GameOver, Message, Parity,
    StandingsRow, StatedParity,
};
use agon_proto::tool::{PlayedMatch, PlayerPhase, PlayerState, Tool, ToolAnswer, ToolParams};
use agon_proto::{
    AgentId, Answer, AuthToken, Call, ConversationId, Envelope, MatchId, PlayerId, Receipt,
    ReceiptStatus, RoundId, Sender, Timestamp,
};

use crate::effect::{Effect, Effects, Ending, Event, Question, RequestId, Tag};
use crate::fact::PlayerFact;
use crate::gate;
use crate::membership::{Admission, Membership, Profile};
use crate::{Machine, Refusal, TokenHash};

pub use history::History;

type Out = Effects<PlayerFact>;

/// A match this player is in.
#[derive(Debug)]
struct Game {
    attempt: u32,
    opponent: PlayerId,
    choice: Option<Parity>,
    /// Questions that wait for the same thought.
    waiting: Vec<(RequestId, Option<AuthToken>, ConversationId)>,
    /// When we give up hearing of it.
    until: Timestamp,
}

/// A player.
#[derive(Debug)]
pub struct Player {
    me: Membership,
    match_time_max: Duration,
    games: BTreeMap<MatchId, Game>,
    history: History,
    standings: std::sync::Arc<[StandingsRow]>,
    announced: bool,
    /// The league is complete; until then we wait for the end of a match that is still open.
    leaving: Option<Timestamp>,
    /// The newest round that is complete, as far as we were told.
    rounds_over: RoundId,
    /// The attempts that we heard nothing more of, by match. Nothing more is said in them.
    left: BTreeMap<MatchId, u32>,
}

impl Player {
    pub fn new(profile: Profile, match_time_max: Duration) -> Self {
        Self {
            me: Membership::new(profile),
            match_time_max,
            games: BTreeMap::new(),
            history: History::default(),
            standings: std::sync::Arc::new([]),
            announced: false,
            leaving: None,
            rounds_over: 0,
            left: BTreeMap::new(),
        }
    }

    /// Its id, once it has one.
    pub fn id(&self) -> Option<PlayerId> {
        match self.me.credentials().map(|given| given.agent) {
            Some(AgentId::Player(id)) => Some(id),
            Some(AgentId::Referee(_)) | None => None,
        }
    }

    pub fn history(&self) -> &History {
        &self.history
    }

    /// The table, as it was last told.
    pub fn standings(&self) -> &[StandingsRow] {
        &self.standings
    }

    fn record(&mut self, fact: PlayerFact, out: &mut Out) {
        self.apply(&fact);
        out.facts.push(fact);
    }

    /// The whole routing table.
    fn route(&mut self, request: RequestId, letter: Box<Envelope>, now: Timestamp, out: &mut Out) {
        let letter = match gate::at_agent(&self.me, letter) {
            Ok(admitted) => admitted.open().1,
            Err(refusal) => return out.refuse(request, refusal),
        };
        let from_referee = gate::place(&letter).map(|(_, attempt)| attempt);
        let (conversation, token) = (letter.conversation_id, letter.auth_token);
        match (letter.message, from_referee) {
            (Message::GameInvitation(said), Ok(attempt)) => {
                self.join((request, token, conversation), &said, attempt, now, out);
            }
            (Message::ChooseParityCall(said), Ok(attempt)) => {
                self.choose((request, token, conversation), &said, attempt, now, out);
            }
            (Message::GameOver(said), Ok(_)) => {
                self.over(&said, now, out);
                acknowledge(request, out);
                self.leave(now, out);
            }
            (Message::GameError(_), _) => acknowledge(request, out),
            (Message::RoundAnnouncement(_), _) => {
                self.me.activate();
                self.announced = true;
                acknowledge(request, out);
            }
            (Message::RoundCompleted(said), _) => {
                self.round_completed(said.round_id, out);
                acknowledge(request, out);
            }
            (Message::LeagueStandingsUpdate(said), _) => {
                self.standings = said.standings;
                acknowledge(request, out);
            }
            (Message::LeagueCompleted(_), _) => {
                self.me.shut_down();
                acknowledge(request, out);
                self.leaving = Some(now + self.me.profile.timeout);
                self.leave(now, out);
            }
            (other, _) => out.refuse(request, gate::not_for_us(other.message_type())),
        }
    }

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
        if self
            .left
            .get(&match_id)
            .is_some_and(|left| attempt <= *left)
        {
            return Err(Refusal::OutOfTurn("the match took too long"));
        }
        let until = now + self.match_time_max;
        let fresh = || Game {
            attempt,
            opponent,
            choice: None,
            waiting: Vec::new(),
            until,
        };
        let game = self.games.entry(match_id).or_insert_with(fresh);
        if attempt < game.attempt {
            return Err(Refusal::StaleAttempt {
                current: game.attempt,
            });
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
    fn round_completed(&mut self, round: RoundId, out: &mut Out) {
        self.rounds_over = self.rounds_over.max(round);
        self.left.retain(|id, _| id.round > self.rounds_over);
        let over = self.games.extract_if(.., |id, _| id.round < round);
        for (request, ..) in over.flat_map(|(_, game)| game.waiting) {
            out.refuse(request, Refusal::OutOfTurn("the match is over"));
        }
    }

    fn join(
        &mut self,
        (request, token, conversation): (RequestId, Option<AuthToken>, ConversationId),
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
                out.reply(
                    request,
                    letter(player_id, token, conversation, message, now),
                );
            }
        }
    }

    fn choose(
        &mut self,
        asked: (RequestId, Option<AuthToken>, ConversationId),
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
    fn thought(
        &mut self,
        (match_id, attempt): (MatchId, u32),
        choice: Option<Parity>,
        now: Timestamp,
        out: &mut Out,
    ) {
        let Some(player) = self.id() else { return };
        let Some(game) = self
            .games
            .get_mut(&match_id)
            .filter(|game| game.attempt == attempt)
        else {
            return;
        };
        let waiting = std::mem::take(&mut game.waiting);
        let first = game.choice.or(choice);
        if let (None, Some(choice)) = (game.choice, first) {
            self.record(
                PlayerFact::Chosen {
                    match_id,
                    attempt,
                    choice,
                },
                out,
            );
        }
        for asked in waiting {
            let request = asked.0;
            match first {
                Some(choice) => out.reply(request, chosen(player, match_id, choice, asked, now)),
                None => out.refuse(request, Refusal::NoDecision),
            }
        }
    }

    fn over(&mut self, said: &GameOver, now: Timestamp, out: &mut Out) {
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

    /// Leaves a league that is complete, unless the end of a match is still to be heard.
    fn leave(&mut self, now: Timestamp, out: &mut Out) {
        let Some(until) = self.leaving else { return };
        if self.games.is_empty() || until <= now {
            self.leaving = None;
            out.push(Effect::Finish(Ending::LeagueCompleted));
        }
    }

    fn use_tool(&self, request: RequestId, tool: Tool, params: &ToolParams, out: &mut Out) {
        match tool {
            Tool::Ping => out.reply(request, Answer::Tool(ToolAnswer::Pong)),
            Tool::GetPlayerState => match self.own(params) {
                Ok(()) => {
                    let state = Box::new(self.state());
                    out.reply(request, Answer::Tool(ToolAnswer::Player(state)));
                }
                Err(refusal) => out.refuse(request, refusal),
            },
            Tool::GetStandings
            | Tool::GetLeagueState
            | Tool::GetMatchState
            | Tool::StartLeague
            | Tool::PauseLeague
            | Tool::ResumeLeague => {
                out.refuse(request, Refusal::Unsupported("ask the league manager"));
            }
        }
    }

    /// A player's state is its own business.
    fn own(&self, params: &ToolParams) -> Result<(), Refusal> {
        let token = params.auth_token.as_ref().ok_or(Refusal::TokenMissing)?;
        let ours = self
            .me
            .credentials()
            .and_then(|given| TokenHash::of(&given.token));
        match TokenHash::of(token) {
            Some(hash) if Some(hash) == ours => Ok(()),
            Some(_) | None => Err(Refusal::TokenInvalid(token.clone())),
        }
    }

    pub fn state(&self) -> PlayerState {
        let state = match (self.id(), self.games.is_empty(), self.announced) {
            (None, _, _) => PlayerPhase::Unregistered,
            (Some(_), false, _) => PlayerPhase::InGame,
            (Some(_), true, true) => PlayerPhase::WaitingForRound,
            (Some(_), true, false) => PlayerPhase::Registered,
        };
        PlayerState {
            player_id: self.id(),
            display_name: self.me.profile.name.clone(),
            state,
            lifecycle: self.me.lifecycle(),
            stats: self.history.record(),
            matches: self.history.matches().to_vec(),
        }
    }
}

fn acknowledge(request: RequestId, out: &mut Out) {
    let status = ReceiptStatus::Acknowledged;
    out.reply(
        request,
        Answer::Receipt(Receipt {
            status,
            match_id: None,
        }),
    );
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
    Answer::Letter(Box::new(Envelope {
        sender,
        timestamp,
        conversation_id,
        auth_token,
        message,
    }))
}

fn chosen(
    player_id: PlayerId,
    match_id: MatchId,
    choice: Parity,
    (_, token, conversation): (RequestId, Option<AuthToken>, ConversationId),
    now: Timestamp,
) -> Answer {
    let parity_choice = StatedParity::Valid(choice);
    let message = Message::ChooseParityResponse(ChooseParityResponse {
        match_id,
        player_id,
        parity_choice,
    });
    letter(player_id, token, conversation, message, now)
}

impl Machine for Player {
    type Fact = PlayerFact;

    fn handle(&mut self, event: Event, now: Timestamp, out: &mut Out) {
        match event {
            Event::Called {
                request,
                call: Call::Letter(letter),
                ..
            } => {
                self.route(request, letter, now, out);
            }
            Event::Called {
                request,
                call: Call::Tool(tool, params),
                ..
            } => {
                self.use_tool(request, tool, &params, out);
            }
            Event::Answered {
                tag: Tag::Register,
                answer,
            } => match self.me.answered(&answer) {
                Some(Admission::Granted(credentials)) => {
                    self.record(PlayerFact::Registered(credentials), out);
                }
                Some(Admission::Refused(why)) => out.push(Effect::Finish(Ending::NotAdmitted(why))),
                None => {}
            },
            Event::Undelivered {
                tag: Tag::Register, ..
            } => {
                if let Some(why) = self.me.undelivered(now) {
                    out.push(Effect::Finish(Ending::NotAdmitted(why)));
                }
            }
            Event::Thought {
                match_id,
                attempt,
                choice,
            } => {
                self.thought((match_id, attempt), choice, now, out);
            }
            Event::Answered { .. } | Event::Undelivered { .. } | Event::Drawn(_) => {}
        }
    }

    fn tick(&mut self, now: Timestamp, out: &mut Out) {
        out.effects.extend(self.me.tick(now));
        // Whoever hears nothing more of a match leaves it.
        let given_up = self.games.extract_if(.., |_, game| game.until <= now);
        for (id, game) in given_up {
            self.left.insert(id, game.attempt);
            for (request, ..) in game.waiting {
                out.refuse(request, Refusal::OutOfTurn("the match took too long"));
            }
        }
        self.leave(now, out);
    }

    fn deadline(&self) -> Option<Timestamp> {
        let game = self.games.values().map(|game| game.until).min();
        [game, self.me.deadline(), self.leaving]
            .into_iter()
            .flatten()
            .min()
    }

    fn resume(&mut self, now: Timestamp, out: &mut Out) {
        let request = self.me.register(now);
        out.push(request);
    }

    fn apply(&mut self, fact: &PlayerFact) {
        match fact {
            PlayerFact::Registered(credentials) => self.me.admitted(credentials),
            PlayerFact::Chosen {
                match_id,
                attempt,
                choice,
            } => {
                let unknown = Game {
                    attempt: *attempt,
                    opponent: PlayerId::new(0),
                    choice: None,
                    waiting: Vec::new(),
                    until: Timestamp::from_micros(i64::MAX),
                };
                let game = self.games.entry(*match_id).or_insert(unknown);
                game.attempt = *attempt;
                game.choice = Some(*choice);
            }
            PlayerFact::Over(played) => {
                self.games.remove(&played.match_id);
                self.history.add(*played);
            }
        }
    }
}

/// What a player's strategy may look at.
impl Player {
    /// Matches against that opponent, oldest first.
    pub fn against(&self, opponent: PlayerId) -> impl Iterator<Item = &PlayedMatch> {
        self.history
            .matches()
            .iter()
            .filter(move |played| played.opponent_id == opponent)
    }
}

#[cfg(test)]
mod tests;
