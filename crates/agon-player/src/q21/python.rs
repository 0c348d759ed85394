//! A team's own Python class, in a child process: asked one line of JSON per callback.
//!
//! One callback at a time, each with its own limit. Whatever the class does (raise, hang, print,
//! end the process, return rubbish) comes back as a mishap in words for its author. After a
//! time-out or a crash the next callback starts a new process, with a new object.
//!
//! Spec: docs/protocol/q21-callbacks.md

mod mishap;
mod sdk;
mod talk;
mod terms;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use agon_proto::q21::callback::{Advice, Consultation, Mishap, Query};
use tokio::sync::{Mutex, watch};
use tokio::time::Instant;
use tracing::warn;

use super::{Advisor, Side, Thought};
use crate::child::{Host, Launch};
use sdk::Sdk;
use talk::Said;
pub use terms::{Limits, PythonTerms};

/// The longest line that is read as an answer: twenty questions have much room in it.
const LINE_MAX: usize = 256 * 1024;
/// How the first call is named in words for the author, before there is a callback.
const LOADING: &str = "loading it";

/// Thinks by asking a Python class.
pub struct PythonAdvisor {
    program: Arc<Program>,
    limits: Limits,
    /// Its end tells thoughts under way that nobody wants them any more.
    alive: watch::Sender<()>,
}

/// The class, and the process that it runs in.
struct Program {
    /// As its author wrote it: `my_player.py:MyPlayerAI`.
    spec: Box<str>,
    host: Mutex<Host>,
    /// The files that the process reads. They go with us.
    _sdk: Sdk,
}

impl PythonAdvisor {
    /// Takes `my_player.py:MyPlayerAI`, `my_player.py` if it has one fitting class only, or
    /// `package.module:MyPlayerAI`. Nothing is started before the first question.
    ///
    /// # Errors
    /// When there is no room for the few files that Python needs of us.
    pub fn new(side: Side, spec: &str, terms: PythonTerms) -> io::Result<Self> {
        let sdk = Sdk::unpack()?;
        let launch = Launch {
            program: terms.python.clone(),
            arguments: vec![sdk.host(), side.as_str().into(), spec.into()],
            env: terms.env.clone(),
            line_max: LINE_MAX,
        };
        let host = Mutex::new(Host::new(launch, terms.patience()));
        let program = Arc::new(Program { spec: spec.into(), host, _sdk: sdk });
        Ok(Self { program, limits: terms.limits, alive: watch::Sender::new(()) })
    }

    /// Starts the process and loads the class, to find out before the season whether it can.
    ///
    /// # Errors
    /// In words for the author, when it cannot.
    pub async fn check(&self) -> Result<(), Mishap> {
        let line = talk::greeting();
        self.program.ask(0, LOADING, &line, self.limits.loading).await.map(drop)
    }
}

impl Advisor for PythonAdvisor {
    fn advise(&self, consultation: &Consultation) -> Thought {
        let limit = self.limits.of(&consultation.query);
        let (number, query) = (consultation.number, consultation.query.clone());
        let (game, line) = (consultation.game.clone(), talk::call(consultation, limit));
        let (program, mut ended) = (self.program.clone(), self.alive.subscribe());
        Box::pin(async move {
            let answer = tokio::select! {
                biased;
                _ = ended.changed() => return Err(mishap::unwanted()),
                answer = program.ask(number, query.method(), &line, limit) => answer?,
            };
            program.read(&query, &answer, game.as_str())
        })
    }
}

impl Program {
    /// Asks once the process is free; the limit counts from there. What it returned, as JSON.
    async fn ask(
        &self,
        number: u64,
        method: &str,
        line: &[u8],
        limit: Duration,
    ) -> Result<String, Mishap> {
        let mut host = self.host.lock().await;
        let until = Instant::now() + limit;
        if !host.rest(until).await {
            return Err(mishap::resting());
        }
        match host.ask(line, until, |said| talk::read(number, said)).await {
            Ok(Said::Value(json)) => Ok(json),
            Ok(Said::Problem { kind, text }) => Err(mishap::told(kind, &text, method)),
            Err(failure) => Err(mishap::of(&failure, method, host.program(), limit)),
        }
    }

    fn read(&self, query: &Query, json: &str, game: &str) -> Result<Advice, Mishap> {
        let heard = agon_proto::q21::callback::read(query, json.as_bytes());
        let heard = heard.map_err(mishap::wrong_value)?;
        for remark in &heard.remarks {
            warn!(game, method = query.method(), "to the author of {}: {remark}", self.spec);
        }
        Ok(heard.advice)
    }
}

#[cfg(test)]
mod tests;
