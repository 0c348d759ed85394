//! The vocabulary of a Q21 league: letters that travel by mail, or by call.
//!
//! A letter says the same thing whoever spelled it and however it came. Here is how acts are
//! spelled, each field with the names that known generations of agents give it (`codec/wire.rs`
//! explains the table); the codec does the rest.
//!
//! Spec: docs/protocol/q21.md

mod body;
mod codec;
mod game;
mod league;
mod prose;
mod report;
mod spelling;

pub(crate) use body::kind_of;
pub use codec::{
    Claim, Mail, Unreadable, attachment_name, claimed, open_json, open_mail, subject, write,
};
pub use game::{OPTIONS, QUESTIONS};
pub use prose::{GameProse, letter_in};
pub use spelling::{log_callback, log_deadline, log_words};

// What the letters say in the words of every league.
use crate::act::*;
use crate::payload::AsPayload;
use crate::{Claimed, Context, GameId, Heading, Letter, Part, Role, Score, StatedScore};

/// What game messages are marked with.
pub const GAME_PROTOCOL: &str = "Q21G.v1";
