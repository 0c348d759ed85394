//! Who keeps the child: starts it when there is a question, ends it when it fails, and pauses when
//! it keeps failing.

use tokio::time::{Instant, sleep_until, timeout_at};
use tracing::debug;

use super::fault::Fault;
use super::session::Session;
use super::{ChildTerms, Launch};

pub(crate) struct Host {
    launch: Launch,
    terms: ChildTerms,
    session: Option<Session>,
    /// Failures since the last answer.
    failures: u32,
    /// Nothing is started before.
    rested_at: Instant,
}

/// What went wrong, and what is known about it.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) fault: Fault,
    /// What the child said last on stderr.
    pub(crate) last_words: Box<str>,
}

impl Host {
    pub(crate) fn new(launch: Launch, terms: ChildTerms) -> Self {
        Self { launch, terms, session: None, failures: 0, rested_at: Instant::now() }
    }

    /// Waits until a child that keeps failing may be started again. False if that takes longer.
    pub(crate) async fn rest(&self, until: Instant) -> bool {
        timeout_at(until, sleep_until(self.rested_at)).await.is_ok()
    }

    /// Asks the child. What it says is read with `read`; a fault there ends it like any other.
    pub(crate) async fn ask<T>(
        &mut self,
        question: &[u8],
        until: Instant,
        read: impl Fn(&str) -> Result<T, Fault>,
    ) -> Result<T, Failure> {
        let answered_before = self.session.is_some();
        let mut answer = self.converse(question, until, &read).await;
        if let Err((Fault::Died(status), _)) = &answer
            && answered_before
            && status.success()
        {
            // A child may answer once and go. Then this question is for the next one.
            debug!(program = self.launch.program, "the child had ended; starting it");
            answer = self.converse(question, until, &read).await;
        }
        match answer {
            Ok(said) => {
                self.failures = 0;
                Ok(said)
            }
            Err((fault, last_words)) => {
                self.failures = self.failures.saturating_add(1);
                let pause = self.terms.pause_after(self.failures);
                self.rested_at = Instant::now() + pause;
                Err(Failure { fault, last_words })
            }
        }
    }

    /// The session is in our hands while it is asked and goes back only after an answer: whatever
    /// interrupts us, a child that still owes an answer is never asked again.
    async fn converse<T>(
        &mut self,
        question: &[u8],
        until: Instant,
        read: impl Fn(&str) -> Result<T, Fault>,
    ) -> Result<T, (Fault, Box<str>)> {
        let asked_at = Instant::now();
        let mut session = match self.session.take() {
            Some(session) => session,
            None => Session::start(&self.launch).map_err(|fault| (fault, Box::default()))?,
        };
        let answer = timeout_at(until, session.ask(question)).await;
        let answer = answer.unwrap_or_else(|_| Err(Fault::TooSlow(asked_at.elapsed())));
        match answer.and_then(|said| read(&said)) {
            Ok(said) => {
                self.session = Some(session);
                Ok(said)
            }
            Err(fault) => Err((fault, session.bury().await)),
        }
    }
}
