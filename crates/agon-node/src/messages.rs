//! The messages of matches: a referee's node collects them and hands them in, a manager's keeps
//! them, and whoever looks at a match reads them.
//!
//! Spec: docs/protocol/match.md

mod collector;
mod hand_in;

use agon_core::{KeptPieces, Viewer};
use agon_proto::act::{Act, Moved};
use agon_proto::frame::{self, Limits};
use agon_proto::message::{EntryKind, Party};
use agon_proto::piece::{ATTEMPT_MAX, MessageNote, read_piece};
use agon_proto::tool::{Direction, KeptMessage, MatchState, PieceId, WireText};
use agon_proto::{Answer, PlayerId, RefereeId, dialect, folded, without_code};

pub(crate) use collector::Collector;
pub(crate) use hand_in::{HandIn, Handed};

/// Of what was kept so much is shown at once, in bytes: all of a match, and of what somebody made
/// up no more.
const SHOWN_MAX: usize = 4 * ATTEMPT_MAX;
/// What is read here was within its bounds when it passed.
const LIMITS: Limits = Limits { depth_max: 64 };
/// A receipt that says no more than it should is shorter, in bytes.
const RECEIPT_MAX: usize = 160;

/// Under which key a piece is kept.
pub fn key(referee: RefereeId, piece: PieceId) -> String {
    format!("messages/{referee}/{piece}")
}

/// Whether a piece is kept under that key.
pub fn is_piece(key: &str) -> bool {
    key.starts_with("messages/")
}

/// Puts what is kept of a match's messages where they are shown, piece after piece.
///
/// Only the operator sees what was answered instead of an answer, who is reached where, and what a
/// player was told of its own mistakes.
pub struct MessageReader<'a> {
    state: &'a mut MatchState,
    kept: &'a KeptPieces,
    viewer: Viewer,
    left: usize,
}

impl<'a> MessageReader<'a> {
    /// Of that match, for that viewer.
    pub fn new(state: &'a mut MatchState, kept: &'a KeptPieces, viewer: Viewer) -> Self {
        Self { state, kept, viewer, left: SHOWN_MAX }
    }

    /// Reads one piece. What of it cannot be read is missing, as the numbers of the others tell.
    pub fn read(&mut self, by: RefereeId, packed: &[u8]) {
        let mut attempts = std::mem::take(&mut self.state.messages);
        let _ = read_piece(packed, |note| {
            let (match_id, number) = (note.head.match_id, note.head.attempt);
            let size = note.request.len() + note.answer.len() + size_of::<KeptMessage>();
            let attempt = attempts
                .iter_mut()
                .find(|attempt| attempt.attempt == number && attempt.referee_id == Some(by));
            if let Some(attempt) = attempt.filter(|_| match_id == self.state.match_id)
                && let Some(left) = self.left.checked_sub(size)
            {
                self.left = left;
                attempt.messages.push(self.message(note));
            }
        });
        for attempt in &mut attempts {
            attempt.messages.sort_by_key(|message| (message.timestamp, message.number));
        }
        self.state.messages = attempts;
    }

    fn message(&self, note: MessageNote<'_>) -> KeptMessage {
        let player_id = self.player(&note);
        let (shows_request, shows_answer) = match self.viewer {
            Viewer::Operator => (true, true),
            Viewer::Everybody => (self.is_public(&note), self.is_right(&note, player_id)),
        };
        let MessageNote { head, request, answer } = note;
        let text = |bytes: &[u8]| (!bytes.is_empty()).then(|| self.text(bytes));
        let withheld = !shows_request && !request.is_empty() || !shows_answer && !answer.is_empty();
        KeptMessage {
            number: head.number,
            timestamp: head.at,
            direction: head.direction,
            player_id,
            message_type: head.name,
            latency_us: head.took_us,
            outcome: head.outcome,
            request: text(request).filter(|_| shows_request),
            answer: text(answer).filter(|_| shows_answer),
            cut: head.cut > 0,
            withheld,
        }
    }

    /// Which player was at the other end.
    fn player(&self, note: &MessageNote<'_>) -> Option<PlayerId> {
        let request = String::from_utf8_lossy(note.request);
        let here =
            |contact: &str| folded(&without_code(contact)) == folded(note.head.peer.as_str());
        let players = || self.kept.players.iter();
        let by_peer = players().find(|(contact, _)| here(contact.as_str()));
        let by_text = || players().find(|(contact, _)| request.contains(contact.as_str()));
        let by_id =
            || players().find(|(_, id)| request.contains(&format!("\"player_id\":\"{id}\"")));
        by_peer.or_else(by_id).or_else(by_text).map(|(_, id)| *id)
    }

    /// What travelled, as this viewer sees it.
    fn text(&self, bytes: &[u8]) -> WireText {
        if self.viewer == Viewer::Operator {
            return WireText::new(bytes);
        }
        let mut text = String::from_utf8_lossy(bytes).into_owned();
        for (contact, id) in &self.kept.players {
            text = text.replace(contact.as_str(), &id.to_string());
        }
        for (contact, id) in &self.kept.referees {
            text = text.replace(contact.as_str(), &id.to_string());
        }
        WireText::new(text.as_bytes())
    }

    /// Whether everybody may see what was said: a player's own mistakes are nobody else's.
    fn is_public(&self, note: &MessageNote<'_>) -> bool {
        let told_back = || String::from_utf8_lossy(note.request).contains("received");
        match note.head.direction {
            Direction::Sent => !told_back(),
            Direction::Received => {
                let letter = dialect::letter_in(note.request, LIMITS);
                letter.is_some_and(|letter| {
                    let Act::Move(Moved { number, said, .. }) = &letter.act else { return false };
                    Moved::objection(*number, said).is_none()
                })
            }
        }
    }

    /// Whether everybody may see what came back: it is the answer of somebody who has answered
    /// rightly all through this attempt, as its transcript says.
    fn is_right(&self, note: &MessageNote<'_>, player: Option<PlayerId>) -> bool {
        match frame::decode_answer(note.answer, LIMITS) {
            Ok(Answer::Receipt(_)) => note.answer.len() <= RECEIPT_MAX,
            Ok(Answer::Message(_)) => {
                let seat = match player {
                    Some(id) if id == self.state.player_a_id => Party::PlayerA,
                    Some(id) if id == self.state.player_b_id => Party::PlayerB,
                    Some(_) | None => return false,
                };
                let transcript = &self.state.transcript;
                note.head.attempt == self.state.attempt
                    && !transcript.is_empty()
                    && !transcript.0.iter().any(|entry| {
                        entry.from == seat && entry.message_type == EntryKind::BadAnswer
                    })
            }
            Ok(Answer::Fault(_) | Answer::Tool(_)) | Err(_) => false,
        }
    }
}
