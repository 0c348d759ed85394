//! Text of which the short ones, nearly all, live where they are held and need no heap.

use std::fmt;
use std::sync::Arc;

/// Text; up to `SHORT` bytes of it in place. Cheap to clone.
#[derive(Clone)]
pub(crate) enum InlineText<const SHORT: usize> {
    Short(u8, [u8; SHORT]),
    Long(Arc<str>),
}

impl<const SHORT: usize> InlineText<SHORT> {
    pub(crate) fn new(text: &str) -> Self {
        let mut bytes = [0; SHORT];
        match (u8::try_from(text.len()), bytes.get_mut(..text.len())) {
            (Ok(length), Some(place)) => {
                place.copy_from_slice(text.as_bytes());
                Self::Short(length, bytes)
            }
            (_, None) | (Err(_), Some(_)) => Self::Long(text.into()),
        }
    }

    /// For whoever only compares it or parses it.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Short(length, bytes) => &bytes[..usize::from(*length)],
            Self::Long(text) => text.as_bytes(),
        }
    }

    pub(crate) fn as_str(&self) -> &str {
        match self {
            Self::Short(..) => {
                std::str::from_utf8(self.as_bytes()).expect("it was copied from a text")
            }
            Self::Long(text) => text,
        }
    }
}

impl<const SHORT: usize> PartialEq for InlineText<SHORT> {
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl<const SHORT: usize> Eq for InlineText<SHORT> {}

impl<const SHORT: usize> std::hash::Hash for InlineText<SHORT> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.as_bytes().hash(state);
    }
}

impl<const SHORT: usize> fmt::Debug for InlineText<SHORT> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(f)
    }
}
