//! The protocol log, line by line.

use agon_core::letterbox::{Parcel, ParcelId};
use agon_core::{Mishap, MishapKind};
use agon_proto::Payload;
use agon_proto::act::{Asked, Moved};
use agon_proto::act::{AssignmentRow, AssignmentTable, NewRound, StartSeason};
use agon_proto::{Claimed, Context, Heading};
use agon_proto::{DisplayName, GroupId, MessageId, Part, Timestamp};

use super::*;

fn at(text: &str) -> Timestamp {
    format!("2026-02-17T{text}Z").parse().unwrap()
}

fn letter(body: Act, game: Option<&str>) -> Letter {
    Letter {
        head: Heading {
            id: MessageId::new("1"),
            sent_at: at("19:00:00"),
            from: Claimed { address: None, role: None, logical_id: None },
            recipient: "BROADCAST".into(),
            answers: None,
            context: Context { game: game.map(GameId::new), ..Context::default() },
        },
        auth_token: None,
        act: body,
    }
}

fn player() -> ProtocolLog {
    ProtocolLog::new(Role::Player, Address::new("p1@league.test"))
}

fn received(log: &mut ProtocolLog, letter: &Letter) -> String {
    let from = Address::new("manager@league.test");
    log.text(&LetterLogEntry::Received { from: Some(&from), letter, at: at("19:00:05") }).1
}

fn round(number: u32) -> Letter {
    let body =
        NewRound { number, total_rounds: None, ends_at: None, present: None, text: "".into() };
    letter(Act::NewRound(body), None)
}

fn table() -> Letter {
    let row = AssignmentRow {
        game: GameId::new("0102001"),
        part: Part::Player1,
        address: Some(Address::new("P1@league.test")),
        group: GroupId::new("alphateam"),
        auth_token: None,
    };
    let table = AssignmentTable { season: None, rows: vec![row], text: "".into() };
    letter(Act::AssignmentTable(table), None)
}

#[test]
fn a_season_has_nines() {
    let said = StartSeason {
        season: agon_proto::SeasonId::new("S01"),
        name: DisplayName::new("S01"),
        total_rounds: 6,
        registration_deadline: Some(at("18:45:00")),
        registered_players: None,
        registered_referees: None,
        text: "".into(),
    };
    assert_eq!(
        received(&mut player(), &letter(Act::StartSeason(said), None)),
        "19:00:05 0199999 RECEIVED from manager@league.test | START-SEASON     | \
         SEASON-SIGNUP by 18:45:00"
    );
}

#[test]
fn a_round_says_whether_we_have_a_game_in_it() {
    let mut log = player();
    received(&mut log, &table());
    let idle = received(&mut log, &round(1));
    assert!(idle.contains(" 0101999 ") && idle.ends_with("| no game of ours"), "{idle}");
    let busy = received(&mut log, &round(2));
    assert!(busy.ends_with("| START-ROUND      | Wait for PING-CALL"), "{busy}");
}

#[test]
fn what_is_asked_says_until_when() {
    let mut log = ProtocolLog::new(Role::Referee, Address::new("r1@league.test"));
    let call = Asked {
        game: GameId::new("0101001"),
        number: 0,
        view: Payload::default(),
        deadline: Some(at("19:02:05")),
        token: None,
    };
    let parcel = Parcel {
        id: ParcelId(1),
        to: vec![Address::new("p1@league.test")],
        letter: letter(Act::Ask(call.into()), Some("0101001")).written().into(),
        until: None,
    };
    assert_eq!(
        log.text(&LetterLogEntry::Sent { parcel: &parcel, at: at("19:00:05") }).1,
        "19:00:05 0101001 SENT     to   p1@league.test    | PING-CALL        | \
         PING-RESPONSE by 19:02:05"
    );
}

#[test]
fn an_answer_of_ours_is_logged_as_sent() {
    let mut log = player();
    let (game, said) = (GameId::new("0101001"), Payload::trusted(r#"{"warmup":"4"}"#));
    let body = Moved { game, number: 0, said, token: None };
    let mut parcel = Parcel {
        id: ParcelId(1),
        to: vec![Address::new("r1@league.test")],
        letter: letter(Act::Move(body), Some("0101001")).written().into(),
        until: None,
    };
    let line = log.text(&LetterLogEntry::Sent { parcel: &parcel, at: at("19:00:07") }).1;
    let head = "19:00:07 0101001 SENT     to   r1@league.test    | PING-RESPONSE    | ";
    assert_eq!(line, format!("{head}Wait for START-GAME"));
    assert_eq!(log.counts, Counts { received: 0, sent: 1, errors: 0 });
    // In words that another version wrote, and that this one cannot read.
    parcel.letter.text = "[]".into();
    let line = log.text(&LetterLogEntry::Sent { parcel: &parcel, at: at("19:00:07") }).1;
    let expected = "19:00:07 SENT     to   r1@league.test    | Q21WARMUPRESPONSE";
    assert_eq!(line, expected);
}

#[test]
fn an_unknown_letter_keeps_its_name() {
    let line = received(&mut player(), &letter(Act::Other("BROADCAST_PARTY".into()), None));
    assert!(line.ends_with("| BROADCAST_PARTY"), "{line}");
}

#[test]
fn a_program_is_asked_and_answers() {
    let mut log = player();
    let when = Timestamp::from_micros(at("19:00:05").micros() + 7_000);
    let said = LetterLogEntry::Answered { kind: "questions", mishap: None, at: when };
    let line = "19:00:05:007 | CALLBACK: get_questions | RESPONSE | ROLE: PLAYER";
    assert_eq!(log.text(&said).1, line);
    let mishap = Mishap { kind: MishapKind::Raised, text: "KeyError: 'x'".into() };
    let failed = LetterLogEntry::Answered { kind: "guess", mishap: Some(&mishap), at: when };
    assert_eq!(
        log.text(&failed),
        (Tone::Error, "[ERROR] 19:00:05 | get_guess: KeyError: 'x'".into())
    );
    assert_eq!(log.counts.errors, 1);
}

#[test]
fn an_endpoint_is_shown_by_its_place_and_a_long_address_is_cut() {
    let mut log = player();
    let mut shown = |from: &str| {
        let from = Address::new(from);
        let news =
            LetterLogEntry::Received { from: Some(&from), letter: &table(), at: at("19:00:05") };
        log.text(&news).1
    };
    let line = shown("https://agents.example.org:8101/mcp");
    assert!(line.contains("from agents.example.org:8101 | "), "{line}");
    let line = shown(&format!("{}@league.test", "a".repeat(90)));
    assert!(line.chars().count() == 100 && line.contains("aa… | ASSIGNMENT-TABLE | "), "{line}");
}

#[test]
fn a_long_mishap_goes_on_below() {
    let said = error(at("19:00:05"), &"a few words ".repeat(20));
    assert!(said.lines().count() == 3 && said.lines().all(|line| line.len() <= 100), "{said}");
    assert!(said.lines().skip(1).all(|line| line.starts_with("                 | ")), "{said}");
    // What cannot be broken stands whole.
    let word = "x".repeat(150);
    assert!(error(at("19:00:05"), &word).ends_with(&word));
}
