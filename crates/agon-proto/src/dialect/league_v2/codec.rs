//! `league.v2` as JSON: how an envelope is written, read, and judged when it cannot be read.
//!
//! Writing keeps the spec's order of fields. Reading is one pass over the bytes; only what fails
//! is looked at again, to say precisely what is wrong with it.
//!
//! Spec: docs/protocol/README.md

mod diagnose;
mod read;
mod write;

pub(crate) use diagnose::{fault_of, members, read_envelope, text, text_member};
pub(crate) use write::{Body, Written};
#[cfg(test)]
mod tests;
