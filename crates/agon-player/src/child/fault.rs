//! What can be wrong with a child, in words for its author.

use std::error::Error;
use std::io;
use std::process::ExitStatus;
use std::time::Duration;

use agon_core::{Mishap, MishapKind};

/// So much of what a child said is repeated in the log.
const EXCERPT_MAX: usize = 200;

/// Why a question brought no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Fault {
    #[error("it could not be started; check the program's name, PATH and its permissions")]
    Start(#[source] io::Error),
    #[error(
        "it gave no answer within {} ms; answer sooner, and flush after every line",
        .0.as_millis()
    )]
    TooSlow(Duration),
    #[error("it ended ({0}) instead of answering; read questions until stdin is closed")]
    Died(ExitStatus),
    #[error("it closed its stdout instead of answering")]
    Silent,
    #[error("its pipe broke")]
    Pipe(#[source] io::Error),
    #[error("its line has more than {0} bytes; an answer is one short line")]
    TooLong(usize),
    #[error("it said `{said}`, which is {wrong}")]
    Misspoke {
        said: Box<str>,
        /// What is wrong with it, and what to write instead.
        wrong: Box<str>,
    },
    #[error(
        "it said `{0}` without being asked; write one line per question to stdout: notes belong \
         to stderr"
    )]
    Unasked(Box<str>),
    #[error("no time was left for this question: it was busy with others")]
    Busy,
    #[error("it failed too often and is not started again yet")]
    Resting,
    #[error("nobody waits for the answer any more")]
    Unwanted,
}

impl Fault {
    pub(crate) const fn kind(&self) -> MishapKind {
        match self {
            Self::Busy | Self::TooSlow(_) => MishapKind::TimedOut,
            Self::TooLong(_) | Self::Misspoke { .. } | Self::Unasked(_) => MishapKind::WrongValue,
            Self::Start(_) | Self::Died(_) | Self::Silent | Self::Pipe(_) => MishapKind::Gone,
            Self::Resting | Self::Unwanted => MishapKind::Gone,
        }
    }

    /// What is wrong, and why.
    pub(crate) fn whole(&self) -> String {
        let cause = self.source().map(|cause| format!(": {cause}")).unwrap_or_default();
        format!("{self}{cause}")
    }
}

/// What went wrong, and what is known about it.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) fault: Fault,
    /// What the child said last on stderr.
    pub(crate) last_words: Box<str>,
}

impl Failure {
    /// As whoever thinks for a role says it.
    pub(crate) fn mishap(&self) -> Mishap {
        let text = with_last_words(self.fault.whole(), &self.last_words);
        Mishap { kind: self.fault.kind(), text: text.into() }
    }
}

/// Of a child that never said anything.
impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Self { fault, last_words: Box::default() }
    }
}

/// The beginning of what a child said, harmless to print.
pub(crate) fn excerpt(text: &str) -> Box<str> {
    let mut printed: String = text.trim().escape_debug().take(EXCERPT_MAX).collect();
    if printed.chars().count() == EXCERPT_MAX {
        printed.push('…');
    }
    printed.into()
}

/// What went wrong, with what the child said last on stderr.
pub(crate) fn with_last_words(text: String, last_words: &str) -> String {
    if last_words.is_empty() {
        return text;
    }
    format!("{text}; it last wrote to stderr: {last_words}")
}
