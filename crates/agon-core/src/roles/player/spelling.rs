//! What a player keeps of a match by letters: which letter asks which question, by its number, and
//! which answers it. Here questions are counted from 1.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::act::{Act, ActKind, Progress, Worth};
use serde::{Deserialize, Serialize};

use super::controller::AskedInLetter;

/// The number of what tells us the score, which asks nothing: after every question.
pub(super) const SCORE: u32 = u32::MAX;

/// What a referee says to a player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Heard {
    Asks(AskedInLetter),
    Score(Box<Worth>),
}

impl Heard {
    /// What a referee says in that letter, if it says anything of a match.
    pub(super) fn of(act: &Act) -> Option<Self> {
        #[expect(clippy::wildcard_enum_match_arm, reason = "two acts are a referee's")]
        match act {
            Act::Worth(said) => Some(Self::Score(Box::new(said.clone()))),
            Act::Ask(asked) => Some(Self::Asks(AskedInLetter {
                number: u32::from(asked.number) + 1,
                kind: act.kind().wanted().into(),
                view: asked.view.clone(),
                deadline: asked.deadline,
                after: act.kind().needs().map(|number| u32::from(number) + 1),
                token: asked.token.clone(),
            })),
            _ => None,
        }
    }

    pub(super) fn number(&self) -> u32 {
        match self {
            Self::Asks(asked) => asked.number,
            Self::Score(_) => SCORE,
        }
    }

    /// The match's token, if it stands there.
    pub(super) fn token(&self) -> Option<&str> {
        match self {
            Self::Asks(asked) => asked.token.as_deref(),
            Self::Score(said) => said.token.as_deref(),
        }
    }
}

/// How the letters count a question.
pub(super) fn place(number: u32) -> u16 {
    u16::try_from(number.saturating_sub(1)).unwrap_or(u16::MAX)
}

/// How far a match has come, by the last question that we answered.
pub(super) fn progress(sent: u32) -> Progress {
    Progress::Answered(u16::try_from(sent).unwrap_or(u16::MAX))
}

/// The letter that asks that question, or tells the score.
pub(super) fn heard_kind(number: u32) -> ActKind {
    if number == SCORE { ActKind::Worth } else { ActKind::Ask(place(number)) }
}
