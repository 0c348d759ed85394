//! Named points at which a process can be told to die, for tests and `agon crash-test`.
//!
//! `AGON_FAILPOINT=before-commit:7` aborts the process the seventh time that it is about to commit.
//! An abort is like SIGKILL: nothing is flushed, no destructor runs. The variable is read once,
//! when a node starts; without it a point costs one comparison.
//!
//! Spec: docs/operate.md

/// Names a point and how often it is passed before the end: `POINT:COUNT`.
pub const VARIABLE: &str = "AGON_FAILPOINT";

/// Where a process may die: around every journal write, and before everything that leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Point {
    /// Facts are decided, and not written down.
    BeforeCommit,
    /// They are durable, and nobody has heard of them.
    AfterCommit,
    /// All that a batch led to is about to leave.
    BeforeRelease,
    /// All of it was handed over; the network may not have carried it yet.
    AfterRelease,
    /// One letter, or one piece of news for many, is handed to a link.
    BeforeSend,
    /// One request is answered.
    BeforeReply,
    /// `agon season new` has something to write, or a folder to move.
    BeforeSeasonStep,
}

impl Point {
    pub const ALL: [Self; 7] = [
        Self::BeforeCommit,
        Self::AfterCommit,
        Self::BeforeRelease,
        Self::AfterRelease,
        Self::BeforeSend,
        Self::BeforeReply,
        Self::BeforeSeasonStep,
    ];
    /// Those of a node's loop.
    pub const LOOP: &[Self] = Self::ALL.split_last().expect("it is not empty").1;

    pub const fn name(self) -> &'static str {
        match self {
            Self::BeforeCommit => "before-commit",
            Self::AfterCommit => "after-commit",
            Self::BeforeRelease => "before-release",
            Self::AfterRelease => "after-release",
            Self::BeforeSend => "before-send",
            Self::BeforeReply => "before-reply",
            Self::BeforeSeasonStep => "before-season-step",
        }
    }
}

/// Why a failpoint cannot be set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{VARIABLE} is {given:?}; say POINT:COUNT, where COUNT is at least 1 and POINT one of {}",
    Point::ALL.map(Point::name).join(", "))]
pub struct BadFailpoint {
    given: String,
}

/// The point at which this process dies, if it is to die at one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Failpoint {
    armed: Option<(Point, u64)>,
}

impl Failpoint {
    /// What the environment asks for; nothing, usually.
    pub fn from_env() -> Result<Self, BadFailpoint> {
        match std::env::var_os(VARIABLE) {
            None => Ok(Self::default()),
            Some(given) => Self::parse(&given.to_string_lossy()),
        }
    }

    fn parse(given: &str) -> Result<Self, BadFailpoint> {
        let read = || {
            let (name, count) = given.split_once(':')?;
            let point = Point::ALL.into_iter().find(|point| point.name() == name)?;
            let count = count.parse().ok().filter(|count| *count > 0)?;
            Some(Self { armed: Some((point, count)) })
        };
        read().ok_or_else(|| BadFailpoint { given: given.to_owned() })
    }

    /// The process is at that point. Does not return if it is the time to die.
    pub fn pass(&mut self, point: Point) {
        if self.is_due(point) {
            std::process::abort();
        }
    }

    fn is_due(&mut self, point: Point) -> bool {
        match &mut self.armed {
            Some((armed, left)) if *armed == point => {
                *left -= 1;
                *left == 0
            }
            Some(_) | None => false,
        }
    }
}

#[cfg(test)]
mod tests;
