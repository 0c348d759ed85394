//! Small answers: an echo, and what this league has no use for.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::Timestamp;
use agon_proto::q21::{
    Body, Connectivity, ExtensionDecision, ForceMajeureDecision, Letter, Verdict,
};

use super::super::{Manager, Out};
use super::admission::Voice;
use crate::Refusal;

impl Manager {
    /// Does my post arrive? It does.
    pub(super) fn echo(
        &mut self,
        voice: &Voice,
        letter: &Letter,
        said: &Connectivity,
        now: Timestamp,
        out: &mut Out,
    ) -> Result<(), Refusal> {
        let echo = Connectivity {
            ping: said.ping.clone(),
            echo_from: self.settings.q21.address.clone(),
            at: said.at,
        };
        self.reply(&voice.address, letter, Body::ConnectivityEcho(echo), now, out);
        Ok(())
    }

    /// More time for one would be less for the others.
    pub(super) fn refuse_extension(
        &mut self,
        voice: &Voice,
        letter: &Letter,
        now: Timestamp,
        out: &mut Out,
    ) -> Result<(), Refusal> {
        let decision = ExtensionDecision {
            status: Verdict::Rejected,
            new_deadline: None,
            text: Some("Deadlines are the same for everybody".into()),
        };
        self.reply(&voice.address, letter, Body::ExtensionDecision(decision), now, out);
        Ok(())
    }

    /// Whether a game counts is the operator's to say, and people ask people for that.
    pub(super) fn refuse_force_majeure(
        &mut self,
        voice: &Voice,
        letter: &Letter,
        now: Timestamp,
        out: &mut Out,
    ) -> Result<(), Refusal> {
        let decision = ForceMajeureDecision {
            status: Verdict::Rejected,
            notes: "Ask whoever runs the league; a game can be declared void".into(),
        };
        self.reply(&voice.address, letter, Body::ForceMajeureDecision(decision), now, out);
        Ok(())
    }
}
