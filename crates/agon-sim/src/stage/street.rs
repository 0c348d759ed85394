//! The street between the nodes, and what is said on it: calls are delayed, lost, doubled and so
//! overtaken.

use std::rc::Rc;
use std::time::Duration;

use agon_core::letterbox::Parcel;
use agon_core::{Caller, Event, Origin, Proof, RequestId};
use agon_link::CallFault;
use agon_proto::message::AskedMove;
use agon_proto::{Answer, Call, Endpoint, Envelope, MatchId, MessageType, Timestamp, frame};

use super::Stage;
use super::links::Links;
use super::scene::Scene;
use super::visitors::Rogue;
use crate::audit::Sent;
use crate::league;
use crate::plan::Plan;
use crate::rng::Rng;

pub(super) struct Street {
    pub(super) calls: Vec<Option<OpenCall>>,
    pub(super) partitions: Vec<(Partition, Timestamp)>,
    pub(super) rogue: Rogue,
    /// Where each node can be called.
    endpoints: Vec<Endpoint>,
    /// How many requests and deliveries there were.
    counted: u64,
}

/// A call whose outcome its caller still waits for.
pub(super) struct OpenCall {
    pub(super) caller: usize,
    pub(super) life: u32,
    pub(super) to: usize,
    /// What the caller's link knows of it.
    pub(super) sent: Sent,
}

/// Who made a request, and waits for its answer.
#[derive(Debug, Clone, Copy)]
pub(super) enum Requester {
    /// Whether this is the copy whose connection the caller holds.
    Caller { call: usize, first: bool },
    /// A mail of that number in the box.
    Mail(u64),
    /// Nobody waits for an intruder's.
    Nobody,
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

impl Street {
    pub(super) fn new(plan: &Plan) -> Self {
        Self {
            calls: Vec::with_capacity(1024),
            partitions: Vec::new(),
            rogue: Rogue::new(plan.rogue),
            endpoints: (0..plan.nodes.len()).map(league::endpoint).collect(),
            counted: 0,
        }
    }

    /// Who lives there. Every endpoint on this stage is somebody's.
    pub(super) fn resident(&self, endpoint: &Endpoint) -> usize {
        let resident = self.endpoints.iter().position(|it| it == endpoint);
        resident.expect("agents name no endpoints but their own")
    }

    /// A number for the next request, or for the next thing that is given to a link.
    pub(super) fn count(&mut self) -> u64 {
        self.counted += 1;
        self.counted
    }

    pub(super) fn part(&mut self, partition: Partition, length: Duration, scene: &mut Scene<'_>) {
        scene.tell(|| format!("{partition:?} for {length:?}"));
        self.partitions.push((partition, scene.now + length));
    }

    fn parted(&self, one: usize, other: usize, now: Timestamp) -> Option<Partition> {
        let between = [[one, other], [other, one]];
        let mut parted = self.partitions.iter();
        parted
            .find(|(partition, until)| *until > now && between.contains(&partition.nodes))
            .map(|(partition, _)| *partition)
    }
}

/// What a letter says to whoever gets it: all of it, or it would be written in other words.
pub(super) fn read(Parcel { letter, .. }: &Parcel) -> Box<agon_proto::Letter> {
    let read = letter.read().filter(|it| it.written() == **letter);
    read.expect("a letter of ours can be read").into()
}

/// What one node says to another: a message of a call, or a letter.
#[derive(Clone)]
pub(super) enum Said {
    Message(Rc<Envelope>),
    Letter(Rc<Parcel>),
}

impl Said {
    /// What happens to whoever is called with it.
    pub(super) fn event(&self, request: RequestId, origin: Origin, at: Timestamp) -> Event {
        let caller = Caller::at_home(origin);
        match self {
            Self::Message(message) => {
                let call = Call::Message(Box::new(Envelope::clone(message)));
                Event::Called { request, caller, call }
            }
            Self::Letter(parcel) => {
                let (proof, caller, letter) = (Proof::Token, Some(caller), read(parcel));
                Event::Posted { request, proof, caller, at, letter }
            }
        }
    }

    /// Writes it as it stands on the wire.
    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        match self {
            Self::Message(message) => frame::encode_request(0, message, bytes),
            Self::Letter(parcel) => frame::encode_letter_request(0, &parcel.letter, bytes),
        }
    }

    /// For people.
    pub(super) fn describe(&self) -> String {
        match self {
            Self::Message(message) => {
                format!("{} {}", MessageType::name_of(&message.act), message.head.conversation_id)
            }
            Self::Letter(parcel) => {
                format!("{} {}", parcel.letter.kind.name(), parcel.letter.head.id)
            }
        }
    }

    /// The match that it asks a choice for, if somebody waits for that.
    pub(super) fn question(&self) -> Option<MatchId> {
        let Self::Message(message) = self else { return None };
        AskedMove::of(&message.act).map(|asked| asked.match_id)
    }

    /// The endpoint of somebody who registers: a sign of life.
    pub(super) fn registers_at(&self) -> Option<Endpoint> {
        let Self::Message(message) = self else { return None };
        message.act.registers_at()
    }
}

impl Links<'_, '_> {
    /// Makes a call. Whatever becomes of it, the caller waits no longer than `timeout`.
    pub(super) fn call(&mut self, to: usize, sent: Sent, said: Said, timeout: Duration) {
        let (street, scene) = (&mut *self.street, &mut *self.scene);
        let (caller, life, call) = (self.node.number, self.node.life, street.calls.len());
        street.calls.push(Some(OpenCall { caller, life, to, sent }));
        if scene.rng.happens(scene.faults.shortage) {
            scene.tally.kept_back += 1;
            return scene.soon(1_000, returns(call, CallFault::Exhausted));
        }
        street.rogue.capture(to, &said, scene);
        scene.tell(|| format!("{caller} → {to}  {}", said.describe()));
        scene.say(caller, to, |bytes| said.write(bytes));
        scene.after(timeout, returns(call, CallFault::TimedOut));
        if let Some(partition) = street.parted(caller, to, scene.now) {
            if !partition.swallows {
                scene.soon(20_000, returns(call, CallFault::Unreachable));
            }
            return;
        }
        let arrives = |said: Said, first| {
            let from = Requester::Caller { call, first };
            move |stage: &mut Stage<'_>| stage.arrive(to, from, &said)
        };
        if scene.rng.happens(scene.faults.doubled) {
            scene.tally.duplicated += 1;
            let delay = scene.delay();
            scene.after(delay, arrives(said.clone(), false));
        }
        if scene.rng.happens(scene.faults.lost) {
            scene.tally.lost += 1;
            return;
        }
        let delay = scene.delay();
        scene.after(delay, arrives(said, true));
    }

    /// The answer goes back, and may get lost or be late like any letter.
    pub(super) fn send_back(&mut self, call: usize, answer: Answer) {
        let (node, scene) = (self.node.number, &mut *self.scene);
        let Some(OpenCall { caller, .. }) = self.street.calls[call] else { return };
        scene.tell(|| format!("{caller} ← {node}  {}", describe(&answer)));
        let id = frame::RpcId::Number(0);
        scene.say(node, caller, |bytes| frame::encode_answer(&id, &answer, bytes));
        let parted = self.street.parted(node, caller, scene.now).is_some();
        if parted || scene.rng.happens(scene.faults.lost) {
            scene.tally.lost += 1;
            return;
        }
        let delay = scene.delay();
        scene.after(delay, move |stage| stage.conclude(call, Ok(answer)));
    }
}

/// The request does not get where it should. A copy that nobody holds is just gone.
pub(super) fn turn_away(from: Requester, fault: CallFault, scene: &mut Scene<'_>) {
    if let Requester::Caller { call, first: true } = from {
        scene.soon(20_000, returns(call, fault));
    }
}

/// A call comes to nothing.
fn returns(call: usize, fault: CallFault) -> impl FnOnce(&mut Stage<'_>) {
    move |stage| stage.conclude(call, Err(fault))
}

fn describe(answer: &Answer) -> String {
    match answer {
        Answer::Message(letter) => MessageType::name_of(&letter.act).into(),
        Answer::Receipt(receipt) => format!("{:?}", receipt.status),
        Answer::Tool(_) => "what a tool found".into(),
        Answer::Fault(fault) => fault.message.as_ref().into(),
    }
}
