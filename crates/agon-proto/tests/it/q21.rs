//! The letters of a Q21 league: what others send, what we send, and what holds for any of them.

mod dialects;
mod ours;
mod properties;
mod required;
mod strategies;
