//! One peer of a node: how it is called, its link, and when it last answered.

use std::sync::Arc;

use std::time::Duration;

use agon_core::Tag;
use agon_link::{CallFault, Link, LinkSettings, Loss};
use agon_net::{CallError, EndpointUrl, HttpAnswer};
use agon_proto::{Endpoint, ShortText, Timestamp};
use bytes::Bytes;
use tracing::field::display;
use tracing::{debug, info, warn};

use super::{Purpose, objection};
use crate::alerts::LogThrottle;

/// What goes on failing is said again after so long.
const AGAIN: Duration = Duration::from_secs(60);

pub(super) struct Peer {
    pub(super) name: Endpoint,
    /// `None`: not an address that can be called at all.
    pub(super) address: Option<EndpointUrl>,
    pub(super) link: Link<Bytes, Purpose>,
    /// The deadline that stands in the index.
    pub(super) due: Option<Timestamp>,
    /// What must arrive could not be brought to it.
    missed: Option<Missed>,
    /// It is left alone; so many calls were not made for that.
    left_alone: Option<u64>,
    /// Why the last call failed.
    trouble: String,
    /// What it refuses, which was said.
    refuses: Vec<&'static str>,
    /// When it last answered.
    pub(super) answered_at: Option<Timestamp>,
}

/// Since when something fails that must arrive.
struct Missed {
    since: Timestamp,
    said_at: Timestamp,
    tries: u64,
}

impl Peer {
    pub(super) fn new(name: &Endpoint, settings: Arc<LinkSettings>) -> Self {
        Self {
            name: name.clone(),
            address: EndpointUrl::parse(name.as_str()).ok(),
            link: Link::new(settings),
            due: None,
            missed: None,
            left_alone: None,
            trouble: String::new(),
            refuses: Vec::new(),
            answered_at: None,
        }
    }

    /// A call is over. Says once that what must arrive waits, then seldom, and once that it does
    /// not any more.
    pub(super) fn over(
        &mut self,
        purpose: Option<Purpose>,
        result: &Result<HttpAnswer, CallError>,
        now: Timestamp,
    ) {
        if matches!(result, Err(CallError::Exhausted(_))) {
            return; // Our own host's trouble, which is said elsewhere.
        }
        let failed = !matches!(result, Ok(answer) if answer.status < 500);
        if failed {
            self.trouble = objection::reason(result, self.address.as_ref());
        }
        let must_arrive = |tag| matches!(tag, Tag::Report { .. } | Tag::Told | Tag::Parcel(_));
        let Some(Purpose { said, match_id, .. }) = purpose.filter(|it| must_arrive(it.tag)) else {
            return;
        };
        let (peer, match_id) = (self.name.shown(), match_id.map(display));
        match (failed, &mut self.missed) {
            (true, Some(missed)) => {
                missed.tries += 1;
                if now.since(missed.said_at) >= AGAIN {
                    missed.said_at = now;
                    let (tries, for_s) = (missed.tries, now.since(missed.since).as_secs());
                    let reason = &*self.trouble;
                    warn!(peer, said, reason, tries, for_s, "what must arrive still waits");
                }
            }
            (true, none) => {
                *none = Some(Missed { since: now, said_at: now, tries: 1 });
                let reason = &*self.trouble;
                warn!(peer, said, match_id, reason, "what must arrive waits, and is tried again");
            }
            (false, Some(Missed { since, tries, .. })) => {
                let for_s = now.since(*since).as_secs();
                info!(peer, said, match_id, tries, for_s, "reached again: what waited arrives");
                self.missed = None;
            }
            (false, None) => {}
        }
    }

    /// Says when it begins to be left alone, and when that is over.
    pub(super) fn tell_breaker(&mut self, throttle: &mut LogThrottle, now: Timestamp) {
        let alone = self.link.is_given_up_on();
        if alone == self.left_alone.is_some() {
            return;
        }
        let not_called = std::mem::replace(&mut self.left_alone, alone.then_some(0));
        let Some(left_out) = throttle.line(now) else { return };
        let (peer, reason) = (self.name.shown(), &*self.trouble);
        match not_called {
            None => warn!(peer, reason, left_out, "left alone for a while: its calls keep failing"),
            Some(not_called) => info!(peer, not_called, left_out, "called again: it answers"),
        }
    }

    /// A call was not made, because it is left alone. The first is said, the others are counted.
    pub(super) fn not_called(&mut self, Purpose { said, match_id, .. }: Purpose) {
        let Some(count) = &mut self.left_alone else { return };
        *count += 1;
        if *count == 1 {
            let (peer, match_id) = (self.name.shown(), match_id.map(display));
            let reason = &*self.trouble;
            warn!(peer, said, match_id, reason, "not called: it is left alone");
        }
    }

    /// It refused this, or answered nonsense: that is said once for each kind of message.
    pub(super) fn refused(&mut self, said: &'static str, answer: &HttpAnswer, reason: &str) {
        let (peer, text) = (self.name.shown(), "a peer refused this, or answered nonsense");
        let (status, received) = (answer.status, ShortText::received(&answer.body));
        let received = received.as_str();
        if self.refuses.contains(&said) {
            debug!(peer, said, status, reason, received, "{text}");
        } else {
            self.refuses.push(said);
            warn!(peer, said, status, reason, received, "{text}");
        }
    }

    /// It took this.
    pub(super) fn took(&mut self, said: &str) {
        self.refuses.retain(|refused| *refused != said);
    }
}

/// Why news will not be delivered, for people.
pub(super) const fn lost(why: Loss) -> &'static str {
    match why {
        Loss::Replaced => "newer news took its place",
        Loss::QueueFull => "too much news waits for it",
        Loss::GivenUp(CallFault::TimedOut) => "every try failed: it does not answer in time",
        Loss::GivenUp(CallFault::Unreachable) => "every try failed: it cannot be reached",
        Loss::GivenUp(CallFault::Broken) => "every try failed: its answer broke off",
        Loss::GivenUp(CallFault::ServerError) => "every try failed: it says that it is unwell",
        Loss::GivenUp(CallFault::Oversized) => "its answer is larger than is read",
        Loss::GivenUp(CallFault::Exhausted) => "this host could not make another connection",
    }
}
