//! Tests of tokens: what they look like, and that they do not show it.

mod invitation;

use super::AuthToken;
use crate::{AgentId, PlayerId, RefereeId};

#[test]
fn ours_name_their_owner_and_hide_the_rest() {
    let digits = "ab".repeat(32);
    let player = AuthToken::minted(AgentId::Player(PlayerId::new(7)), [0xab; 32]);
    assert_eq!(player.reveal(), format!("tok-p07-{digits}"));
    assert_eq!(format!("{player:?}"), "tok-p07-…");
    let referee = AuthToken::minted(AgentId::Referee(RefereeId::new(u32::MAX)), [0xab; 32]);
    assert_eq!(referee.reveal(), format!("tok-ref4294967295-{digits}"));
    let derived = AuthToken::derived([0xab; 32]);
    assert_eq!(derived.reveal(), format!("tok-{digits}"));
    assert_eq!(format!("{derived:?}"), "tok-…");
}

#[test]
fn foreign_ones_are_kept_and_never_shown() {
    let token = AuthToken::from("tok-p01-xyz789");
    assert_eq!(token.secret(), None);
    assert_eq!(token.reveal(), "tok-p01-xyz789");
    assert_eq!(format!("{token:?}"), "… (14 characters)");
}

#[test]
fn only_our_own_spelling_is_ours() {
    let digits = "ab".repeat(32);
    for text in [
        format!("tok-P07-{digits}"),
        format!("tok-p7-{digits}"),
        format!("tok-p07-{}", digits.to_uppercase()),
        format!("TOK-{digits}"),
        format!("tok-{digits}0"),
    ] {
        assert_eq!(AuthToken::from(text.as_str()).secret(), None, "{text}");
    }
}

#[test]
fn an_endless_token_is_refused_without_being_repeated() {
    let text = format!("\"{}\"", "s3cret".repeat(100));
    let error = serde_json::from_str::<AuthToken>(&text).unwrap_err().to_string();
    assert!(!error.contains("s3cret"), "{error}");
}
