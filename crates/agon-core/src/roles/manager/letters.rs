//! The manager of a league that is played by letters: the same league, in letters instead of calls.
//!
//! Whoever writes is known by its address; each letter is dealt with once, and answered once.
//! Where somebody writes by mail, what the calendar brings happens in `tick` alone: a letter may
//! have been delivered long before it is read.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::act::{
    Act, Approval, Connectivity, ExtensionDecision, ForceMajeureDecision, Problem, StatusReport,
    Task,
};
use agon_proto::tool::LeaguePhase;
use agon_proto::{Contact, GameId, MatchId};

use super::conduct::Conduct;
use super::registration::Applications;
use super::reports::{Report, Results};
use crate::Refusal;
use crate::effect::{CallerPlace, Origin};
use crate::fact::{LeagueFact, SeasonFact};
use crate::gate::{Posted, Speaker, has_forgotten, is_application};
use crate::letterbox::LetterboxFact;

/// The letters that come.
pub(super) struct Letters<'a>(pub(super) Conduct<'a>);

impl Letters<'_> {
    /// A letter came. One that was dealt with before changes nothing.
    pub(super) fn take(&mut self, posted: &Posted<'_>) -> Result<(), Refusal> {
        let (league, letter, address) = (self.0.book.league(), posted.letter, &posted.address);
        // Whoever was in a season that was reset has just been told so.
        let has_left = || league.former.contains_key(&Contact::of(address));
        let forgot = !posted.enrolled && has_forgotten(letter) && has_left();
        if forgot || self.0.book.records().letterbox.knows(address, &letter.head.id) {
            return Ok(());
        }
        if !posted.enrolled && !is_application(letter) {
            return Err(Refusal::NotPermitted("this address is not enrolled in the season"));
        }
        if is_application(letter) {
            if posted.caller.is_some_and(|caller| caller.origin == Origin::Forbidden) {
                return Err(Refusal::EndpointForbidden);
            }
            if !self.may_be(posted) {
                return Err(Refusal::EndpointTaken);
            }
        }
        let before = self.0.book.out.facts.len();
        self.note_presence(posted);
        let taken = self.route(posted).map(|answer| {
            if let Some(answer) = answer {
                self.0.book.reply(posted, answer);
            }
        });
        // What changed nothing the first time changes nothing again: if it left a trace, anybody
        // could fill the journal. A sign of life comes for ever, so its id is not kept.
        let is_kept = !matches!(letter.act, Act::StillHere(_));
        if is_kept && self.0.book.out.facts.len() > before {
            let (from, id) = (address.clone(), letter.head.id.clone());
            self.0.book.record(LeagueFact::Letterbox(LetterboxFact::Handled { from, id }));
        }
        taken
    }

    /// Whether somebody who asks to be let in may be the one who is enrolled there: by call anybody
    /// can say so. An answer goes to that one, whoever asked.
    fn may_be(&self, posted: &Posted<'_>) -> bool {
        let league = self.0.book.league();
        let known = league.registry.at(&Contact::of(&posted.address));
        let known = known.and_then(|id| league.registry.agent(id));
        let Some((caller, known)) = posted.caller.zip(known) else { return true };
        let code = caller.code.and_then(|code| league.invitations.with(&code));
        caller.origin == Origin::Endpoint
            || caller.place == CallerPlace::ThisMachine
            || caller.address == known.provenance.address
            || code.is_some_and(|issued| known.invitation == Some(issued.invitation.number))
    }

    /// Somebody wants a word. Each answer is written down, so there is a bound to that.
    fn note_asked(&mut self, posted: &Posted<'_>) -> Result<(), Refusal> {
        let (league, now) = (self.0.book.league(), self.0.book.now);
        let known = league.registry.at(&Contact::of(&posted.address));
        known.map_or(Ok(()), |agent| self.0.book.heard.comes_again(agent, now))
    }

    /// The whole routing table. What wants a word and changes nothing has its answer here.
    fn route(&mut self, posted: &Posted<'_>) -> Result<Option<Act>, Refusal> {
        let wants_a_word = matches!(
            posted.letter.act,
            Act::Apply(_)
                | Act::LeagueRegistration(_)
                | Act::TableRequest(_)
                | Act::ConnectivityCall(_)
                | Act::Extension(_)
                | Act::ForceMajeure(_)
        );
        if wants_a_word {
            self.note_asked(posted)?;
        }
        #[expect(clippy::wildcard_enum_match_arm, reason = "the rest is said to others")]
        match &posted.letter.act {
            Act::Apply(said) => Applications(self.0.lend()).enrol(posted, said)?,
            Act::LeagueRegistration(said) => {
                Applications(self.0.lend()).note_newcomer(posted, said)?;
            }
            Act::RefereeAck(said) | Act::PlayerAck(said) => {
                self.note_acknowledged(posted, said.received);
            }
            Act::ResultReport(said) => {
                let match_id = self.match_of_game(&said.game)?;
                let mut results = Results(self.0.lend());
                results.take_report(posted.speaker(), match_id, Report::Scored(said))?;
            }
            Act::StatusReport(said) => self.take_evidence(posted, said)?,
            Act::TableRequest(_) => return Ok(Some(self.table_for(posted))),
            // Does my post arrive? It does.
            Act::ConnectivityCall(said) => {
                let echo_from = self.0.book.league().settings.seasons.address.clone();
                let (ping, at) = (said.ping.clone(), said.at);
                return Ok(Some(Act::ConnectivityEcho(Connectivity { ping, echo_from, at })));
            }
            // More time for one would be less for the others.
            Act::Extension(_) => {
                return Ok(Some(Act::ExtensionDecision(ExtensionDecision {
                    status: Approval::Rejected,
                    new_deadline: None,
                    text: Some("Deadlines are the same for everybody".into()),
                })));
            }
            // Whether a game counts is the operator's to say, and people ask people for that.
            Act::ForceMajeure(_) => {
                return Ok(Some(Act::ForceMajeureDecision(ForceMajeureDecision {
                    status: Approval::Rejected,
                    notes: "Ask whoever runs the league; a game can be declared void".into(),
                })));
            }
            // A sign of life, which was noted, and answers that nobody waits for any longer.
            Act::StillHere(_)
            | Act::State(Task::KeepAlive | Task::Pause | Task::Continue | Task::Reset, _)
            | Act::FreeText(_)
            | Act::FreeTextAnswer(_)
            | Act::ConnectivityEcho(_)
            | Act::Problem(_) => {}
            Act::Other(_) => return Err(Refusal::Unsupported("an unknown message")),
            other => return Err(Refusal::Unsupported(other.kind().name())),
        }
        Ok(None)
    }

    /// The match that a game id names, if it is one of this season.
    fn match_of_game(&self, game: &GameId) -> Result<MatchId, Refusal> {
        let league = self.0.book.league();
        let parts = game.parts().filter(|(season, match_id)| {
            *season == league.settings.seasons.season_number % 100
                && league.season.fixture(*match_id).is_some()
        });
        parts.map(|(_, match_id)| match_id).ok_or(Refusal::NoSuchMatch)
    }

    /// Who writes while everybody is asked whether they are there, is there. Where letters travel
    /// by call an application proves nothing, and so it does not count.
    fn note_presence(&mut self, posted: &Posted<'_>) {
        let (league, address, at) = (self.0.book.league(), &posted.address, self.0.book.now);
        let Some(check_in) = league.calendar.check_in_for(league.season.round() + 1) else {
            return;
        };
        let proved = Contact::of(address).vouches() || !is_application(posted.letter);
        if proved && posted.enrolled && !check_in.present.contains(address) {
            let (round, address) = (check_in.round, address.clone());
            self.0.book.record_season(SeasonFact::CheckedIn { round, address, at });
        }
    }

    fn note_acknowledged(&mut self, posted: &Posted<'_>, received: u32) {
        if !self.0.book.league().correspondence.acknowledged.contains(&posted.address) {
            let (address, at) = (posted.address.clone(), self.0.book.now);
            self.0.book.record_season(SeasonFact::Acknowledged { address, received, at });
        }
    }

    /// The schedule, for somebody who has lost it.
    fn table_for(&self, posted: &Posted<'_>) -> Act {
        let league = self.0.book.league();
        let Some(who) = posted.speaker().agent() else {
            return Act::Problem(Problem {
                code: "INVALID_STATE".into(),
                text: "There is no table for this address: the season has not begun, or without it"
                    .into(),
                original: Some("REQUEST_ASSIGNMENT_TABLE".into()),
                recoverable: league.season.phase == LeaguePhase::AcceptingRegistrations,
            });
        };
        let vouched = Contact::of(&posted.address).vouches();
        let own = (!vouched && league.has_own_copies()).then_some(who);
        Act::TableAnswer(league.schedule_for(own, vouched))
    }

    /// A player says how its game went: kept, and shown where it contradicts the result.
    fn take_evidence(&mut self, by: &Posted<'_>, report: &StatusReport) -> Result<(), Refusal> {
        let match_id = self.match_of_game(&report.game)?;
        let league = self.0.book.league();
        let Speaker::Player(player) = by.speaker() else {
            return Err(Refusal::NotPermitted("status reports come from players"));
        };
        let player = *player.get();
        let fixture = league.season.fixture(match_id).ok_or(Refusal::NoSuchMatch)?;
        if fixture.seat_of(player).is_none() {
            return Err(Refusal::NotPermitted("this player is not in that game"));
        }
        if !league.correspondence.has(match_id, player, report) {
            let (report, at) = (Box::new(report.clone()), self.0.book.now);
            self.0.book.record_season(SeasonFact::Evidence { match_id, player, report, at });
            self.0.note_contradictions(match_id);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
