//! What comes to a node (calls and their answers, mail), and what leaves it: effects are carried
//! out once the facts of their batch are durable.

use std::rc::Rc;

use agon_core::letterbox::Parcel;
use agon_core::{Effect, Event, Origin, Refusal, RequestId};
use agon_link::CallFault;
use agon_proto::act::Act;
use agon_proto::message::{LeagueError, misstate, stated_move};
use agon_proto::tool::ToolAnswer;
use agon_proto::{
    Answer, ConversationId, Dialogue, Envelope, Fault, MatchId, Receipt, ReceiptStatus, Sender,
    Timestamp,
};

use super::Stage;
use super::mailbox::{self, Mail};
use super::programs::Program;
use super::street::{self, Requester, Said};
use crate::audit::Sight;
use crate::plan::Temper;
use crate::sabotage::Sabotage;

impl Stage<'_> {
    pub(super) fn arrive(&mut self, to: usize, from: Requester, said: &Said) {
        if !self.nodes[to].is_up() {
            return street::turn_away(from, CallFault::Unreachable, &mut self.scene);
        }
        let is_called = matches!(from, Requester::Caller { .. });
        if is_called && self.scene.rng.happens(self.scene.faults.unwell) {
            return street::turn_away(from, CallFault::ServerError, &mut self.scene);
        }
        if let Some(endpoint) = said.registers_at() {
            self.links(to).heard(&endpoint);
        }
        self.acknowledge_early(to, from, said);
        let origin = if is_called { Origin::Endpoint } else { Origin::Elsewhere };
        let request = self.open(to, from, said.question());
        let event = said.event(request, origin, self.scene.now);
        self.nodes[to].deliver(event, &mut self.scene);
    }

    /// A node gets a request, which may be a question that needs a thought.
    pub(super) fn open(
        &mut self,
        node: usize,
        from: Requester,
        question: Option<MatchId>,
    ) -> RequestId {
        let request = RequestId(self.street.count());
        self.nodes[node].open.insert(request, from);
        self.scene.audit.see(&Sight::Opened(node, request, question));
        request
    }

    /// A stage that must be found out answers for the manager.
    fn acknowledge_early(&mut self, to: usize, from: Requester, said: &Said) {
        if to == 0
            && self.scene.sabotage == Sabotage::AcknowledgeEarly
            && let Said::Message(message) = said
            && let Act::MatchResultReport(report) = &message.act
            && let Requester::Caller { call, .. } = from
        {
            let (status, match_id) = (ReceiptStatus::Recorded, Some(report.match_id));
            let recorded = Answer::Receipt(Receipt { status, match_id, played: None });
            self.scene.soon(1_000, move |stage| stage.conclude(call, Ok(recorded)));
        }
    }

    /// A call is over, one way or the other. Only the first outcome counts.
    pub(super) fn conclude(&mut self, call: usize, outcome: Result<Answer, CallFault>) {
        let Some(open) = self.street.calls[call].take() else { return };
        if self.nodes[open.caller].lives(open.life) {
            self.links(open.caller).conclude(open.to, open.sent, outcome);
        }
    }

    /// A mail arrives in the box of a node.
    pub(super) fn land(&mut self, node: usize, mail: Mail) {
        let node = &mut self.nodes[node];
        if let Some(mailbox) = &mut node.mailbox {
            mailbox.put(mail);
        }
        if node.is_up() {
            node.plan_look(self.script.plan.look_after, &mut self.scene);
        }
    }

    /// A node looks into its mailbox.
    pub(super) fn read_mail(&mut self, node: usize) {
        let now = self.scene.now;
        let mails = self.nodes[node].mailbox.as_mut().map(|mailbox| mailbox.look(now));
        for (number, mail) in mails.into_iter().flatten() {
            if self.scene.sabotage == Sabotage::ReadBeforeDurable {
                self.nodes[node].mark_read(number);
            }
            let request = self.open(node, Requester::Mail(number), None);
            self.nodes[node].inbox.push((mail.event(request), now));
        }
        self.work(node);
    }

    pub(super) fn carry_out(&mut self, node: usize, mut effect: Effect) {
        let scene = &mut self.scene;
        scene.sabotage.spoil_effect(&mut effect, scene.now);
        scene.audit.see(&Sight::Leaves(node, &effect));
        match effect {
            Effect::Send(outgoing) => self.links(node).send(outgoing),
            Effect::Broadcast(news) => self.links(node).broadcast(&news),
            Effect::Reply { request, answer } => {
                if scene.sabotage == Sabotage::AnswerTwice {
                    let answer = answer.clone();
                    let again = Effect::Reply { request, answer };
                    scene.audit.see(&Sight::Leaves(node, &again));
                }
                self.reply(node, request, answer);
            }
            Effect::Refuse { request, refusal } => {
                let answer = match node {
                    0 => league_error(&refusal, scene.now),
                    _ => Answer::Fault(Fault::new(refusal.code(), refusal.to_string().into())),
                };
                scene.tell(|| format!("node {node} refuses: {refusal}"));
                self.reply(node, request, answer);
            }
            Effect::Fetch { request, state, .. } => {
                self.reply(node, request, Answer::Tool(ToolAnswer::Match(state)));
            }
            Effect::ListAgents { request, list, .. } => {
                self.reply(node, request, Answer::Tool(ToolAnswer::Agents(list)));
            }
            // Kept with the facts already.
            Effect::Archive { .. } | Effect::Keep { .. } => {}
            Effect::Draw { match_id, attempt, min, max } => {
                let number = scene.rng.between(min.into(), max.into()) as u32;
                let drawn = Event::Drawn { match_id, attempt, number };
                scene.soon(5_000, self.nodes[node].hears(drawn));
            }
            Effect::Think(question) => {
                let (plan, node) = (&self.script.plan, &mut self.nodes[node]);
                Program { plan, node, question: &question, scene }.think();
            }
            Effect::Alert(alert) => scene.tell(|| format!("node {node} alerts: {alert:?}")),
            Effect::SendLetter(parcel) => self.post(node, Rc::new(parcel)),
            Effect::Heard(peer) => self.links(node).heard(&peer),
            // Nobody is probed here, and the process ends when everything else is carried out.
            Effect::BoundCalls { .. } | Effect::Probe { .. } | Effect::Finish(_) => {}
        }
    }

    /// A letter leaves: by call to an endpoint, by mail otherwise.
    fn post(&mut self, node: usize, parcel: Rc<Parcel>) {
        if parcel.to.first().is_some_and(|address| address.is_endpoint()) {
            self.links(node).post(&parcel);
        } else {
            mailbox::send(&self.nodes, node, (parcel, 0), &mut self.scene);
        }
    }

    fn reply(&mut self, node: usize, request: RequestId, answer: Answer) {
        let home = &mut self.nodes[node];
        let Some(from) = home.open.remove(&request) else { return };
        let temper = home.planned.temper;
        let often = if temper == Temper::Slow { 750 } else { 500 };
        let odd = temper != Temper::Sound && self.scene.rng.happens(often);
        let answer = if odd { distort(temper, answer) } else { Some(answer) };
        match (from, answer) {
            (Requester::Caller { call, .. }, Some(answer)) => {
                self.links(node).send_back(call, answer);
            }
            (Requester::Mail(number), _) => home.mark_read(number),
            (Requester::Caller { .. }, None) | (Requester::Nobody, _) => {}
        }
    }
}

/// What an odd player makes of its answer; `None` is silence.
fn distort(temper: Temper, answer: Answer) -> Option<Answer> {
    let Answer::Message(mut letter) = answer else { return Some(answer) };
    let is_joining = matches!(letter.act, Act::GameJoinAck(_));
    let is_wanted = is_joining || stated_move(&letter.act).is_some();
    match temper {
        Temper::Silent | Temper::Slow if is_wanted => return None,
        Temper::Garbled if is_wanted => {
            let status = ReceiptStatus::Acknowledged;
            return Some(Answer::Receipt(Receipt { status, match_id: None, played: None }));
        }
        Temper::Declining => {
            if let Act::GameJoinAck(said) = &mut letter.act {
                said.accept = false;
            }
        }
        Temper::Invalid => misstate(&mut letter.act),
        Temper::Sound | Temper::Garbled | Temper::Silent | Temper::Slow | Temper::Brooding => {}
    }
    Some(Answer::Message(letter))
}

fn league_error(refusal: &Refusal, timestamp: Timestamp) -> Answer {
    let conversation_id = ConversationId::new("conv-error");
    let head = Dialogue { sender: Sender::LeagueManager, timestamp, conversation_id };
    let error = LeagueError::new(refusal.code(), refusal.to_string().into());
    Answer::Message(Box::new(Envelope { head, auth_token: None, act: error.into() }))
}
