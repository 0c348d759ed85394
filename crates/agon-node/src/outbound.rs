//! From effects to bytes: letters are encoded once and handed to the peer's link.
//!
//! Every attempt is a task of its own; its outcome comes back through the inbox. Nobody waits here.

mod objection;
mod peer;
mod probe;
mod receipt;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use agon_core::letterbox::Parcel;
use agon_core::{Broadcast, Event, Lane, Noticed, Outgoing, Setback, Tag, Topic};
use agon_link::{CallFault, Link, LinkAction, LinkLane, LinkSettings, StepFailure, Time};
use agon_net::{CallError, Client, HttpAnswer};
use agon_proto::frame::{self, Limits};
use agon_proto::{Endpoint, GameId, MatchId, MessageType, Objection, Timestamp};
use bytes::Bytes;
use tracing::{debug, info};

use crate::alerts::LogThrottle;
use crate::inbox::{Arrival, InboxSender};
use crate::meters::{self, Meters};
use crate::passed::{self, Edge};
pub(crate) use objection::failure;
use peer::Peer;

/// Two calls of one kind differ by less than this: their numbers, times, names.
const LONGER_MAX: usize = 256;

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
    edge: Edge,
    log_throttle: LogThrottle,
}

/// What a call is for.
#[derive(Debug, Clone, Copy)]
struct Purpose {
    tag: Tag,
    /// The message that must answer it, if one must.
    wanted: Option<MessageType>,
    /// What is sent, for people.
    said: &'static str,
    /// The match that it is about.
    match_id: Option<MatchId>,
}

impl Outbound {
    pub(crate) fn new(
        (client, edge): (Client, Edge),
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
            edge,
            log_throttle: LogThrottle::default(),
        }
    }

    /// Sends one letter.
    pub(crate) fn send(&mut self, letter: Outgoing, now: Timestamp) {
        let body = self.framed(|number, out| frame::encode_request(number, &letter.letter, out));
        let wanted = MessageType::of(&letter.letter.act).and_then(MessageType::answer);
        let said = MessageType::name_of(&letter.letter.act);
        let match_id = passed::match_in(&letter.letter);
        let purpose = Purpose { tag: letter.tag, wanted, said, match_id };
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
            let tag = recipient.tag;
            let match_id =
                if let Tag::Announce { match_id, .. } = tag { Some(match_id) } else { None };
            let purpose = Purpose { tag, wanted: None, said, match_id };
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
            let said = parcel.letter.kind.name();
            let match_id = parcel.letter.head.context.game.as_ref().and_then(GameId::match_id);
            let purpose = Purpose { tag, wanted: None, said, match_id };
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
        self.drive(peer, now, |link, out| link.submit(call, lane, body, time(now), out));
    }

    fn peer(&mut self, to: &Endpoint) -> usize {
        if let Some(peer) = self.by_endpoint.get(to) {
            return *peer;
        }
        self.peers.push(Peer::new(to, self.settings.clone()));
        self.by_endpoint.insert(to.clone(), self.peers.len() - 1);
        self.peers.len() - 1
    }

    /// Tells a link something, and carries out what it wants done.
    fn drive(
        &mut self,
        peer: usize,
        now: Timestamp,
        tell: impl FnOnce(&mut Link<Bytes, Purpose>, &mut Vec<LinkAction<Bytes, Purpose>>),
    ) {
        let mut actions = std::mem::take(&mut self.actions);
        tell(&mut self.peers[peer].link, &mut actions);
        self.peers[peer].tell_breaker(&mut self.log_throttle, now);
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
                    let purpose = || self.peers[peer].link.tag(call);
                    let about = || purpose().map_or(("?", None), |it| (it.said, it.match_id));
                    let under_way = self.edge.calls(name, &body, about);
                    let (client, inbox_sender) = (self.client.clone(), self.inbox_sender.clone());
                    tokio::spawn(async move {
                        let result = client.post(&address, body, timeout).await;
                        if let Some(under_way) = under_way {
                            under_way.finished(&result);
                        }
                        inbox_sender.put(Arrival::Outcome { peer, call, result });
                    });
                }
                LinkAction::Failed { tag: purpose @ Purpose { tag, .. }, why } => {
                    if why == StepFailure::BreakerOpen {
                        self.peers[peer].not_called(purpose);
                    }
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
                    if let Some(left_out) = self.log_throttle.line(now) {
                        let (peer, said, why) =
                            (self.peers[peer].name.shown(), tag.said, peer::lost(why));
                        info!(peer, said, why, left_out, "notice dropped");
                    }
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
        self.peers[peer].over(purpose, &result, now);
        if outcome.is_ok() {
            self.peers[peer].answered_at = Some(now);
            if let (Some(purpose), Ok(answer)) = (purpose, result) {
                if receipt::is_plain(purpose.tag, &answer.body) {
                    self.peers[peer].took(purpose.said);
                } else {
                    let event = self.answered(peer, purpose, &answer);
                    self.events.extend(event);
                }
            }
        } else {
            self.objection = self.object(peer, purpose, &result);
            meters.calls_failed.inc();
            debug!(peer = self.peers[peer].name.shown(), ?outcome, "attempt failed");
        }
        self.drive(peer, now, |link, out| link.finished(call, outcome, time(now), out));
        self.objection = None; // Whoever it was about has it now.
    }

    /// The peer is alive: it has just registered.
    pub(crate) fn heard(&mut self, from: &Endpoint, now: Timestamp) {
        if let Some(peer) = self.by_endpoint.get(from).copied() {
            self.drive(peer, now, |link, out| link.heard(time(now), out));
        }
    }

    /// When that peer last answered, and whether it is left alone for now.
    pub(crate) fn standing(&self, of: &Endpoint) -> (Option<Timestamp>, bool) {
        let peer = self.by_endpoint.get(of).map(|place| &self.peers[*place]);
        peer.map_or((None, false), |peer| (peer.answered_at, peer.link.is_given_up_on()))
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
            self.drive(peer, now, |link, out| link.tick(time(now), out));
        }
    }

    /// Whether nothing is under way or waiting.
    pub(crate) fn is_idle(&self) -> bool {
        self.peers.iter().all(|peer| peer.link.is_idle())
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
        Lane::Notice(Topic::Standings) => LinkLane::newest("standings"),
        Lane::Notice(Topic::Warning(of)) => LinkLane::urgent((of.round, of.number)),
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
        (Tag::Notice | Tag::RoundOver { .. }, _) => None,
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
        StepFailure::Call(CallFault::ServerError) => Setback::Unwell,
        StepFailure::Call(CallFault::Oversized) => Setback::Oversized,
    }
}
