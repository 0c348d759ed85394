//! Every node's links: the machine that delivers in a real node, bound to the street and to virtual
//! time. All of it dies with the process.

use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use agon_core::{Event, Lane, Noticed, Outgoing, Setback, Tag, Topic};
use agon_link::{CallFault, Link, LinkAction, LinkLane, LinkSettings, StepFailure, Time};
use agon_proto::{Answer, Endpoint, Envelope, Timestamp};

use super::{Happening, Stage, spoil};
use crate::audit::{Delivery, Sent, SentKind, Sight};
use crate::league;

/// A link, and when it wants to be woken.
pub(super) struct Wire {
    link: RealLink,
    due: Option<Time>,
}

type RealLink = Link<Rc<Envelope>, Sent>;
type Actions = Vec<LinkAction<Rc<Envelope>, Sent>>;

impl Wire {
    /// One to each of so many peers.
    pub(super) fn to_all(peers: usize, settings: &Arc<LinkSettings>) -> Vec<Self> {
        let fresh = |_| Self { link: Link::new(Arc::clone(settings)), due: None };
        (0..peers).map(fresh).collect()
    }
}

impl Stage<'_> {
    pub(super) fn post(&mut self, node: usize, outgoing: Outgoing) {
        let Outgoing { to, lane, tag, mut letter } = outgoing;
        spoil::letter(self.sabotage, &mut letter);
        let lane = match lane {
            Lane::Ask { until, last } => LinkLane::Step { until: time(until), last },
            Lane::Once { timeout } => {
                LinkLane::Step { until: time(self.agenda.now + timeout), last: true }
            }
            Lane::Notice(topic) => notice(topic),
            Lane::Report => LinkLane::Report,
        };
        self.submit(node, &to, lane, tag, Rc::from(letter));
    }

    pub(super) fn post_notice(
        &mut self,
        node: usize,
        to: &Endpoint,
        (topic, tag): (Topic, Tag),
        letter: Envelope,
    ) {
        self.submit(node, to, notice(topic), tag, Rc::new(letter));
    }

    fn submit(
        &mut self,
        node: usize,
        to: &Endpoint,
        lane: LinkLane,
        tag: Tag,
        letter: Rc<Envelope>,
    ) {
        self.submitted += 1;
        let kind = match lane {
            LinkLane::Step { .. } => SentKind::Step,
            LinkLane::Notice { .. } => SentKind::News,
            LinkLane::Report | LinkLane::InOrder => SentKind::Report,
        };
        let (peer, sent) = (self.resident(to), Sent { number: self.submitted, kind, tag });
        self.delivers(node, peer, Delivery::Given(sent));
        let lane = spoil::lane(self.sabotage, lane);
        self.use_link(node, peer, |link, now, out| {
            link.submit((sent.number, sent), lane, letter, now, out);
        });
    }

    /// Who lives there. Every endpoint on this stage is somebody's.
    fn resident(&self, endpoint: &Endpoint) -> usize {
        (0..self.nodes.len())
            .find(|node| league::endpoint(*node) == *endpoint)
            .expect("agents name no endpoints but their own")
    }

    /// Lets a link do something, and does what it asks for.
    fn use_link(
        &mut self,
        node: usize,
        peer: usize,
        does: impl FnOnce(&mut RealLink, Time, &mut Actions),
    ) {
        let mut actions = Vec::new();
        does(&mut self.nodes[node].links[peer].link, time(self.agenda.now), &mut actions);
        for action in actions {
            match action {
                LinkAction::Attempt { call, body, timeout } => {
                    self.attempt((node, peer), call, body, timeout);
                }
                LinkAction::Failed { tag, why } => {
                    if why == StepFailure::BreakerOpen {
                        self.tally.failed_fast += 1;
                        self.delivers(node, peer, Delivery::FailedFast);
                    }
                    self.tell(|| format!("{node} → {peer}  in vain: {why:?}"));
                    let (tag, why) = (tag.tag, setback(why));
                    self.deliver(node, Event::Undelivered { tag, why, objection: None });
                }
                LinkAction::Taken { tag } => {
                    self.delivers(node, peer, Delivery::Taken(tag));
                    self.noticed(node, tag, Noticed::Taken);
                }
                LinkAction::Missed { tag } => self.noticed(node, tag, Noticed::Missed),
                LinkAction::Dropped { tag, why } => {
                    self.delivers(node, peer, Delivery::Dropped(tag, why));
                    self.tell(|| format!("{node} → {peer}  dropped: {why:?}"));
                    self.noticed(node, tag, Noticed::GivenUp);
                }
            }
        }
        self.wind_link(node, peer);
    }

    fn attempt(
        &mut self,
        (node, peer): (usize, usize),
        call: u64,
        letter: Rc<Envelope>,
        timeout: Duration,
    ) {
        let Some(sent) = self.nodes[node].links[peer].link.tag(call) else { return };
        if spoil::swallows(self.sabotage, sent) {
            let taken = |link: &mut RealLink, now, out: &mut _| {
                link.finished(call, Ok(()), now, out);
            };
            return self.use_link(node, peer, taken);
        }
        self.delivers(node, peer, Delivery::Tried(sent, self.plan.in_flight_max));
        self.call(node, peer, sent, letter, timeout);
    }

    fn delivers(&mut self, node: usize, peer: usize, what: Delivery) {
        let sight = Sight::Delivers { link: (node, peer), what, at: self.agenda.now };
        self.audit.see(&sight);
    }

    /// Says how it went with news, if anybody waits for that.
    fn noticed(&mut self, node: usize, Sent { tag, .. }: Sent, how: Noticed) {
        if tag != Tag::Notice {
            self.deliver(node, Event::Noticed { tag, how });
        }
    }

    /// Winds the link's alarm clock.
    fn wind_link(&mut self, node: usize, peer: usize) {
        let wire = &mut self.nodes[node].links[peer];
        let due = wire.link.deadline();
        if std::mem::replace(&mut wire.due, due) == due {
            return;
        }
        if let Some(due) = due {
            let life = self.nodes[node].life;
            let wait = due.since(time(self.agenda.now));
            self.after(wait, Happening::Due(node, life, (peer, due)));
        }
    }

    /// A link is woken, unless it wants to be woken at another time by now.
    pub(super) fn due(&mut self, node: usize, (peer, at): (usize, Time)) {
        if self.nodes[node].links[peer].due == Some(at) {
            self.nodes[node].links[peer].due = None;
            self.use_link(node, peer, Link::tick);
        }
    }

    /// A peer has shown that it is alive.
    pub(super) fn heard(&mut self, node: usize, from: &Endpoint) {
        let peer = self.resident(from);
        self.use_link(node, peer, Link::heard);
    }

    /// A call is over, one way or the other. Only the first outcome counts.
    pub(super) fn conclude(&mut self, call: usize, outcome: Result<Answer, CallFault>) {
        let Some(open) = self.calls[call].take() else {
            return;
        };
        let node = open.caller;
        if !self.lives(node, open.life) {
            return;
        }
        let (peer, sent) = (open.to, open.sent);
        let how = outcome.as_ref().map(|_| ()).map_err(|fault| *fault);
        self.delivers(node, peer, Delivery::Came(sent, how));
        if let (Ok(answer), false) = (outcome, sent.tag.is_news()) {
            self.deliver(node, Event::Answered { tag: sent.tag, answer });
        }
        let how = spoil::outcome(self.sabotage, sent, how);
        self.use_link(node, peer, |link, now, out| link.finished(sent.number, how, now, out));
    }
}

/// The time as a link counts it.
fn time(at: Timestamp) -> Time {
    Time::from_micros(at.micros())
}

fn notice(topic: Topic) -> LinkLane {
    match topic {
        Topic::Standings => LinkLane::Notice { replaces: Some("standings") },
        Topic::News => LinkLane::Notice { replaces: None },
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
