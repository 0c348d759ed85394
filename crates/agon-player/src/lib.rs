//! The guest room of Agon: all that an outside player needs.
//!
//! A player is a [`Strategy`] of its game and a call of [`play`]. Everything else (registering,
//! answering in time, saying the same thing when asked twice, remembering) is done by the house.
//!
//! Strategies in other languages need none of this: `exec:<command>` asks a child process, one
//! line of JSON per question.

mod chance;
mod child;
mod exec;
mod play;
mod python;
mod strategies;
mod strategy;

pub use chance::Chance;
pub use child::ChildTerms;
pub use exec::{BadCommand, try_out};
pub use play::{Guest, PlayError, play};
pub use python::PythonProgram;
pub use strategies::words::*;
pub use strategies::{UnknownStrategy, names_for, strategy};
pub use strategy::{Decision, Situation, Strategy, typed};

// The words that a strategy meets, so that its author needs no other crate of ours.
pub use agon_core::{Known, Mishap, MishapKind, Question, What};
pub use agon_games::{self as games};
pub use agon_node::config::{Config, ConfigError};
pub use agon_node::{Mind, Thinking};
pub use agon_proto::message::{Record, StandingsRow};
pub use agon_proto::tool::{PlayedMatch, PlayedResult};
pub use agon_proto::{Listed, MatchId, Payload, PlayerId, Timestamp};

#[cfg(test)]
mod tests;
