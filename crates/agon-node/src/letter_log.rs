//! The letter log: tells whoever runs an agent what it hears, what it says, and what its program is
//! asked.
//!
//! One line for each, in the order in which things happen. How a line looks is not known here.

use agon_core::Mishap;
use agon_core::letterbox::Parcel;
use agon_proto::{Address, Letter, Timestamp};

/// Something that people want to see as it happens.
#[derive(Debug)]
pub enum LetterLogEntry<'a> {
    /// A letter came.
    Received { from: Option<&'a Address>, letter: &'a Letter, at: Timestamp },
    /// A letter was taken by whoever carries it.
    Sent { parcel: &'a Parcel, at: Timestamp },
    /// Its program is asked for something of that kind.
    Asked { kind: &'a str, at: Timestamp },
    /// It has answered, or could not.
    Answered { kind: &'a str, mishap: Option<&'a Mishap>, at: Timestamp },
    /// Something went wrong that its author or operator should know.
    Trouble { text: &'a str, at: Timestamp },
}

/// Takes what is to be shown.
pub type LetterLog = Box<dyn FnMut(LetterLogEntry<'_>) + Send>;
