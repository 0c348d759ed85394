//! Ids of games, and addresses.

use super::*;

#[test]
fn a_game_id_has_seven_digits() {
    assert_eq!(GameId::of(1, MatchId::new(3, 7)).as_str(), "0103007");
    assert_eq!(GameId::new("0103007").parts(), Some((1, MatchId::new(3, 7))));
}

#[test]
fn foreign_game_ids_say_their_match_too() {
    assert_eq!(GameId::new("R2M3").match_id(), Some(MatchId::new(2, 3)));
    let training = GameId::new("TRAIN_2026-02-11_0900_0102001");
    assert_eq!(training.match_id(), Some(MatchId::new(2, 1)));
    for other in ["", "abc", "123456", "0100001", "0101000", "ä123456"] {
        assert_eq!(GameId::new(other).match_id(), None, "{other}");
    }
}

#[test]
fn mail_addresses_are_equal_in_any_case() {
    assert_eq!(Address::new(" Ada@League.Test "), Address::new("ada@league.test"));
    assert!(!Address::new("ada@league.test").is_endpoint());
}

#[test]
fn a_url_keeps_its_case() {
    let url = Address::new("http://127.0.0.1:8000/Mcp");
    assert_eq!(url.as_str(), "http://127.0.0.1:8000/Mcp");
    assert!(url.is_endpoint());
}
