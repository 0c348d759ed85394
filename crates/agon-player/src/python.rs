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
use tempfile::TempDir;
use tokio::time::Instant;
use tracing::warn;

use crate::child::{ChildTerms, Launch, Program, Time};
use crate::strategy::{misplaced, wrong_value};
use callback::Callback;

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
    _sdk: TempDir,
}

impl PythonProgram {
    /// Takes `my_player.py:MyPlayerAI`, `my_player.py` if it has one fitting class only, or
    /// `package.module:MyPlayerAI`, and the interpreter, found by PATH if it is a bare name.
    /// Nothing is started before the first question.
    ///
    /// # Errors
    /// When there is no room for the few files that Python needs of us.
    pub fn new(side: Side, spec: &str, python: &str, terms: &ChildTerms) -> io::Result<Self> {
        let sdk = sdk::unpack()?;
        let host = sdk.path().join(sdk::HOST).to_string_lossy().into_owned();
        let launch = Launch {
            program: python.into(),
            arguments: vec![host, side.as_str().into(), spec.into()],
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
        self.ask(0, LOADING, talk::greeting(), Time::For(LOADING_MAX)).await.map(drop)
    }

    /// What the class returned, as JSON.
    fn ask(
        &self,
        number: u64,
        method: &'static str,
        line: Vec<u8>,
        time: Time,
    ) -> impl Future<Output = Result<String, Mishap>> + Send + 'static {
        let (name, limit) = (self.program.name.clone(), limit(time));
        let said = self.program.ask(line, time, move |said| talk::read(number, said));
        async move {
            match said.await {
                Ok(said) => said.map_err(|problem| mishap::told(problem, method)),
                Err(failure) => Err(mishap::of(&failure, method, &name, limit)),
            }
        }
    }
}

impl Mind for PythonProgram {
    fn think(&mut self, question: &Question, known: &Known<'_>) -> Thinking {
        let time = self.program.time(question);
        let Some(callback) = Callback::of(question, known, limit(time)) else {
            return Thinking::Now(Err(misplaced(question)));
        };
        let line = talk::call(&callback);
        let answer = self.ask(callback.number, callback.method.name, line, time);
        let spec = self.spec.clone();
        Thinking::Later(Box::pin(async move { read(&callback, &answer.await?, &spec) }))
    }
}

fn limit(time: Time) -> Duration {
    time.until().saturating_duration_since(Instant::now())
}

fn read(callback: &Callback, json: &str, spec: &str) -> Thought {
    let (name, game) = (callback.method.name, callback.game.as_str());
    let heard = callback.read(json.as_bytes()).map_err(|complaint| {
        let named = complaint.contains(name);
        wrong_value(if named { complaint } else { format!("{name}: {complaint}") })
    })?;
    for remark in &heard.remarks {
        warn!(game, method = name, "to the author of {spec}: {remark}");
    }
    heard.advice
}

#[cfg(test)]
mod tests;
