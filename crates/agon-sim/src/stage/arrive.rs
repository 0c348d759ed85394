//! What comes to a node: calls and their answers, mail, and those who do not belong there.

use agon_core::{Caller, Event, LeagueFact, Origin, RequestId};
use agon_link::CallFault;
use agon_proto::act::Act;
use agon_proto::{Answer, Call, MatchId, Receipt, ReceiptStatus};

use super::mailbox::Mail;
use super::said::Said;
use super::street::Requester;
use super::{Stage, intruder, operator, street};
use crate::audit::Sight;
use crate::report::Sabotage;

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
    fn open(&mut self, node: usize, from: Requester, question: Option<MatchId>) -> RequestId {
        let request = RequestId(self.street.count());
        self.nodes[node].open.insert(request, from);
        self.scene.audit.see(&Sight::Opened { node, request, question });
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
            let recorded = Answer::Receipt(Receipt { status, match_id });
            self.scene.soon(1_000, move |stage| stage.conclude(call, Ok(recorded)));
        }
    }

    /// A call is over, one way or the other. Only the first outcome counts.
    pub(super) fn conclude(&mut self, call: usize, outcome: Result<Answer, CallFault>) {
        let Some(open) = self.street.calls[call].take() else {
            return;
        };
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

    /// Somebody from outside calls a node, who waits for no answer.
    fn visit(&mut self, to: usize, call: Call) {
        let request = self.open(to, Requester::Nobody, None);
        let called = Event::Called { request, caller: Caller::at_home(Origin::Elsewhere), call };
        self.nodes[to].deliver(called, &mut self.scene);
    }

    /// The operator takes a hand.
    pub(super) fn order(&mut self) {
        if self.nodes[0].is_up()
            && let Some(order) = operator::order(&mut self.scene)
        {
            self.visit(0, order);
        }
    }

    /// A spectator asks the manager or a referee about some match.
    pub(super) fn look(&mut self) {
        let node = self.scene.rng.place(1 + self.script.plan.referees());
        let call = intruder::curiosity(&mut self.scene.rng);
        if self.nodes[node].is_up() {
            self.visit(node, call);
        }
        self.scene.between(200, 8_000, |stage| stage.look());
    }

    /// The rogue takes a hand.
    pub(super) fn intrude(&mut self) {
        self.scene.between(500, 10_000, |stage| stage.intrude());
        let Some((to, said)) = self.street.rogue.recall(&mut self.scene.rng) else { return };
        if let Some(forged) = self.street.rogue.forge(to, &said, &mut self.scene) {
            return self.slip_in(&forged);
        }
        self.scene.tell(|| format!("? → {to}  {} again", said.describe()));
        self.arrive(to, Requester::Nobody, &said);
    }

    /// What is forged is a batch of its own, so that all that comes of it is known.
    fn slip_in(&mut self, forged: &Said) {
        if !self.nodes[0].is_up() {
            return;
        }
        self.scene.tell(|| format!("? → 0  forged {}", forged.describe()));
        let request = self.open(0, Requester::Nobody, None);
        let (mind, now) = (&mut self.nodes[0].mind, self.scene.now);
        mind.handle(forged.event(request, Origin::Elsewhere, now), now);
        if let Some(cast) = mind.of::<LeagueFact>() {
            self.scene.audit.see(&Sight::Forged(&cast.out.facts));
        }
        self.commit(0);
    }
}
