//! Deliveries to one peer: what leaves now, what waits, what is tried again, what is given up.
//!
//! Machines without a clock, a socket or a log. They do not know what is delivered: a body and a
//! tag are whatever their user says, and time is a number.

mod backoff;
mod breaker;
mod calls;
mod link;

pub use backoff::Backoff;
pub use breaker::BreakerLimits;
pub use calls::{CallFault, LinkAction, LinkLane, Loss, StepFailure, Time};
pub use link::{Link, LinkSettings};
