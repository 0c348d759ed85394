//! Who keeps the child: starts it when there is a question, ends it when it fails, pauses when it
//! keeps failing, and tells its author why.

use std::error::Error;
use std::sync::Arc;

use agon_proto::MatchId;
use agon_proto::message::Parity;
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep_until, timeout_at};
use tracing::{debug, warn};

use super::ExecTerms;
use super::child::Session;
use super::fault::Fault;
use super::words::Words;

pub(super) struct Host {
    words: Words,
    terms: Arc<ExecTerms>,
    session: Option<Session>,
    /// Failures since the last answer.
    failures: u32,
    /// Nothing is started before.
    rested_at: Instant,
}

/// What went wrong, and what the child said last on stderr.
struct Failure {
    fault: Fault,
    last_words: Box<str>,
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Self { fault, last_words: Box::default() }
    }
}

/// Asks the child once it is free. `None` if no choice came of it until then.
pub(super) async fn ask(
    host: &Mutex<Host>,
    match_id: MatchId,
    question: &[u8],
    until: Instant,
) -> Option<Parity> {
    let Ok(mut host) = timeout_at(until, host.lock()).await else {
        warn!(%match_id, "no time was left for this question: the strategy was busy with others");
        return None;
    };
    if timeout_at(until, sleep_until(host.rested_at)).await.is_err() {
        warn!(%match_id, "the strategy failed too often and is not started again yet");
        return None;
    }
    host.ask(match_id, question, until).await
}

impl Host {
    pub(super) fn new(words: Words, terms: Arc<ExecTerms>) -> Self {
        Self { words, terms, session: None, failures: 0, rested_at: Instant::now() }
    }

    async fn ask(&mut self, match_id: MatchId, question: &[u8], until: Instant) -> Option<Parity> {
        let answered_before = self.session.is_some();
        let mut answer = self.converse(question, until).await;
        if let Err(Failure { fault: Fault::Died(status), .. }) = &answer
            && answered_before
            && status.success()
        {
            // A child may answer once and go. Then this question is for the next one.
            debug!(%match_id, program = self.words.program, "the strategy had ended; starting it");
            answer = self.converse(question, until).await;
        }
        match answer {
            Ok(choice) => {
                self.failures = 0;
                Some(choice)
            }
            Err(failure) => {
                self.failed(match_id, &failure);
                None
            }
        }
    }

    /// The session is in our hands while it is asked and goes back only after an answer: whatever
    /// interrupts us, a child that still owes an answer is never asked again.
    async fn converse(&mut self, question: &[u8], until: Instant) -> Result<Parity, Failure> {
        let asked_at = Instant::now();
        let mut session = match self.session.take() {
            Some(session) => session,
            None => Session::start(&self.words, &self.terms.env)?,
        };
        let answer = timeout_at(until, session.ask(question)).await;
        match answer.unwrap_or_else(|_| Err(Fault::TooSlow(asked_at.elapsed()))) {
            Ok(choice) => {
                self.session = Some(session);
                Ok(choice)
            }
            Err(fault) => Err(Failure { fault, last_words: session.bury().await }),
        }
    }

    fn failed(&mut self, match_id: MatchId, failure: &Failure) {
        let Failure { fault, last_words } = failure;
        self.failures = self.failures.saturating_add(1);
        let pause = self.terms.pause_after(self.failures);
        self.rested_at = Instant::now() + pause;
        warn!(
            %match_id,
            program = self.words.program,
            failures = self.failures,
            pause_ms = pause.as_millis(),
            cause = fault.source().map(tracing::field::display),
            %last_words,
            "to the author of this strategy: {fault}"
        );
    }
}
