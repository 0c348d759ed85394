//! A strategy in any language: a child process that is asked one line of JSON per question.
//!
//! The child dies with the strategy.

mod ask;
mod letter;
mod words;

use std::sync::Arc;
use std::time::Duration;

use agon_node::clock::Clock;
use agon_proto::Timestamp;
use tokio::sync::{Mutex, watch};
use tokio::time::Instant;

use crate::child::{Host, Launch, Patience};
use crate::{Decision, Situation, Strategy};
pub use words::BadCommand;
use words::Words;

/// The longest line that is read from a child.
const LINE_MAX: usize = 64 * 1024;

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

    fn launch(&self, words: Words) -> Launch {
        let Words { program, arguments } = words;
        Launch { program, arguments, env: self.env.clone(), line_max: LINE_MAX }
    }

    fn patience(&self) -> Patience {
        Patience { restarts: self.restarts, pause: self.pause, pause_max: self.pause_max }
    }
}

/// The strategy `exec:<command>`.
pub(crate) struct Exec {
    terms: ExecTerms,
    clock: Clock,
    host: Arc<Mutex<Host>>,
    /// Its end tells thoughts under way that nobody wants them any more.
    alive: watch::Sender<()>,
}

impl Exec {
    /// Nothing is started before the first question.
    pub(crate) fn new(command: &str, terms: ExecTerms) -> Result<Self, BadCommand> {
        let launch = terms.launch(words::split(command)?);
        let host = Host::new(launch, terms.patience());
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
                choice = ask::ask(&host, match_id, &line, until) => choice,
            }
        }))
    }
}

#[cfg(test)]
mod tests;
