//! The games of Agon, a file each, and the interface that they share.
//!
//! A game says whose turn it is, what is legal, who may see what, and what it was worth. It knows
//! no time, no match, no league and no dialect. Outside its own file a move is JSON text, and a
//! game is a [`Rules`] with the [`Position`]s that it opens.

mod bounds;
pub mod even_odd;
mod game;
mod list;
pub mod matrix;
mod play;
pub mod q21;
mod settings;

pub use bounds::{BadPayload, DEPTH_MAX, PAYLOAD_MAX, VIEW_MAX, depth};
pub use game::{
    Described, Gains, Game, Mismatch, NoWord, Reason, Retraced, Seat, Seats, Step, Turn,
};
pub use list::{Position, Rules, Visitor, games};
pub use play::{BadMove, BadShown, Play, Playing, Taken};
pub use settings::{BadRules, Failed, GameInfo, Setting};
