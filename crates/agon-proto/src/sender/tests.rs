//! Tests of senders.

use super::Sender;
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
    check("player:alpha", Some(Sender::NewPlayer(DisplayName::new("alpha"))));
    check("player:P1", Some(Sender::NewPlayer(DisplayName::new("P1"))));
    check("referee:a:b", Some(Sender::NewReferee(DisplayName::new("a:b"))));
}

#[test]
fn anybody_else_is_nobody() {
    check("", None);
    check("alpha", None);
    check("operator:alpha", None);
}
