//! Tokens differ wherever they must, repeat where they must, and never print themselves.

use agon_proto::PlayerId;

use super::*;
use crate::testing::{in_match, league, referee, stolen};

const PLAYER: AgentId = AgentId::Player(PlayerId::new(1));
const REFEREE: AgentId = AgentId::Referee(RefereeId::new(1));

fn mint(key: u8, owner: AgentId, endpoint: &str, conversation: &str) -> AuthToken {
    mint_nth(key, (owner, 1), endpoint, conversation)
}

fn mint_nth(key: u8, owner: (AgentId, u32), endpoint: &str, conversation: &str) -> AuthToken {
    let request = RequestDigest::of([endpoint.as_bytes(), conversation.as_bytes()]);
    Secrets::new([key; 32]).mint(owner, Some(request))
}

#[test]
fn the_same_request_gets_the_same_token_and_no_other_does() {
    let token = mint(1, PLAYER, "p1", "conv-1");
    assert_eq!(token, mint(1, PLAYER, "p1", "conv-1"));
    let others = [
        mint(2, PLAYER, "p1", "conv-1"),
        mint(1, REFEREE, "p1", "conv-1"),
        mint(1, PLAYER, "p2", "conv-1"),
        mint(1, PLAYER, "p1", "conv-2"),
        mint_nth(1, (PLAYER, 2), "p1", "conv-1"),
        mint(1, PLAYER, "p1\nconv-1", ""),
        Secrets::new([1; 32]).mint((PLAYER, 1), None),
    ];
    for other in others {
        assert_ne!(token, other);
    }
}

#[test]
fn a_match_token_is_good_for_one_player_one_attempt_and_one_referee() {
    let key = SigningKey::of(&mint(1, PLAYER, "p1", "conv-1")).unwrap();
    let other = SigningKey::of(&mint(1, PLAYER, "p2", "conv-1")).unwrap();
    let elsewhere = LeagueId::new("another league");
    let token = key.match_token(&league(), in_match(1, 2), 1, referee(1));
    assert_eq!(token, key.match_token(&league(), in_match(1, 2), 1, referee(1)));
    let others = [
        other.match_token(&league(), in_match(1, 2), 1, referee(1)),
        key.match_token(&elsewhere, in_match(1, 2), 1, referee(1)),
        key.match_token(&league(), in_match(2, 1), 1, referee(1)),
        key.match_token(&league(), in_match(1, 2), 2, referee(1)),
        key.match_token(&league(), in_match(1, 2), 1, referee(2)),
        key.manager_token(&league()),
    ];
    for other in others {
        assert_ne!(token, other);
    }
}

#[test]
fn the_managers_token_is_good_for_one_agent_in_one_league() {
    let key = SigningKey::of(&mint(1, REFEREE, "r1", "conv-1")).unwrap();
    let other = SigningKey::of(&mint(1, REFEREE, "r2", "conv-1")).unwrap();
    let token = key.manager_token(&league());
    assert_eq!(token, key.manager_token(&league()));
    assert_ne!(token, other.manager_token(&league()));
    assert_ne!(token, key.manager_token(&LeagueId::new("another league")));
}

#[test]
fn a_foreign_token_has_no_hash() {
    assert_eq!(TokenHash::of(&AuthToken::from("tok-p01-short")), None);
    assert!(TokenHash::of(&stolen()).is_some());
}

#[test]
fn the_key_does_not_print_itself() {
    assert_eq!(format!("{:?}", Secrets::new([1; 32])), "Secrets(…)");
}

#[test]
fn what_is_kept_of_a_token_signs_nothing() {
    let token = mint(1, PLAYER, "p1", "conv-1");
    let kept = TokenHash::of(&token).unwrap();
    let stolen = SigningKey(Key(*kept.as_bytes()));
    let derived = SigningKey::of(&AuthToken::derived(*kept.as_bytes())).unwrap();
    let good = SigningKey::of(&token).unwrap();
    for forged in [stolen, derived] {
        assert_ne!(forged.manager_token(&league()), good.manager_token(&league()));
        let place = (&league(), in_match(1, 1), 1, referee(1));
        let sign = |key: &SigningKey| key.match_token(place.0, place.1, place.2, place.3);
        assert_ne!(sign(&forged), sign(&good));
    }
}
