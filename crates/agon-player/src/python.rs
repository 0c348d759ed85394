//! A team's own Python class, in a child process: asked one line of JSON per callback.
//!
//! One callback at a time. Whatever the class does (raise, hang, print, end the process, return
//! rubbish) comes back as a mishap in words for its author. After a time-out or a crash the next
//! callback starts a new process, with a new object.
//!
//! Spec: docs/protocol/q21-callbacks.md

pub(crate) mod callback;
mod mishap;
mod sdk;
mod talk;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use agon_core::{Known, Mishap, Question};
use agon_node::{Mind, Thinking, Thought};
use tokio::time::Instant;
use tracing::warn;

use crate::child::{ChildTerms, Launch, Program, Time};
use crate::strategy::{misplaced, wrong_value};
use callback::{Callback, Method};
use sdk::Sdk;
use talk::Said;

/// The longest line that is read as an answer: twenty questions have much room in it.
const LINE_MAX: usize = 256 * 1024;
/// Starting Python and importing the class may take so long, when it is tried before the season.
const LOADING_MAX: Duration = Duration::from_secs(60);
/// How the first call is named in words for the author, before there is a callback.
const LOADING: &str = "loading it";

/// On which side of the table a program sits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// It asks and guesses.
    Player,
    /// It knows and judges.
    Referee,
}

impl Side {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Player => "player",
            Self::Referee => "referee",
        }
    }
}

/// Thinks by asking a Python class.
pub struct PythonProgram {
    /// As its author wrote it: `my_player.py:MyPlayerAI`.
    spec: Arc<str>,
    program: Program,
    /// The files that the process reads. They go with us.
    _sdk: Sdk,
}

impl PythonProgram {
    /// Takes `my_player.py:MyPlayerAI`, `my_player.py` if it has one fitting class only, or
    /// `package.module:MyPlayerAI`, and the interpreter, found by PATH if it is a bare name.
    /// Nothing is started before the first question.
    ///
    /// # Errors
    /// When there is no room for the few files that Python needs of us.
    pub fn new(side: Side, spec: &str, python: &str, terms: &ChildTerms) -> io::Result<Self> {
        let sdk = Sdk::unpack()?;
        let launch = Launch {
            program: python.into(),
            arguments: vec![sdk.host(), side.as_str().into(), spec.into()],
            env: terms.env.clone(),
            line_max: LINE_MAX,
        };
        Ok(Self { spec: spec.into(), program: Program::new(launch, terms), _sdk: sdk })
    }

    /// Starts the process and loads the class, to find out before the season whether it can.
    ///
    /// # Errors
    /// In words for the author, when it cannot.
    pub async fn check(&self) -> Result<(), Mishap> {
        let time = Time::For(LOADING_MAX);
        self.ask(0, LOADING, talk::greeting(), (time, LOADING_MAX)).await.map(drop)
    }

    /// What the class returned, as JSON.
    fn ask(
        &self,
        number: u64,
        method: &'static str,
        line: Vec<u8>,
        (time, limit): (Time, Duration),
    ) -> impl Future<Output = Result<String, Mishap>> + Send + 'static {
        let name = self.program.name().to_owned();
        let said = self.program.ask(line, time, move |said| talk::read(number, said));
        async move {
            match said.await {
                Ok(Said::Value(json)) => Ok(json),
                Ok(Said::Problem { kind, text }) => Err(mishap::told(kind, &text, method)),
                Err(trouble) => Err(mishap::of(&trouble, method, &name, limit)),
            }
        }
    }
}

impl Mind for PythonProgram {
    fn think(&mut self, question: &Question, known: &Known<'_>) -> Thinking {
        let time = self.program.time(question);
        let limit = match time {
            Time::For(limit) => limit,
            Time::Until(until) => until.saturating_duration_since(Instant::now()),
        };
        let Some(callback) = Callback::of(question, known, limit) else {
            return Thinking::Now(Err(misplaced(question)));
        };
        let line = talk::call(&callback);
        let Callback { number, game, method, .. } = callback;
        let answer = self.ask(number, method.name(), line, (time, limit));
        let spec = self.spec.clone();
        Thinking::Later(Box::pin(
            async move { read(&method, &answer.await?, (&spec, game.as_str())) },
        ))
    }
}

fn read(method: &Method, json: &str, (spec, game): (&str, &str)) -> Thought {
    let name = method.name();
    let heard = callback::read(method, json.as_bytes()).map_err(|complaint| {
        let named = complaint.contains(name);
        wrong_value(if named { complaint } else { format!("{name}: {complaint}") })
    })?;
    for remark in &heard.remarks {
        warn!(game, method = name, "to the author of {spec}: {remark}");
    }
    heard.advice.payload()
}

#[cfg(test)]
mod tests;
