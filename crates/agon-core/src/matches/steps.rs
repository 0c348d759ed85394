//! The game of a match and, where the match outlives its referee's process, the steps in it that
//! nobody has written down yet.
//!
//! Steps are written down as they were judged. Whoever takes them again judges nothing, so that
//! neither a corrected rule nor another limit changes what a journal makes of a match.

use agon_games::{BadMove, Failed, Position, Seats, Taken};
use agon_proto::Payload;
use serde::{Deserialize, Serialize};

use super::Stage;
use super::ask::Track;
use super::terms::MatchTerms;
use crate::verdict::Seat;

/// What became true in a match since it was written down last, and where it stands now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MatchProgress {
    pub(super) steps: Vec<Taken<Payload>>,
    pub(super) stage: Stage,
    pub(super) tracks: [Track; 2],
}

/// The game of a match.
#[derive(Debug, Clone)]
pub(super) struct Course {
    pub(super) position: Position,
    /// Steps that are to be written down; `None` where nobody does.
    taken: Option<Vec<Taken<Payload>>>,
}

impl Course {
    pub(super) fn of(terms: &MatchTerms) -> Self {
        Self { position: terms.rules.open(), taken: terms.resumes.then(Vec::new) }
    }

    /// The steps since this was asked last.
    pub(super) fn take_steps(&mut self) -> Vec<Taken<Payload>> {
        self.taken.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Takes a move, which stays unseen until it is revealed.
    pub(super) fn seal(&mut self, seat: Seat, payload: &Payload) -> Result<(), BadMove> {
        self.position.seal(seat, payload.as_bytes())?;
        self.note(|| Taken::Sealed(seat, payload.clone()));
        Ok(())
    }

    pub(super) fn reveal(&mut self, seats: Seats) {
        self.position.reveal(seats);
        self.note(|| Taken::Revealed(seats));
    }

    pub(super) fn draw(&mut self, number: u32) -> Result<(), BadMove> {
        self.position.draw(number)?;
        self.note(|| Taken::Drawn(number));
        Ok(())
    }

    pub(super) fn word(&mut self, about: Option<Seat>, word: Payload) -> Result<(), BadMove> {
        self.position.word(about, word.as_bytes())?;
        self.note(|| Taken::Word(about, word));
        Ok(())
    }

    pub(super) fn fail(&mut self, seat: Seat) -> Failed {
        let failed = self.position.fail(seat);
        self.note(|| match failed {
            Failed::Over => Taken::Cut,
            Failed::GoesOn => Taken::Failed(seat),
        });
        failed
    }

    fn note(&mut self, taken: impl FnOnce() -> Taken<Payload>) {
        if let Some(steps) = &mut self.taken {
            steps.push(taken());
        }
    }
}
