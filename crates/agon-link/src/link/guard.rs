//! The breaker of a link, and the call whose outcome decides over it when it is half open.

use super::calls::Lesson;
use crate::breaker::{Admission, Breaker, BreakerLimits, BreakerState};
use crate::time::Time;

#[derive(Debug)]
pub(super) struct Guard {
    breaker: Breaker,
    probe: Option<u64>,
}

impl Guard {
    pub(super) fn new(limits: BreakerLimits) -> Self {
        Self { breaker: Breaker::new(limits), probe: None }
    }

    /// Whether the call may leave now.
    pub(super) fn admit(&mut self, call: u64, now: Time) -> bool {
        let admission = self.breaker.admit(now);
        self.leaves(call, admission)
    }

    /// The same for a call that leaves in any case.
    pub(super) fn insist(&mut self, call: u64, now: Time) -> bool {
        let admission = self.breaker.insist(now);
        self.leaves(call, admission)
    }

    fn leaves(&mut self, call: u64, admission: Admission) -> bool {
        match admission {
            Admission::Go => true,
            Admission::Probe => {
                self.probe = Some(call);
                true
            }
            Admission::FailFast => false,
        }
    }

    /// Tells the breaker what an attempt taught.
    pub(super) fn learn(&mut self, call: u64, lesson: Lesson, now: Time) {
        let was_probe = self.probe.take_if(|probe| *probe == call).is_some();
        match lesson {
            Lesson::Well => self.breaker.succeeded(),
            // A call that left before the probe knows nothing that the probe will not know better.
            Lesson::Failing if was_probe || self.breaker.state(now) == BreakerState::Closed => {
                self.breaker.failed(now);
            }
            Lesson::Nothing if was_probe => self.breaker.abandoned(),
            Lesson::Failing | Lesson::Nothing => {}
        }
    }

    pub(super) fn heard(&mut self) {
        self.breaker.heard();
    }

    pub(super) fn shut_until(&self) -> Option<Time> {
        self.breaker.shut_until()
    }
}
