//! What leaves a node once its facts are durable: effects, carried out one after the other.

use agon_core::{AddressKey, Effect, Ending, Machine, Refusal, RequestId, Viewer};
use agon_proto::tool::{AgentEntry, MatchState, ToolAnswer};
use agon_proto::{Answer, Contact, ShortText, Timestamp};
use tracing::info;

use super::Driver;
use super::looks::Look;
use crate::alerts;
use crate::failpoint::Point;
use crate::inbound::spelled;
use crate::messages;
use crate::node::NodeError;

impl<M: Machine + Send> Driver<M> {
    pub(super) async fn release_all(&mut self, mut effects: Vec<Effect>) -> Result<(), NodeError> {
        let now = self.clock.now();
        self.failpoint.pass(Point::BeforeRelease);
        for effect in effects.drain(..) {
            self.release(effect, now).await?;
        }
        self.failpoint.pass(Point::AfterRelease);
        if self.out.effects.capacity() == 0 {
            self.out.effects = effects; // Its room serves the next batch.
        }
        Ok(())
    }

    /// Unless the node stays, nothing more is to be done, but what is under way and what has to be
    /// handed in.
    fn end(&mut self, ending: Ending, now: Timestamp) {
        let stays = self.node.stay && ending == Ending::LeagueCompleted;
        if stays || self.ending.is_some() {
            return;
        }
        info!(role = self.node.kind.word(), "done");
        let hand_in = self.hand_in.as_mut();
        let needs = hand_in.and_then(|it| it.end(self.outbound.is_idle()));
        self.ending = Some((ending, now + self.farewell.max(needs.unwrap_or_default())));
    }

    /// Somebody is shown what was read of a match.
    pub(super) fn looked(&mut self, request: RequestId, state: Box<MatchState>) -> Timestamp {
        let now = self.clock.now();
        self.looks.end();
        self.failpoint.pass(Point::BeforeReply);
        self.inbound.reply(request, &Answer::Tool(ToolAnswer::Match(state)), now);
        now
    }

    async fn release(&mut self, effect: Effect, now: Timestamp) -> Result<(), NodeError> {
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
                // Who ends the league waits for what else it should have.
                let ends = self.inbound.ends_league(request);
                let held = self.hand_in.as_mut().filter(|_| ends);
                let answer = match held {
                    Some(hand_in) => hand_in.hold(request, answer, self.outbound.is_idle()),
                    None => Some(answer),
                };
                if let Some(answer) = answer
                    && !self.letters.settle(request, None)
                {
                    self.inbound.reply(request, &answer, now);
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
            Effect::Fetch { request, .. } if !self.looks.have_room() => {
                self.inbound.refuse(request, &Refusal::TooManyLook, now);
            }
            Effect::Fetch { request, state, kept, viewer } => {
                let ledger = &self.node.ledger;
                let told = !state.messages.is_empty();
                let places = messages::places(&kept).into_iter().filter(|_| told);
                let pieces = places.map(|(referee, key)| (referee, ledger.exhibit(key))).collect();
                let transcript = ledger.exhibit(state.match_id.to_string());
                self.looks.begin(Look { request, state, kept, viewer, transcript, pieces });
            }
            Effect::ListAgents { request, mut list, places, viewer } => {
                for (agent, (address, contact)) in list.agents.iter_mut().zip(places) {
                    let reached = contact.endpoint();
                    (agent.last_contact, agent.breaker_open) = self.outbound.standing(&reached);
                    locate(agent, (address, &contact), viewer);
                }
                self.inbound.reply(request, &Answer::Tool(ToolAnswer::Agents(list)), now);
            }
            Effect::BoundCalls { endpoint, public_only } => {
                self.outbound.bound(&endpoint, public_only);
            }
            Effect::Probe { agent, endpoint } => self.outbound.probe(agent, endpoint),
            Effect::Heard(peer) => self.outbound.heard(&peer, now),
            Effect::Alert(alert) => alerts::say(&alert, &mut self.log_throttle, now),
            Effect::Finish(ending) => self.end(ending, now),
            // Answered already, or kept with the facts.
            Effect::Draw { .. }
            | Effect::Think(_)
            | Effect::Archive { .. }
            | Effect::Keep { .. } => {}
        }
        Ok(())
    }
}

/// Tells the operator where an agent is, and from where it came.
fn locate(agent: &mut AgentEntry, (address, contact): (AddressKey, &Contact), viewer: Viewer) {
    if viewer != Viewer::Operator {
        return;
    }
    let by_mail = contact.vouches().then(|| contact.as_str().to_owned());
    let shown = by_mail.unwrap_or_else(|| contact.shown());
    agent.contact = Some(ShortText::new(&shown));
    let from = (address != AddressKey::default()).then(|| spelled(address));
    agent.called_from = from.map(|ip| ShortText::new(&ip.to_string()));
}
