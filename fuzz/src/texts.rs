//! Texts that are parsed once at the door: times, ids, tokens, conversations, senders, names.
//!
//! Spec: docs/protocol/README.md

use std::fmt::{Debug, Display};
use std::str::FromStr;
use std::time::Duration;

use agon_player::{Chance, ChildTerms, strategy};
use agon_proto::message::StatedParity;
use agon_proto::{
    AuthToken, ConversationId, DisplayName, ErrorCode, GameType, MatchId, PlayerId, RefereeId,
    RpcId, Sender, Timestamp,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::whole;

/// Longest name that is kept.
const NAME_MAX: usize = 64;

/// What a text was read as prints as a text that is read the same way.
pub fn check(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    is_a_time(text);
    is_an_id::<PlayerId>(text);
    is_an_id::<RefereeId>(text);
    is_an_id::<MatchId>(text);
    assert_eq!(ConversationId::new(text).to_string(), text);
    keeps_its_secret(text);
    is_harmless(text);
    comes_back::<Sender>(text);
    comes_back::<GameType>(text);
    comes_back::<StatedParity>(text);
    comes_back::<ErrorCode>(text);
    comes_back::<ConversationId>(text);
    comes_back::<AuthToken>(text);
    comes_back::<RpcId>(text);
    // Nothing is started before the first question, so this only splits a command into words.
    let _ = strategy("even_odd", text, Chance::Fair, &ChildTerms::default());
}

fn is_a_time(text: &str) {
    let Ok(time) = text.parse::<Timestamp>() else { return };
    assert_eq!(time.to_string().parse(), Ok(whole::time(time)), "in whole seconds");
    assert_eq!(format!("{time:?}").parse(), Ok(time), "to the microsecond");
    let deadline = time.rounded_up();
    assert_eq!(whole::time(deadline), deadline);
    assert!(deadline.since(time) < Duration::from_secs(1) && time.since(deadline).is_zero());
}

fn is_an_id<T: FromStr + Display>(text: &str) {
    if let Ok(id) = text.parse::<T>() {
        assert_eq!(id.to_string(), text, "an id has one spelling");
    }
}

fn keeps_its_secret(text: &str) {
    let token = AuthToken::from(text);
    assert_eq!(token.reveal(), text);
    assert_eq!(token, AuthToken::from(text));
    if let Some(secret) = token.secret() {
        let digits: String = secret.iter().map(|byte| format!("{byte:02x}")).collect();
        let shown = format!("{token:?} {}", token.redacted());
        assert!(text.ends_with(&digits) && !shown.contains(&digits[..8]), "{shown}");
    }
}

fn is_harmless(text: &str) {
    let name = DisplayName::new(text);
    assert!(!name.as_str().chars().any(char::is_control), "{name:?}");
    assert!(name.as_str().chars().count() <= NAME_MAX, "{name:?}");
    assert_eq!(DisplayName::new(name.as_str()), name);
}

fn comes_back<T: Serialize + DeserializeOwned + PartialEq + Debug>(text: &str) {
    let Ok(value) = serde_json::from_value::<T>(text.into()) else { return };
    let written = serde_json::to_string(&value).expect("a text can be written");
    let again: T = serde_json::from_str(&written).expect("what was written can be read");
    assert_eq!(again, value);
}
