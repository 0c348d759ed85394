//! How an agent's life ends, for whoever started it.
//!
//! Spec: docs/protocol/registration.md

/// How an agent's life ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// The league is complete.
    LeagueCompleted,
    /// It was not admitted, with the reason.
    NotAdmitted(Box<str>),
    /// Nobody answered where the manager should be, as long as it waited.
    NoManager(Box<str>),
}
