//! Who may say what to a player.

use agon_games::q21::Q21Move as Said;
use agon_proto::AsPayload;
use agon_proto::Role;
use agon_proto::act::Moved;
use agon_proto::act::Task;
use agon_proto::act::{
    AssignmentAck, Connectivity, EndRound, Extension, ForceMajeure, FreeText, Halt, KeepAlive,
    NewRound, StateAnswer, TableRequest,
};

use super::*;

const STRANGER_SAYS: &str = "not permitted: only the league manager may say this";

/// Whether somebody has checked in; `None` if nobody keeps that list.
fn is_present(stage: &Stage, who: &str) -> Option<bool> {
    let present = stage.player().rounds().present.as_ref();
    present.map(|present| present.contains(&address(who)))
}

fn halt() -> Halt {
    Halt { reason: "".into() }
}

fn text() -> FreeText {
    FreeText { text: "".into() }
}

fn of_manager() -> Vec<Act> {
    let end = EndRound { number: 1, matches_completed: 0, matches_total: 0 };
    let ping = Connectivity { ping: "".into(), echo_from: None, at: None };
    vec![
        start_season("S1"),
        table(),
        new_round(1),
        Act::EndRound(end),
        completed(),
        Act::KeepAlive(KeepAlive { text: "".into() }),
        Act::Pause(halt()),
        Act::Continue(halt()),
        Act::Reset(halt()),
        Act::FreeText(text()),
        Act::ConnectivityCall(ping),
        Act::Other("BROADCAST_WHATEVER".into()),
    ]
}

fn of_nobody() -> Vec<Act> {
    let ack = || AssignmentAck { season: None, group: None, received: 0 };
    let state = StateAnswer { status: "".into(), state: "".into(), game: None, text: "".into() };
    let (game, token) = (game(ONE), None);
    let extension = Extension { reason: "".into(), seconds: 120 };
    vec![
        Act::Apply(Box::default()),
        Act::RefereeAck(ack()),
        Act::PlayerAck(ack()),
        Act::TableRequest(TableRequest { season: None, group: None }),
        Act::State(Task::KeepAlive, state),
        Act::StillHere(text()),
        Act::FreeTextAnswer(text()),
        Act::Extension(extension),
        Act::ForceMajeure(ForceMajeure { game: None, reason: "".into() }),
        Act::Move(Moved {
            game: game.clone(),
            number: 0,
            said: Said::Warmup("4".into()).payload(),
            token: token.clone(),
        }),
        Act::Move(Moved { game, number: 1, said: Said::Questions(Vec::new()).payload(), token }),
    ]
}

#[test]
fn only_the_manager_may_say_league_things() {
    for body in of_manager() {
        let kind = body.kind();
        for from in [REFEREE, OPPONENT, STRANGER, ME] {
            let mut stage = Stage::playing();
            // It does not help to call oneself a manager.
            let effects = stage.mail(from, Role::Manager, "x", body.clone());
            assert_eq!(why(&effects), STRANGER_SAYS, "{kind:?} from {from}");
        }
        let mut stage = Stage::playing();
        let effects = stage.manager("x", body);
        let refused = effects.iter().any(|one| matches!(one, crate::Effect::Refuse { .. }));
        assert!(!refused, "{kind:?} from the manager");
    }
}

#[test]
fn only_the_referee_of_a_game_may_say_game_things() {
    for (_, body) in whole_game(ONE) {
        for from in [MANAGER, OPPONENT, STRANGER, ME] {
            let mut stage = Stage::playing();
            let effects = stage.mail(from, Role::Referee, "x", body.clone());
            assert_eq!(
                why(&effects),
                "not permitted: only the referee of this game may say this",
                "{:?} from {from}",
                body.kind()
            );
        }
        Stage::playing().referee("x", body);
    }
}

#[test]
fn nobody_says_to_a_player_what_players_and_referees_say() {
    for body in of_nobody() {
        for from in [MANAGER, REFEREE] {
            let name = body.kind().name();
            let effects = Stage::playing().mail(from, Role::Manager, "x", body.clone());
            assert_eq!(why(&effects), format!("not supported here: {name}"));
        }
    }
}

#[test]
fn a_letter_that_names_another_sender_than_its_mail_is_refused() {
    let mut stage = Stage::playing();
    let forged = letter("x", MANAGER, Role::Manager, new_round(2));
    let effects = stage.post(Proof::Vouched(address(STRANGER)), forged);
    let expected = "not permitted: the letter names another sender than the post";
    assert_eq!(why(&effects), expected);
    // Whoever is vouched for may not speak as somebody else either.
    let odd = letter("x", STRANGER, Role::Manager, new_round(2));
    assert_eq!(why(&stage.post(Proof::Vouched(address(MANAGER)), odd)), expected);
}

#[test]
fn a_letter_without_a_game_or_about_an_unknown_one_is_refused() {
    let mut stage = Stage::playing();
    let effects = stage.referee("x", warmup(""));
    assert_eq!(why(&effects), "invalid value: the letter names no game");
    assert_eq!(why(&stage.referee("x", warmup("0101099"))), "there is no such match");
    // The envelope may name it instead.
    let mut said = letter("x", REFEREE, Role::Referee, warmup(""));
    said.head.context.game = Some(game(ONE));
    stage.post(Proof::Vouched(address(REFEREE)), said);
    assert_eq!(stage.asked.len(), 1);
}

#[test]
fn the_lookup_table_comes_with_the_round() {
    let mut stage = Stage::enrolled();
    assert_eq!(is_present(&stage, OPPONENT), None);
    let present = Some(vec![address(ME), address(REFEREE), address("Eve@league.test")]);
    let Act::NewRound(round) = new_round(1) else { panic!("a round") };
    stage.manager("round-1", Act::NewRound(NewRound { present, ..round }));
    assert_eq!(is_present(&stage, OPPONENT), Some(false));
    assert_eq!(is_present(&stage, "ADA@league.test"), Some(true));
    let effects = stage.mail(STRANGER, Role::Referee, "x", warmup(ONE));
    assert_eq!(
        why(&effects),
        "not permitted: the sender has checked in, but this game has another referee"
    );
    // The next round brings its own, or none.
    stage.manager("round-2", new_round(2));
    assert_eq!(is_present(&stage, ME), None);
}

#[test]
fn a_game_whose_referee_has_no_address_cannot_be_judged() {
    let mut all = rows(ONE, REFEREE, [ME, OPPONENT]);
    all[2].address = None;
    let mut stage = Stage::new();
    stage.manager("table", table_of(all));
    stage.manager("round-1", new_round(1));
    let effects = stage.referee("x", warmup(ONE));
    assert_eq!(why(&effects), "not permitted: the table names no address of this game's referee");
}
