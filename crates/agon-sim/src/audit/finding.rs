//! What an audit finds: a broken promise, the kind of fault, and the match that it concerns.

use std::fmt;

use agon_proto::MatchId;

/// What is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FindingKind {
    /// A result was acknowledged, and is not what counts.
    Lost,
    /// A match has two results, or counts twice.
    Duplicated,
    /// A result counts, and its referee was never told so.
    Unacknowledged,
    /// Something contradicts something else in another way.
    Wrong,
    /// A season did not come to its end.
    Unfinished,
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub kind: FindingKind,
    pub match_id: Option<MatchId>,
    pub what: String,
}

impl Finding {
    pub fn about(kind: FindingKind, match_id: MatchId, what: impl fmt::Display) -> Self {
        Self { kind, match_id: Some(match_id), what: format!("{match_id}: {what}") }
    }

    pub fn general(kind: FindingKind, what: impl fmt::Display) -> Self {
        Self { kind, match_id: None, what: what.to_string() }
    }
}

/// Whether a promise is kept; all that is wrong, if it is not.
pub(crate) type Kept = Result<(), Vec<Finding>>;

/// Finds nothing if it is as it must be.
pub(crate) fn hold<W: Into<Finding>>(is_so: bool, what: impl FnOnce() -> W) -> Kept {
    if is_so { Ok(()) } else { wrong(what()) }
}

/// Finds that.
pub(crate) fn wrong(what: impl Into<Finding>) -> Kept {
    Err(vec![what.into()])
}

/// Finds all of that, which may be nothing.
pub(crate) fn all_wrong(what: impl IntoIterator<Item = impl Into<Finding>>) -> Kept {
    let found: Vec<Finding> = what.into_iter().map(Into::into).collect();
    if found.is_empty() { Ok(()) } else { Err(found) }
}

/// Most of what is wrong is just that.
impl<W: Into<String>> From<W> for Finding {
    fn from(what: W) -> Self {
        Self::general(FindingKind::Wrong, what.into())
    }
}

/// A broken promise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    pub promise: &'static str,
    pub finding: Finding,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.promise, self.finding.what)
    }
}
