//! A strategy in any language: a child process that is asked one line of JSON per question.
//!
//! The child dies with the strategy. Its command is split into words: blanks separate, quotes and
//! backslashes join. There is no shell.

mod line;

use std::borrow::Cow;
use std::path::Path;
use std::time::Duration;

use agon_core::{Known, Mishap, MishapKind, Question, What};
use agon_node::{Mind, Thinking};
use agon_proto::Payload;

use crate::child::{ChildTerms, Failure, Launch, Program, Session, with_last_words};

/// The longest line that is read from a child.
const LINE_MAX: usize = 64 * 1024;
/// How many of our last matches a child is told about.
const HISTORY_MAX: usize = 100;
/// So long a child is watched that nobody has asked yet.
const WATCHED: Duration = Duration::from_millis(300);

/// Why a command cannot be split.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadCommand {
    #[error("there is no command after `exec:`")]
    Empty,
    #[error("a quote is opened and never closed")]
    OpenQuote,
    #[error("it ends with a backslash")]
    OpenEscape,
    #[error("there is no program `{0}`; check its name and PATH")]
    NoProgram(String),
}

/// The strategy `exec:<command>`.
pub(crate) struct Exec(Program);

impl Exec {
    /// Nothing is started before the first question.
    pub(crate) fn new(command: &str, terms: &ChildTerms) -> Result<Self, BadCommand> {
        Ok(Self(Program::new(launch(command, terms)?)))
    }
}

impl Mind for Exec {
    fn think(&mut self, question: &Question, known: &Known<'_>) -> Thinking {
        let options = match &question.what {
            What::Move { options, .. } => options.clone(),
            What::Oracle { .. } => Cow::default(),
            // Every line wants an answer, so a child is told what it sees with its next question.
            What::Heard { .. } => return Thinking::Now(Ok(Payload::default())),
        };
        let time = self.0.time(question);
        let line = line::question(question, known, HISTORY_MAX);
        let answer = self.0.ask(line, time, move |said| line::answer(said, &options));
        Thinking::Later(Box::pin(async move { answer.await.map_err(|failure| failure.mishap()) }))
    }
}

/// Starts the program of `exec:<command>` once, to find out before the season whether it can be
/// asked at all. Other strategies always can.
///
/// # Errors
/// In words for its author, when it cannot be started, or ends badly before it is asked anything.
pub async fn try_out(spec: &str, terms: &ChildTerms) -> Result<(), Mishap> {
    let Some(command) = spec.trim().strip_prefix("exec:") else { return Ok(()) };
    let gone = |text: String| Mishap { kind: MishapKind::Gone, text: text.into() };
    let launch = launch(command, terms).map_err(|problem| gone(problem.to_string()))?;
    let failed = |fault| Failure::from(fault).mishap();
    let mut session = Session::start(&launch).map_err(failed)?;
    let ended = session.ends_within(WATCHED).await.filter(|status| !status.success());
    let last_words = session.bury().await;
    let Some(status) = ended else { return Ok(()) };
    let early = format!("it ended ({status}) before it was asked anything");
    Err(gone(with_last_words(early, &last_words)))
}

fn launch(command: &str, terms: &ChildTerms) -> Result<Launch, BadCommand> {
    let (program, arguments) = split(command)?;
    if !is_there(&program) {
        return Err(BadCommand::NoProgram(program));
    }
    let (called, terms) = (command.trim().to_owned(), terms.clone());
    Ok(Launch { program, called, arguments, terms, line_max: LINE_MAX })
}

/// The program and its arguments.
///
/// Splits as a shell does for plain words: `'…'` is literal, in `"…"` and outside of quotes a
/// backslash takes the next character as it is. Nothing is expanded.
fn split(command: &str) -> Result<(String, Vec<String>), BadCommand> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = command.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Some(open), close) if open == close => quote = None,
            (None, '\'' | '"') => {
                quote = Some(character);
                word.get_or_insert_default(); // Even '' is a word.
            }
            (None | Some('"'), '\\') => {
                let literal = characters.next().ok_or(BadCommand::OpenEscape)?;
                word.get_or_insert_default().push(literal);
            }
            (None, blank) if blank.is_whitespace() => words.extend(word.take()),
            (_, other) => word.get_or_insert_default().push(other),
        }
    }
    if quote.is_some() {
        return Err(BadCommand::OpenQuote);
    }
    words.extend(word);
    let mut words = words.into_iter();
    let program = words.next().ok_or(BadCommand::Empty)?;
    Ok((program, words.collect()))
}

/// Whether there is such a program: at that path, or in a folder of PATH.
fn is_there(program: &str) -> bool {
    if program.contains(std::path::MAIN_SEPARATOR) {
        return Path::new(program).is_file();
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).any(|folder| folder.join(program).is_file())
}

#[cfg(test)]
mod tests;
