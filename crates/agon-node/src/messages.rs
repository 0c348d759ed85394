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
use agon_proto::{Answer, MessageType, PlayerId, RefereeId, dialect, folded, without_code};

pub(crate) use collector::Collector;
pub(crate) use hand_in::{HandIn, Handed};

/// Of what was kept so much is shown at once, in bytes: all of a match, and of what somebody made
/// up no more.
const SHOWN_MAX: usize = 4 * ATTEMPT_MAX;
/// So many pieces are unpacked for one look: what somebody made up costs no more than that.
const PIECES_READ_MAX: usize = 96;
/// What is read here was within its bounds when it passed.
const LIMITS: Limits = Limits { depth_max: 64 };

/// Under which key a piece is kept.
pub(crate) fn key(referee: RefereeId, piece: PieceId) -> String {
    format!("messages/{referee}/{piece}")
}

/// Whose the pieces are that tell of a match, and where each of them is, as far as they are read.
pub fn places(kept: &KeptPieces) -> Vec<(RefereeId, String)> {
    let pieces = kept.pieces.iter().take(PIECES_READ_MAX);
    pieces.map(|(referee, piece)| (*referee, key(*referee, *piece))).collect()
}

/// Whether a piece is kept under that key.
pub fn is_piece(key: &str) -> bool {
    key.starts_with("messages/")
}

/// Puts what is kept of a match's messages where they are shown, piece after piece.
///
/// Only the operator sees who is reached where; and what was answered instead of an answer, or what
/// a player was told of its own mistakes, beside it that player alone.
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
            Viewer::Player(id) if player_id == Some(id) && self.names_one(&note) => (true, true),
            Viewer::Player(_) | Viewer::Everybody => {
                (self.is_public(&note), self.is_right(&note, player_id))
            }
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

    /// Whether a letter leaves no doubt whose it is.
    fn names_one(&self, note: &MessageNote<'_>) -> bool {
        let text = String::from_utf8_lossy(note.request);
        let named = self.kept.players.iter().filter(|(it, _)| text.contains(it.as_str()));
        note.head.direction == Direction::Sent || named.count() == 1
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

    /// Whether everybody may see what came back: a receipt that adds nothing, where no message is
    /// wanted; or the message that is, of somebody who has answered rightly all through this
    /// attempt, as its transcript says.
    fn is_right(&self, note: &MessageNote<'_>, player: Option<PlayerId>) -> bool {
        let wanted = MessageType::from_name(note.head.name.as_str()).and_then(MessageType::answer);
        match frame::decode_answer(note.answer, LIMITS) {
            Ok(Answer::Receipt(_)) => wanted.is_none() && frame::is_bare_receipt(note.answer),
            Ok(Answer::Message(letter)) if MessageType::of(&letter.act) == wanted => {
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
            Ok(Answer::Message(_) | Answer::Fault(_) | Answer::Tool(_)) | Err(_) => false,
        }
    }
}
