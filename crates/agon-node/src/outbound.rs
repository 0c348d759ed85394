//! From effects to bytes: letters are encoded once and handed to the peer's link.
//!
//! Every attempt is a task of its own; its outcome comes back through the inbox. Nobody waits here.

mod objection;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use agon_core::letterbox::Parcel;
use agon_core::{Broadcast, Event, Lane, Noticed, Outgoing, Setback, Tag, Topic};
use agon_link::{CallFault, Link, LinkAction, LinkLane, LinkSettings, StepFailure, Time};
use agon_net::{CallError, Client, HttpAnswer};
use agon_proto::frame::{self, Limits};
use agon_proto::{Endpoint, MessageType, Objection, Timestamp};
use bytes::Bytes;
use tracing::{debug, info, warn};

use crate::inbox::{Arrival, InboxSender};
use crate::meters::{self, Meters};
use crate::recorder::Recorder;

/// Two calls of one kind differ by less than this: their numbers, times, names.
const LONGER_MAX: usize = 256;

/// How news is answered nearly always. Nobody waits for what stands there, so it is not read.
const TAKEN: &[u8] = br#"{"jsonrpc":"2.0","result":{"#;

/// All peers of a node, and the calls to them.
pub(crate) struct Outbound {
    client: Client,
    settings: Arc<LinkSettings>,
    inbox_sender: InboxSender,
    limits: Limits,
    peers: Vec<Peer>,
    by_endpoint: HashMap<Endpoint, usize>,
    timers: BTreeSet<(Timestamp, usize)>,
    next: u64,
    /// What is said about the call that has just failed.
    objection: Option<Box<Objection>>,
    /// How long the last call was.
    length: usize,
    actions: Vec<LinkAction<Bytes, Purpose>>,
    /// What came of calls, and the role has yet to hear of.
    pub(crate) events: Vec<Event>,
    /// Keeps a record of every call, if somebody wants one.
    recorder: Option<Arc<Recorder>>,
}

/// What a call is for.
#[derive(Debug, Clone, Copy)]
struct Purpose {
    tag: Tag,
    /// The message that must answer it, if one must.
    wanted: Option<MessageType>,
    /// What is sent, for people.
    said: &'static str,
}

struct Peer {
    name: Endpoint,
    /// `None`: not an address that can be called at all.
    address: Option<agon_net::EndpointUrl>,
    link: Link<Bytes, Purpose>,
    /// The deadline that stands in the index.
    due: Option<Timestamp>,
    /// A letter could not be brought to it, and that was said.
    missed: bool,
}

impl Outbound {
    pub(crate) fn new(
        (client, recorder): (Client, Option<Arc<Recorder>>),
        settings: Arc<LinkSettings>,
        inbox_sender: InboxSender,
        limits: Limits,
    ) -> Self {
        Self {
            client,
            settings,
            inbox_sender,
            limits,
            peers: Vec::new(),
            by_endpoint: HashMap::new(),
            timers: BTreeSet::new(),
            next: 0,
            objection: None,
            length: 0,
            actions: Vec::new(),
            events: Vec::new(),
            recorder,
        }
    }

    /// Sends one letter.
    pub(crate) fn send(&mut self, letter: Outgoing, now: Timestamp) {
        let body = self.framed(|number, out| frame::encode_request(number, &letter.letter, out));
        let wanted = MessageType::of(&letter.letter.act).and_then(MessageType::answer);
        let said = MessageType::name_of(&letter.letter.act);
        let purpose = Purpose { tag: letter.tag, wanted, said };
        self.submit(&letter.to, lane(letter.lane, now), purpose, body, now);
    }

    /// Sends the same news to many: the body is encoded once, each head anew.
    pub(crate) fn broadcast(&mut self, news: &Broadcast, now: Timestamp) {
        let (shared, said) = (frame::encode_body_once(&news.act), MessageType::name_of(&news.act));
        for recipient in &news.recipients {
            let body = self.framed(|number, out| {
                frame::encode_shared_request(
                    number,
                    &news.head,
                    Some(&recipient.auth_token),
                    &shared,
                    out,
                );
            });
            let purpose = Purpose { tag: recipient.tag, wanted: None, said };
            let lane = lane(Lane::Notice(news.topic), now);
            self.submit(&recipient.to, lane, purpose, body, now);
        }
    }

    /// Sends a letter to each of its addresses, until each has taken it.
    pub(crate) fn post(&mut self, parcel: &Parcel, now: Timestamp) {
        for address in &parcel.to {
            let body = self
                .framed(|number, out| frame::encode_letter_request(number, &parcel.letter, out));
            let to = Endpoint::new(address.as_str());
            let tag = Tag::Parcel(parcel.id);
            let purpose = Purpose { tag, wanted: None, said: "a letter" };
            self.submit(&to, LinkLane::InOrder, purpose, body, now);
        }
    }

    /// The bytes of the next call, which `write` writes by its number: where they stay, because a
    /// table for many is long. It is about as long for each of them, so room is made for that.
    fn framed(&mut self, write: impl FnOnce(u64, &mut Vec<u8>)) -> Bytes {
        self.next += 1;
        let mut body = Vec::with_capacity(self.length + LONGER_MAX);
        write(self.next, &mut body);
        self.length = body.len();
        body.into()
    }

    fn submit(
        &mut self,
        to: &Endpoint,
        lane: LinkLane,
        purpose: Purpose,
        body: Bytes,
        now: Timestamp,
    ) {
        let peer = self.peer(to);
        let call = (self.next, purpose);
        self.drive(peer, |link, out| link.submit(call, lane, body, time(now), out));
    }

    fn peer(&mut self, to: &Endpoint) -> usize {
        if let Some(peer) = self.by_endpoint.get(to) {
            return *peer;
        }
        let address = agon_net::EndpointUrl::parse(to.as_str()).ok();
        let link = Link::new(self.settings.clone());
        self.peers.push(Peer { name: to.clone(), address, link, due: None, missed: false });
        self.by_endpoint.insert(to.clone(), self.peers.len() - 1);
        self.peers.len() - 1
    }

    /// Tells a link something, and carries out what it wants done.
    fn drive(
        &mut self,
        peer: usize,
        tell: impl FnOnce(&mut Link<Bytes, Purpose>, &mut Vec<LinkAction<Bytes, Purpose>>),
    ) {
        let mut actions = std::mem::take(&mut self.actions);
        tell(&mut self.peers[peer].link, &mut actions);
        for action in actions.drain(..) {
            match action {
                LinkAction::Attempt { call, body, timeout } => {
                    let Some(address) = self.peers[peer].address.clone() else {
                        let source = "the endpoint is not a URL that can be called".into();
                        let result = Err(CallError::Connect(source));
                        self.inbox_sender.put(Arrival::Outcome { peer, call, result });
                        continue;
                    };
                    let name = &self.peers[peer].name;
                    let started = self.recorder.as_ref().map(|it| it.started(name, &body));
                    let (client, inbox_sender) = (self.client.clone(), self.inbox_sender.clone());
                    tokio::spawn(async move {
                        let result = client.post(&address, body, timeout).await;
                        if let Some(started) = started {
                            started.finished(&result);
                        }
                        inbox_sender.put(Arrival::Outcome { peer, call, result });
                    });
                }
                LinkAction::Failed { tag: Purpose { tag, .. }, why } => {
                    let objection = self.objection.take().or_else(|| objection::to_silence(why));
                    let why = setback(why);
                    debug!(peer = self.peers[peer].name.shown(), ?tag, ?why, "call failed");
                    self.events.push(Event::Undelivered { tag, why, objection });
                }
                LinkAction::Taken { tag } => self.events.extend(noticed(tag, Noticed::Taken)),
                LinkAction::Missed { tag } => self.events.extend(noticed(tag, Noticed::Missed)),
                LinkAction::Dropped { tag, why } => {
                    self.events.extend(noticed(tag, Noticed::GivenUp));
                    meters::BOARD.notices_dropped.inc();
                    info!(peer = self.peers[peer].name.shown(), ?why, "notice dropped");
                }
            }
        }
        self.actions = actions;
        self.index(peer);
    }

    fn index(&mut self, place: usize) {
        let peer = &mut self.peers[place];
        let due = peer.link.deadline().map(|due| Timestamp::from_micros(due.0));
        let before = std::mem::replace(&mut peer.due, due);
        if before != due {
            if let Some(before) = before {
                self.timers.remove(&(before, place));
            }
            if let Some(due) = due {
                self.timers.insert((due, place));
            }
        }
    }

    /// An attempt is over: the link learns of it, and the role hears what it waits for.
    pub(crate) fn finished(
        &mut self,
        (peer, call): (usize, u64),
        result: Result<HttpAnswer, CallError>,
        now: Timestamp,
        meters: &Meters,
    ) {
        meters.calls.inc();
        let outcome = outcome(&result);
        let purpose = self.peers[peer].link.tag(call);
        if matches!(purpose, Some(Purpose { tag: Tag::Parcel(_), .. })) {
            self.peers[peer].say_if_missed(&result);
        }
        if outcome.is_ok() {
            if let (Some(purpose), Ok(answer)) = (purpose, result)
                && !(purpose.tag.is_news() && answer.body.starts_with(TAKEN))
            {
                let event = self.answered(peer, purpose, &answer);
                self.events.extend(event);
            }
        } else {
            self.objection = self.object(peer, purpose, &result);
            meters.calls_failed.inc();
            debug!(peer = self.peers[peer].name.shown(), ?outcome, "attempt failed");
        }
        self.drive(peer, |link, out| link.finished(call, outcome, time(now), out));
        self.objection = None; // Whoever it was about has it now.
    }

    /// The peer is alive: it has just registered.
    pub(crate) fn heard(&mut self, from: &Endpoint, now: Timestamp) {
        if let Some(peer) = self.by_endpoint.get(from).copied() {
            self.drive(peer, |link, out| link.heard(time(now), out));
        }
    }

    pub(crate) fn deadline(&self) -> Option<Timestamp> {
        self.timers.first().map(|(due, _)| *due)
    }

    pub(crate) fn tick(&mut self, now: Timestamp) {
        while let Some((due, peer)) = self.timers.first().copied() {
            if due > now {
                break;
            }
            self.timers.pop_first();
            self.peers[peer].due = None;
            self.drive(peer, |link, out| link.tick(time(now), out));
        }
    }

    /// Whether nothing is under way or waiting.
    pub(crate) fn is_idle(&self) -> bool {
        self.peers.iter().all(|peer| peer.link.is_idle())
    }
}

impl Peer {
    /// Says once that letters to this peer wait, and once that they do not any more.
    fn say_if_missed(&mut self, result: &Result<HttpAnswer, CallError>) {
        if matches!(result, Err(CallError::Exhausted(_))) {
            return; // Our own host's trouble, which is said elsewhere.
        }
        let missed = !matches!(result, Ok(answer) if answer.status < 500);
        if missed != self.missed {
            self.missed = missed;
            let peer = self.name.shown();
            match result {
                Err(error) => warn!(peer, reason = %error, "letters wait: it cannot be reached"),
                Ok(_) if missed => warn!(peer, "letters wait: it cannot take them now"),
                Ok(_) => info!(peer, "reached again"),
            }
        }
    }
}

/// The time as a link counts it.
fn time(at: Timestamp) -> Time {
    Time(at.micros())
}

/// How the link treats what a role sends.
fn lane(lane: Lane, now: Timestamp) -> LinkLane {
    match lane {
        Lane::Ask { until, last } => LinkLane::Step { until: time(until), last },
        Lane::Once { timeout } => LinkLane::Step { until: time(now + timeout), last: true },
        Lane::Notice(Topic::Standings) => LinkLane::Notice { replaces: Some("standings") },
        Lane::Notice(Topic::News) => LinkLane::Notice { replaces: None },
        Lane::Report => LinkLane::Report,
    }
}

/// What the link makes of it. Any HTTP answer below 500 has arrived, whatever it says.
fn outcome(result: &Result<HttpAnswer, CallError>) -> Result<(), CallFault> {
    match result {
        Ok(answer) if answer.status >= 500 => Err(CallFault::ServerError),
        Ok(_) => Ok(()),
        Err(CallError::Timeout) => Err(CallFault::TimedOut),
        Err(CallError::TooLarge { .. }) => Err(CallFault::Oversized),
        Err(CallError::Broken(_)) => Err(CallFault::Broken),
        Err(CallError::Exhausted(_)) => Err(CallFault::Exhausted),
        Err(CallError::Connect(_) | CallError::Forbidden { .. }) => Err(CallFault::Unreachable),
    }
}

/// What the role hears about what was queued, if anybody waits for it.
fn noticed(Purpose { tag, .. }: Purpose, how: Noticed) -> Option<Event> {
    match (tag, how) {
        (Tag::Notice, _) => None,
        (Tag::Parcel(parcel), how) => (how == Noticed::Taken).then_some(Event::Taken(parcel)),
        (tag, how) => Some(Event::Noticed { tag, how }),
    }
}

fn setback(why: StepFailure) -> Setback {
    match why {
        StepFailure::BreakerOpen => Setback::Unreachable,
        StepFailure::NotSent | StepFailure::Call(CallFault::Exhausted) => Setback::NotSent,
        StepFailure::Call(CallFault::TimedOut) => Setback::TimedOut,
        StepFailure::Call(CallFault::Unreachable | CallFault::Broken) => Setback::Unreachable,
        StepFailure::Call(CallFault::ServerError) => Setback::Malformed,
        StepFailure::Call(CallFault::Oversized) => Setback::Oversized,
    }
}
