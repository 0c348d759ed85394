//! Two things that a report says and that cannot both be true.

use std::fmt;

/// What contradicts what, with the values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contradiction {
    said: Box<str>,
    against: Box<str>,
}

impl Contradiction {
    pub(crate) fn new(said: impl Into<Box<str>>, against: impl Into<Box<str>>) -> Self {
        Self { said: said.into(), against: against.into() }
    }
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} contradicts {}", self.said, self.against)
    }
}
