//! The corridor of Agon: the loop, clock, links and configuration that join the rooms.
//!
//! A message walks through here once, in one direction: `inbox` → `inbound` → the role → `ledger` →
//! `outbound`. The loop in `drive` awaits the disk and never a peer.

mod ask;
pub mod clock;
pub mod config;
mod dice;
mod doors;
mod drive;
pub mod failpoint;
pub mod herald;
mod inbound;
mod inbox;
mod ledger;
mod letters;
#[cfg_attr(not(feature = "mail"), path = "no_mail.rs")]
mod mailroom;
mod meters;
mod mind;
mod node;
mod outbound;
mod papers;
#[cfg(feature = "store")]
mod reading;
mod recorder;
mod street;
mod terms;
mod thoughts;

pub use ask::{AskError, Asked, ask};
pub use dice::Dice;
pub use doors::Render;
pub use drive::Until;
pub use ledger::Ledger;
pub use mailroom::MailUse;
#[cfg(feature = "mail")]
pub use mailroom::open_mail;
pub use meters::rendered_meters;
pub use mind::{Mind, Mindless, Thinking, Thought};
pub use node::{LetterUse, Node, NodeError, Role, Witness};
pub use papers::{Papers, PapersError, trust};
#[cfg(feature = "store")]
pub use reading::ReadingRoom;
pub use street::{Street, StreetError};
pub use terms::{
    letter_profile, player_times, profile, q21_settings, random_nonce, random_secret,
    referee_settings, settings,
};
