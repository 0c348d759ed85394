//! Why a letter was not opened, in words that tell its author what to mend.

use crate::Address;
use crate::dialect::q21::ActKind;

/// Why a letter was not opened. The text is for whoever wrote the agent: it repeats names of
/// fields, never what stood in them, except for the addresses that do not agree.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// There is nothing that could be JSON.
    #[error("there is no letter: attach it as a file that ends in .json")]
    NoDocument,
    /// What is there is not a JSON object.
    #[error("the letter is not a JSON object in UTF-8")]
    NotJson,
    /// Larger than is read.
    #[error("the letter is larger than {max} bytes")]
    TooLarge {
        /// The bound.
        max: usize,
    },
    /// Nested more deeply than is read.
    #[error("the letter is nested more than {max} deep")]
    TooDeep {
        /// The bound.
        max: usize,
    },
    /// Neither the JSON nor the subject says what it is.
    #[error("`message_type` is missing, and the subject does not name one either")]
    NoType,
    /// Nothing tells this letter from another one.
    #[error("`message_id` is missing, and the subject has no transaction id either")]
    NoId,
    /// It names another sender than the mail server does.
    #[error("the letter names {claimed} as its sender, but it came from {from}")]
    SenderMismatch {
        /// Who it says it is from.
        claimed: Address,
        /// Who it is from.
        from: Address,
    },
    /// A field that is needed is not there, or is something else.
    #[error("`{field}` of {} must be {needs}", message.name())]
    BadField {
        /// What the letter says it is.
        message: ActKind,
        /// Which field, such as `assignments[3].role`.
        field: Box<str>,
        /// What must stand there.
        needs: &'static str,
    },
    /// A list is longer than is read.
    #[error("`{field}` of {} has more than {max} entries", message.name())]
    TooMany {
        /// What the letter says it is.
        message: ActKind,
        /// Which list.
        field: &'static str,
        /// The bound.
        max: usize,
    },
}
