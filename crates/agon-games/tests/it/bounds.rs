//! What is too large or too deep is refused, whatever it says.

use agon_games::{
    BadMove, BadPayload, DEPTH_MAX, PAYLOAD_MAX, Rules, Seat, Seats, VIEW_MAX, games,
};

#[track_caller]
fn check(json: &str, expected: &BadPayload) {
    for info in games().iter().filter(|info| !info.greets) {
        let rules = Rules::new(info.name, "{}").unwrap();
        let mut position = rules.open();
        let before = position.clone();
        let refused = position.seal(Seat::A, json.as_bytes());
        assert_eq!(refused, Err(BadMove::Payload(*expected)), "{}", info.name);
        assert_eq!(position, before);
        assert!(rules.retrace(json.as_bytes()).is_err());
    }
}

#[test]
fn a_move_that_is_too_long_is_not_read() {
    let long = format!("\"{}\"", "x".repeat(PAYLOAD_MAX - 1));
    check(&long, &BadPayload::TooLong { bytes: PAYLOAD_MAX + 1, max: PAYLOAD_MAX });
}

#[test]
fn a_move_that_is_too_deep_is_not_read() {
    let nested = |depth| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    check(&nested(DEPTH_MAX + 1), &BadPayload::TooDeep);
    let rules = Rules::new("even-odd", "{}").unwrap();
    let flat = rules.open().seal(Seat::A, nested(DEPTH_MAX).as_bytes());
    assert!(matches!(flat, Err(BadMove::NotAnOption(_))), "{flat:?}");
    let quoted = format!("\"\\\"{}\"", "[".repeat(DEPTH_MAX + 1));
    let quoted = rules.open().seal(Seat::A, quoted.as_bytes());
    assert!(matches!(quoted, Err(BadMove::NotAnOption(_))), "{quoted:?}");
}

#[test]
fn a_word_that_would_fill_a_view_is_refused() {
    let rules = Rules::new("q21", "{}").unwrap();
    let mut position = rules.open();
    let said = |length| format!("{{\"warmup_question\":\"{}\"}}", "x".repeat(length));
    let refused = position.word(None, said(VIEW_MAX).as_bytes());
    assert!(matches!(refused, Err(BadMove::Illegal(_))), "{refused:?}");
    assert_eq!(position.word(None, said(900).as_bytes()), Ok(()));
}

/// A referee's program may write feedback of two hundred words about each part of a guess.
#[test]
fn long_texts_of_a_judgement_are_cut_so_that_a_view_is_never_too_long() {
    let rules = Rules::new("q21", "{}").unwrap();
    let mut game = rules.open();
    let long = "ä".repeat(3_000);
    let word = |about, text: String, game: &mut agon_games::Position| {
        game.word(about, text.as_bytes()).unwrap();
    };
    let instead = game.word_instead(None, 0x0102).unwrap();
    assert_eq!(instead, r#"{"warmup_question":"What is 3 + 2?"}"#);
    word(None, format!(r#"{{"warmup_question":"{long}"}}"#), &mut game);
    for seat in Seat::BOTH {
        game.seal(seat, br#"{"warmup":"yes"}"#).unwrap();
    }
    game.reveal(Seats::BOTH);
    assert_eq!(game.word_instead(None, 0), None);
    let public = format!(r#"{{"name":"{long}","hint":"{long}","association_word":"{long}"}}"#);
    word(None, format!(r#"{{"book":{{"public":{public}}}}}"#), &mut game);
    let view = game.view(Some(Seat::A)).unwrap();
    assert!(view.contains(&"ä".repeat(500)) && !view.contains(&"ä".repeat(501)), "{view}");

    let questions = r#"{"questions":[{"number":1,"text":"?","options":["a","b","c","d"]}]}"#;
    let guess = r#"{"guess":{"opening_sentence":"","sentence_justification":"",
        "associative_word":"","word_justification":"","confidence":0}}"#;
    let score = format!(
        r#"{{"score":{{"private_score":1,"breakdown":{{"opening_sentence":1,
        "sentence_justification":1,"associative_word":1,"word_justification":1}},
        "feedback":{{"opening_sentence":"{long}","associative_word":"{long}"}}}}}}"#
    );
    let mut play = |said: &str, judged: String| {
        game.seal(Seat::A, said.as_bytes()).unwrap();
        game.reveal(Seats::only(Seat::A));
        word(Some(Seat::A), judged, &mut game);
    };
    play(questions, r#"{"answers":[]}"#.to_owned());
    play(guess, score);
    let view = game.view(Some(Seat::A)).unwrap();
    assert!(view.contains(&"ä".repeat(1_000)) && !view.contains(&"ä".repeat(1_001)), "{view}");
}
