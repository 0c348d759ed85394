//! A child that many questions may wait for: the one way in which anybody asks one.
//!
//! It dies with us, even while it thinks.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use agon_core::{MishapKind, Question, What};
use agon_node::clock::Clock;
use tokio::sync::{Mutex, watch};
use tokio::time::{Instant, sleep_until, timeout_at};
use tracing::debug;

use super::{ChildTerms, Failure, Fault, Launch, Session};

/// A child, and those who wait for it.
pub(crate) struct Program {
    name: String,
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

/// Why nothing came of a question.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// The child was busy with other questions all the time.
    Busy,
    /// It failed too often, and is not started again yet.
    Resting,
    /// We are gone.
    Unwanted,
    Failed(Failure),
}

impl Trouble {
    pub(crate) const fn kind(&self) -> MishapKind {
        match self {
            Self::Busy | Self::Failed(Failure { fault: Fault::TooSlow(_), .. }) => {
                MishapKind::TimedOut
            }
            Self::Failed(Failure {
                fault: Fault::TooLong(_) | Fault::Misspoke { .. } | Fault::Unasked(_),
                ..
            }) => MishapKind::WrongValue,
            Self::Resting | Self::Unwanted | Self::Failed(_) => MishapKind::Gone,
        }
    }
}

impl Program {
    /// Nothing is started before the first question.
    pub(crate) fn new(launch: Launch, terms: &ChildTerms) -> Self {
        let name = launch.program.clone();
        let host = Arc::new(Mutex::new(Host::new(launch, terms.clone())));
        Self { name, host, clock: Clock::start(), alive: watch::Sender::new(()) }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
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
    ) -> impl Future<Output = Result<T, Trouble>> + Send + 'static
    where
        T: Send + 'static,
        R: Fn(&str) -> Result<T, Fault> + Send + Sync + 'static,
    {
        let (host, mut ended) = (self.host.clone(), self.alive.subscribe());
        async move {
            tokio::select! {
                biased;
                _ = ended.changed() => Err(Trouble::Unwanted),
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
) -> Result<T, Trouble> {
    let mut host = match time {
        Time::Until(until) => timeout_at(until, host.lock()).await.map_err(|_| Trouble::Busy)?,
        Time::For(_) => host.lock().await,
    };
    let until = match time {
        Time::Until(until) => until,
        Time::For(limit) => Instant::now() + limit,
    };
    if !host.rest(until).await {
        return Err(Trouble::Resting);
    }
    host.ask(line, until, read).await.map_err(Trouble::Failed)
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
    fn new(launch: Launch, terms: ChildTerms) -> Self {
        Self { launch, terms, session: None, failures: 0, rested_at: Instant::now() }
    }

    /// Waits until a child that keeps failing may be started again. False if that takes longer.
    async fn rest(&self, until: Instant) -> bool {
        timeout_at(until, sleep_until(self.rested_at)).await.is_ok()
    }

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
            None => Session::start(&self.launch).map_err(Failure::silent)?,
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
