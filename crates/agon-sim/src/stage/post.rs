//! Every node's postman. A step is tried once; a notice a few times and in order; a report until it
//! is answered. All of it dies with the process.

use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Duration;

use agon_core::{Event, Lane, Noticed, Outgoing, Setback, Tag, Topic};
use agon_proto::{Answer, Endpoint, Envelope};

use super::{Happening, Stage, spoil};
use crate::league;

/// Waits before a failed notice or report is tried again.
const WAITS: [Duration; 3] =
    [Duration::from_secs(2), Duration::from_secs(4), Duration::from_secs(8)];

/// The notices for one peer. The first one is under way, or waits to be tried again.
#[derive(Default)]
pub(super) struct Queue {
    letters: VecDeque<Notice>,
    failures: usize,
}

struct Notice {
    topic: Topic,
    tag: Tag,
    letter: Rc<Envelope>,
}

/// A report that must arrive.
pub(super) struct Owed {
    pub(super) to: usize,
    pub(super) tag: Tag,
    pub(super) letter: Rc<Envelope>,
    pub(super) failures: usize,
}

/// What a call is for its caller's postman.
#[derive(Clone, Copy)]
pub(super) enum Errand {
    Step(Tag),
    Notice,
    Report(Tag, usize),
}

impl Stage<'_> {
    pub(super) fn post(&mut self, node: usize, outgoing: Outgoing) {
        let Outgoing { to, lane, tag, mut letter } = outgoing;
        spoil::letter(self.sabotage, &mut letter);
        if let Lane::Notice(topic) = lane {
            return self.post_notice(node, &to, (topic, tag), *letter);
        }
        let (to, letter) = (self.resident(&to), Rc::from(letter));
        match lane {
            Lane::Ask { until, .. } => {
                let timeout = until.since(self.now);
                self.call(node, to, Errand::Step(tag), letter, timeout);
            }
            Lane::Once { timeout } => self.call(node, to, Errand::Step(tag), letter, timeout),
            Lane::Report | Lane::Notice(_) => {
                let owed = Owed { to, tag, letter, failures: 0 };
                self.send_report(node, owed);
            }
        }
    }

    /// Who lives there. Every endpoint on this stage is somebody's.
    fn resident(&self, endpoint: &Endpoint) -> usize {
        (0..self.nodes.len())
            .find(|node| league::endpoint(*node) == *endpoint)
            .expect("agents name no endpoints but their own")
    }

    pub(super) fn send_report(&mut self, node: usize, owed: Owed) {
        let errand = Errand::Report(owed.tag, owed.failures);
        self.call(node, owed.to, errand, owed.letter, league::CALL);
    }

    pub(super) fn post_notice(
        &mut self,
        node: usize,
        to: &Endpoint,
        (topic, tag): (Topic, Tag),
        letter: Envelope,
    ) {
        let peer = self.resident(to);
        let queue = &mut self.nodes[node].notices[peer];
        let failing = queue.failures > 0;
        let first = queue.letters.front().map(|notice| notice.topic);
        // Old news that was tried in vain.
        if failing && topic == Topic::Standings && first == Some(topic) {
            queue.letters.pop_front();
            queue.failures = 0;
        }
        queue.letters.push_back(Notice { topic, tag, letter: Rc::new(letter) });
        if failing {
            self.noticed(node, tag, Noticed::Missed);
        } else if self.nodes[node].notices[peer].letters.len() == 1 {
            self.send_notice(node, peer);
        }
    }

    /// Says how it went with news, if anybody waits for that.
    fn noticed(&mut self, node: usize, tag: Tag, how: Noticed) {
        if tag != Tag::Notice {
            self.deliver(node, Event::Noticed { tag, how });
        }
    }

    /// Tries the first notice for that peer.
    pub(super) fn send_notice(&mut self, node: usize, peer: usize) {
        let first = self.nodes[node].notices[peer].letters.front();
        if let Some(letter) = first.map(|notice| Rc::clone(&notice.letter)) {
            self.call(node, peer, Errand::Notice, letter, league::CALL);
        }
    }

    /// A call is over, one way or the other. Only the first outcome counts.
    pub(super) fn conclude(&mut self, call: usize, outcome: Result<Answer, Setback>) {
        let Some(open) = self.calls[call].take() else {
            return;
        };
        let node = open.caller;
        if !self.lives(node, open.life) {
            return;
        }
        match (open.errand, outcome) {
            (Errand::Step(tag) | Errand::Report(tag, _), Ok(answer)) => {
                self.deliver(node, Event::Answered { tag, answer });
            }
            (Errand::Step(tag), Err(why)) => {
                self.deliver(node, Event::Undelivered { tag, why, objection: None });
            }
            (Errand::Report(tag, failures), Err(_)) => {
                let wait = WAITS[failures.min(WAITS.len() - 1)];
                let owed = Owed { to: open.to, tag, letter: open.letter, failures: failures + 1 };
                self.after(wait, Happening::Insists(node, open.life, Box::new(owed)));
            }
            (Errand::Notice, outcome) => {
                self.notice_concluded((node, open.life), open.to, outcome.is_ok());
            }
        }
    }

    fn notice_concluded(&mut self, (node, life): (usize, u32), peer: usize, arrived: bool) {
        let queue = &mut self.nodes[node].notices[peer];
        if !arrived && let Some(wait) = WAITS.get(queue.failures) {
            queue.failures += 1;
            let missed: Vec<Tag> = queue.letters.iter().map(|notice| notice.tag).collect();
            for tag in missed {
                self.noticed(node, tag, Noticed::Missed);
            }
            return self.after(*wait, Happening::Reminds(node, life, peer));
        }
        let done = queue.letters.pop_front();
        queue.failures = 0;
        let how = if arrived { Noticed::Taken } else { Noticed::GivenUp };
        if let Some(notice) = done {
            self.noticed(node, notice.tag, how);
        }
        self.send_notice(node, peer);
    }
}
