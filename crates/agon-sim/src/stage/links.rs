//! Every node's links: the machine that delivers in a real node, bound to the street and to virtual
//! time. All of it dies with the process.

use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use agon_core::letterbox::Parcel;
use agon_core::{Broadcast, Event, Lane, Noticed, Outgoing, Setback, Tag, Topic};
use agon_link::{CallFault, Link, LinkAction, LinkLane, StepFailure, Time};
use agon_proto::{Answer, Endpoint, Timestamp};

use super::Stage;
use super::node::Node;
use super::scene::Scene;
use super::street::{Said, Street};
use crate::audit::{Delivery, Sent, Sight};
use crate::league::Script;

/// A link, and when it wants to be woken.
pub(super) struct Wire {
    link: RealLink,
    due: Option<Time>,
}

type RealLink = Link<Said, Sent>;
type Actions = Vec<LinkAction<Said, Sent>>;

impl Wire {
    /// One to each peer.
    pub(super) fn to_all(script: &Script) -> Vec<Self> {
        let fresh = |_| Self { link: Link::new(Arc::clone(&script.link)), due: None };
        script.plan.nodes.iter().map(fresh).collect()
    }
}

/// The links of one node.
pub(super) struct Links<'s, 'a> {
    pub(super) node: &'s mut Node,
    pub(super) street: &'s mut Street,
    pub(super) scene: &'s mut Scene<'a>,
}

impl Links<'_, '_> {
    pub(super) fn send(&mut self, outgoing: Outgoing) {
        let Outgoing { to, lane, tag, mut letter } = outgoing;
        self.scene.sabotage.spoil_message(&mut letter);
        self.submit(&to, self.lane(lane), tag, Said::Message(Rc::from(letter)));
    }

    pub(super) fn broadcast(&mut self, news: &Broadcast) {
        for recipient in &news.recipients {
            let said = Said::Message(Rc::new(news.envelope(recipient)));
            self.submit(&recipient.to, self.lane(Lane::Notice(news.topic)), recipient.tag, said);
        }
    }

    /// A letter goes to each of its addresses, until each has taken it.
    pub(super) fn post(&mut self, parcel: &Rc<Parcel>) {
        for address in &parcel.to {
            let (to, tag) = (Endpoint::new(address.as_str()), Tag::Parcel(parcel.id));
            self.submit(&to, LinkLane::InOrder, tag, Said::Letter(Rc::clone(parcel)));
        }
    }

    /// How a link treats what a role sends.
    fn lane(&self, lane: Lane) -> LinkLane {
        match lane {
            Lane::Ask { until, last } => LinkLane::Step { until: time(until), last },
            Lane::Once { timeout } => {
                LinkLane::Step { until: time(self.scene.now + timeout), last: true }
            }
            Lane::Notice(Topic::Standings) => LinkLane::newest("standings"),
            Lane::Notice(Topic::Warning(of)) => LinkLane::urgent((of.round, of.number)),
            Lane::Notice(Topic::News) => LinkLane::Notice { replaces: None },
            Lane::Report => LinkLane::Report,
        }
    }

    fn submit(&mut self, to: &Endpoint, lane: LinkLane, tag: Tag, said: Said) {
        let (peer, number) = (self.street.resident(to), self.street.count());
        let sent = Sent { number, lane, tag };
        self.delivers(peer, Delivery::Given(sent));
        let lane = self.scene.sabotage.lane(lane);
        self.use_link(peer, |link, now, out| link.submit((number, sent), lane, said, now, out));
    }

    /// Lets a link do something, and does what it asks for.
    fn use_link(&mut self, peer: usize, does: impl FnOnce(&mut RealLink, Time, &mut Actions)) {
        let mut actions = Vec::new();
        does(&mut self.node.links[peer].link, time(self.scene.now), &mut actions);
        let node = self.node.number;
        for action in actions {
            match action {
                LinkAction::Attempt { call, body, timeout } => {
                    self.attempt(peer, call, body, timeout);
                }
                LinkAction::Failed { tag, why } => {
                    if why == StepFailure::BreakerOpen {
                        self.scene.tally.failed_fast += 1;
                        self.delivers(peer, Delivery::FailedFast);
                    }
                    self.scene.tell(|| format!("{node} → {peer}  in vain: {why:?}"));
                    let (tag, why) = (tag.tag, setback(why));
                    let event = Event::Undelivered { tag, why, objection: None };
                    self.node.deliver(event, self.scene);
                }
                LinkAction::Taken { tag } => {
                    self.delivers(peer, Delivery::Taken(tag));
                    self.noticed(tag, Noticed::Taken);
                }
                LinkAction::Missed { tag } => self.noticed(tag, Noticed::Missed),
                LinkAction::Dropped { tag, why } => {
                    self.delivers(peer, Delivery::Dropped(tag, why));
                    self.scene.tell(|| format!("{node} → {peer}  dropped: {why:?}"));
                    self.noticed(tag, Noticed::GivenUp);
                }
            }
        }
        self.wind(peer);
    }

    fn attempt(&mut self, peer: usize, call: u64, said: Said, timeout: Duration) {
        let Some(sent) = self.node.links[peer].link.tag(call) else { return };
        if self.scene.sabotage.swallows(sent) {
            return self.use_link(peer, |link, now, out| link.finished(call, Ok(()), now, out));
        }
        self.delivers(peer, Delivery::Tried(sent));
        self.call(peer, sent, said, timeout);
    }

    fn delivers(&mut self, peer: usize, what: Delivery) {
        let (link, at) = ((self.node.number, peer), self.scene.now);
        self.scene.audit.see(&Sight::Delivers(link, what, at));
    }

    /// Says how it went with what was queued, if anybody waits for that.
    fn noticed(&mut self, Sent { tag, .. }: Sent, how: Noticed) {
        let event = match (tag, how) {
            (Tag::Notice | Tag::RoundOver { .. }, _) => return,
            (Tag::Parcel(_), Noticed::Missed | Noticed::GivenUp) => return,
            (Tag::Parcel(parcel), Noticed::Taken) => Event::Taken(parcel),
            (tag, how) => Event::Noticed { tag, how },
        };
        self.node.deliver(event, self.scene);
    }

    /// Winds the link's alarm clock.
    fn wind(&mut self, peer: usize) {
        let wire = &mut self.node.links[peer];
        let due = wire.link.deadline();
        if std::mem::replace(&mut wire.due, due) == due {
            return;
        }
        if let Some(due) = due {
            let wait = due.since(time(self.scene.now));
            let is_due = move |stage: &mut Stage<'_>, node| stage.links(node).due(peer, due);
            self.scene.after(wait, self.node.alive(is_due));
        }
    }

    /// A link is woken, unless it wants to be woken at another time by now.
    pub(super) fn due(&mut self, peer: usize, at: Time) {
        if self.node.links[peer].due == Some(at) {
            self.node.links[peer].due = None;
            self.use_link(peer, Link::tick);
        }
    }

    /// A peer has shown that it is alive.
    pub(super) fn heard(&mut self, from: &Endpoint) {
        let peer = self.street.resident(from);
        self.use_link(peer, Link::heard);
    }

    /// A call of this node's is over, one way or the other.
    pub(super) fn conclude(&mut self, peer: usize, sent: Sent, outcome: Result<Answer, CallFault>) {
        let how = outcome.as_ref().map(|_| ()).map_err(|fault| *fault);
        self.delivers(peer, Delivery::Came(sent, how));
        // A letter was taken, whatever is said to it.
        let says_moves = matches!(sent.tag, Tag::RoundOver { .. });
        let is_waited_for = says_moves || !sent.tag.is_news() && !sent.is_letter();
        if let (Ok(answer), true) = (outcome, is_waited_for) {
            self.node.deliver(Event::Answered { tag: sent.tag, answer }, self.scene);
        }
        let how = if self.scene.sabotage.loses(sent) { Ok(()) } else { how };
        self.use_link(peer, |link, now, out| link.finished(sent.number, how, now, out));
    }
}

/// The time as a link counts it.
fn time(at: Timestamp) -> Time {
    Time(at.micros())
}

fn setback(why: StepFailure) -> Setback {
    match why {
        StepFailure::BreakerOpen
        | StepFailure::Call(CallFault::Unreachable | CallFault::Broken) => Setback::Unreachable,
        StepFailure::NotSent | StepFailure::Call(CallFault::Exhausted) => Setback::NotSent,
        StepFailure::Call(CallFault::TimedOut) => Setback::TimedOut,
        StepFailure::Call(CallFault::ServerError) => Setback::Malformed,
        StepFailure::Call(CallFault::Oversized) => Setback::Oversized,
    }
}
