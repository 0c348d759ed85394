//! What is recorded of a match while it goes on: its transcript, for games whose letters are not
//! kept anyway; and, where it outlives its referee's process, the steps of its game that nobody has
//! written down yet.
//!
//! Steps are written down as they were judged. Whoever takes them again judges nothing, so that
//! neither a corrected rule nor another limit changes what a journal makes of a match.
//!
//! Spec: docs/protocol/match.md

use agon_games::{BadMove, Failed, Position, Seats, Taken, write_acts};
use agon_proto::message::{EntryKind, Party, Transcript, TranscriptEntry};
use agon_proto::{Payload, Timestamp};
use serde::{Deserialize, Serialize};

use super::asking::Track;
use super::{Failure, JOIN, Lapsed, Match, MatchStage, MatchTerms, Move, party};
use crate::verdict::Seat;

/// Longest transcript that is kept, in entries; at `ENTRY_MAX` bytes each it stays under 64 KiB.
pub(crate) const TRANSCRIPT_MAX: usize = 300;
/// And in bytes.
const BYTES_MAX: usize = TRANSCRIPT_MAX * Transcript::ENTRY_MAX;

/// What was noted so far; `None` where no transcript is kept.
#[derive(Debug, Clone)]
pub(super) struct Notes(Option<Vec<TranscriptEntry>>);

impl Notes {
    pub(super) fn of(terms: &MatchTerms) -> Self {
        // A match that goes well has so many lines: it is handed on without being copied.
        Self(terms.entries.map(|_| Vec::with_capacity(10)))
    }

    /// One line more, to be completed in its place.
    #[inline]
    fn add(
        &mut self,
        (at, kind): (Timestamp, EntryKind),
        from: Party,
        to: Party,
    ) -> Option<&mut TranscriptEntry> {
        let entries = self.0.as_mut()?;
        entries.push(TranscriptEntry::new(at, kind, from, to));
        if entries.len() > TRANSCRIPT_MAX {
            leave_out(entries);
        }
        entries.last_mut()
    }

    /// All that was noted, no longer than a transcript may be. From now on nothing is.
    fn take(&mut self) -> Transcript {
        let mut entries = self.0.take().unwrap_or_default();
        let size = |entries: &[TranscriptEntry]| entries.iter().map(TranscriptEntry::size).sum();
        let mut left: usize = size(&entries);
        while left > BYTES_MAX {
            leave_out(&mut entries);
            // What is last of everybody stays, and is never too long.
            left = Some(size(&entries)).filter(|now| *now < left).unwrap_or(0);
        }
        Transcript(entries.into())
    }

    /// What the dice meant, which only the public view tells.
    pub(super) fn number(&mut self, drawn: Option<u32>) {
        let rolled = |entry: &&mut TranscriptEntry| entry.message_type == EntryKind::NumberDrawn;
        if let Some(entry) = self.0.iter_mut().flatten().rev().find(rolled) {
            entry.drawn_number = drawn;
        }
    }
}

/// Leaves out one line of those before the last, which may not be whole yet, and marks the place.
/// Questions and answers go first, the latest of them; then what failed once, unless it is the last
/// thing that is known of somebody.
fn leave_out(entries: &mut Vec<TranscriptEntry>) {
    let Some((_, earlier)) = entries.split_last() else { return };
    let explains = |entry: &TranscriptEntry| {
        entry.is_lapse()
            || matches!(entry.message_type, EntryKind::NumberDrawn | EntryKind::Verdict)
    };
    let again = |place: &usize| {
        let mut later = earlier[place + 1..].iter().filter(|entry| explains(entry));
        later.any(|entry| entry.from == earlier[*place].from)
    };
    let spare = || (0..earlier.len()).find(again);
    let Some(place) = earlier.iter().rposition(|entry| !explains(entry)).or_else(spare) else {
        return;
    };
    let gone = entries.remove(place).left_out.unwrap_or(0) + 1;
    let next = &mut entries[place].left_out;
    *next = Some(next.unwrap_or(0) + gone);
}

impl Match {
    /// What was noted. From now on nothing is.
    pub fn take_transcript(&mut self) -> Transcript {
        self.notes.take()
    }

    /// All that was played, in order, where its report tells that; null otherwise.
    pub fn take_acts(&mut self) -> Payload {
        let steps = self.course.taken.take_if(|_| self.terms.tells_acts);
        steps.map_or_else(Payload::default, |steps| Payload::trusted(&write_acts(&steps)))
    }

    pub(super) fn note(&mut self, now: Timestamp, kind: EntryKind, from: Party, to: Party) {
        self.notes.add((now, kind), from, to);
    }

    /// What a transcript calls the question of that step, and the answer to it, and whether it says
    /// which step that is.
    fn entries(&self, step: u16) -> Option<([EntryKind; 2], Option<u16>)> {
        let entries = self.terms.entries?;
        Some(match step {
            JOIN => ([EntryKind::GameInvitation, EntryKind::GameJoinAck], None),
            // Where one name serves all questions, a line says to which one it belongs.
            _ => (entries, Some(step).filter(|_| entries[0] == EntryKind::GameMoveCall)),
        })
    }

    pub(super) fn note_ask(&mut self, seat: Seat, step: u16, ask: u8, now: Timestamp) {
        if let Some(([question, _], step)) = self.entries(step)
            && let Some(asked) = self.notes.add((now, question), Party::Referee, party(seat))
        {
            (asked.ask, asked.step) = (Some(ask), step);
        }
    }

    pub(super) fn note_move(&mut self, seat: Seat, step: u16, answer: &Move, now: Timestamp) {
        if let Some(([_, answered], step)) = self.entries(step)
            && let Some(moved) = self.notes.add((now, answered), party(seat), Party::Referee)
        {
            moved.step = step;
            if let Move::Chosen(payload) = answer {
                moved.choice = Some(payload.into());
            }
        }
    }

    pub(super) fn note_failure(&mut self, lapsed: &Lapsed, now: Timestamp) {
        let kind = match lapsed.failure {
            Failure::Silent => EntryKind::TimedOut,
            Failure::Unreachable => EntryKind::Unreachable,
            Failure::Declined | Failure::Invalid | Failure::Malformed | Failure::Oversized => {
                EntryKind::BadAnswer
            }
        };
        if let Some(entry) = self.notes.add((now, kind), party(lapsed.seat), Party::Referee) {
            entry.ask = Some(lapsed.ask);
            if let Some(objection) = lapsed.objection.as_deref() {
                entry.problem = Some(objection.problem.clone());
                entry.received = objection.received.clone();
            }
        }
    }
}

/// What became true in a match since it was written down last, and where it stands now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MatchProgress {
    pub(super) steps: Vec<Taken<Payload>>,
    pub(super) stage: MatchStage,
    pub(super) tracks: [Track; 2],
}

/// The game of a match.
#[derive(Debug, Clone)]
pub(super) struct Course {
    pub(super) position: Position,
    /// Steps that are to be written down, or told in the report; `None` where they are neither.
    pub(super) taken: Option<Vec<Taken<Payload>>>,
}

impl Course {
    pub(super) fn of(terms: &MatchTerms) -> Self {
        let kept = terms.resumes || terms.tells_acts;
        Self { position: terms.rules.open(), taken: kept.then(Vec::new) }
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

#[cfg(test)]
mod tests;
