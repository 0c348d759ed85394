//! What is said to a referee, by whom: by call the whole of it, by letter who may write. What
//! becomes of its own calls, and what it tells of its matches, which is never a sealed answer.
//!
//! A new attempt replaces an older one, and nobody takes more than it has room for.
//!
//! Spec: docs/protocol/assignment.md docs/protocol/query.md

use std::sync::Arc;

use agon_proto::act::{Act, ActKind, Break, StateAnswer};
use agon_proto::message::{Blame, Cause, MatchAssignment};
use agon_proto::tool::{Lifecycle, Tool, ToolAnswer, ToolParams};
use agon_proto::{
    Answer, AuthToken, Context, Envelope, ErrorCode, Letter, MatchId, Objection, Payload, Receipt,
    ReceiptStatus, Timestamp,
};

use super::messages::{read, wrong_claim};
use super::records::{Held, HeldStage, Pairing, Records, is_asked_once};
use super::states::match_state;
use super::{Out, Referee, RefereeFact};
use crate::Refusal;
use crate::agent::{self, Agent, Member, denies_token, objection};
use crate::effect::{Effect, Garbled, Proof, RequestId, Setback, Tag};
use crate::gate::{self, Admitted, Arrival, Author, Doubt, Speaker, Voice, Written};
use crate::matches::{Failure, JOIN, Lapsed, Match, MatchEvent, Unfit};
use crate::verdict::{Outcome, Seat, Verdict, blamed};

const OF_MANAGER: &str = "only the league manager says that to a referee";
const OF_REFEREE: &str = "only a referee says that, and to players";

impl Member for Referee {
    const NO_CALLS: Refusal = Refusal::Unsupported("this referee takes letters only");

    fn agent(&self) -> &Agent {
        &self.records.me
    }

    fn agent_mut(&mut self) -> &mut Agent {
        &mut self.records.me
    }

    /// The whole routing table of calls.
    fn route(&mut self, request: RequestId, letter: Box<Envelope>, out: &mut Out) {
        let admitted = agent::admitted(self, request, letter, out);
        let Some((speaker, _, letter)) = admitted.map(Admitted::open) else { return };
        if !matches!(speaker, Speaker::Manager(_)) {
            return out.refuse(request, Refusal::NotPermitted("only the manager calls a referee"));
        }
        #[expect(clippy::wildcard_enum_match_arm, reason = "seven of 23 messages are for us")]
        let repeated = match letter.act {
            Act::MatchAssignment(said) => return self.take(request, said, out),
            Act::RoundAnnouncement(said) => {
                self.records.me.activate();
                said.repeated
            }
            Act::RoundCompleted(said) => {
                self.records.seen.retain(|id, _| id.round >= said.round_id);
                self.records.told.forget_before(said.round_id);
                said.repeated
            }
            Act::LeagueStandingsUpdate(_) | Act::PlayerWithdrawn(_) => false,
            Act::LeagueError(said) => {
                self.records.me.dismissed(&said, out);
                false
            }
            // Whoever registers is told again; what it owes from before must be settled first.
            Act::LeagueCompleted(_) if self.records.me.lifecycle() == Lifecycle::Registering => {
                false
            }
            Act::LeagueCompleted(_) => {
                self.records.me.shut_down(out.now);
                self.beat_at = None;
                out.acknowledge(request);
                self.leaving = Some(out.now + self.records.me.profile.timeout);
                return self.leave(out);
            }
            other => return out.refuse(request, gate::not_for_us(&other)),
        };
        out.acknowledge(request);
        if repeated {
            self.say_all_again(out);
        }
    }

    fn read(&self, tool: Tool, params: &ToolParams) -> Result<ToolAnswer, Refusal> {
        match tool {
            Tool::Ping => Ok(ToolAnswer::Pong),
            Tool::GetMatchState => {
                let state = params.match_id.and_then(|id| match_state(self, id));
                Ok(ToolAnswer::Match(Box::new(state.ok_or(Refusal::NoSuchMatch)?)))
            }
            Tool::GetStandings
            | Tool::GetLeagueState
            | Tool::GetPlayerState
            | Tool::ListAgents
            | Tool::GetSchedule
            | Tool::KeepMessages
            | Tool::Command(_) => Err(Refusal::Unsupported("ask the league manager")),
        }
    }

    fn let_in(&mut self, out: &mut Out) {
        self.beat_at = Some(out.now);
        self.beat(out);
        self.settle_debts(out);
        self.say_when_done(out);
    }

    fn admit(&self, came: Arrival) -> Written {
        let Arrival { proof, letter, .. } = came;
        let never = Doubt::Never;
        let Act::Move(said) = &letter.act else {
            if gate::voice(letter.act.kind()) == Voice::Referee {
                return Err(never(Refusal::NotPermitted(OF_REFEREE)));
            }
            return gate::manager(&self.records.me, came, OF_MANAGER);
        };
        let begun = gate::game_of(letter).and_then(|game| self.records.matches.exchange(game));
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

    fn hear(&mut self, by: &Author, came: Arrival, out: &mut Out) -> Result<(), Refusal> {
        match by {
            Author::Manager(proved) => self.manager_said(proved, came.letter, out),
            Author::Player(proved) => return self.player_said(proved, came, out),
            Author::Referee(_) => return Err(Refusal::Unsupported("this from a referee")),
        }
        Ok(())
    }

    /// If one of the players of that match is proved to have sent it, in place of an answer that is
    /// awaited, that player has failed; from anybody else it changes nothing.
    fn misread(
        &mut self,
        proof: &Proof,
        letter: &Garbled,
        arrived: Timestamp,
        out: &mut Out,
    ) -> Result<(), Refusal> {
        let ActKind::Move(step) = letter.kind else { return Ok(()) };
        let game = letter.game.as_ref().ok_or(Refusal::BadValue("the letter names no game"))?;
        let matches = &self.records.matches;
        let (match_id, exchange) = matches.exchange(game).ok_or(Refusal::NoSuchMatch)?;
        let (_, seat) = *gate::player(match_id, exchange.reached(), proof, None)?.get();
        let open = matches.playing(match_id).and_then(|live| live.open(seat));
        let arrived = arrived.min(self.records.clock(out.now));
        if open.is_some_and(|open| open.step == step && arrived <= open.until) {
            let unread = (&*letter.problem, letter.received.clone());
            self.hear_answer(match_id, (seat, step), Err(unread), out);
        }
        Ok(())
    }

    fn context(&self, answered: Option<&Letter>) -> Context {
        Context {
            league: self.records.me.season.league.clone(),
            season: self.records.me.season.id.clone(),
            broadcast: answered.and_then(|letter| letter.head.context.broadcast.clone()),
            ..Context::default()
        }
    }

    fn status(&self) -> StateAnswer {
        let game = self.records.matches.first_under_way().map(|exchange| exchange.game().clone());
        let state = self.records.state().name().into();
        StateAnswer { status: "".into(), state, game, text: "".into() }
    }

    fn takes_part(&self) -> bool {
        self.records.schedule.fixtures.as_ref().is_some_and(|ours| !ours.is_empty())
    }

    fn stop(&mut self, out: &mut Out) {
        self.abort_all(Break::NewSeason, out);
    }
}

impl Referee {
    fn take(&mut self, request: RequestId, assignment: Arc<MatchAssignment>, out: &mut Out) {
        let (match_id, attempt) = (assignment.match_id, assignment.attempt);
        let answer =
            |status| Answer::Receipt(Receipt { status, match_id: Some(match_id), played: None });
        let is_held = self.records.matches.held.contains_key(&match_id);
        match self.records.seen.get(&match_id) {
            // Also what was played and dealt with: a manager that was given an older journal asks
            // for it again, and hears nothing more of that attempt.
            Some(&current) if attempt < current || attempt == current && !is_held => {
                return out.refuse(request, Refusal::StaleAttempt { current });
            }
            Some(&current) if attempt == current => {
                return out.reply(request, answer(ReceiptStatus::Accepted));
            }
            Some(_) | None => {}
        }
        let Some(terms) = self.terms.of(&assignment) else {
            return out.refuse(request, Refusal::Unsupported("game_type"));
        };
        if self.records.matches.live >= self.records.me.profile.capacity.unwrap_or(1) {
            return out.reply(request, answer(ReceiptStatus::Refused));
        }
        out.reply(request, answer(ReceiptStatus::Accepted));
        // Another attempt has overtaken it; whoever has not heard of it yet hears of the next one.
        if let Some(Held { stage: HeldStage::Telling(..), .. }) =
            self.records.matches.remove(match_id)
        {
            self.records.told.add(match_id);
        }
        let asked_once = Seat::BOTH.map(|seat| is_asked_once(&assignment, seat));
        self.record(RefereeFact::Assigned(assignment), out);
        let live = Match::begin(terms, asked_once, out.now, &mut self.scratch);
        self.records.matches.play(match_id, live);
        self.carry_out(match_id, out);
    }

    pub(super) fn answered(&mut self, tag: Tag, answer: Answer, out: &mut Out) {
        let to_manager = matches!(tag, Tag::Report { .. } | Tag::Heartbeat | Tag::Told);
        if to_manager && denies_token(&answer) {
            self.records.me.displaced(out);
        }
        match tag {
            Tag::Register => agent::answered(self, &answer, out),
            Tag::Reach => self.records.me.told_of_reach(&answer, out),
            Tag::Ask { match_id, attempt, seat, step: JOIN, .. }
                if is_stale(&answer) && self.invites(match_id, attempt, seat) =>
            {
                // It is over for that player: the manager was given an older journal. Who says so
                // of every attempt has lost in the end.
                let over = Verdict::unplayed(Outcome::Void, Cause::Refused, blamed(seat));
                self.conclude(match_id, (over, Payload::default()), out);
            }
            Tag::Ask { match_id, attempt, seat, step, ask } => {
                let mut claim = None;
                self.advance((match_id, attempt), out, |pairing, live, at, effects| {
                    let Pairing::Called(assignment) = pairing else { return };
                    claim = wrong_claim(assignment, seat, &answer);
                    let event = match read(step, (match_id, &assignment.game_type), &answer) {
                        Ok(answer) => MatchEvent::Moved { seat, step, answer },
                        Err(Unfit { failure, objection }) => MatchEvent::Failed(Lapsed {
                            seat,
                            step,
                            ask,
                            failure,
                            due: None,
                            objection,
                        }),
                    };
                    live.handle(event, at, effects);
                });
                out.effects.extend(claim.map(Effect::Alert));
            }
            Tag::Report { match_id, attempt } => {
                self.report_answered((match_id, attempt), &answer, out);
            }
            Tag::Told if matches!(answer, Answer::Receipt(_)) => {}
            Tag::Told => self.told_unheard(out.now),
            Tag::Assign { .. } | Tag::Heartbeat | Tag::Parcel(_) => {}
            Tag::Announce { .. } | Tag::AnnounceTo { .. } | Tag::RoundOver { .. } => {}
            Tag::Over { .. } | Tag::Notice => {}
        }
    }

    pub(super) fn undelivered(
        &mut self,
        tag: Tag,
        (why, objection): (Setback, Option<Box<Objection>>),
        out: &mut Out,
    ) {
        match tag {
            Tag::Register => agent::undelivered(&mut self.records.me, why, out),
            Tag::Ask { match_id, attempt, seat, step, ask } => {
                let failure = match why {
                    // The match has its own clock; the postman's is no better.
                    Setback::TimedOut => return,
                    // A player was not asked in all the time that it had for its answer.
                    Setback::NotSent if self.records.matches.holds(match_id, attempt) => {
                        return self.void_for_host(match_id, out);
                    }
                    Setback::NotSent => return,
                    Setback::Unreachable => Failure::Unreachable,
                    Setback::Oversized => Failure::Oversized,
                    Setback::Malformed | Setback::Unwell => Failure::Malformed,
                };
                let lapsed = Lapsed { seat, step, ask, failure, due: None, objection };
                self.play((match_id, attempt), MatchEvent::Failed(lapsed), out);
            }
            Tag::Told => self.told_unheard(out.now),
            Tag::Report { .. } | Tag::Assign { .. } | Tag::Heartbeat | Tag::Parcel(_) => {}
            Tag::Reach => {} // Asked again.
            Tag::Announce { .. } | Tag::AnnounceTo { .. } | Tag::RoundOver { .. } => {}
            Tag::Over { .. } | Tag::Notice => {}
        }
    }

    /// Whether that player has yet to answer the invitation to that attempt.
    fn invites(&self, match_id: MatchId, attempt: u32, seat: Seat) -> bool {
        let Records { matches, .. } = &self.records;
        let live = matches.playing(match_id).filter(|_| matches.holds(match_id, attempt));
        live.and_then(|live| live.open(seat)).is_some_and(|open| open.step == JOIN)
    }

    /// Our own machine could not do its part in time: nobody is charged, and the match is tried
    /// again.
    pub(super) fn void_for_host(&mut self, match_id: MatchId, out: &mut Out) {
        if self.records.matches.playing(match_id).is_some() {
            let void = Verdict::unplayed(Outcome::Void, Cause::HostOverloaded, Blame::Host);
            self.conclude(match_id, (void, Payload::default()), out);
        }
    }
}

/// Whether an answer says that the attempt is over.
fn is_stale(answer: &Answer) -> bool {
    objection(answer).is_some_and(|(code, _)| code == ErrorCode::StaleAttempt)
}
