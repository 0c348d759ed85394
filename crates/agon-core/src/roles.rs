//! The three roles. They differ in rules, not in wiring.

pub mod manager;
pub mod player;
pub mod referee;
