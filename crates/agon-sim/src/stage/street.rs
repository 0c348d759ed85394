//! The street between the nodes: letters are delayed, lost, doubled and so overtaken.

use std::rc::Rc;
use std::time::Duration;

use agon_core::{Caller, Event, Origin, RequestId};
use agon_link::CallFault;
use agon_proto::{Answer, Call, Envelope, Message, Receipt, ReceiptStatus, frame};

use super::carry::question;
use super::{Happening, Presence, Stage};
use crate::audit::{Sent, Sight};
use crate::report::Sabotage;
use crate::rng::Rng;

/// A call whose outcome its caller still waits for.
pub(super) struct OpenCall {
    pub(super) caller: usize,
    pub(super) life: u32,
    pub(super) to: usize,
    /// What the caller's link knows of it.
    pub(super) sent: Sent,
}

/// A request that came in. Nobody waits for an intruder's.
pub(super) struct OpenRequest {
    pub(super) call: Option<usize>,
    pub(super) first: bool,
}

/// Two nodes that cannot reach each other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Partition {
    nodes: [usize; 2],
    /// Whether letters vanish, or are turned away at once.
    swallows: bool,
}

impl Partition {
    pub(super) fn draw(nodes: usize, rng: &mut Rng) -> Self {
        let one = rng.place(nodes);
        let other = (one + 1 + rng.place(nodes - 1)) % nodes;
        Self { nodes: [one, other], swallows: rng.happens(500) }
    }
}

impl Stage<'_> {
    pub(super) fn part(&mut self, partition: Partition, length: Duration) {
        self.tell(|| format!("{partition:?} for {length:?}"));
        self.partitions.push((partition, self.agenda.now + length));
    }

    fn parted(&self, one: usize, other: usize) -> Option<Partition> {
        let between = [[one, other], [other, one]];
        let mut parted = self.partitions.iter();
        parted
            .find(|(partition, until)| {
                *until > self.agenda.now && between.contains(&partition.nodes)
            })
            .map(|(partition, _)| *partition)
    }

    fn delay(&mut self) -> Duration {
        if self.rng.happens(self.faults.slow) {
            self.tally.delayed += 1;
            return Duration::from_millis(self.rng.between(500, 12_000));
        }
        Duration::from_micros(self.rng.between(50, 50_000))
    }

    /// Makes a call. Whatever becomes of it, the caller waits no longer than `timeout`.
    pub(super) fn call(
        &mut self,
        caller: usize,
        to: usize,
        sent: Sent,
        letter: Rc<Envelope>,
        timeout: Duration,
    ) {
        let call = self.calls.len();
        let life = self.nodes[caller].life;
        self.calls.push(Some(OpenCall { caller, life, to, sent }));
        if self.rng.happens(self.faults.shortage) {
            self.tally.kept_back += 1;
            return self.soon(1_000, Happening::Returns(call, Err(CallFault::Exhausted)));
        }
        self.capture(to, &letter);
        self.tell(|| {
            let kind = letter.message.message_type().name();
            format!("{caller} → {to}  {kind} {}", letter.conversation_id)
        });
        if let Some(digesting) = &mut self.digesting {
            let mut bytes = Vec::new();
            frame::encode_request(0, &letter, &mut bytes);
            digesting.say(caller, to, &bytes);
        }
        self.after(timeout, Happening::Returns(call, Err(CallFault::TimedOut)));
        if let Some(partition) = self.parted(caller, to) {
            if !partition.swallows {
                let away = Err(CallFault::Unreachable);
                self.soon(20_000, Happening::Returns(call, away));
            }
            return;
        }
        let arrives = |letter, first| Happening::Arrives { to, call: Some(call), letter, first };
        if self.rng.happens(self.faults.doubled) {
            self.tally.duplicated += 1;
            let delay = self.delay();
            self.after(delay, arrives(Rc::clone(&letter), false));
        }
        if self.rng.happens(self.faults.lost) {
            self.tally.lost += 1;
            return;
        }
        let delay = self.delay();
        self.after(delay, arrives(letter, true));
    }

    pub(super) fn arrive(
        &mut self,
        to: usize,
        call: Option<usize>,
        letter: &Rc<Envelope>,
        first: bool,
    ) {
        if self.nodes[to].presence != Presence::Up {
            if let Some(call) = call.filter(|_| first) {
                let away = Err(CallFault::Unreachable);
                self.soon(20_000, Happening::Returns(call, away));
            }
            return;
        }
        if let Some(call) = call.filter(|_| self.rng.happens(self.faults.unwell)) {
            if first {
                self.soon(20_000, Happening::Returns(call, Err(CallFault::ServerError)));
            }
            return;
        }
        if let Some(endpoint) = letter.message.registers_at() {
            self.heard(to, endpoint);
        }
        let early = to == 0 && self.sabotage == Sabotage::AcknowledgeEarly;
        if let (Some(call), true, Message::MatchResultReport(said)) = (call, early, &letter.message)
        {
            let recorded = Box::new(Answer::Receipt(Receipt {
                status: ReceiptStatus::Recorded,
                match_id: Some(said.match_id),
            }));
            self.soon(1_000, Happening::Returns(call, Ok(recorded)));
        }
        let origin = if call.is_some() { Origin::Endpoint } else { Origin::Elsewhere };
        let request = self.open_request(to, call, first, question(letter));
        let call = Call::Letter(Box::new(Envelope::clone(letter)));
        let called = Event::Called { request, caller: Caller::at_home(origin), call };
        self.deliver(to, called);
    }

    pub(super) fn open_request(
        &mut self,
        node: usize,
        call: Option<usize>,
        first: bool,
        question: Option<agon_proto::MatchId>,
    ) -> RequestId {
        let number = self.requests.len() as u64;
        let request = RequestId(number);
        self.requests.push(OpenRequest { call, first });
        self.nodes[node].open.push(number);
        let opened = Sight::Opened { node, request, question };
        self.audit.see(&opened);
        request
    }

    /// The answer goes back, and may get lost or be late like any letter.
    pub(super) fn send_back(&mut self, node: usize, call: usize, answer: Answer) {
        let Some(caller) = self.calls[call].as_ref().map(|open| open.caller) else {
            return;
        };
        self.tell(|| format!("{caller} ← {node}  {}", describe(&answer)));
        if let Some(digesting) = &mut self.digesting {
            let mut bytes = Vec::new();
            frame::encode_answer(&frame::RpcId::Number(0), &answer, &mut bytes);
            digesting.say(node, caller, &bytes);
        }
        if self.parted(node, caller).is_some() || self.rng.happens(self.faults.lost) {
            self.tally.lost += 1;
            return;
        }
        let delay = self.delay();
        self.after(delay, Happening::Returns(call, Ok(Box::new(answer))));
    }
}

fn describe(answer: &Answer) -> String {
    match answer {
        Answer::Letter(letter) => letter.message.message_type().name().into(),
        Answer::Receipt(receipt) => format!("{:?}", receipt.status),
        Answer::Tool(_) => "what a tool found".into(),
        Answer::Fault(fault) => fault.message.as_ref().into(),
    }
}
