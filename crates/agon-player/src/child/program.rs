//! A child that many questions may wait for: the one way in which anybody asks one.
//!
//! It dies with us, even while it thinks.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use agon_core::{Question, What};
use agon_node::clock::Clock;
use tokio::sync::{Mutex, watch};
use tokio::time::{Instant, sleep_until, timeout_at};
use tracing::debug;

use super::{ChildTerms, Failure, Fault, Launch, Session};

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
    pub(crate) fn new(launch: Launch, terms: &ChildTerms) -> Self {
        let name = launch.program.clone();
        let (terms, rested_at) = (terms.clone(), Instant::now());
        let host = Host { launch, terms, session: None, failures: 0, rested_at };
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
    pub(crate) fn ask<T, R>(
        &self,
        line: Vec<u8>,
        time: Time,
        read: R,
    ) -> impl Future<Output = Result<T, Failure>> + Send + 'static
    where
        T: Send + 'static,
        R: Fn(&str) -> Result<T, Fault> + Send + Sync + 'static,
    {
        let (host, mut ended) = (self.host.clone(), self.alive.subscribe());
        async move {
            tokio::select! {
                biased;
                _ = ended.changed() => Err(Fault::Unwanted.into()),
                answer = ask(&host, &line, time, read) => answer,
            }
        }
    }
}

async fn ask<T>(
    host: &Mutex<Host>,
    line: &[u8],
    time: Time,
    read: impl Fn(&str) -> Result<T, Fault>,
) -> Result<T, Failure> {
    let mut host = match time {
        Time::Until(until) => timeout_at(until, host.lock()).await.map_err(|_| Fault::Busy)?,
        Time::For(_) => host.lock().await,
    };
    let until = time.until();
    // A child that keeps failing is not started again at once.
    timeout_at(until, sleep_until(host.rested_at)).await.map_err(|_| Fault::Resting)?;
    host.ask(line, until, read).await
}

/// Who keeps the child: starts it when there is a question, ends it when it fails, and pauses when
/// it keeps failing.
struct Host {
    launch: Launch,
    terms: ChildTerms,
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
        self.rested_at = Instant::now() + self.terms.pause_after(self.failures);
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
