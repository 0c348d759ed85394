//! `league.v2`: its messages, how they are read and written, and how they spell what is said.
//!
//! Spec: docs/protocol/README.md

pub(crate) mod codec;
mod error_code;
mod even_odd;
pub mod message;
mod results;
#[cfg(feature = "schema")]
pub mod schema;
mod spelling;

pub use error_code::ErrorCode;
pub use results::{MatchSummary, PlayedFields, PlayedMatch, PlayedResult};
