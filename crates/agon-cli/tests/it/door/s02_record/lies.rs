//! Pieces of a referee that lies: of somebody else's match, of a match of its own but made to
//! burst, twice the same. None of them changes a result, and whoever looks sees what is missing.

use agon_proto::piece::{MessageHead, PIECE_MAX, PieceText};
use agon_proto::tool::{Direction, MessagePiece, PieceBody, PieceId, PieceOf};
use agon_proto::{MatchId, ShortText, Timestamp};
use serde_json::{Value, json};

use crate::http;
use crate::league::League;
use crate::process::Process;
use crate::refusals::clerk::Clerk;

/// Two players of ours and two referees of the test's own; the first holds the only match.
fn league_of_clerks() -> (League, [Clerk; 2], [Process; 2]) {
    let mut league = League::open(&["--match-time-max-s", "3000"]);
    let clerks = [(); 2].map(|()| Clerk::join(&league.endpoint, "referee"));
    let players = [(); 2].map(|()| league.member("player", &[]));
    league.operate("start").succeed();
    (league, clerks, players)
}

/// A message that a referee has made up.
fn note(number: u32, body: &[u8]) -> PieceText {
    let head = MessageHead {
        match_id: MatchId::new(1, 1),
        attempt: 1,
        number,
        at: Timestamp::from_micros(1_700_000_000_000_000),
        direction: Direction::Sent,
        peer: ShortText::new("nowhere"),
        name: ShortText::new("GAME_OVER"),
        took_us: None,
        outcome: ShortText::new("answered"),
        request: body.len().try_into().unwrap(),
        answer: 0,
        cut: 0,
    };
    let mut text = PieceText::default();
    text.add(&head, body, b"");
    text
}

fn piece(id: u8, body: PieceBody) -> Value {
    let of = PieceOf { match_id: MatchId::new(1, 1), attempt: 1, messages: 3, last: true };
    let piece = MessagePiece { piece_id: PieceId([id; 8]), matches: vec![of], body };
    serde_json::to_value(piece).unwrap()
}

/// Hands a piece in, and says what came back: a result or an error.
fn hand_in(league: &League, by: &Clerk, piece: &Value) -> Value {
    let params = json!({ "auth_token": by.token, "piece": piece });
    let mut answer = http::call(&league.endpoint, "keep_messages", &params);
    let part = if answer.get("error").is_some() { "error" } else { "result" };
    answer[part].take()
}

#[test]
fn s02_a_piece_of_somebody_elses_match_is_refused() {
    let (league, [holder, mut other], _players) = league_of_clerks();
    let made_up = piece(1, note(1, b"{\"made\":\"up\"}").pack());
    let refused = hand_in(&league, &other, &made_up);
    assert_eq!(refused["data"]["error_code"], "E006", "{refused}");
    other.token = "tok-p01-nonsense".to_owned();
    assert_eq!(hand_in(&league, &other, &made_up)["data"]["error_code"], "E012");
    assert_eq!(hand_in(&league, &holder, &made_up)["piece_id"], "0101010101010101");
    assert!(league.shown("R1M1").get("messages").is_none(), "not before it has its result");
    holder.reports(&holder.report("R1M1", "P01"));
    let shown = league.shown("R1M1");
    assert_eq!(shown["messages"][0]["messages"][0]["request"]["made"], "up", "{shown}");
    league.close();
}

#[test]
fn s02_a_piece_that_bursts_or_makes_no_sense_shows_as_a_gap_and_harms_nobody() {
    let (league, [holder, _], _players) = league_of_clerks();
    // It would be a gigabyte, and says so.
    let mut bomb = note(1, &vec![b' '; PIECE_MAX / 2]).pack().into_bytes();
    bomb[..4].copy_from_slice(&(1_u32 << 30).to_le_bytes());
    let noise = PieceBody::new(vec![0x5a; 1_000]);
    for (id, body) in [(1, PieceBody::new(bomb)), (2, noise), (3, note(2, b"{}").pack())] {
        let kept = hand_in(&league, &holder, &piece(id, body));
        assert!(kept.get("piece_id").is_some(), "it is kept as it came: {kept}");
    }
    holder.reports(&holder.report("R1M1", "P01"));
    let shown = league.shown("R1M1");
    assert_eq!(shown["result"]["winner"], "P01");
    let attempt = &shown["messages"][0];
    let numbers: Vec<_> =
        attempt["messages"].as_array().unwrap().iter().map(|it| it["number"].clone()).collect();
    assert_eq!((numbers, &attempt["messages_sent"]), (vec![json!(2)], &json!(3)), "{attempt}");
    let text = league.ask_offline(&["match", "R1M1", "--manager", &league.endpoint]).succeed().out;
    assert!(text.contains("2 of 3 are missing"), "{text}");
    league.ask_offline(&["export", "--data", "data", "--to", "out"]).succeed();
    league.close();
}

#[test]
fn s02_a_repeated_piece_is_kept_once_also_after_a_restart() {
    let (mut league, [holder, _], _players) = league_of_clerks();
    let one = piece(1, note(1, b"{}").pack());
    assert_eq!(hand_in(&league, &holder, &one), json!({ "piece_id": "0101010101010101" }));
    let known = json!({ "piece_id": "0101010101010101", "known": true });
    assert_eq!(hand_in(&league, &holder, &one), known);
    league.manager.kill();
    (league.manager, league.endpoint) = crate::league::manager(league.path(), &[]);
    assert_eq!(hand_in(&league, &holder, &one), known);
    league.close();
}
