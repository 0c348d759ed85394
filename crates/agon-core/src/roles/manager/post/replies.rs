//! Small answers: an echo, and what this league has no use for.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::Timestamp;
use agon_proto::q21::{
    Body, Connectivity, ExtensionDecision, ForceMajeureDecision, Letter, Verdict,
};

use super::super::{Manager, Out};
use super::admission::Voice;

impl Manager {
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
