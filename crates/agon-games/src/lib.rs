//! The games of Agon, a file each, and the interface that they share.
//!
//! A game says whose turn it is, what is legal, who may see what, and what it was worth. It knows
//! no time, no match, no league and no dialect. Outside its own file a move is JSON text, and a
//! game is a [`Rules`] with the [`Position`]s that it opens.

mod acts;
pub mod even_odd;
mod game;
mod list;
pub mod matrix;
mod play;
pub mod q21;

pub use acts::{BadShown, moves_in, write_acts};
pub use game::{
    Described, Failed, Gains, Game, GameInfo, Mismatch, NoWord, Reason, Retraced, Seat, Seats,
    Setting, Step, Turn,
};
pub use list::{BadRules, Position, Rules, Visitor, games};
pub use play::{
    BadMove, BadPayload, DEPTH_MAX, PAYLOAD_MAX, Play, Playing, Taken, VIEW_MAX, depth,
};
