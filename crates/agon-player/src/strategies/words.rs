//! What of the games themselves the author of a strategy meets.

pub use super::q21::{BuiltinPlayer, BuiltinReferee};
pub use agon_games::even_odd::{EvenOdd, EvenOddMove, EvenOddView};
pub use agon_proto::message::Parity;
