//! The line in and the line out, byte by byte.

use super::*;
use agon_proto::message::Parity;

use crate::tests::{EVEN, ODD, known, options, played, question};

#[test]
fn a_question_is_one_line_with_the_last_matches() {
    let history =
        [played(1, 2, [EVEN, ODD], 2), played(2, 3, [EVEN, ODD], 1), played(3, 4, [ODD, ODD], 1)];
    let until = Timestamp::from_micros(1_768_473_000_000_000);
    let asked = Question { until, ..question(4) };
    let expected = concat!(
        r#"{"match_id":"R4M1","round_id":4,"player_id":"P01","opponent_id":"P05","#,
        r#""deadline":"2026-01-15T10:30:00Z","history":[{"match_id":"R3M1","#,
        r#""opponent_id":"P04","result":"DRAW","my_choice":"odd","opponent_choice":"odd","#,
        r#""drawn_number":1,"timestamp":"1970-01-01T00:00:00Z"}],"#,
        r#""standings":{"wins":1,"losses":1,"draws":1},"kind":"choose_parity","#,
        r#""view":{"drawn_number":null,"choices":[null,null]},"options":["even","odd"],"said":[]}"#,
        "\n"
    );
    let line = String::from_utf8(super::question(&asked, &known(5, &history), 1)).unwrap();
    assert_eq!(line, expected);
}

/// The parity in a line.
fn choice(line: &str) -> Option<Parity> {
    answer(line, &options()).ok().and_then(|made| Parity::of_json(made.as_bytes()))
}

#[test]
fn a_move_of_any_game_is_json() {
    let options = ["[1,2]", "3", "\"rock\""].map(Payload::trusted);
    let made = |line: &str| Some(answer(line, &options).ok()?.as_str().to_owned());
    assert_eq!(made(r#"{"move":[1,2]}"#).as_deref(), Some("[1,2]"));
    assert_eq!(made("3").as_deref(), Some("3"));
    assert_eq!(made("ROCK").as_deref(), Some("\"rock\""));
    assert_eq!(made(r#"{"move":4}"#), None);
    let free = |line: &str| Some(answer(line, &[]).ok()?.as_str().to_owned());
    assert_eq!(free(r#"{"word":{"book":1}}"#).as_deref(), Some(r#"{"book":1}"#));
    assert_eq!(free("no JSON"), None);
}

#[test]
fn a_referees_program_is_told_everything_and_asked_for_its_word() {
    let what = What::Oracle { about: Some(Seat::B), prompt: Payload::trusted("{\"secret\":1}") };
    let asked = Question { kind: "answers".into(), what, ..question(4) };
    let context = Payload::trusted("{\"game\":\"0101001\"}");
    let line = super::question(&asked, &Known { context, ..Known::default() }, 1);
    let expected =
        r#""kind":"answers","about":"B","prompt":{"secret":1},"context":{"game":"0101001"}}"#;
    let line = String::from_utf8(line).unwrap();
    assert!(line.trim_end().ends_with(expected), "{line}");
}

#[test]
fn an_answer_is_an_object_or_a_bare_word() {
    let even = [r#"{"choice":"even"}"#, r#" { "why": [1], "choice": "EVEN" } "#, "even", "Even\r"];
    for line in even {
        assert_eq!(choice(line), Some(EVEN), "{line}");
    }
    assert_eq!(choice(r#"{"choice":"odd"}"#), Some(ODD));
    assert_eq!(choice("odd"), Some(ODD));
}

#[test]
fn anything_else_is_no_answer() {
    for line in ["", "evening", "{}", r#"{"choice":2}"#, r#"{"choice":"both"}"#, "{", "[]"] {
        assert_eq!(choice(line), None, "{line}");
    }
}
