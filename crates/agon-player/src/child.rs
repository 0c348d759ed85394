//! A child process that is asked one line per question: the one way in which anybody asks one.
//!
//! One question at a time, though many may wait for it. A child that fails in any way is killed,
//! because a late answer must never be taken for the answer to the next question; the next question
//! starts it again. It dies with us, even while it thinks.

mod fault;
mod session;

pub(crate) use fault::{Failure, Fault, excerpt, with_last_words};
pub(crate) use session::Session;

use std::sync::Arc;
use std::time::Duration;

use agon_core::{Question, What};
use agon_node::clock::Clock;
use serde::Serialize;
use tokio::sync::{Mutex, watch};
use tokio::time::{Instant, sleep_until, timeout_at};
use tracing::debug;

/// What holds for a child process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChildTerms {
    /// What it sees of our environment, besides PATH, HOME and LANG: names of variables, or
    /// `NAME=VALUE`.
    pub env: Vec<String>,
    /// So many failures in a row are each followed by a fresh start without a wait.
    pub restarts: u32,
    /// The wait before the start after that; it doubles with every further failure.
    pub pause: Duration,
    /// The longest wait before a start.
    pub pause_max: Duration,
}

impl Default for ChildTerms {
    fn default() -> Self {
        let (pause, pause_max) = (Duration::from_secs(1), Duration::from_secs(60));
        Self { env: Vec::new(), restarts: 3, pause, pause_max }
    }
}

impl ChildTerms {
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

/// How a child is started, and how much of it is heard.
#[derive(Debug, Clone)]
pub(crate) struct Launch {
    pub(crate) program: String,
    /// What its author calls it.
    pub(crate) called: String,
    pub(crate) arguments: Vec<String>,
    pub(crate) terms: ChildTerms,
    /// The longest line that is read as an answer.
    pub(crate) line_max: usize,
}

/// A child, and those who wait for it.
pub(crate) struct Program {
    pub(crate) name: String,
    host: Arc<Mutex<Host>>,
    clock: Clock,
    /// Its end tells thoughts under way that nobody wants them any more.
    alive: watch::Sender<()>,
}

/// How long a question may take.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Time {
    /// Until somebody waits no longer for the answer.
    Until(Instant),
    /// So long from when the child is free: nobody else waits.
    For(Duration),
}

impl Time {
    /// When it is over, if the child is free now.
    pub(crate) fn until(self) -> Instant {
        match self {
            Self::Until(until) => until,
            Self::For(limit) => Instant::now() + limit,
        }
    }
}

impl Program {
    /// Nothing is started before the first question.
    pub(crate) fn new(launch: Launch) -> Self {
        let name = launch.program.clone();
        let host = Host { launch, session: None, failures: 0, rested_at: Instant::now() };
        let (host, alive) = (Arc::new(Mutex::new(host)), watch::Sender::new(()));
        Self { name, host, clock: Clock::start(), alive }
    }

    /// How long that question may take, as it says itself.
    pub(crate) fn time(&self, question: &Question) -> Time {
        let left = question.until.since(self.clock.now());
        match question.what {
            What::Move { .. } => Time::Until(Instant::now() + left),
            What::Oracle { .. } | What::Heard { .. } => Time::For(left),
        }
    }

    /// Asks once the child is free. What it says is read with `read`; a fault there ends it like
    /// any other.
    pub(crate) fn ask<T: Send + 'static>(
        &self,
        line: Vec<u8>,
        time: Time,
        read: impl Fn(&str) -> Result<T, Fault> + Send + Sync + 'static,
    ) -> impl Future<Output = Result<T, Failure>> + Send + 'static {
        let (host, mut ended) = (self.host.clone(), self.alive.subscribe());
        async move {
            let answered = async {
                let mut host = match time {
                    Time::Until(until) => {
                        timeout_at(until, host.lock()).await.map_err(|_| Fault::Busy)?
                    }
                    Time::For(_) => host.lock().await,
                };
                let until = time.until();
                // A child that keeps failing is not started again at once.
                let rested = timeout_at(until, sleep_until(host.rested_at)).await;
                rested.map_err(|_| Fault::Resting)?;
                host.ask(&line, until, read).await
            };
            tokio::select! {
                biased;
                _ = ended.changed() => Err(Fault::Unwanted.into()),
                answer = answered => answer,
            }
        }
    }
}

/// Who keeps the child: starts it when there is a question, ends it when it fails, and pauses when
/// it keeps failing.
struct Host {
    launch: Launch,
    session: Option<Session>,
    /// Failures since the last answer.
    failures: u32,
    /// Nothing is started before.
    rested_at: Instant,
}

impl Host {
    /// Asks the child. What it says is read with `read`; a fault there ends it like any other.
    async fn ask<T>(
        &mut self,
        question: &[u8],
        until: Instant,
        read: impl Fn(&str) -> Result<T, Fault>,
    ) -> Result<T, Failure> {
        let answered_before = self.session.is_some();
        let mut answer = self.converse(question, until, &read).await;
        if let Err(Failure { fault: Fault::Died(status), .. }) = &answer
            && answered_before
            && status.success()
        {
            // A child may answer once and go. Then this question is for the next one.
            debug!(program = self.launch.program, "the child had ended; starting it");
            answer = self.converse(question, until, &read).await;
        }
        self.failures = if answer.is_ok() { 0 } else { self.failures.saturating_add(1) };
        self.rested_at = Instant::now() + self.launch.terms.pause_after(self.failures);
        answer
    }

    /// The session is in our hands while it is asked and goes back only after an answer: whatever
    /// interrupts us, a child that still owes an answer is never asked again.
    async fn converse<T>(
        &mut self,
        question: &[u8],
        until: Instant,
        read: impl Fn(&str) -> Result<T, Fault>,
    ) -> Result<T, Failure> {
        let asked_at = Instant::now();
        let mut session = match self.session.take() {
            Some(session) => session,
            None => Session::start(&self.launch)?,
        };
        let answer = timeout_at(until, session.ask(question)).await;
        let answer = answer.unwrap_or_else(|_| Err(Fault::TooSlow(asked_at.elapsed())));
        match answer.and_then(|said| read(&said)) {
            Ok(said) => {
                self.session = Some(session);
                Ok(said)
            }
            Err(fault) => Err(Failure { fault, last_words: session.bury().await }),
        }
    }
}

/// A question as one line.
pub(crate) fn line(question: &impl Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(question).expect("text and numbers always fit into JSON");
    line.push(b'\n');
    line
}

#[cfg(test)]
mod tests;
