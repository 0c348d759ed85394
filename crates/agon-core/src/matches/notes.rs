//! The transcript of a match, written as it goes on, for games whose letters are not kept anyway.

use agon_proto::Timestamp;
use agon_proto::message::{EntryKind, Party, Transcript, TranscriptEntry};

use super::{Failure, JOIN, Lapsed, Match, MatchTerms, Move, party};
use crate::verdict::Seat;

/// Longest transcript that is kept, in entries; at `ENTRY_MAX` bytes each it stays under 64 KiB.
pub(crate) const TRANSCRIPT_MAX: usize = 300;

/// What was noted so far; `None` where no transcript is kept.
#[derive(Debug, Clone)]
pub(super) struct Notes(Option<Vec<TranscriptEntry>>);

impl Notes {
    pub(super) fn of(terms: &MatchTerms) -> Self {
        // A match that goes well has so many lines: it is handed on without being copied.
        Self(terms.entries.map(|_| Vec::with_capacity(10)))
    }

    fn add(&mut self, entry: TranscriptEntry) {
        let Some(entries) = &mut self.0 else {
            return;
        };
        if entries.len() == TRANSCRIPT_MAX {
            entries.pop();
        }
        entries.push(entry);
    }
}

impl Match {
    /// What was noted. From now on nothing is.
    pub fn take_transcript(&mut self) -> Transcript {
        Transcript(self.notes.0.take().unwrap_or_default().into())
    }

    pub(super) fn note(&mut self, now: Timestamp, kind: EntryKind, from: Party, to: Party) {
        self.notes.add(TranscriptEntry::new(now, kind, from, to));
    }

    /// What a transcript calls the question of that step, and the answer to it.
    fn entries(&self, step: u16) -> Option<[EntryKind; 2]> {
        let entries = self.terms.entries?;
        Some(match step {
            JOIN => [EntryKind::GameInvitation, EntryKind::GameJoinAck],
            _ => entries,
        })
    }

    pub(super) fn note_ask(&mut self, seat: Seat, step: u16, ask: u8, now: Timestamp) {
        if let Some([question, _]) = self.entries(step) {
            let asked = TranscriptEntry::new(now, question, Party::Referee, party(seat));
            self.notes.add(TranscriptEntry { ask: Some(ask), ..asked.with_step(step) });
        }
    }

    pub(super) fn note_move(&mut self, seat: Seat, step: u16, answer: &Move, now: Timestamp) {
        let Some([_, answered]) = self.entries(step) else {
            return;
        };
        let moved =
            TranscriptEntry::new(now, answered, party(seat), Party::Referee).with_step(step);
        self.notes.add(match answer {
            Move::Chosen(payload) => moved.with_move(payload),
            Move::Join | Move::Decline => moved,
        });
    }

    pub(super) fn note_failure(&mut self, lapsed: &Lapsed, now: Timestamp) {
        let kind = match lapsed.failure {
            Failure::Silent => EntryKind::TimedOut,
            Failure::Unreachable => EntryKind::Unreachable,
            Failure::Declined | Failure::Invalid | Failure::Malformed | Failure::Oversized => {
                EntryKind::BadAnswer
            }
        };
        let objection = lapsed.objection.as_deref();
        self.notes.add(TranscriptEntry {
            ask: Some(lapsed.ask),
            problem: objection.map(|objection| objection.problem.clone()),
            received: objection.and_then(|objection| objection.received.clone()),
            ..TranscriptEntry::new(now, kind, party(lapsed.seat), Party::Referee)
        });
    }

    /// A number was drawn. What it means stands in the public view.
    pub(super) fn note_roll(&mut self, now: Timestamp) {
        if self.terms.entries.is_some() {
            let rolled =
                TranscriptEntry::new(now, EntryKind::NumberDrawn, Party::Referee, Party::Referee);
            let rolled = rolled.with_view(self.shown());
            self.notes.add(rolled);
        }
    }
}
