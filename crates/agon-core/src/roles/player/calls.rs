//! What is said to a player, by whom: by call the whole of it, invitations, questions, the end of a
//! match, the league's news; by letter who may write.
//!
//! Asked again in the same attempt it says the same; a higher attempt begins anew; an older one is
//! refused.
//!
//! Spec: docs/protocol/match.md

use agon_proto::act::{Act, StateAnswer, StopReason};
use agon_proto::message::{AskedMove, GameJoinAck, GameOver, ResultStatus};
use agon_proto::tool::{Tool, ToolAnswer, ToolParams};
use agon_proto::{
    Answer, Context, Envelope, Letter, MatchId, PlayerId, Receipt, ReceiptStatus, ShortText,
};

use super::controller::{AskedInCall, Controller};
use super::moves::{make, send_away};
use super::{Out, Player, PlayerFact, Thought, history};
use crate::Refusal;
use crate::agent::{self, Agent, Member};
use crate::effect::{Alert, Effect, Proof, RequestId};
use crate::gate::{self, Arrival, Author, Doubt, Voice, Written};
use crate::thinking::What;

const OVER: Refusal = Refusal::OutOfTurn("the match is over");
const PASSED: Refusal = Refusal::OutOfTurn("a later question was asked");

const OF_MANAGER: &str = "only the league manager may say this";

impl Member for Player {
    const NO_CALLS: Refusal = Refusal::Unsupported("this player is reached by letters");

    fn agent(&self) -> &Agent {
        &self.me
    }

    fn agent_mut(&mut self) -> &mut Agent {
        &mut self.me
    }

    /// The whole routing table of calls.
    fn route(&mut self, request: RequestId, letter: Box<Envelope>, out: &mut Out) {
        let Some(admitted) = agent::admitted(self, request, letter, out) else { return };
        let (_, from_referee, letter) = admitted.open();
        match (&letter.act, from_referee) {
            (Act::GameInvitation(_), Some(attempt)) => {
                return self.join(AskedInCall { request, letter }, attempt, out);
            }
            (Act::MoveCall(_), Some(attempt)) => {
                return self.choose(AskedInCall { request, letter }, attempt, out);
            }
            (Act::GameOver(said), Some(attempt)) => {
                self.say_if_forfeited(said, out);
                self.over(said, attempt, out);
            }
            (Act::GameError(said), Some(_)) => {
                out.push(Effect::Alert(Alert::Complained(said.clone())));
            }
            (Act::RoundAnnouncement(_), _) => {
                self.me.activate();
                self.announced = true;
            }
            (Act::RoundCompleted(said), _) => {
                for mut passed in self.rounds.complete(said.round_id) {
                    send_away(&mut passed, &OVER, out);
                }
                let played = self.rounds.played_in(said.round_id, &said.league_id);
                let (status, match_id) = (ReceiptStatus::Acknowledged, None);
                let receipt = Receipt { status, match_id, played };
                return out.reply(request, Answer::Receipt(receipt));
            }
            (Act::PlayerWithdrawn(said), _) => {
                let reason = ShortText::new(&said.reason);
                let ours = Some(said.player_id) == self.id();
                out.effects.extend(ours.then_some(Effect::Alert(Alert::Withdrawn { reason })));
            }
            (Act::LeagueError(said), None) => self.me.dismissed(said, out),
            (Act::LeagueStandingsUpdate(said), _) => {
                let before = self.clock_ms();
                self.table = said.standings.clone();
                let left = self.clock_ms().filter(|left| Some(*left) != before);
                let charged = left.map(|left_ms| Alert::ClockCharged { left_ms });
                out.effects.extend(charged.map(Effect::Alert));
            }
            (Act::LeagueCompleted(_), _) => {
                self.me.shut_down(out.now);
                self.finished = false;
            }
            (other, _) => return out.refuse(request, gate::not_for_us(other)),
        }
        out.acknowledge(request);
        if matches!(letter.act, Act::GameOver(_) | Act::LeagueCompleted(_)) {
            self.leave(out);
        }
    }

    fn read(&self, tool: Tool, params: &ToolParams) -> Result<ToolAnswer, Refusal> {
        match tool {
            Tool::Ping => Ok(ToolAnswer::Pong),
            Tool::GetPlayerState => {
                // Its state is its own business. Not every manager's tokens are like ours.
                let shown = params.auth_token.as_ref();
                if shown.is_none() || shown != self.me.credentials().map(|given| &given.token) {
                    return Err(gate::wrong(shown));
                }
                Ok(ToolAnswer::Player(Box::new(self.state())))
            }
            Tool::GetStandings
            | Tool::GetLeagueState
            | Tool::GetMatchState
            | Tool::ListAgents
            | Tool::GetSchedule
            | Tool::KeepMessages
            | Tool::Command(_) => Err(Refusal::Unsupported("ask the league manager")),
        }
    }

    /// Only the league manager may say league things, only a game's referee game things. Whoever
    /// is turned away is told why.
    fn admit(&self, came: Arrival) -> Written {
        let Arrival { proof, letter, .. } = came;
        if let Proof::Vouched(from) = proof {
            gate::agrees(letter, from).map_err(Doubt::Never)?;
        }
        let manager = || gate::manager(&self.me, came, OF_MANAGER);
        match gate::voice(letter.act.kind()) {
            Voice::Manager => manager(),
            Voice::Referee => self.rounds.prove_referee(&self.me, came),
            Voice::Either if gate::game_of(letter).is_none() => manager(),
            Voice::Either => manager().or_else(|_| self.rounds.prove_referee(&self.me, came)),
            Voice::Player | Voice::Nobody => {
                Err(Doubt::Never(Refusal::Unsupported(letter.act.kind().name())))
            }
        }
    }

    fn hear(&mut self, by: &Author, came: Arrival, out: &mut Out) -> Result<(), Refusal> {
        match by {
            Author::Manager(proved) => self.hear_manager(proved, came.letter, out),
            Author::Referee(proved) => self.hear_referee(proved, came.letter, out),
            Author::Player(_) => Err(Refusal::Unsupported(came.letter.act.kind().name())),
        }
    }

    /// As far as we know.
    fn context(&self, answered: Option<&Letter>) -> Context {
        let told = answered.map(|letter| letter.head.context.clone()).unwrap_or_default();
        Context {
            league: told.league.or_else(|| self.me.season.league.clone()),
            season: self.me.season.id.clone().or(told.season),
            round: told.round.or_else(|| self.rounds.name.clone()),
            game: told.game,
            broadcast: told.broadcast,
        }
    }

    fn status(&self) -> StateAnswer {
        let live = self.rounds.under_way().find_map(|live| live.parameters.as_deref());
        let game = live.map(|known| known.assignment.game.clone());
        let (state, text) = (self.season_state().name().into(), self.in_a_line().into());
        StateAnswer { status: "".into(), state, game, text }
    }

    fn takes_part(&self) -> bool {
        self.rounds.assignments().next().is_some()
    }

    fn stop(&mut self, out: &mut Out) {
        self.stop_round(StopReason::LeagueCompleted, out);
    }

    /// Lets go what a restart found waiting while games were paused.
    fn released(&mut self, out: &mut Out) {
        let withheld = std::mem::take(&mut self.withheld);
        let parcels = self.me.letterbox.waiting().filter(|parcel| withheld.contains(&parcel.id));
        out.effects.extend(parcels.cloned().map(Effect::SendLetter));
    }
}

impl Player {
    /// Tells whoever runs us why a match of ours was lost without being played.
    fn say_if_forfeited(&self, said: &GameOver, out: &mut Out) {
        let result = &said.game_result;
        if result.status == ResultStatus::TechnicalLoss && result.winner_player_id != self.id() {
            let reason = ShortText::new(&result.reason);
            out.push(Effect::Alert(Alert::Forfeited { match_id: said.match_id, reason }));
        }
    }

    /// Who we are, and the controller of that attempt: the one under way, or a new one that
    /// replaces an older one.
    fn enter(
        &mut self,
        (match_id, attempt): (MatchId, u32),
        opponent: Option<PlayerId>,
        out: &mut Out,
    ) -> Result<(PlayerId, &mut Controller), Refusal> {
        let player = self.id().ok_or(Refusal::NotRegistered)?;
        let (over, until) = (self.history.attempt(match_id), out.now + self.times.match_max);
        let fresh = || Controller::called(attempt, opponent, Some(until));
        let live = self.rounds.enter((match_id, attempt), over, fresh)?;
        if attempt > live.attempt {
            send_away(live, &Refusal::StaleAttempt { current: attempt }, out);
            *live = fresh();
        }
        Ok((player, live))
    }

    fn join(&mut self, asked: AskedInCall, attempt: u32, out: &mut Out) {
        let Act::GameInvitation(said) = &asked.letter.act else {
            return;
        };
        let (match_id, opponent) = (said.match_id, Some(said.opponent_id));
        match self.enter((match_id, attempt), opponent, out) {
            Err(refusal) => out.refuse(asked.request, refusal),
            Ok((player_id, _)) => {
                let (who, arrival_timestamp) = (Some(player_id), out.now);
                let ack = GameJoinAck { match_id, player_id: who, arrival_timestamp, accept: true };
                asked.answer(player_id, Act::GameJoinAck(ack), out);
            }
        }
    }

    fn choose(&mut self, asked: AskedInCall, attempt: u32, out: &mut Out) {
        let Some(AskedMove { match_id, opponent, step, kind, view, options, deadline }) =
            AskedMove::of(&asked.letter.act)
        else {
            return;
        };
        let (player, live) = match self.enter((match_id, attempt), opponent, out) {
            Ok(entered) => entered,
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
            return make(asked, player, &choice, out);
        }
        live.waiting().push(asked);
        // Whoever asks the same meanwhile joins the same thought.
        if live.waiting().len() == 1 {
            let what = What::Move { view, options, said: live.said_before(step) };
            let thought = Thought { match_id, attempt, turn: step, second_try: false };
            let until = self.times.thinking.until(Some(deadline), out.now);
            self.think(thought, (kind, what), until, out);
        }
    }

    fn over(&mut self, said: &GameOver, attempt: u32, out: &mut Out) {
        let Some(me) = self.id() else { return };
        let match_id = said.match_id;
        let live = self.rounds.active.get_mut(&match_id);
        // Late news of an attempt that does not count any more.
        if live.as_ref().is_some_and(|live| attempt < live.attempt) {
            return;
        }
        let opponent = live.and_then(|live| {
            send_away(live, &OVER, out);
            live.opponent
        });
        if self.history.attempt(match_id).is_some_and(|known| attempt <= known) {
            self.rounds.active.remove(&match_id);
            return;
        }
        let played = history::played(me, opponent, (said, attempt), out.now);
        self.record(PlayerFact::Over(played), out);
    }
}
