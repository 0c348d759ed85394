//! The envelope around an act: who says it, when, in which dialogue or about what, and what proves
//! it.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::act::{Act, ActKind};
use crate::{
    Address, AuthToken, BroadcastId, ConversationId, DisplayName, GameId, LeagueId, MessageId,
    Role, SeasonId, Sender, Timestamp,
};

/// What is said, by whom: in a call, unless its head says otherwise.
#[derive(Debug, Clone, PartialEq)]
pub struct Envelope<Head = Dialogue> {
    /// Who says it, when, and about what.
    pub head: Head,
    /// What proves its sender to its reader. Never by mail.
    pub auth_token: Option<AuthToken>,
    /// What is said.
    pub act: Act,
}

/// It is boxed once where it is read, and the box is used again for the reply.
const _: () = assert!(size_of::<Envelope>() <= 184);

/// A letter: by mail, or by call.
pub type Letter = Envelope<Heading>;

/// A letter in the words in which it leaves, however it would be spelled today; and what is asked
/// of it while it waits. Its words may hold tokens, so nobody is shown them.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenLetter {
    /// Its head.
    pub head: Heading,
    /// What kind of thing it says.
    pub kind: ActKind,
    /// All of it, as its reader gets it.
    pub text: Arc<str>,
}

impl fmt::Debug for WrittenLetter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.kind.name(), self.head)
    }
}

/// The head of what is said in a call. Its own form is that of the dialect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dialogue {
    /// Who claims to speak.
    pub sender: Sender,
    /// When it was written.
    pub timestamp: Timestamp,
    /// The dialogue it belongs to.
    pub conversation_id: ConversationId,
}

/// The head of a letter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heading {
    /// Its id. Derived from what it is about, never from chance, where we write it.
    pub id: MessageId,
    /// When it was written, by its sender's clock.
    pub sent_at: Timestamp,
    /// Who says it. A claim: what proves it travels outside of the letter, or is `auth_token`.
    pub from: Claimed,
    /// To whom it goes, in its own words: `BROADCAST`, `LEAGUEMANAGER`, a group, an address.
    pub recipient: Box<str>,
    /// The letter that it answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answers: Option<MessageId>,
    /// What it is about.
    #[serde(default)]
    pub context: Context,
}

/// Who says something, as it says itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claimed {
    /// Its address; `None` where the letter names none (real league managers leave it out).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<Address>,
    /// In which role; `None` where the letter does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// What it calls itself: `LM001`, a referee's id, nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub logical_id: Option<DisplayName>,
}

/// What a letter is about, as far as it says so. Wherever a letter repeats it, it stands here once.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Context {
    /// The league.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub league: Option<LeagueId>,
    /// The season.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub season: Option<SeasonId>,
    /// The round, in the manager's words, such as `SEASON_2026-02-17_R1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round: Option<Box<str>>,
    /// The game, from the envelope or, if that names none, from the payload.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<GameId>,
    /// The broadcast that this is, or that this answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broadcast: Option<BroadcastId>,
}
