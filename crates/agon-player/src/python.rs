//! A team's own Python class, in a child process: asked one line of JSON per callback.
//!
//! One callback at a time. Whatever the class does (raise, hang, print, end the process, return
//! rubbish) comes back as a mishap in words for its author. After a time-out or a crash the next
//! callback starts a new process, with a new object.
//!
//! Spec: docs/protocol/q21-callbacks.md

pub(crate) mod callback;
mod talk;

use std::fs;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use agon_core::{Known, Mishap, Question};
use agon_node::{Mind, Role, Thinking, Thought};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::time::Instant;
use tracing::warn;

use crate::child::{ChildTerms, Launch, Program, Time, line};
use crate::strategy::{misplaced, wrong_value};
use callback::Callback;

/// The Python files that belong to us, unpacked for as long as they are needed: the binary works
/// without its repository. The first is the program that runs a class.
const FILES: [(&str, &str); 3] = [
    ("agon_host.py", include_str!("../../../sdk/python/agon_host.py")),
    ("q21_player/__init__.py", include_str!("../../../sdk/python/q21_player/__init__.py")),
    ("q21_referee/__init__.py", include_str!("../../../sdk/python/q21_referee/__init__.py")),
];

/// The longest line that is read as an answer: twenty questions have much room in it.
const LINE_MAX: usize = 256 * 1024;
/// Starting Python and importing the class may take so long, when it is tried before the season.
const LOADING_MAX: Duration = Duration::from_secs(60);
/// How the first call is named in words for the author, before there is a callback.
const LOADING: &str = "loading it";

/// Thinks by asking a Python class.
pub struct PythonProgram {
    /// As its author wrote it: `my_player.py:MyPlayerAI`.
    spec: Arc<str>,
    program: Program,
    /// The files that the process reads. They go with us.
    _sdk: TempDir,
}

impl PythonProgram {
    /// Thinks for a player or for a referee.
    ///
    /// Takes `my_player.py:MyPlayerAI`, `my_player.py` if it has one fitting class only, or
    /// `package.module:MyPlayerAI`, and the interpreter, found by PATH if it is a bare name.
    /// Nothing is started before the first question.
    ///
    /// # Errors
    /// When there is no room for the few files that Python needs of us.
    pub fn new(role: Role, spec: &str, python: &str, terms: &ChildTerms) -> io::Result<Self> {
        let sdk = unpack()?;
        let host = sdk.path().join(FILES[0].0).to_string_lossy().into_owned();
        let launch = Launch {
            program: python.into(),
            called: spec.into(),
            arguments: vec![host, role.word().into(), spec.into()],
            terms: terms.clone(),
            line_max: LINE_MAX,
        };
        Ok(Self { spec: spec.into(), program: Program::new(launch), _sdk: sdk })
    }

    /// Starts the process and loads the class, to find out before the season whether it can.
    ///
    /// # Errors
    /// In words for the author, when it cannot.
    pub async fn check(&self) -> Result<(), Mishap> {
        self.ask(0, None, &json!({}), Time::For(LOADING_MAX)).await.map(drop)
    }

    /// What the class returned, as JSON. Without a method it is loaded, and nothing is called.
    fn ask(
        &self,
        id: u64,
        method: Option<&'static str>,
        ctx: &Value,
        time: Time,
    ) -> impl Future<Output = Result<String, Mishap>> + Send + 'static {
        let (name, limit) = (self.program.name.clone(), limit(time));
        let asked = line(&talk::Call { id, method, ctx });
        let method = method.unwrap_or(LOADING);
        let said = self.program.ask(asked, time, move |said| talk::read(id, method, said));
        async move {
            let failed = |failure| Err(talk::failed(&failure, method, &name, limit));
            said.await.unwrap_or_else(failed)
        }
    }
}

impl Mind for PythonProgram {
    fn think(&mut self, question: &Question, known: &Known<'_>) -> Thinking {
        let time = self.program.time(question);
        let Some(callback) = Callback::of(question, known, limit(time)) else {
            return Thinking::Now(Err(misplaced(question)));
        };
        let Callback { number, method, context, .. } = &callback;
        let answer = self.ask(*number, Some(method.name), context, time);
        let spec = self.spec.clone();
        Thinking::Later(Box::pin(async move { read(&callback, &answer.await?, &spec) }))
    }
}

/// A folder of our own with our files, gone when it is dropped.
fn unpack() -> io::Result<TempDir> {
    let folder = tempfile::Builder::new().prefix("agon-python-").tempdir()?;
    for (name, text) in FILES {
        let path = folder.path().join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, text)?;
    }
    Ok(folder)
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
