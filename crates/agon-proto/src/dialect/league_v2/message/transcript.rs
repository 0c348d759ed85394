//! The transcript of a match: what its referee sent, received and did, with times.
//!
//! Spec: docs/protocol/match.md

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::super::even_odd::Parity;
use crate::json::{objects, words};
use crate::{Listed, Payload, ShortText, Timestamp, precise};

/// Entries in order. Bounded by whoever writes it.
// Cheap to clone, because it travels a lot; and the manager keeps it without reading it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Transcript(pub Listed<TranscriptEntry>);

impl Transcript {
    /// Longest text of one entry, in bytes.
    pub const ENTRY_MAX: usize = 200;

    /// Whether nothing was written.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// From its first line to its last.
    pub fn length(&self) -> Option<std::time::Duration> {
        Some(self.0.last()?.timestamp.since(self.0.first()?.timestamp))
    }

    /// Whether it is no longer than one of so many entries. Does not read one that came as text.
    pub fn fits(&self, entries_max: usize) -> bool {
        self.0.size(Self::ENTRY_MAX) <= entries_max * Self::ENTRY_MAX
    }

    /// The same without what was received from players, but from that one: it is not for everybody.
    #[must_use]
    pub fn with_received_from(self, one: Option<Party>) -> Self {
        // However the name is spelt, it is one of these.
        if !self.0.may_contain("received") && !self.0.may_contain("\\") {
            return self;
        }
        let entries = self.0.iter().cloned();
        let shown = entries.map(|mut entry| {
            entry.received = entry.received.filter(|_| Some(entry.from) == one);
            entry
        });
        Self(shown.collect::<Vec<_>>().into())
    }
}

objects! {
    /// One line of a transcript.
    #[derive(Eq)]
    pub struct TranscriptEntry {
        /// When, to the microsecond.
        #[serde(with = "precise")]
        #[cfg_attr(feature = "schema", schemars(with = "Timestamp"))]
        required timestamp: Timestamp,
        /// What: a message, or something that happened instead of one.
        required message_type: EntryKind,
        /// From whom.
        required from: Party,
        /// To whom.
        required to: Party,
        /// Which ask of its step, counted from 1.
        optional ask: Option<u8>,
        /// Which question of the match, counted from 1, in a game that may have several.
        optional step: Option<u16>,
        /// The choice, where one was made.
        #[cfg_attr(feature = "schema", schemars(with = "Option<Payload>"))]
        optional choice: Option<NotedMove>,
        /// The number, where one was drawn.
        optional drawn_number: Option<u32>,
        /// What was wrong, where an ask failed.
        optional problem: Option<ShortText>,
        /// What was received instead of an answer: its beginning, without secrets. Not for
        /// everybody.
        optional received: Option<ShortText>,
        /// So many lines before this one were left out: a transcript has a bound.
        optional left_out: Option<u32>,
    }
}

impl TranscriptEntry {
    /// A line that tells no more than that something happened.
    pub const fn new(timestamp: Timestamp, kind: EntryKind, from: Party, to: Party) -> Self {
        Self {
            timestamp,
            message_type: kind,
            from,
            to,
            ask: None,
            step: None,
            choice: None,
            drawn_number: None,
            problem: None,
            received: None,
            left_out: None,
        }
    }

    /// Longer it is not when it is written, in bytes.
    pub fn size(&self) -> usize {
        /// Everything but what somebody else said, and twice that where a character may need it.
        const REST: usize = 170;
        let length = |text: &Option<ShortText>| text.as_ref().map_or(0, |it| it.as_str().len());
        let choice = self.choice.as_ref().map_or(0, |choice| choice.as_str().len());
        REST + choice + 2 * (length(&self.problem) + length(&self.received))
    }

    /// Whether it says that an ask came to nothing.
    pub fn is_lapse(&self) -> bool {
        let kind = self.message_type;
        matches!(kind, EntryKind::TimedOut | EntryKind::Unreachable | EntryKind::BadAnswer)
    }
}

/// A move as a transcript keeps it. That of Even/Odd needs no room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotedMove {
    /// Of Even/Odd.
    Parity(Parity),
    /// Of any other game.
    Other(Box<Payload>),
}

impl NotedMove {
    /// As it is written.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Parity(parity) => parity.as_str(),
            Self::Other(payload) => payload.as_str(),
        }
    }
}

impl Serialize for NotedMove {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Parity(parity) => parity.serialize(serializer),
            Self::Other(payload) => payload.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for NotedMove {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Payload::deserialize(deserializer).map(|payload| Self::from(&payload))
    }
}

words! {
    /// What a line of a transcript tells.
    pub enum EntryKind {
        /// The invitation went out.
        GameInvitation = "GAME_INVITATION",
        /// A player joined, or declined.
        GameJoinAck = "GAME_JOIN_ACK",
        /// The question went out.
        ChooseParityCall = "CHOOSE_PARITY_CALL",
        /// A player chose.
        ChooseParityResponse = "CHOOSE_PARITY_RESPONSE",
        /// The question of another game went out.
        GameMoveCall = "GAME_MOVE_CALL",
        /// A player made its move in it.
        GameMoveResponse = "GAME_MOVE_RESPONSE",
        /// A warning went out.
        GameError = "GAME_ERROR",
        /// No answer came in time.
        TimedOut = "TIMED_OUT",
        /// The player could not be reached.
        Unreachable = "UNREACHABLE",
        /// An answer came that was none.
        BadAnswer = "BAD_ANSWER",
        /// The dice fell.
        NumberDrawn = "NUMBER_DRAWN",
        /// The match was judged.
        Verdict = "VERDICT",
    }

    /// Somebody at the table.
    pub enum Party {
        /// The referee.
        Referee = "REFEREE",
        /// The first player.
        PlayerA = "PLAYER_A",
        /// The second player.
        PlayerB = "PLAYER_B",
    }
}
