//! Small answers: an echo, and what this league has no use for.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::dialect::q21 as dialect;
use agon_proto::q21::{
    Body, Connectivity, ExtensionDecision, ForceMajeureDecision, Letter, Problem, Verdict,
};
use agon_proto::tool::LeaguePhase;
use agon_proto::{Contact, Timestamp};

use super::super::{Manager, Out};
use super::admission::Voice;

impl Manager {
    /// Somebody has lost the schedule.
    pub(super) fn answer_table(
        &mut self,
        voice: &Voice,
        letter: &Letter,
        now: Timestamp,
        out: &mut Out,
    ) {
        let body = if let Some(who) = self.agent_at(&voice.address) {
            let contact = Contact::of(&voice.address);
            let own = self.has_own_copy(&contact).then_some(who);
            let schedule = self.schedule_for(own, contact.vouches());
            Body::TableAnswer(dialect::table(schedule, &self.season_name()))
        } else {
            Body::Problem(Problem {
                code: "INVALID_STATE".into(),
                text: "There is no table for this address: the season has not begun, or without it"
                    .into(),
                original: Some("REQUEST_ASSIGNMENT_TABLE".into()),
                recoverable: self.league.season.phase() == LeaguePhase::AcceptingRegistrations,
            })
        };
        self.reply(&voice.address, letter, body, now, out);
    }

    /// Answers what wants a word and changes nothing.
    pub(super) fn answer_briefly(
        &mut self,
        voice: &Voice,
        letter: &Letter,
        now: Timestamp,
        out: &mut Out,
    ) {
        #[expect(clippy::wildcard_enum_match_arm, reason = "three of 40 letters want no more")]
        let answer = match &letter.body {
            // Does my post arrive? It does.
            Body::ConnectivityCall(said) => Body::ConnectivityEcho(Connectivity {
                ping: said.ping.clone(),
                echo_from: self.league.settings.q21.address.clone(),
                at: said.at,
            }),
            // More time for one would be less for the others.
            Body::Extension(_) => Body::ExtensionDecision(ExtensionDecision {
                status: Verdict::Rejected,
                new_deadline: None,
                text: Some("Deadlines are the same for everybody".into()),
            }),
            // Whether a game counts is the operator's to say, and people ask people for that.
            Body::ForceMajeure(_) => Body::ForceMajeureDecision(ForceMajeureDecision {
                status: Verdict::Rejected,
                notes: "Ask whoever runs the league; a game can be declared void".into(),
            }),
            _ => return,
        };
        self.reply(&voice.address, letter, answer, now, out);
    }
}
