//! One letter's JSON, whatever its shape: a full envelope, a flat one, a bare payload.

use serde_json::{Map, Value};

use super::fields::Fields;
use super::subject::Subject;
use super::unreadable::Unreadable;
use crate::dialect::q21::{Context, GameId, Role};
use crate::frame::depth;
use crate::{Address, AuthToken, BroadcastId, DisplayName, LeagueId, MessageId, SeasonId};

/// Longest letter that is read by call, where everybody is sent its own games only.
pub(super) const CALL_MAX: usize = 256 * 1024;
/// Longest letter that is read by mail: about 30,000 rows of a season's table.
pub(super) const MAIL_MAX: usize = 6 * 1024 * 1024;
/// How deeply a letter may be nested. The deepest that we know, with its envelope, is 6.
const DEPTH_MAX: usize = 16;
/// Longest token that is kept.
const TOKEN_MAX: usize = 256;

const LEAGUE: &[&str] = &["league_id"];
const SEASON: &[&str] = &["season_id"];
const ROUND: &[&str] = &["round_id"];
const BROADCAST: &[&str] = &["broadcast_id"];

/// The first of the documents that is a JSON object, of at most so many bytes.
pub(super) fn first_object(
    documents: &[&[u8]],
    max: usize,
) -> Result<Map<String, Value>, Unreadable> {
    let mut flaw = Unreadable::NoDocument;
    for document in documents {
        match object(document, max) {
            Ok(object) => return Ok(object),
            // What came first is what should have been a letter.
            Err(found) if flaw == Unreadable::NoDocument => flaw = found,
            Err(_) => {}
        }
    }
    Err(flaw)
}

fn object(bytes: &[u8], max: usize) -> Result<Map<String, Value>, Unreadable> {
    if bytes.len() > max {
        return Err(Unreadable::TooLarge { max });
    }
    if depth::exceeds(bytes, DEPTH_MAX) {
        return Err(Unreadable::TooDeep { max: DEPTH_MAX });
    }
    // Some programs begin their files with a mark for the order of bytes.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    serde_json::from_slice(bytes).map_err(|_| Unreadable::NotJson)
}

/// The outside and the inside of a letter. Without an envelope they are the same.
#[derive(Clone, Copy)]
pub(super) struct Page<'a> {
    pub(super) top: Fields<'a>,
    pub(super) payload: Fields<'a>,
    has_envelope: bool,
}

impl<'a> Page<'a> {
    pub(super) fn new(document: &'a Map<String, Value>) -> Self {
        let top = Fields(document);
        let payload = top.object(&["payload"]);
        Self { top, payload: payload.unwrap_or(top), has_envelope: payload.is_some() }
    }

    pub(super) fn message_id(&self) -> Option<MessageId> {
        self.top.word(&["message_id"]).map(|id| MessageId::new(&id))
    }

    pub(super) fn correlation_id(&self) -> Option<MessageId> {
        let names = &["correlation_id"];
        let id = self.top.word(names).or_else(|| self.payload.word(names));
        id.map(|id| MessageId::new(&id))
    }

    pub(super) fn recipient(&self) -> Box<str> {
        self.top.boxed(&["recipient_id", "recipient_email"]).unwrap_or_default()
    }

    fn sender(&self) -> Option<Fields<'a>> {
        self.top.object(&["sender"])
    }

    /// Who says so, in the letter's own words.
    pub(super) fn sender_address(&self) -> Option<Address> {
        let within = self.sender().and_then(|sender| sender.address(&["email"]));
        within.or_else(|| self.top.address(&["sender_email"]))
    }

    pub(super) fn sender_role(&self) -> Option<Role> {
        let word = self.sender().and_then(|sender| sender.word(&["role"]));
        word.or_else(|| self.top.word(&["sender_role"])).and_then(|word| role(&word))
    }

    pub(super) fn sender_id(&self) -> Option<DisplayName> {
        let within = self.sender().and_then(|sender| sender.name(&["logical_id"]));
        within.or_else(|| self.top.name(&["sender_id"]))
    }

    /// The token that proves a caller. Without an envelope it is the game's.
    pub(super) fn auth_token(&self) -> Option<AuthToken> {
        self.has_envelope.then_some(self.top).and_then(token)
    }

    /// What it is about: the envelope says it, else the payload, else the subject.
    pub(super) fn context(&self, subject: &Subject) -> Context {
        let either = |names: &'static [&'static str]| {
            self.top.word(names).or_else(|| self.payload.word(names))
        };
        let game = self.top.word(&["game_id", "match_id"]);
        let game = game.or_else(|| self.payload.word(&["game_id", "match_id"]));
        let round = either(ROUND).or_else(|| subject.round.clone());
        Context {
            league: either(LEAGUE).or_else(|| subject.league.clone()).map(|id| LeagueId::new(&id)),
            season: either(SEASON).map(|id| SeasonId::new(&id)),
            round: round.map(Into::into),
            game: game.or_else(|| subject.game.clone()).map(|id| GameId::new(&id)),
            broadcast: either(BROADCAST).map(|id| BroadcastId::new(&id)),
        }
    }
}

/// A role, in all the words for it.
pub(super) fn role(word: &str) -> Option<Role> {
    let word: String = word.chars().filter(char::is_ascii_alphanumeric).collect();
    match word.to_ascii_uppercase().as_str() {
        "LEAGUEMANAGER" | "MANAGER" | "SERVER" => Some(Role::Manager),
        "REFEREE" => Some(Role::Referee),
        "PLAYER" | "PLAYER1" | "PLAYER2" | "PLAYERA" | "PLAYERB" => Some(Role::Player),
        _ => None,
    }
}

/// A token as it stands there. What is too long can never be right, so its end does not matter.
pub(super) fn token(fields: Fields<'_>) -> Option<AuthToken> {
    let text = fields.value(&["auth_token"])?.as_str()?;
    let text: String = text.chars().take(TOKEN_MAX).collect();
    (!text.is_empty()).then(|| AuthToken::from(text.as_str()))
}
