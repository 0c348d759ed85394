//! Mail as a transport: bytes with an address, by SMTP and IMAP.
//!
//! - A [`Postman`] sends: paced, over one connection that is kept, and says of every recipient what
//!   became of it.
//! - [`run`] reads: one task owns the connection to the mailbox for ever, hands every unread mail
//!   over, and is told by commands which of them are dealt with. Nothing is marked as read before.
//! - [`check`] tries everything once and says in plain words what works.
//!
//! Everything that comes in is bounded: the size of a mail, the parts of it that are looked at, and
//! the time that a server may take for an answer.
//!
//! Spec: docs/q21.md

mod account;
mod authentication;
mod check;
mod chores;
mod compose;
mod dial;
mod error;
mod imap;
mod mailbox;
mod oauth;
mod postman;
mod read;
mod server_url;
mod smtp;
mod watch;

pub use account::{Account, BadAccount, Secret};
pub use authentication::{Authentication, Doubt, authenticate};
pub use check::{CheckStep, check};
pub use compose::{BadMail, OutgoingMail};
pub use error::MailError;
pub use mailbox::{Folders, Junk, Mailbox};
pub use oauth::{OAuth2, OAuth2Settings, TokenError};
pub use postman::{MailPace, Postman, Refused, SendError};
pub use read::{Author, Contents, Folder, MailId, ReceivedMail};
pub use server_url::{BadServerUrl, Protocol, Security, ServerUrl};
pub use watch::{MailCommand, MailEvent, WatchConfig, run};
