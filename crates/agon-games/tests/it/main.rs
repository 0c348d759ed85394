//! The tests that every game gets, written once over the list; the figures that some must show.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod acts;
mod bounds;
mod figures;
mod laws;
mod leaks;
mod rules;
mod table;
