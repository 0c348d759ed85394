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
fn a_season_has_nines_and_no_role() {
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
        "19:00:05 | GAME-ID: 0199999 | RECEIVED | from manager@league.test            | \
         START-SEASON         | EXPECTED-RESPONSE: SEASON-SIGNUP             | ROLE:  | \
         DEADLINE: 18:45:00"
    );
}

#[test]
fn a_round_says_whether_we_have_a_game_in_it() {
    let mut log = player();
    received(&mut log, &table());
    let idle = received(&mut log, &round(1));
    assert!(idle.contains("GAME-ID: 0101999"), "{idle}");
    assert!(idle.ends_with("ROLE: PLAYER-INACTIVE | DEADLINE: --:--:--"), "{idle}");
    let busy = received(&mut log, &round(2));
    assert!(busy.contains("START-ROUND") && busy.contains("Wait for PING-CALL"), "{busy}");
    assert!(busy.ends_with("ROLE: PLAYER-ACTIVE | DEADLINE: --:--:--"), "{busy}");
}

#[test]
fn a_referee_has_its_own_widths() {
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
        "19:00:05 | GAME-ID: 0101001 | SENT     | to   p1@league.test                 | \
         PING-CALL            | EXPECTED-RESPONSE: PING-RESPONSE             | \
         ROLE: REFEREE-INACTIVE         | DEADLINE: 19:02:05"
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
    let head =
        "19:00:07 | GAME-ID: 0101001 | SENT     | to r1@league.test                   | PING";
    assert!(line.starts_with(head), "{line}");
    assert_eq!(log.counts, Counts { received: 0, sent: 1, errors: 0 });
    // In words that another version wrote, and that this one cannot read.
    parcel.letter.text = "[]".into();
    let line = log.text(&LetterLogEntry::Sent { parcel: &parcel, at: at("19:00:07") }).1;
    let expected = "19:00:07 | SENT     | to r1@league.test                   | Q21WARMUPRESPONSE";
    assert_eq!(line, expected);
}

#[test]
fn an_unknown_letter_keeps_its_name() {
    let line = received(&mut player(), &letter(Act::Other("BROADCAST_PARTY".into()), None));
    assert!(line.contains("| BROADCAST_PARTY      | EXPECTED-RESPONSE: Unknown "), "{line}");
}

#[test]
fn a_program_is_asked_and_answers() {
    let mut log = player();
    let when = Timestamp::from_micros(at("19:00:05").micros() + 7_000);
    let said = LetterLogEntry::Answered { kind: "questions", mishap: None, at: when };
    let line = "19:00:05:007 | CALLBACK: generate_questions | RESPONSE | ROLE: PLAYER";
    assert_eq!(log.text(&said).1, line);
    let mishap = Mishap { kind: MishapKind::Raised, text: "KeyError: 'x'".into() };
    let failed = LetterLogEntry::Answered { kind: "guess", mishap: Some(&mishap), at: when };
    assert_eq!(
        log.text(&failed),
        (Tone::Error, "[ERROR] 19:00:05 | formulate_guess: KeyError: 'x'".into())
    );
    assert_eq!(log.counts.errors, 1);
}
