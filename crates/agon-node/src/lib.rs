//! The loop, clock, links and configuration that join the other crates into a node.
//!
//! A message walks through here once, in one direction: `inbox` → `inbound` → the role → `ledger` →
//! `outbound`. The loop in `drive` awaits the disk and never a peer.

mod ask;
pub mod clock;
pub mod config;
mod dice;
mod drive;
pub mod failpoint;
mod inbound;
mod inbox;
mod ledger;
pub mod letter_log;
mod letters;
mod listener;
mod log_throttle;
#[cfg_attr(not(feature = "mail"), path = "no_mail.rs")]
mod mailroom;
mod meters;
mod mind;
#[cfg(not(feature = "store"))]
mod no_store;
mod node;
mod outbound;
#[cfg(feature = "store")]
mod read_only;
mod recorder;
mod role_settings;
mod tls_files;

pub use agon_proto::Role;
pub use ask::{AskError, ToolResponse, ask};
pub use dice::Dice;
pub use drive::Until;
pub use inbox::Render;
pub use ledger::Ledger;
pub use listener::{Listener, ListenerError};
pub use mailroom::MailUse;
#[cfg(feature = "mail")]
pub use mailroom::open_mail;
pub use meters::rendered_meters;
pub use mind::{Mind, Mindless, Thinking, Thought};
pub use node::{LetterUse, Node, NodeError, Witness};
#[cfg(feature = "store")]
pub use read_only::ReadOnlyNode;
pub use role_settings::{
    manager_settings, player_times, profile, random_nonce, random_secret, referee_settings,
    settings,
};
pub use tls_files::{TlsFiles, TlsFilesError, trust};
