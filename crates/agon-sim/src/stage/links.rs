//! Every node's links: the machine that delivers in a real node, bound to the street and to virtual
//! time. All of it dies with the process.

use std::rc::Rc;
use std::sync::Arc;

use agon_core::{Event, Lane, Noticed, Outgoing, Setback, Tag, Topic};
use agon_link::{Action, CallFault, Link, LinkLane, LinkSettings, StepFailure, Time};
use agon_proto::{Answer, Endpoint, Envelope, Timestamp};

use super::{Happening, Stage, spoil};
use crate::league;

/// A link, and when it wants to be woken.
pub(super) struct Wire {
    link: Link<Rc<Envelope>, Tag>,
    due: Option<Time>,
}

type Actions = Vec<Action<Rc<Envelope>, Tag>>;

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
                LinkLane::Step { until: time(self.now + timeout), last: true }
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
        let (peer, call) = (self.resident(to), self.submitted);
        self.use_link(node, peer, |link, now, out| {
            link.submit((call, tag), lane, letter, now, out);
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
        does: impl FnOnce(&mut Link<Rc<Envelope>, Tag>, Time, &mut Actions),
    ) {
        let mut actions = Vec::new();
        does(&mut self.nodes[node].links[peer].link, time(self.now), &mut actions);
        for action in actions {
            match action {
                Action::Attempt { call, body, timeout } => {
                    self.call(node, peer, call, body, timeout);
                }
                Action::Failed { tag, why } => {
                    self.tally.failed_fast += u64::from(why == StepFailure::BreakerOpen);
                    self.tell(|| format!("{node} → {peer}  in vain: {why:?}"));
                    let why = setback(why);
                    self.deliver(node, Event::Undelivered { tag, why, objection: None });
                }
                Action::Taken { tag } => self.noticed(node, tag, Noticed::Taken),
                Action::Missed { tag } => self.noticed(node, tag, Noticed::Missed),
                Action::Dropped { tag, why } => {
                    self.tell(|| format!("{node} → {peer}  dropped: {why:?}"));
                    self.noticed(node, tag, Noticed::GivenUp);
                }
            }
        }
        self.wind_link(node, peer);
    }

    /// Says how it went with news, if anybody waits for that.
    fn noticed(&mut self, node: usize, tag: Tag, how: Noticed) {
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
            let wait = due.since(time(self.now));
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
        let tag = self.nodes[node].links[open.to].link.tag(open.number);
        let how = outcome.as_ref().map(|_| ()).map_err(|fault| *fault);
        if let (Ok(answer), Some(tag)) = (outcome, tag.filter(|tag| !tag.is_news())) {
            self.deliver(node, Event::Answered { tag, answer });
        }
        self.use_link(node, open.to, |link, now, out| link.finished(open.number, how, now, out));
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
