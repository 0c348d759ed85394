//! Small things that the manager asks of a player: are you there, stop, go on, forget it all.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::Timestamp;
use agon_proto::dialect::q21::{Body, Connectivity, FreeText, GameId, Letter, StateAnswer, Task};

use super::fact::Fact;
use super::{Out, Player};
use crate::effect::Effect;

impl Player {
    /// Answers what wants an answer. Everything else that a manager says is news: it is read.
    #[expect(clippy::wildcard_enum_match_arm, reason = "the gatekeeper has named all the others")]
    pub(super) fn run_errand(&mut self, letter: &Letter, now: Timestamp, out: &mut Out) {
        let before = self.state().as_str();
        match &letter.body {
            Body::KeepAlive(_) => self.tell_state(Task::KeepAlive, before, letter, now, out),
            Body::Pause(_) => {
                self.record(Fact::Paused, out);
                self.tell_state(Task::Pause, before, letter, now, out);
            }
            Body::Continue(_) => {
                self.record(Fact::Continued, out);
                let restored = self.state().as_str();
                self.tell_state(Task::Continue, restored, letter, now, out);
                self.release_letters(out);
            }
            Body::Reset(_) => {
                self.withdraw_letters(out);
                self.record(Fact::Reset, out);
                let fresh = self.state().as_str();
                self.tell_state(Task::Reset, fresh, letter, now, out);
                // Nobody invites whom it calls: we ask again by ourselves.
                if self.me.is_called() {
                    self.record(Fact::VisaExpired, out);
                    self.register(Some(letter), now, out);
                }
            }
            Body::FreeText(_) => {
                let answer = FreeText { text: "Received.".into() };
                self.answer_manager("text", Body::FreeTextAnswer(answer), letter, now, out);
            }
            Body::ConnectivityCall(said) => {
                let echo = Connectivity {
                    ping: said.ping.clone(),
                    echo_from: Some(self.me.address.clone()),
                    at: said.at,
                };
                self.answer_manager("echo", Body::ConnectivityEcho(echo), letter, now, out);
            }
            _ => {}
        }
    }

    fn tell_state(
        &mut self,
        task: Task,
        state: &str,
        letter: &Letter,
        now: Timestamp,
        out: &mut Out,
    ) {
        let (tag, status) = match task {
            Task::KeepAlive => ("alive", "alive"),
            Task::Pause => ("paused", "PAUSED"),
            Task::Continue => ("continued", "RESUMED"),
            Task::Reset => ("reset", "COMPLETED"),
        };
        let game = self.rounds.active_match_ids().first().map(|game| GameId::clone(game));
        let (status, state) = (status.into(), state.into());
        let answer = StateAnswer { status, state, game, text: self.status().into() };
        self.answer_manager(tag, Body::State(task, answer), letter, now, out);
    }

    /// Lets go what a restart found waiting while games were paused.
    fn release_letters(&mut self, out: &mut Out) {
        let withheld = std::mem::take(&mut self.withheld);
        let parcels = self.post.waiting().filter(|parcel| withheld.contains(&parcel.id));
        out.effects.extend(parcels.cloned().map(Effect::Post));
    }
}
