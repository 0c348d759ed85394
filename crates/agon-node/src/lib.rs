//! The loop, clock, links and configuration that join the other crates into a node.
//!
//! A message walks through here once, in one direction: `inbox` → `inbound` → the role → `ledger` →
//! `outbound`. The loop in `drive` awaits the disk and never a peer.

mod alerts;
mod ask;
pub mod clock;
pub mod config;
mod dice;
mod drive;
pub mod failpoint;
mod inbound;
mod inbox;
#[cfg_attr(not(feature = "store"), path = "no_store.rs")]
mod ledger;
mod letters;
mod listener;
#[cfg_attr(not(feature = "mail"), path = "no_mail.rs")]
mod mailroom;
mod message_log;
mod messages;
mod meters;
mod mind;
mod node;
mod outbound;
mod passed;
#[cfg(feature = "store")]
mod read_only;
mod recorder;
mod role_settings;
mod tls_files;

pub use agon_proto::Role;
pub use ask::{AskError, ToolResponse, ask};
pub use dice::{Dice, random_nonce, random_secret};
pub use ledger::Ledger;
pub use letters::{LetterLog, LetterLogEntry};
pub use listener::{Listener, ListenerError};
pub use mailroom::MailUse;
#[cfg(feature = "mail")]
pub use mailroom::open_mail;
pub use message_log::message_log_files;
pub use messages::{MessageReader, is_piece, places as piece_places};
pub use mind::{Mind, Mindless, Thinking, Thought};
pub use node::{LetterUse, Node, NodeError, Until, Witness};
#[cfg(feature = "store")]
pub use read_only::ReadOnlyNode;
pub use role_settings::{
    admission_rules, manager_settings, player_times, profile, referee_settings, settings,
};
pub use tls_files::{TlsFiles, TlsFilesError, trust};
