//! Registering again when the manager does not know our token any more.
//!
//! Somebody else registered in our place, or the operator gave us another token. We show what we
//! have, after pauses that grow, a few times; who is driven out again and again leaves and says so.
//!
//! Spec: docs/protocol/registration.md

use std::time::Duration;

use agon_proto::Timestamp;

/// So often within `WINDOW`.
const REJOINS_MAX: usize = 3;
const WINDOW: Duration = Duration::from_secs(600);

pub(super) const GIVEN_UP: &str = "somebody else uses this agent's name: again and again the \
    manager did not know its token any more, although it registered anew; ask the operator to \
    reset it, and keep its token in a folder (--data)";

/// When we registered again.
#[derive(Debug, Default)]
pub(super) struct Rejoins {
    /// The latest, oldest first.
    times: Vec<Timestamp>,
    /// When that was last granted.
    pub(super) granted_at: Option<Timestamp>,
}

impl Rejoins {
    /// We are in. Only after another time is there anything of ours under way by then.
    pub(super) fn succeeded(&mut self, now: Timestamp) {
        self.granted_at = (!self.times.is_empty()).then_some(now);
    }

    /// One more: how many there were lately. `None`: there were too many.
    pub(super) fn next(&mut self, now: Timestamp) -> Option<u32> {
        self.times.retain(|time| now.since(*time) < WINDOW);
        if self.times.len() >= REJOINS_MAX {
            return None;
        }
        let before = u32::try_from(self.times.len()).unwrap_or(u32::MAX);
        self.times.push(now);
        Some(before)
    }
}
