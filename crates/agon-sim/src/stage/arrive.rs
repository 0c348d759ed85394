//! What comes to a node: calls and their answers, mail, and those who do not belong there.

use agon_core::{Caller, Event, Origin};
use agon_link::CallFault;
use agon_proto::{Answer, Call, Message, Receipt, ReceiptStatus};

use super::intruder::{self, Deed};
use super::said::Said;
use super::street::Requester;
use super::{Happening, Stage};
use crate::audit::Sight;
use crate::cast::Mind;
use crate::report::Sabotage;

impl Stage<'_> {
    pub(super) fn arrive(&mut self, to: usize, from: Requester, said: &Said) {
        if !self.nodes[to].is_up() {
            return self.street.turn_away(from, CallFault::Unreachable, &mut self.scene);
        }
        let is_called = matches!(from, Requester::Caller { .. });
        if is_called && self.scene.rng.happens(self.scene.faults.unwell) {
            return self.street.turn_away(from, CallFault::ServerError, &mut self.scene);
        }
        if let Some(endpoint) = said.registers_at() {
            self.links(to).heard(&endpoint);
        }
        self.acknowledge_early(to, from, said);
        let origin = if is_called { Origin::Endpoint } else { Origin::Elsewhere };
        let (node, scene) = (&mut self.nodes[to], &mut self.scene);
        let request = self.street.open_request(node, from, said.question(), scene);
        node.deliver(said.event(request, origin, scene.now), scene);
    }

    /// A stage that must be found out answers for the manager.
    fn acknowledge_early(&mut self, to: usize, from: Requester, said: &Said) {
        if to == 0
            && self.scene.sabotage == Sabotage::AcknowledgeEarly
            && let Said::Message(message) = said
            && let Message::MatchResultReport(report) = &message.message
            && let Requester::Caller { call, .. } = from
        {
            let (status, match_id) = (ReceiptStatus::Recorded, Some(report.match_id));
            let recorded = Box::new(Answer::Receipt(Receipt { status, match_id }));
            self.scene.soon(1_000, Happening::Returns(call, Ok(recorded)));
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

    /// A node looks into its mailbox.
    pub(super) fn read_mail(&mut self, node: usize) {
        let (home, scene) = (&mut self.nodes[node], &mut self.scene);
        let Some(mailbox) = &mut home.mailbox else { return };
        for (number, mail) in mailbox.look(scene.now) {
            if scene.sabotage == Sabotage::ReadBeforeDurable
                && let Some(mailbox) = &mut home.mailbox
            {
                mailbox.mark_read(number);
            }
            let from = Requester::Mail(number);
            let request = self.street.open_request(home, from, None, scene);
            home.inbox.push((mail.event(request), scene.now));
        }
        self.work(node);
    }

    /// Somebody from outside calls a node, who waits for no answer.
    pub(super) fn visit(&mut self, to: usize, call: Call) {
        let (node, scene) = (&mut self.nodes[to], &mut self.scene);
        let request = self.street.open_request(node, Requester::Nobody, None, scene);
        let caller = Caller::at_home(Origin::Elsewhere);
        node.deliver(Event::Called { request, caller, call }, scene);
    }

    /// A spectator asks the manager or a referee about some match.
    pub(super) fn look(&mut self) {
        let node = self.scene.rng.place(1 + self.script.plan.referees.len());
        let call = intruder::curiosity(&mut self.scene.rng);
        if self.nodes[node].is_up() {
            self.visit(node, call);
        }
        self.scene.between(200, 8_000, Happening::Looks);
    }

    pub(super) fn intrude(&mut self) {
        self.scene.between(500, 10_000, Happening::Intrudes);
        match self.street.rogue.intrude(&mut self.scene) {
            None => {}
            Some(Deed::Repeat(to, said)) => {
                self.scene.tell(|| format!("? → {to}  {} again", said.describe()));
                self.arrive(to, Requester::Nobody, &said);
            }
            Some(Deed::Forge(said)) => self.slip_in(&said),
        }
    }

    /// What is forged is a batch of its own, so that all that comes of it is known.
    fn slip_in(&mut self, forged: &Said) {
        let (node, scene) = (&mut self.nodes[0], &mut self.scene);
        if !node.is_up() {
            return;
        }
        scene.tell(|| format!("? → 0  forged {}", forged.describe()));
        let request = self.street.open_request(node, Requester::Nobody, None, scene);
        node.mind.handle(forged.event(request, Origin::Elsewhere, scene.now), scene.now);
        if let Mind::Manager(cast) = &node.mind {
            scene.audit.see(&Sight::Forged(&cast.out.facts));
        }
        self.commit(0);
    }
}
