//! What must hold for any bytes that come from outside: one module for each fuzz target.
//!
//! A target asserts more than that nothing panics. What was read can be written and read again;
//! what was refused has an answer; a bound is kept exactly. Where two ways lead to the same
//! reading, they must agree.
#![forbid(unsafe_code)]

pub mod acts;
pub mod answer;
pub mod config;
mod depth;
pub mod endpoint;
pub mod envelope;
pub mod exec;
pub mod facts;
pub mod letters;
pub mod pieces;
pub mod proxied;
pub mod request;
pub mod texts;
pub mod vouched;
mod whole;

use agon_proto::Limits;

/// What a node reads by default.
const LIMITS: Limits = Limits { depth_max: 32 };
