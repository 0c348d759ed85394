//! One letter's JSON, whatever its shape: a full envelope, a flat one, a bare payload.
//!
//! Spec: docs/protocol/q21.md

use serde_json::{Map, Value};

use super::Unreadable;
use super::fields::{Fields, display_name};
use super::subject::Subject;
use crate::dialect::q21::{Context, GameId, Role};
use crate::frame::is_deeper;
use crate::{Address, AuthToken, BroadcastId, DisplayName, LeagueId, SeasonId};

/// Longest letter that is read by call, where everybody is sent its own games only.
pub(super) const CALL_MAX: usize = 256 * 1024;
/// Longest letter that is read by mail: about 30,000 rows of a season's table.
pub(super) const MAIL_MAX: usize = 6 * 1024 * 1024;
/// How deeply a letter may be nested. The deepest that we know, with its envelope, is 6.
const DEPTH_MAX: usize = 16;

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
    if is_deeper(bytes, DEPTH_MAX) {
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

    /// What the envelope says, or else the payload.
    pub(super) fn either(&self, names: &[&str]) -> Option<Box<str>> {
        self.top.word(names).or_else(|| self.payload.word(names))
    }

    /// What is said of the sender: in an object of its own, or flat.
    fn of_sender(&self, within: &str, flat: &str) -> Option<Box<str>> {
        let sender = self.top.object(&["sender"]);
        sender.and_then(|sender| sender.word(&[within])).or_else(|| self.top.word(&[flat]))
    }

    /// Who says so, in the letter's own words.
    pub(super) fn sender_address(&self) -> Option<Address> {
        self.of_sender("email", "sender_email").map(|word| Address::new(&word))
    }

    pub(super) fn sender_role(&self) -> Option<Role> {
        self.of_sender("role", "sender_role").and_then(|word| role(&word))
    }

    pub(super) fn sender_id(&self) -> Option<DisplayName> {
        self.of_sender("logical_id", "sender_id").map(|word| display_name(&word))
    }

    /// The token that proves a caller. Without an envelope it is the game's.
    pub(super) fn auth_token(&self) -> Option<AuthToken> {
        self.has_envelope.then_some(self.top)?.token(&["auth_token"])
    }

    /// What it is about: the envelope says it, else the payload, else the subject.
    pub(super) fn context(&self, subject: &Subject) -> Context {
        let league = self.either(&["league_id"]).or_else(|| subject.league.clone());
        let game = self.either(&["game_id", "match_id"]).or_else(|| subject.game.clone());
        Context {
            league: league.map(|id| LeagueId::new(&id)),
            season: self.either(&["season_id"]).map(|id| SeasonId::new(&id)),
            round: self.either(&["round_id"]).or_else(|| subject.round.clone()),
            game: game.map(|id| GameId::new(&id)),
            broadcast: self.either(&["broadcast_id"]).map(|id| BroadcastId::new(&id)),
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
