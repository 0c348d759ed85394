//! A child process that is asked one line per question: what is common to all who think in one.
//!
//! One question at a time. A child that fails in any way is killed, because a late answer must
//! never be taken for the answer to the next question; the next question starts it again.

mod fault;
mod program;
mod session;

pub(crate) use fault::{Failure, Fault, excerpt, with_last_words};
pub(crate) use program::{Program, Time};
pub(crate) use session::Session;

use std::time::Duration;

use serde::Serialize;

/// What holds for a child process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChildTerms {
    /// What it sees of our environment, besides PATH, HOME and LANG: names of variables, or
    /// `NAME=VALUE`.
    pub env: Vec<String>,
    /// So many failures in a row are each followed by a fresh start without a wait.
    pub restarts: u32,
    /// The wait before the start after that; it doubles with every further failure.
    pub pause: Duration,
    /// The longest wait before a start.
    pub pause_max: Duration,
}

impl Default for ChildTerms {
    fn default() -> Self {
        let (pause, pause_max) = (Duration::from_secs(1), Duration::from_secs(60));
        Self { env: Vec::new(), restarts: 3, pause, pause_max }
    }
}

impl ChildTerms {
    /// How long to wait before the next start after so many failures in a row.
    fn pause_after(&self, failures: u32) -> Duration {
        match failures.saturating_sub(self.restarts) {
            0 => Duration::ZERO,
            beyond => {
                let factor = 2_u32.saturating_pow(beyond - 1);
                self.pause.saturating_mul(factor).min(self.pause_max)
            }
        }
    }
}

/// How a child is started, and how much of it is heard.
#[derive(Debug, Clone)]
pub(crate) struct Launch {
    pub(crate) program: String,
    pub(crate) arguments: Vec<String>,
    pub(crate) env: Vec<String>,
    /// The longest line that is read as an answer.
    pub(crate) line_max: usize,
}

/// A question as one line.
pub(crate) fn line(question: &impl Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(question).expect("text and numbers always fit into JSON");
    line.push(b'\n');
    line
}

#[cfg(test)]
mod tests;
