//! Deliveries to one peer: what leaves now, what waits, what is tried again, what is given up.
//!
//! Machines without a clock, a socket or a log. They do not know what is delivered: a body and a
//! tag are whatever their user says, and time is a number.

mod breaker;
mod link;

pub use breaker::BreakerLimits;
pub use link::{
    CallFault, Link, LinkAction, LinkLane, LinkSettings, Loss, Replaces, StepFailure, Time,
};
