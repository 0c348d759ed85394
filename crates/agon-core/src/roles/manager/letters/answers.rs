//! Answers that change nothing: the schedule, an echo, what this league has no use for. And what
//! players say of their games: it is kept, because only a referee's word counts.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::Letter;
use agon_proto::act::{
    Act, Approval, Connectivity, ExtensionDecision, ForceMajeureDecision, Problem, StatusReport,
};
use agon_proto::tool::LeaguePhase;
use agon_proto::{AgentId, Contact};

use super::Letters;
use super::admission::Voice;
use crate::Refusal;
use crate::fact::{LeagueFact, SeasonFact};
use crate::format::Fixture;

impl Letters<'_> {
    /// Somebody has lost the schedule.
    pub(super) fn answer_table(&mut self, voice: &Voice, letter: &Letter) {
        let league = self.0.book.league();
        let body = if let Some(who) = league.agent_at(&voice.address) {
            let contact = Contact::of(&voice.address);
            let own = league.has_own_copy(&contact).then_some(who);
            Act::TableAnswer(league.schedule_for(own, contact.vouches()))
        } else {
            Act::Problem(Problem {
                code: "INVALID_STATE".into(),
                text: "There is no table for this address: the season has not begun, or without it"
                    .into(),
                original: Some("REQUEST_ASSIGNMENT_TABLE".into()),
                recoverable: league.season.phase() == LeaguePhase::AcceptingRegistrations,
            })
        };
        self.0.book.reply(&voice.address, letter, body);
    }

    /// Answers what wants a word and changes nothing.
    pub(super) fn answer_briefly(&mut self, voice: &Voice, letter: &Letter) {
        #[expect(clippy::wildcard_enum_match_arm, reason = "three of 40 letters want no more")]
        let answer = match &letter.act {
            // Does my post arrive? It does.
            Act::ConnectivityCall(said) => Act::ConnectivityEcho(Connectivity {
                ping: said.ping.clone(),
                echo_from: self.0.book.league().settings.seasons.address.clone(),
                at: said.at,
            }),
            // More time for one would be less for the others.
            Act::Extension(_) => Act::ExtensionDecision(ExtensionDecision {
                status: Approval::Rejected,
                new_deadline: None,
                text: Some("Deadlines are the same for everybody".into()),
            }),
            // Whether a game counts is the operator's to say, and people ask people for that.
            Act::ForceMajeure(_) => Act::ForceMajeureDecision(ForceMajeureDecision {
                status: Approval::Rejected,
                notes: "Ask whoever runs the league; a game can be declared void".into(),
            }),
            _ => return,
        };
        self.0.book.reply(&voice.address, letter, answer);
    }

    /// A player says how its game went: kept, and shown where it contradicts the result.
    pub(super) fn take_evidence(
        &mut self,
        voice: &Voice,
        report: &StatusReport,
    ) -> Result<(), Refusal> {
        let match_id = self.match_of_game(&report.game)?;
        let league = self.0.book.league();
        let Some(AgentId::Player(player)) = league.agent_at(&voice.address) else {
            return Err(Refusal::NotPermitted("status reports come from players"));
        };
        let Some(Fixture { a, b }) = league.season.fixture(match_id) else {
            return Err(Refusal::NoSuchMatch);
        };
        if ![a, b].contains(&player) {
            return Err(Refusal::NotPermitted("this player is not in that game"));
        }
        if !league.evidence.has(match_id, player, report) {
            let (report, at) = (Box::new(report.clone()), self.0.book.now);
            self.0.book.record(LeagueFact::Season(SeasonFact::Evidence {
                match_id,
                player,
                report,
                at,
            }));
            self.0.conduct().note_contradictions(match_id);
        }
        Ok(())
    }
}
