//! The wire, as its golden files and its documentation promise it.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod docs;
mod errors;
mod files;
mod golden;
mod properties;
mod q21;
#[cfg(feature = "schema")]
mod schemas;
mod strategies;
