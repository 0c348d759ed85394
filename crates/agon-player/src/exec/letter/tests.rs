//! The line in and the line out, byte by byte.

use super::*;
use crate::Listed;
use crate::testing::{EVEN, ODD, played, question};

#[test]
fn a_question_is_one_line_with_the_last_matches() {
    let history =
        [played(1, 2, [EVEN, ODD], 2), played(2, 3, [EVEN, ODD], 1), played(3, 4, [ODD, ODD], 1)];
    let situation =
        Situation { question: &question(4, 5), history: &history, standings: &Listed::default() };
    let expected = concat!(
        r#"{"match_id":"R4M1","round_id":4,"player_id":"P01","opponent_id":"P05","#,
        r#""deadline":"2026-01-15T10:30:00Z","history":[{"match_id":"R3M1","#,
        r#""opponent_id":"P04","result":"DRAW","my_choice":"odd","opponent_choice":"odd","#,
        r#""drawn_number":1,"timestamp":"1970-01-01T00:00:00Z"}],"#,
        r#""standings":{"wins":1,"losses":1,"draws":1}}"#,
        "\n"
    );
    let line = String::from_utf8(super::question(&situation, 1)).unwrap();
    assert_eq!(line, expected);
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
