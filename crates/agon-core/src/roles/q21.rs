//! The agents of a Q21 league: its players and its referees. The league manager is the same one.
//!
//! Spec: docs/protocol/q21.md

pub mod referee;

pub use referee::Referee;
