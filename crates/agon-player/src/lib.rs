//! The guest room of Agon: all that an outside player needs.
//!
//! A player is a [`Strategy`] and a call of [`play`]. Everything else (registering, answering in
//! time, saying the same thing when asked twice, remembering) is done by the house.
//!
//! Strategies in other languages need none of this: `exec:<command>` asks a child process, one
//! line of JSON per question.

mod adaptive;
mod builtin;
mod chance;
mod child;
mod exec;
mod play;
pub mod q21;
mod strategy;
mod thinker;

pub use chance::Chance;
pub use exec::{BadCommand, ExecTerms};
pub use play::{Guest, PlayError, play};
pub use strategy::{Decision, NAMES, Situation, Strategy, UnknownStrategy, strategy};
pub use thinker::Thinker;

// The words that a strategy meets, so that its author needs no other crate of ours.
pub use agon_core::Question;
pub use agon_node::config::{Config, ConfigError};
pub use agon_proto::message::{Parity, Record, StandingsRow};
pub use agon_proto::tool::{PlayedMatch, PlayedResult};
pub use agon_proto::{Listed, MatchId, PlayerId, Timestamp};

#[cfg(test)]
mod testing;
