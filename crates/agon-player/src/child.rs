//! A child process that is asked one line per question: what is common to all who think in one.
//!
//! One question at a time. A child that fails in any way is killed, because a late answer must
//! never be taken for the answer to the next question; the next question starts it again.

mod fault;
mod host;
mod line;
mod patience;
mod session;

pub(crate) use fault::{Fault, excerpt};
pub(crate) use host::{Failure, Host};
pub(crate) use patience::Patience;
#[cfg(test)]
pub(crate) use session::Session;

/// How a child is started, and how much of it is heard.
#[derive(Debug, Clone)]
pub(crate) struct Launch {
    pub(crate) program: String,
    pub(crate) arguments: Vec<String>,
    /// Names of environment variables that are handed down, besides PATH, HOME and LANG.
    pub(crate) env: Vec<String>,
    /// The longest line that is read as an answer.
    pub(crate) line_max: usize,
}
