//! Tests of senders.

use super::super::Sender;
use crate::{DisplayName, PlayerId, RefereeId};

#[track_caller]
fn check(text: &str, expected: Option<Sender>) {
    let json = serde_json::Value::from(text).to_string();
    assert_eq!(serde_json::from_str(&json).ok(), expected, "{text}");
}

#[test]
fn a_sender_is_a_role_and_an_id() {
    check("league_manager", Some(Sender::LeagueManager));
    check("league_manager:LM01", Some(Sender::LeagueManager));
    check("player:P01", Some(Sender::Player(PlayerId::new(1))));
    check("referee:REF12", Some(Sender::Referee(RefereeId::new(12))));
}

#[test]
fn before_registration_it_is_a_role_and_a_name() {
    check("player:alpha", Some(Sender::NewPlayer(Box::new(DisplayName::new("alpha")))));
    check("player:P1", Some(Sender::NewPlayer(Box::new(DisplayName::new("P1")))));
    check("referee:a:b", Some(Sender::NewReferee(Box::new(DisplayName::new("a:b")))));
}

#[test]
fn anybody_else_is_nobody() {
    check("", None);
    check("alpha", None);
    check("operator:alpha", None);
}

#[test]
fn a_name_that_hides_an_id_is_not_that_id() {
    let player = |name| Some(Sender::NewPlayer(Box::new(DisplayName::new(name))));
    check("player:P\u{200b}01", player("P\u{fffd}01"));
    check("player:P01\u{7f}", player("P01\u{fffd}"));
    let name = DisplayName::new("REF\u{fffd}01");
    check("referee:REF\x0001", Some(Sender::NewReferee(Box::new(name))));
}

#[test]
fn a_sender_prints_as_what_is_read_the_same_way() {
    for text in ["player:P\u{200b}01", "player:P01\u{7f}", "referee:\0REF01", "player:\u{feff}"] {
        let read = Sender::parse(text).unwrap();
        assert_eq!(Sender::parse(&read.to_string()), Some(read), "{text:?}");
    }
}
