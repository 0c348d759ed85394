//! What a reader must tolerate, what it must refuse, and what it says then.

use super::*;
use crate::Timestamp;
use crate::act::Applying;
use crate::dialect::q21::body::kind_of;
use crate::dialect::q21::{Act, AsPayload, Role};
use agon_games::q21::{Q21Choice as Choice, Q21Move as Said, Q21View as Seen};

const FIVE: &str = "league.v2::PLAYER::ada@league.test::tx-1::Q21_WARMUP_RESPONSE";

/// The answer to a warm-up.
fn warmup(letter: Letter) -> Box<str> {
    let Act::Move(moved) = letter.act else { panic!("an answer") };
    let Ok(Said::Warmup(answer)) = Said::of(&moved.said) else { panic!("{moved:?}") };
    answer
}

fn open(subject: &str, json: &str) -> Result<Letter, Unreadable> {
    let from = Address::new("Ada@League.test");
    let documents: &[&[u8]] = &[json.as_bytes()];
    open_mail(&Mail { subject, from: &from, header_id: Some("<7@league.test>"), documents })
}

fn call(kind: &str, payload: &str) -> Result<Letter, Unreadable> {
    let json = format!(r#"{{"message_type":"{kind}","message_id":"m-1","payload":{payload}}}"#);
    open_json(json.as_bytes())
}

#[track_caller]
fn check_flaw(read: Result<Letter, Unreadable>, expected: &str) {
    assert_eq!(read.unwrap_err().to_string(), expected);
}

#[test]
fn a_subject_may_be_folded_bracketed_or_useless() {
    let payload = r#"{"payload":{"match_id":"0101001","answer":"4"}}"#;
    let folded = " league.v2::PLAYER\r\n ::ada@league.test::[tx-1]\r\n ::Q21_WARMUP_RESPONSE ";
    for subject in [FIVE, folded] {
        let letter = open(subject, payload).unwrap();
        assert_eq!(letter.head.id.as_str(), "tx-1", "{subject:?}");
        assert_eq!(letter.act.kind(), ActKind::Move(0), "{subject:?}");
        assert_eq!(letter.head.from.role, Some(Role::Player), "{subject:?}");
        assert_eq!(letter.head.from.address.unwrap().as_str(), "ada@league.test", "{subject:?}");
    }
    let named = r#"{"message_type":"Q21WARMUPRESPONSE","match_id":"0101001","answer":4}"#;
    for subject in ["", "hello", "a::b", "[1][2]", "Re: league.v2::PLAYER::bo@league.test::x::Y"] {
        let letter = open(subject, named).unwrap();
        assert_eq!(letter.head.id.as_str(), "<7@league.test>", "{subject:?}");
        assert_eq!(letter.head.from.address, None, "{subject:?}");
        check_flaw(open(subject, payload), &Unreadable::NoType.to_string());
    }
}

#[test]
fn names_of_messages_are_the_same_with_and_without_underscores_in_any_case() {
    for kind in ActKind::NAMED.iter().filter(|kind| **kind != ActKind::StatusReport) {
        let name = kind.name();
        let bare = name.replace('_', "").to_lowercase();
        for name in [name, &bare, &format!(" {name}")] {
            assert_eq!(kind_of(name), Some(*kind), "{name}");
        }
    }
    assert_eq!(kind_of("Q21_GUESS_CALL"), None);
}

#[test]
fn a_sender_must_be_who_sent_it_or_nobody() {
    let with = |email: &str| {
        let letter = r#""message_id":"m-1","message_type":"HEARTBEAT","payload":{}"#;
        open("", &format!(r#"{{"sender":{{"email":{email}}},{letter}}}"#))
    };
    for email in ["null", "\"\"", "\" ADA@league.test\""] {
        assert!(with(email).is_ok(), "{email}");
    }
    let text = "the letter names bo@league.test as its sender, but it came from Ada@League.test";
    check_flaw(with("\"bo@league.test\""), text);
    let subject = "league.v2::PLAYER::bo@league.test::tx-1::HEARTBEAT";
    check_flaw(open(subject, r#"{"sender":{"email":null},"payload":{}}"#), text);
    check_flaw(open(subject, r#"{"sender_email":"ada@league.test","payload":{}}"#), text);
}

#[test]
fn the_first_document_that_is_an_object_decides() {
    let from = Address::new("ada@league.test");
    let mail = |documents: &[&[u8]]| {
        open_mail(&Mail { subject: FIVE, from: &from, header_id: None, documents })
    };
    let letter: &[u8] = b"\xef\xbb\xbf{\"match_id\":\"1\",\"answer\":\"first\"}";
    let second: &[u8] = b"{\"match_id\":\"1\",\"answer\":\"second\"}";
    let answer = warmup(mail(&[b"Hello.", b"[1]", letter, second]).unwrap());
    assert_eq!(&*answer, "first");
    check_flaw(mail(&[]), &Unreadable::NoDocument.to_string());
    check_flaw(mail(&[b"Hello.", b""]), &Unreadable::NotJson.to_string());
}

#[test]
fn what_is_too_large_or_too_deep_is_not_read() {
    let large = format!("{{\"x\":\"{}\"}}", "a".repeat(256 * 1024));
    check_flaw(open_json(large.as_bytes()), "the letter is larger than 262144 bytes");
    let deep = |depth: usize| format!("{}{}", "{\"x\":".repeat(depth), "0") + &"}".repeat(depth);
    check_flaw(open_json(deep(17).as_bytes()), "the letter is nested more than 16 deep");
    check_flaw(open_json(deep(16).as_bytes()), &Unreadable::NoType.to_string());
    let questions = |count: usize| {
        let list = vec![r#"{"text":"?"}"#; count].join(",");
        call("Q21QUESTIONSBATCH", &format!(r#"{{"match_id":"1","questions":[{list}]}}"#))
    };
    assert!(questions(100).is_ok());
    check_flaw(questions(101), "`questions` of Q21QUESTIONSBATCH has more than 100 entries");
}

#[test]
fn the_table_of_the_largest_season_is_read_by_mail_and_not_by_call() {
    let row = r#"{"role":"player1","email":"p1@league.test","group_id":"a","game_id":"0101001"}"#;
    let table = |rows: usize| {
        let list = vec![row; rows].join(",");
        let envelope = r#""message_type":"BROADCAST_ASSIGNMENT_TABLE","message_id":"m""#;
        format!(r#"{{{envelope},"payload":{{"assignments":[{list}]}}}}"#)
    };
    let from = Address::new("manager@league.test");
    let mail = |text: &str| {
        let documents: [&[u8]; 1] = [text.as_bytes()];
        open_mail(&Mail { subject: "", from: &from, header_id: None, documents: &documents })
    };
    let (largest, larger) = (table(30_000), table(30_001));
    let Act::AssignmentTable(said) = mail(&largest).unwrap().act else { panic!("a table") };
    assert_eq!(said.rows.len(), 30_000);
    let flaw = "`assignments` of BROADCAST_ASSIGNMENT_TABLE has more than 30000 entries";
    check_flaw(mail(&larger), flaw);
    let huge = format!("{}{}", table(1), " ".repeat(6 * 1024 * 1024));
    check_flaw(mail(&huge), "the letter is larger than 6291456 bytes");
    check_flaw(open_json(largest.as_bytes()), "the letter is larger than 262144 bytes");
}

#[test]
fn long_texts_are_cut_and_keep_only_their_line_breaks() {
    let long = format!("a\\u0000\\nb\\r\\u202e{}", "x".repeat(5000));
    let payload = format!(r#"{{"match_id":"1","answer":"{long}"}}"#);
    let answer = warmup(call("Q21WARMUPRESPONSE", &payload).unwrap());
    assert!(answer.starts_with("a\nbxx"));
    assert_eq!(answer.chars().count(), 4000);
}

#[test]
fn a_game_letter_without_what_the_game_needs_says_what_is_missing() {
    let game = "must be the game's id";
    for kind in ActKind::NAMED.iter().filter(|kind| kind.is_of_match()) {
        let text = format!("`match_id` of {} {game}", kind.name());
        let payload = r#"{"answer":"a","questions":[],"answers":[],"opening_sentence":"a"}"#;
        check_flaw(call(kind.name(), payload), &text);
    }
    let check = |kind, payload, expected: &str| check_flaw(call(kind, payload), expected);
    let in_game = r#"{"match_id":"0101001"}"#;
    check("Q21WARMUPRESPONSE", in_game, "`answer` of Q21WARMUPRESPONSE must be a text");
    check("Q21QUESTIONSBATCH", in_game, "`questions` of Q21QUESTIONSBATCH must be a list");
    check("Q21ANSWERSBATCH", in_game, "`answers` of Q21ANSWERSBATCH must be a list");
    let guess = "`opening_sentence` of Q21GUESSSUBMISSION must be a text";
    check("Q21GUESSSUBMISSION", in_game, guess);
    let odd = r#"{"match_id":"1","questions":[{"text":"?"},7]}"#;
    let text = "must be an object with question_number, question_text and options";
    check("Q21QUESTIONSBATCH", odd, &format!("`questions[1]` of Q21QUESTIONSBATCH {text}"));
    let row = r#"{"assignments":[{"game_id":"0101001","role":"umpire"}]}"#;
    let text = "must be player1, player2 or referee";
    let field = "`assignments[0].role` of BROADCAST_ASSIGNMENT_TABLE";
    check("BROADCAST_ASSIGNMENT_TABLE", row, &format!("{field} {text}"));
}

#[test]
fn a_letter_that_cannot_be_opened_still_claims_to_be_something() {
    let from = Address::new("ada@league.test");
    let claim = |subject, document: &str| {
        let documents: &[&[u8]] = &[document.as_bytes()];
        claimed(&Mail { subject, from: &from, header_id: None, documents })
    };
    let game = |id: &str| Some(GameId::new(id));
    let subject = "Q21G.v1::PLAYER::ada@league.test::tx-1::Q21QUESTIONSBATCH";
    let kind = ActKind::Move(1);
    let bad = r#"{"payload":{"match_id":"0101001","questions":"none"}}"#;
    assert_eq!(claim(subject, bad), Some(Claim { kind, game: game("0101001") }));
    assert_eq!(claim(subject, "{broken"), Some(Claim { kind, game: None }));
    let eight = format!("{subject}::Q21G::R1::0101001");
    assert_eq!(claim(&eight, "{broken"), Some(Claim { kind, game: game("0101001") }));
    assert_eq!(claim("hello", "{broken"), None);
}

#[test]
fn a_token_beside_a_payload_is_the_caller_s_and_within_it_the_game_s() {
    let payload = r#"{"match_id":"1","answer":"4","auth_token":"tok_game"}"#;
    let json = format!(
        r#"{{"message_type":"Q21WARMUPRESPONSE","message_id":"m","auth_token":"tok_call",
            "payload":{payload}}}"#
    );
    let letter = open_json(json.as_bytes()).unwrap();
    assert_eq!(letter.auth_token.unwrap().reveal(), "tok_call");
    let letter = open(FIVE, payload).unwrap();
    assert_eq!(letter.auth_token, None);
    let Act::Move(said) = letter.act else { panic!("an answer") };
    assert_eq!(said.token.as_deref(), Some("tok_game"));
}

#[test]
fn times_are_read_in_every_form_that_programs_write() {
    let at = |text: &str| {
        let payload = format!(r#"{{"match_id":"1","deadline":"{text}"}}"#);
        let Act::Ask(said) = call("Q21WARMUPCALL", &payload).unwrap().act else {
            panic!("a call");
        };
        said.deadline
    };
    let noon: Timestamp = "2026-02-17T12:00:00Z".parse().unwrap();
    for text in ["2026-02-17T12:00:00+00:00", "2026-02-17T12:00:00", "2026-02-17T14:00:00+02:00"] {
        assert_eq!(at(text), Some(noon), "{text}");
    }
    assert_eq!(at(""), None);
    assert_eq!(at("soon"), None);
}

#[test]
fn what_nobody_knows_is_no_error() {
    let letter = call("Q21_GUESS_RESULT", r#"{"total_score":3}"#).unwrap();
    assert_eq!(letter.act, Act::Other("Q21_GUESS_RESULT".into()));
}

#[test]
fn a_season_that_only_the_body_names_stands_in_the_context_too() {
    let season = Some(crate::SeasonId::new("S01"));
    let mut letter = call("SEASON_REGISTRATION_REQUEST", "{}").unwrap();
    assert_eq!(letter.head.context.season, None);
    let request = Applying { season: season.clone(), ..Applying::default() };
    letter.act = Act::Apply(Box::new(request));
    let again = open_json(write(&letter).as_bytes()).unwrap();
    assert_eq!(again.head.context.season, season);
    assert_eq!(again.act, letter.act);
}

#[test]
fn not_relevant_keeps_all_its_twelve_characters() {
    for spelled in ["Not Relevant", "NOT_RELEVANT", "not relevant"] {
        let answers = format!(
            r#"{{"match_id":"0101001","answers":[{{"question_number":1,"answer":"{spelled}"}}]}}"#
        );
        let letter = call("Q21ANSWERSBATCH", &answers).unwrap();
        let Act::Ask(said) = &letter.act else { panic!("{letter:?}") };
        let answers = Seen::of(&said.view).unwrap().answers.unwrap();
        assert_eq!(answers[0].choice, Choice::NotRelevant, "{spelled}");
        let written = write(&letter);
        assert!(written.contains(r#""answer":"Not Relevant""#), "{written}");
    }
}

#[test]
fn confidence_is_rounded_to_the_nearest_hundredth_within_its_bounds() {
    let guess = |confidence: &str| {
        let said = format!(r#"{{"match_id":"0101001","opening_sentence":"x"{confidence}}}"#);
        let Act::Move(moved) = call("Q21GUESSSUBMISSION", &said).unwrap().act else { panic!() };
        let Ok(Said::Guess(guess)) = Said::of(&moved.said) else { panic!("{moved:?}") };
        (guess.confidence, guess.stand_in)
    };
    for (stated, confidence) in
        [("0.754", 75), ("0.756", 76), ("0.004", 0), ("0.996", 100), ("7", 100), ("-1", 0)]
    {
        assert_eq!(guess(&format!(r#","confidence":{stated}"#)), (confidence, false), "{stated}");
    }
    assert_eq!(guess(""), (50, false));
    assert_eq!(guess(r#","stand_in":true"#), (50, true));
}
