//! What leaves a node once its facts are durable: effects, carried out one after the other.

use agon_core::{Effect, Ending, Machine};
use agon_proto::tool::ToolAnswer;
use agon_proto::{Answer, Timestamp};
use tracing::info;

use super::Driver;
use crate::alerts;
use crate::failpoint::Point;
use crate::node::NodeError;

impl<M: Machine + Send> Driver<M> {
    pub(super) async fn release(
        &mut self,
        effect: Effect,
        now: Timestamp,
    ) -> Result<(), NodeError> {
        match effect {
            Effect::Send(letter) => {
                self.failpoint.pass(Point::BeforeSend);
                self.outbound.send(letter, now);
            }
            Effect::Broadcast(news) => {
                self.failpoint.pass(Point::BeforeSend);
                self.outbound.broadcast(&news, now);
            }
            Effect::Reply { request, answer } => {
                self.failpoint.pass(Point::BeforeReply);
                if !self.letters.settle(request, None) {
                    self.inbound.reply(request, &answer);
                }
            }
            Effect::Refuse { request, refusal } => {
                self.failpoint.pass(Point::BeforeReply);
                if !self.letters.settle(request, Some(&refusal)) {
                    self.inbound.refuse(request, &refusal, now);
                }
            }
            Effect::SendLetter(parcel) => {
                self.failpoint.pass(Point::BeforeSend);
                self.letters.post(parcel, &mut self.outbound, now);
            }
            Effect::Fetch { request, mut state, viewer } => {
                let transcript = self.node.ledger.transcript(state.match_id).await?;
                state.transcript = viewer.shown(transcript);
                let answer = Answer::Tool(ToolAnswer::Match(state));
                self.failpoint.pass(Point::BeforeReply);
                self.inbound.reply(request, &answer);
            }
            Effect::Heard(peer) => self.outbound.heard(&peer, now),
            Effect::Alert(alert) => alerts::say(&alert, &mut self.log_throttle, now),
            Effect::Finish(ending) => {
                let stays = self.node.stay && ending == Ending::LeagueCompleted;
                if !stays && self.ending.is_none() {
                    info!(role = self.node.kind.word(), "done");
                    self.ending = Some((ending, now + self.farewell));
                }
            }
            // Answered already, or kept with the facts.
            Effect::Draw { .. } | Effect::Think(_) | Effect::Archive { .. } => {}
        }
        Ok(())
    }
}
