//! The corridor of Agon: the loop, clock, links and configuration that join the rooms.
//!
//! A message walks through here once, in one direction: `inbox` → `inbound` → the role → `ledger` →
//! `outbound`. The loop in `drive` awaits the disk and never a peer.

pub mod backoff;
pub mod breaker;
pub mod clock;
pub mod config;
mod dice;
mod doors;
mod drive;
pub mod failpoint;
mod inbound;
mod inbox;
mod ledger;
pub mod link;
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

pub use dice::Dice;
pub use doors::Render;
pub use ledger::Ledger;
pub use mind::{Mind, Mindless, Thought};
pub use node::{Node, NodeError, Role, Witness};
pub use papers::{Papers, PapersError, trust};
#[cfg(feature = "store")]
pub use reading::ReadingRoom;
pub use street::{Street, StreetError};
pub use terms::{player_patience, profile, random_nonce, random_secret, settings};
