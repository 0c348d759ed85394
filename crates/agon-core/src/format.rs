//! Formats: who meets whom. A fixture is a pairing on paper, computed, never stored.

pub mod round_robin;

pub use round_robin::RoundRobin;
