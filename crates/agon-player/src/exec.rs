//! A strategy in any language: a child process that is asked one line of JSON per question.
//!
//! One question at a time. A child that fails in any way is killed, because a late answer must
//! never be taken for the answer to the next question; the next question starts it again. The
//! child dies with the strategy.

mod child;
mod fault;
mod host;
mod letter;
mod line;
mod words;

use std::sync::Arc;
use std::time::Duration;

use agon_node::clock::Clock;
use agon_proto::Timestamp;
use tokio::sync::{Mutex, watch};
use tokio::time::Instant;

use crate::{Decision, Situation, Strategy};
use host::Host;
pub use words::BadCommand;

/// What holds for a child process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExecTerms {
    /// The longest time for one question, however long the referee would wait.
    pub limit: Duration,
    /// What is kept back from the deadline for the way to the referee.
    pub margin: Duration,
    /// So many failures in a row are each followed by a fresh start without a wait.
    pub restarts: u32,
    /// The wait before the start after that; it doubles with every further failure.
    pub pause: Duration,
    /// The longest wait before a start.
    pub pause_max: Duration,
    /// How many of our last matches the child is told about.
    pub history_max: usize,
    /// Names of environment variables that are handed down, besides PATH, HOME and LANG.
    pub env: Vec<String>,
}

impl Default for ExecTerms {
    fn default() -> Self {
        Self {
            limit: Duration::from_secs(25),
            margin: Duration::from_secs(1),
            restarts: 3,
            pause: Duration::from_secs(1),
            pause_max: Duration::from_secs(60),
            history_max: 100,
            env: Vec::new(),
        }
    }
}

impl ExecTerms {
    /// How long the child may think.
    ///
    /// A short step gives up half of its time at most. A deadline that has passed before the
    /// question came says more about the two clocks than about the time left, and is not believed.
    fn budget(&self, deadline: Timestamp, now: Timestamp) -> Duration {
        let left = deadline.since(now);
        if left.is_zero() {
            return self.limit;
        }
        left.saturating_sub(self.margin).max(left / 2).min(self.limit)
    }

    /// How long to wait before the next start after so many failures in a row.
    fn pause_after(&self, failures: u32) -> Duration {
        match failures.saturating_sub(self.restarts) {
            0 => Duration::ZERO,
            beyond => {
                let factor = 2_u32.saturating_pow(beyond - 1);
                self.pause.saturating_mul(factor).min(self.pause_max)
            }
        }
    }
}

/// The strategy `exec:<command>`.
pub(crate) struct Exec {
    terms: Arc<ExecTerms>,
    clock: Clock,
    host: Arc<Mutex<Host>>,
    /// Its end tells thoughts under way that nobody wants them any more.
    alive: watch::Sender<()>,
}

impl Exec {
    /// Nothing is started before the first question.
    pub(crate) fn new(command: &str, terms: ExecTerms) -> Result<Self, BadCommand> {
        let terms = Arc::new(terms);
        let host = Host::new(words::split(command)?, terms.clone());
        Ok(Self {
            terms,
            clock: Clock::start(),
            host: Arc::new(Mutex::new(host)),
            alive: watch::Sender::new(()),
        })
    }
}

impl Strategy for Exec {
    fn choose(&mut self, situation: &Situation<'_>) -> Decision {
        let question = situation.question;
        let match_id = question.match_id;
        let budget = self.terms.budget(question.deadline, self.clock.now());
        let until = Instant::now() + budget;
        let line = letter::question(situation, self.terms.history_max);
        let (host, mut ended) = (self.host.clone(), self.alive.subscribe());
        Decision::Later(Box::pin(async move {
            tokio::select! {
                biased;
                _ = ended.changed() => None,
                choice = host::ask(&host, match_id, &line, until) => choice,
            }
        }))
    }
}

#[cfg(test)]
mod tests;
