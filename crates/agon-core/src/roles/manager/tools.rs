//! Tools: what people may look at, and what the operator may order: that the league stands still,
//! what becomes of a match or a player, a fresh token for an agent, or that the season is
//! forgotten.
//!
//! Each order is a fact with its reason. The table is recomputed, and whoever it concerns is told.
//!
//! Spec: docs/protocol/query.md, docs/protocol/season.md, docs/protocol/registration.md

use std::collections::BTreeSet;

use agon_proto::act::{ActKind, Task};
use agon_proto::message::{Cause, MatchPhase};
use agon_proto::tool::{
    Command, FreshToken, LeaguePhase, LeagueState, MatchState, Tool, ToolAnswer, ToolParams,
};
use agon_proto::{Address, AgentId, Answer, Contact, DisplayName, MatchId, SeasonId, Timestamp};

use super::admissions::{self, Admissions};
use super::conduct::Conduct;
use super::in_play::InPlay;
use super::keeping;
use super::news::News;
use super::rounds::Rounds;
use super::{Manager, Out};
use crate::assignments::Place;
use crate::effect::{Effect, RequestId, Viewer};
use crate::fact::{LeagueFact, Order, SeasonFact};
use crate::format::Fixture;
use crate::league::registry::Admission;
use crate::league::{League, schedule_page};
use crate::letterbox::{Letterbox, Parcel, ParcelId};
use crate::season::Attempt;
use crate::{Refusal, gate};

impl Manager {
    pub(super) fn use_tool(
        &mut self,
        request: RequestId,
        tool: Tool,
        params: &ToolParams,
        now: Timestamp,
        out: &mut Out,
    ) {
        let answer = match tool {
            Tool::Ping => Ok(ToolAnswer::Pong),
            Tool::GetStandings => {
                Ok(ToolAnswer::Standings(self.league().standings_answer().into()))
            }
            Tool::GetLeagueState => Ok(ToolAnswer::League(self.state().into())),
            Tool::GetMatchState => match params.match_id.and_then(|id| self.match_state(id)) {
                None => Err(Refusal::NoSuchMatch),
                // What is played again has a transcript already, of what does not count.
                Some(state) if state.result.is_none() && state.rerun.is_some() => {
                    Ok(ToolAnswer::Match(Box::new(state)))
                }
                // With its transcript, if it is over.
                Some(state) => {
                    let viewer = self.viewer(params);
                    let state = Box::new(state);
                    let kept = Box::new(self.league().pieces(state.match_id));
                    return out.push(Effect::Fetch { request, state, kept, viewer });
                }
            },
            Tool::ListAgents => {
                let viewer = self.viewer(params);
                let known = (self.league(), &self.in_play.probes);
                return out.push(admissions::list(known, (request, params), viewer));
            }
            Tool::GetSchedule => {
                let page = schedule_page(self.league(), params, |id| self.match_state(id));
                page.map(|page| ToolAnswer::Schedule(Box::new(page)))
            }
            Tool::KeepMessages => {
                keeping::keep(&mut self.conduct(now, out).book, params).map(ToolAnswer::Kept)
            }
            Tool::GetPlayerState => Err(Refusal::Unsupported("get_player_state: ask the player")),
            Tool::Command(command) => {
                let before = out.facts.len();
                let done = self.operator(params);
                let done =
                    done.and_then(|()| Corrections(self.conduct(now, out)).obey(command, params));
                Rounds(self.conduct(now, out)).turn(now);
                done.map(|shown| match shown {
                    Some(answer) => answer,
                    None => {
                        let changed = Some(out.facts.len() > before);
                        ToolAnswer::League(LeagueState { changed, ..self.state() }.into())
                    }
                })
            }
        };
        out.settle(request, answer.map(Answer::Tool));
    }

    /// What we know of one match: whether it is out, a league cannot tell.
    pub(super) fn match_state(&self, match_id: MatchId) -> Option<MatchState> {
        let mut state = self.league().match_state(match_id)?;
        let place = self.in_play.assignments.place(match_id);
        if state.result.is_none() && place == Some(Place::Out) {
            state.state = MatchPhase::WaitingForPlayers;
        }
        Some(state)
    }

    fn viewer(&self, params: &ToolParams) -> Viewer {
        gate::viewer(self.league(), params.auth_token.as_ref(), self.records.options.operator)
    }

    fn operator(&self, params: &ToolParams) -> Result<(), Refusal> {
        gate::prove(params.auth_token.as_ref(), Some(self.records.options.operator))
    }
}

/// The operator's orders.
struct Corrections<'a>(Conduct<'a>);

impl Corrections<'_> {
    /// Carries an order out. Saying the same thing twice is no error, and changes nothing. What
    /// comes of it may be something to show, such as a fresh token for an agent.
    fn obey(
        mut self,
        command: Command,
        params: &ToolParams,
    ) -> Result<Option<ToolAnswer>, Refusal> {
        let season = &self.0.book.league().season;
        let (begun, paused) = (season.has_begun(), season.paused);
        match command {
            Command::VoidMatch => self.void_match(params)?,
            Command::WithdrawPlayer => self.withdraw_player(params)?,
            Command::RerunMatch => self.rerun_match(params)?,
            Command::ResetAgent => {
                return self.reset_agent(params).map(|fresh| Some(ToolAnswer::Fresh(fresh)));
            }
            Command::Invite => {
                let invited = Admissions(self.0).invite(params);
                return invited.map(|invited| Some(ToolAnswer::Invited(invited)));
            }
            Command::RevokeInvitation => Admissions(self.0).revoke(params)?,
            Command::ApproveAgent => Admissions(self.0).approve(params)?,
            Command::RemoveAgent => Admissions(self.0).remove(params)?,
            Command::ResetSeason => Rounds(self.0).reset_season(signed(params))?,
            Command::StartLeague if !begun => Rounds(self.0).begin_season(Some(signed(params)))?,
            Command::PauseLeague if !paused => self.pause(&signed(params)),
            Command::ResumeLeague if paused => self.go_on(&signed(params)),
            Command::StartLeague | Command::PauseLeague | Command::ResumeLeague => {}
        }
        Ok(None)
    }

    /// The league stands still.
    fn pause(&mut self, order: &Order) {
        let at = self.0.book.now;
        self.0.book.record(LeagueFact::Paused { order: Some(order.clone()), at });
        self.0.book.tell_halt(Task::Pause, order);
    }

    /// The league goes on.
    fn go_on(&mut self, order: &Order) {
        let at = self.0.book.now;
        self.0.book.record(LeagueFact::Resumed { order: Some(order.clone()), at });
        self.0.book.tell_halt(Task::Continue, order);
        self.0.hand_out_all();
    }

    /// The operator takes a result back, or will not have one.
    fn void_match(&mut self, params: &ToolParams) -> Result<(), Refusal> {
        let order = self.order(params)?;
        let (match_id, _, attempt) = self.concerned(params)?;
        let before = self.0.book.league().season.result(match_id).copied();
        if before.is_some_and(|record| record.verdict.cause == Cause::CancelledByOperator) {
            return Ok(());
        }
        let at = self.0.book.now;
        self.0.book.record(LeagueFact::MatchVoided { match_id, order: order.clone(), at });
        self.0.book.tell_voided(match_id, &order);
        if before.is_some() {
            self.0.book.tell_table();
        } else {
            self.0.in_play.assignments.finish(match_id);
            self.0.hand_out(attempt.referee);
        }
        Ok(())
    }

    /// The match that an order is about; it must have been announced.
    fn concerned(&self, params: &ToolParams) -> Result<(MatchId, Fixture, Attempt), Refusal> {
        let match_id = params.match_id.ok_or(Refusal::BadValue("match_id is missing"))?;
        let season = &self.0.book.league().season;
        let fixture = season.fixture(match_id).ok_or(Refusal::NoSuchMatch)?;
        let attempt = season.attempt(match_id);
        let attempt = attempt.ok_or(Refusal::OutOfTurn("this round is not announced yet"))?;
        Ok((match_id, fixture, attempt))
    }

    /// The operator has a match played again. One that has no result is being played already.
    fn rerun_match(&mut self, params: &ToolParams) -> Result<(), Refusal> {
        let order = self.order(params)?;
        let (match_id, fixture, before) = self.concerned(params)?;
        let (league, at) = (self.0.book.league(), self.0.book.now);
        if !league.settings.says().attempts {
            return Err(Refusal::Unsupported("a match of this league is not played again"));
        }
        if league.season.result(match_id).is_none() {
            return Ok(());
        }
        if let Some(gone) = fixture.players().into_iter().find(|id| league.season.is_withdrawn(*id))
        {
            return Err(Refusal::Withdrawn(gone));
        }
        let (attempt, referee) =
            (before.number + 1, self.0.in_play.another(before.referee, league));
        self.0.book.record(LeagueFact::MatchRerun { match_id, attempt, referee, order, at });
        self.0.book.tell_table();
        self.0.book.tell_played_again(match_id);
        let until = at + self.0.book.league().settings.notice();
        self.0.in_play.assignments.play_again(match_id, referee);
        self.0.in_play.assignments.wait(match_id, until);
        self.0.hand_out(referee);
        Ok(())
    }

    /// The operator takes a player out of the league.
    fn withdraw_player(&mut self, params: &ToolParams) -> Result<(), Refusal> {
        let order = self.order(params)?;
        let player = params.player_id.ok_or(Refusal::BadValue("player_id is missing"))?;
        let unknown = Refusal::Unknown(AgentId::Player(player));
        self.0.book.league().registry.player(player).ok_or(unknown)?;
        self.0.withdraw(player, Some(order));
        Ok(())
    }

    /// The operator gives an agent a fresh token: its author has lost the old one, or let others
    /// get hold of it. A player that was withdrawn may play again.
    ///
    /// The old token dies at once. Until the agent has shown the fresh one nothing else lets it in,
    /// not even its own address: whoever sits there now may be somebody else.
    fn reset_agent(&mut self, params: &ToolParams) -> Result<Box<FreshToken>, Refusal> {
        let order = self.order(params)?;
        let agent = agent_of(params)?;
        let (records, at) = (self.0.book.records(), self.0.book.now);
        let known = records.league.registry.agent(agent).ok_or(Refusal::Unknown(agent))?;
        if matches!(known.admission, Admission::Waiting | Admission::Declined) {
            return Err(Refusal::OutOfTurn("this agent is not in the league"));
        }
        let (auth_token, token) = records.mint((agent, known.number + 1), None);
        let readmitted = params.player_id.is_some_and(|id| records.league.season.is_withdrawn(id));
        let reason = &order.reason;
        let problem = format!("the operator has reset this agent ({reason}); {COMES_BACK}");
        self.0.book.tell_dismissed(agent, problem.into());
        match agent {
            AgentId::Player(player) => {
                self.0.book.record(LeagueFact::PlayerReset { player, token, order, at });
            }
            AgentId::Referee(referee) => {
                self.0.book.record(LeagueFact::RefereeReset { referee, token, order, at });
                // Whoever runs with the old token is not heard any more: its matches go elsewhere.
                self.0.give_up_on(referee);
            }
        }
        let (player_id, referee_id) = (params.player_id, params.referee_id);
        Ok(Box::new(FreshToken { player_id, referee_id, auth_token, readmitted }))
    }

    /// Who orders it and why. An order without a reason is none, and so is one after the end.
    fn order(&self, params: &ToolParams) -> Result<Order, Refusal> {
        if self.0.book.league().season.phase == LeaguePhase::Completed {
            return Err(Refusal::OutOfTurn("the league is complete; its results are final"));
        }
        said(params.reason.as_ref()).ok_or(Refusal::BadValue("reason is missing"))?;
        Ok(signed(params))
    }
}

/// How an agent that was reset comes back.
const COMES_BACK: &str = "its token is dead: ask the operator for the fresh one, and register with \
    it (agon: --token-file FILE)";

/// The agent that an order is about.
pub(super) fn agent_of(params: &ToolParams) -> Result<AgentId, Refusal> {
    match (params.player_id, params.referee_id) {
        (Some(id), None) => Ok(AgentId::Player(id)),
        (None, Some(id)) => Ok(AgentId::Referee(id)),
        (None, None) => Err(Refusal::BadValue("player_id or referee_id is missing")),
        (Some(_), Some(_)) => Err(Refusal::BadValue("player_id and referee_id: one at a time")),
    }
}

/// Who orders it and why, for what needs no reason.
pub(super) fn signed(params: &ToolParams) -> Order {
    let by = said(params.by.as_ref()).unwrap_or_else(|| DisplayName::new("operator"));
    let reason = said(params.reason.as_ref());
    Order { by, reason: reason.unwrap_or_else(|| DisplayName::new("no reason given")) }
}

/// A blank text says nothing.
pub(super) fn said(text: Option<&DisplayName>) -> Option<DisplayName> {
    text.filter(|text| !text.as_str().trim().is_empty()).cloned()
}

impl Rounds<'_> {
    /// The operator wants to begin anew: everybody is told, and another season opens at once. Where
    /// nobody has enrolled there is nothing to forget.
    ///
    /// Who had enrolled registers again. The new season has an id and a number of its own, so that
    /// nobody takes a letter of the one for a letter of the other; what was dealt with stays so.
    fn reset_season(&mut self, order: Order) -> Result<(), Refusal> {
        if !self.0.book.league().settings.says().seasons {
            let why =
                "reset_season: agents of this league know of no seasons, so none can be forgotten";
            return Err(Refusal::Unsupported(why));
        }
        if is_untouched(self.0.book.league()) {
            return Ok(());
        }
        for parcel in of_no_use(&self.0.book.records().letterbox) {
            self.0.book.settle(parcel);
        }
        let (league, at) = (self.0.book.league(), self.0.book.now);
        let (number, reason) = (league.resets, order.reason.clone());
        let (season, next) = (next_season(league), league.settings.seasons.next_number());
        let news = News::Halt { task: Task::Reset, number, reason };
        self.0.book.publish(news, expected(league));
        self.0.book.record_season(SeasonFact::SeasonReset { season, number: next, order, at });
        *self.0.in_play = InPlay::default();
        self.open_season();
        Ok(())
    }
}

/// Whether the season is as it was when it opened.
fn is_untouched(league: &League) -> bool {
    let season = &league.season;
    !season.has_begun() && !season.paused && league.everybody().next().is_none()
}

/// Letters that wait and that nobody wants after the season. By call a token and the reset
/// itself must arrive all the same: who never got the one cannot tell who says the other.
fn of_no_use(letterbox: &Letterbox) -> Vec<ParcelId> {
    let wanted = |parcel: &Parcel| {
        let called = parcel.to.iter().any(Address::is_endpoint);
        let kind = parcel.letter.kind;
        kind == ActKind::Reset || called && kind == ActKind::Decide
    };
    letterbox.waiting().filter(|parcel| !wanted(parcel)).map(|parcel| parcel.id).collect()
}

/// Everybody who has enrolled; and of those who are vouched for also who is on the roster or was in
/// a season before. Nobody else could tell that it is us.
pub(super) fn expected(league: &League) -> Vec<Contact> {
    let members = league.registry.everybody().map(|agent| agent.contact.clone());
    let roster = league.settings.seasons.roster.iter().flat_map(|entry| {
        [Some(&entry.player), entry.referee.as_ref()].into_iter().flatten().map(Contact::of)
    });
    let before = league.former.keys().cloned();
    let mut known = BTreeSet::new();
    let strangers = roster.chain(before).filter(Contact::vouches);
    let everybody = strangers.chain(members);
    everybody.filter(|one| known.insert(one.clone())).collect()
}

/// `S01-2` after `S01`, then `S01-3`.
fn next_season(league: &League) -> SeasonId {
    let (resets, ours) = (league.resets, league.settings.seasons.season.as_str());
    let ending = format!("-{}", resets + 1);
    // Only what we have added ourselves is taken away: `SEASON_2026-02` may be its name.
    let first = ours.strip_suffix(&ending).filter(|_| resets > 0).unwrap_or(ours);
    SeasonId::new(&format!("{first}-{}", resets + 2))
}
