//! What is set aside reads the same later, and what is unusual is not set aside.

use super::*;
use crate::frame::{Limits, decode_request};
use crate::message::StandingsRow;
use crate::{DisplayName, PlayerId};

fn row(number: u32) -> StandingsRow {
    StandingsRow {
        rank: number,
        player_id: PlayerId::new(number),
        display_name: DisplayName::new("[\"]\\ {a}"),
        played: 3,
        wins: 1,
        draws: 1,
        losses: 1,
        points: 4,
        clock_ms: None,
        unverified: None,
        unproved: false,
    }
}

/// A table with so many rows; `league` is its league's name and `more` stands behind the list.
fn table(rows: u32, league: &str, more: &str) -> String {
    let rows: Vec<StandingsRow> = (1..=rows).map(row).collect();
    let rows = serde_json::to_string(&rows).unwrap();
    format!(
        r#"{{"jsonrpc":"2.0","method":"update_standings","params":{{"protocol":"league.v2",
        "message_type":"LEAGUE_STANDINGS_UPDATE","sender":"league_manager",
        "timestamp":"2026-01-15T10:00:00Z","conversation_id":"conv-round-1-standings",
        "auth_token":"tok","league_id":"{league}","round_id":1,
        "standings" : {rows}{more}}},"id":7}}"#
    )
}

fn standings(request: Request) -> Vec<StandingsRow> {
    let Call::Message(letter) = request.call else { panic!("a letter") };
    let Act::LeagueStandingsUpdate(said) = letter.act else { panic!("a table") };
    said.standings.entries().to_vec()
}

#[track_caller]
fn check(text: &str, set_aside: bool, rows: u32) {
    assert_eq!(set_list_aside(text).is_some(), set_aside, "{text}");
    let request = decode_request(text.as_bytes(), Limits { depth_max: 8 }).unwrap();
    assert_eq!(standings(request), (1..=rows).map(row).collect::<Vec<_>>());
}

#[test]
fn a_long_list_is_set_aside_and_reads_the_same() {
    check(&table(64, "l", ""), true, 64);
    check(&table(3, "l", ""), false, 3);
}

#[test]
fn what_follows_the_list_is_found() {
    check(&table(64, "l", r#","extra":1"#), true, 64);
    check(&table(64, "l", r#","extra":[1,[2]]"#), true, 64);
    let text = table(64, "l", "").replacen(r#""round_id":1,"#, "", 1);
    let text = text.replacen(r#"},"id":7}"#, r#","more":["x"],"round_id":1},"id":7}"#, 1);
    check(&text, true, 64);
    let text = text.replacen(r#""more":["x"],"round_id":1"#, r#""round_id":1,"more":["x"]"#, 1);
    check(&text, false, 64);
}

#[test]
fn brackets_elsewhere_are_not_taken_for_the_list() {
    check(&table(64, "[l]", ""), false, 64);
    check(&table(64, r#"\\\"[l"#, ""), false, 64);
    check(&table(64, "l", r#","extra":"]""#), false, 64);
    let text = table(64, "l", "").replacen(r#""round_id""#, r#""extra":[1],"round_id""#, 1);
    check(&text, false, 64);
}

#[test]
fn a_token_behind_the_list_is_not_lost() {
    let text = table(64, "l", r#","auth_token":"tok","more":[1]"#);
    let text = text.replacen(r#""auth_token":"tok","league_id""#, r#""league_id""#, 1);
    check(&text, false, 64);
    let request = decode_request(text.as_bytes(), Limits { depth_max: 8 }).unwrap();
    let Call::Message(letter) = request.call else { panic!("a letter") };
    assert!(letter.auth_token.is_some());
}

#[test]
fn other_letters_are_read_in_full() {
    let text = table(64, "l", "").replace("LEAGUE_STANDINGS_UPDATE", "ROUND_ANNOUNCEMENT");
    assert!(set_list_aside(&text).is_none());
}

#[test]
fn a_list_that_is_none_is_empty_for_whoever_looks() {
    let broken = table(64, "l", "").replacen(r#"{"rank":1,"#, r#"{"rank" 1,"#, 1);
    let request = decode_request(broken.as_bytes(), Limits { depth_max: 8 }).unwrap();
    assert_eq!(standings(request), []);
}
