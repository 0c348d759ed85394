//! What the manager says: registration, table, rounds, pause, reset, the end.

use agon_proto::act::{Aborted, Connectivity, ReportStatus};
use agon_proto::act::{ActKind, Task};
use agon_proto::{AuthToken, Role};

use super::*;

fn state_of(world: &World) -> &'static str {
    world.bench.role.records.state().name()
}

#[test]
fn a_season_that_opens_is_answered_with_a_registration() {
    let mut world = World::new();
    assert_eq!(state_of(&world), "INIT_START_STATE");
    let lines = world.manager(start_season());
    assert_eq!(lines.len(), 2);
    assert_eq!(state_of(&world), "WAITING_FOR_CONFIRMATION");
    let letter = world.sent[0].clone();
    assert!(letter.head.id.as_str().starts_with("sreg-"), "{}", letter.head.id);
    assert_eq!(letter.head.from.role, Some(Role::Referee));
    assert_eq!(letter.head.answers, Some(MessageId::new("letter-1")));
    let Act::Apply(request) = &letter.act else { panic!() };
    assert_eq!(request.season, Some(SeasonId::new("S1")));
    assert_eq!(request.group, Some(GroupId::new("omega")));
    world.manager(admitted());
    assert_eq!(state_of(&world), "WAITING_FOR_ASSIGNMENT");
    // Who is in does not ask again.
    assert_eq!(world.manager(start_season()), ["ok"]);
}

#[test]
fn already_registered_is_success() {
    let mut world = World::new();
    world.manager(start_season());
    world.manager(registration(Yes::Rejected, Some("already_registered")));
    assert_eq!(state_of(&world), "WAITING_FOR_ASSIGNMENT");
    let mut world = World::new();
    world.manager(start_season());
    world.manager(registration(Yes::Rejected, Some("full")));
    assert_eq!(state_of(&world), "INIT_START_STATE");
}

#[test]
fn the_table_is_acknowledged_with_the_number_of_our_games() {
    let mut world = World::new();
    let lines = world.manager(Act::AssignmentTable(table()));
    assert!(lines[0].starts_with("assign-ack-"), "{lines:?}");
    assert_eq!(lines[1..], ["ok"]);
    let Act::RefereeAck(ack) = &world.sent[0].act else { panic!() };
    assert_eq!((ack.received, ack.season.clone()), (3, Some(SeasonId::new("S1"))));
    assert_eq!(state_of(&world), "RUNNING");
}

#[test]
fn addresses_are_the_same_in_whatever_case_they_are_written() {
    let mut said = table();
    for row in &mut said.rows {
        let shouted = row.address.as_ref().unwrap().as_str().to_uppercase();
        row.address = Some(Address::new(&shouted));
    }
    let mut world = World::new();
    world.mail("Manager@League.Test", Act::AssignmentTable(said));
    world.mail("MANAGER@LEAGUE.TEST", new_round(1));
    world.advise();
    assert_eq!(world.player("Ada@League.Test", warm_up()), ["ok"]);
    assert_eq!(world.player("bob@LEAGUE.test", warm_up()), ["ask book", "ok"]);
}

#[test]
fn the_same_round_twice_changes_nothing_and_an_older_one_neither() {
    let mut world = World::in_round();
    assert_eq!(world.manager(new_round(1)), ["ok"]);
    assert_eq!(world.manager(new_round(0)), ["ok"]);
    world.manager(new_round(2));
    assert_eq!(world.manager(new_round(1)), ["ok"]);
    assert_eq!(world.bench.role.live(), 2);
}

#[test]
fn a_new_round_breaks_off_what_is_still_played() {
    let mut world = World::in_game();
    world.player(ADA, questions());
    assert_eq!(
        world.manager(new_round(2)),
        ["result-0101001 to manager@league.test", "ask warm-up", "ask warm-up", "ok"]
    );
    let report = world.report();
    assert_eq!(report.status, ReportStatus::Abandoned);
    assert_eq!(report.abort_reason, Some(Aborted("new_round_started".into())));
    let points: Vec<_> = report.scores.iter().map(|row| row.league_points).collect();
    assert_eq!(points, [Some(2); 2]);
    // What our program thought about the old game is of no use any more.
    assert_eq!(world.asked.len(), 3);
    let answers = world.asked.remove(0);
    assert_eq!(world.advise_one(&answers, Ok(advice(&answers))), [""; 0]);
    let late = world.player(ADA, guess("90"));
    assert_eq!(late, ["no: out of turn: this game is over"]);
}

#[test]
fn a_round_without_a_game_of_ours_breaks_off_the_old_one_too() {
    let mut world = World::in_game();
    let lines = world.manager(new_round(3));
    assert_eq!(lines, ["result-0101001 to manager@league.test", "ok"]);
    assert_eq!(world.bench.role.live(), 0);
}

#[test]
fn a_game_that_was_broken_off_does_not_begin_again_in_its_round() {
    let mut world = World::in_game();
    assert_eq!(world.manager(end_round(2)), ["ok"]);
    assert_eq!(world.manager(end_round(1)), ["result-0101001 to manager@league.test", "ok"]);
    assert_eq!(world.report().abort_reason, Some(Aborted("end_round_received".into())));
    assert_eq!(world.manager(new_round(1)), ["ok"]);
    assert_eq!(world.manager(end_round(1)), ["ok"]);
    world.manager(Act::AssignmentTable(table()));
    assert_eq!((world.bench.role.live(), world.reports().len()), (0, 1));
}

#[test]
fn a_round_that_overtakes_the_table_begins_when_the_table_comes() {
    let mut world = World::new();
    assert_eq!(world.manager(new_round(1)), ["ok"]);
    let lines = world.manager(Act::AssignmentTable(table()));
    assert_eq!(lines[1..], ["ask warm-up", "ok"]);
}

#[test]
fn a_corrected_table_counts_for_what_has_not_begun() {
    let mut world = World::in_round();
    let mut said = table();
    for row in &mut said.rows {
        if row.part == Part::Player1 {
            row.address = Some(Address::new("cleo@league.test"));
        }
    }
    world.manager(Act::AssignmentTable(said));
    let lines = world.advise();
    assert_eq!(lines[0], "warmup-0101001-alpha to ada@league.test");
    world.manager(new_round(2));
    assert_eq!(world.advise()[0], "warmup-0102001-alpha to cleo@league.test");
}

#[test]
fn the_end_of_the_league_is_the_end_of_us_once_every_letter_is_taken() {
    let mut world = World::in_game();
    let lines = world.manager(completed());
    assert_eq!(lines, ["result-0101001 to manager@league.test", "ok"]);
    assert_eq!(world.report().abort_reason, Some(Aborted("league_completed".into())));
    assert_eq!(state_of(&world), "COMPLETED");
    assert_eq!(world.take_all(), ["finish: LeagueCompleted"]);
    assert_eq!(world.restart(), ["finish: LeagueCompleted"]);
    assert_eq!(world.manager(new_round(2))[0], "ok");
    assert_eq!(world.bench.role.live(), 0);
}

#[test]
fn another_season_begins_from_nothing() {
    let mut world = World::in_game();
    let Act::StartSeason(said) = start_season() else { panic!() };
    let season = SeasonId::new("S2");
    let lines = world.manager(Act::StartSeason(StartSeason { season, ..said }));
    assert_eq!(lines[0], "result-0101001 to manager@league.test");
    assert_eq!(world.report().abort_reason, Some(Aborted("new_season_started".into())));
    assert_eq!(state_of(&world), "WAITING_FOR_CONFIRMATION");
    assert_eq!(world.manager(new_round(1)), ["ok"]);
}

#[test]
fn a_keep_alive_is_answered() {
    let mut world = World::in_round();
    let mut letter = world.letter(keep_alive());
    letter.head.context.broadcast = Some(agon_proto::BroadcastId::new("bc-7"));
    let lines = world.post(Proof::Vouched(Address::new(MANAGER)), letter);
    assert!(lines[0].starts_with("alive-"), "{lines:?}");
    let answer = world.sent.last().unwrap();
    assert_eq!(answer.head.context.broadcast.as_ref().unwrap().as_str(), "bc-7");
    let Act::State(Task::KeepAlive, said) = &answer.act else { panic!() };
    assert_eq!((&*said.status, &*said.state), ("alive", "IN_GAME"));
    assert_eq!(said.game, Some(GameId::new(GAME)));
}

#[test]
fn a_pause_makes_every_deadline_stand_still() {
    let mut world = World::in_game();
    assert_eq!(world.bench.role.deadline(), Some(at(300)));
    let paused = world.at(290).manager(Act::Pause(halt()));
    assert!(paused[0].starts_with("paused-"), "{paused:?}");
    assert_eq!((state_of(&world), world.bench.role.deadline()), ("PAUSED", None));
    assert_eq!(world.at(900).tick(), [""; 0]);
    // Whoever goes on meanwhile loses nothing by it.
    assert_eq!(world.player(ADA, questions()), ["ask answers for alpha", "ok"]);
    assert_eq!(world.manager(Act::Pause(halt())).len(), 2);
    let on = world.at(1_290).manager(Act::Continue(halt()));
    assert!(on[0].starts_with("resumed-"), "{on:?}");
    assert_eq!(world.bench.role.deadline(), Some(at(1_300)));
    world.restart();
    assert_eq!(
        world.at(1_301).player(BOB, questions())[1],
        "no: out of turn: it came after its deadline"
    );
    world.tick();
    assert_eq!(world.manager(Act::Continue(halt())).len(), 2);
}

#[test]
fn a_reset_forgets_the_season() {
    let mut world = World::in_game();
    let lines = world.manager(Act::Reset(halt()));
    assert!(lines[0].starts_with("reset-"), "{lines:?}");
    assert_eq!((state_of(&world), world.bench.role.live()), ("INIT_START_STATE", 0));
    assert_eq!(world.player(ADA, questions()), ["no: there is no such match"]);
    assert!(world.reports().is_empty());
    world.restart();
}

#[test]
fn after_a_reset_nothing_of_the_season_is_sent() {
    let mut world = World::in_round();
    world.advise();
    assert!(world.bench.role.records.me.letterbox.waiting().count() > 0, "questions wait");
    world.manager(Act::Reset(halt()));
    let waiting: Vec<_> = world.bench.role.records.me.letterbox.waiting().collect();
    let [Parcel { letter, .. }] = waiting[..] else { panic!("one letter") };
    assert_eq!(letter.kind, ActKind::State(Task::Reset));
}

#[test]
fn what_is_said_of_a_forgotten_season_changes_nothing() {
    let mut world = World::in_game();
    let mut opened = world.letter(start_season());
    if let Act::StartSeason(said) = &mut opened.act {
        said.season = SeasonId::new("S1-2");
    }
    opened.head.context.season = Some(SeasonId::new("S1-2"));
    world.post(Proof::Vouched(Address::new(MANAGER)), opened);
    assert_eq!(state_of(&world), "WAITING_FOR_CONFIRMATION");
    let facts = world.bench.facts.len();
    let end = SeasonCompleted {
        season: Some(SeasonId::new("S1")),
        standings: Vec::new(),
        text: "".into(),
    };
    let late = [
        Act::Reset(halt()),
        Act::Pause(halt()),
        Act::AssignmentTable(table()),
        new_round(2),
        Act::SeasonCompleted(end),
    ];
    for (number, act) in (1..).zip(late) {
        assert_eq!(world.manager(act), ["ok"]);
        assert_eq!(world.bench.facts.len(), facts + number, "it was read, and that is all");
    }
    assert_eq!(state_of(&world), "WAITING_FOR_CONFIRMATION");
    world.restart();
}

#[test]
fn by_call_a_reset_is_answered_with_another_request() {
    let us = reached("http://127.0.0.1:8001/mcp", "http://127.0.0.1:8000/mcp");
    let mut world = World::with(us, settings(), Vec::new());
    let effects = world.bench.resume();
    world.see(effects);
    let first = world.sent[0].head.id.clone();
    let league = LeagueId::new("league");
    let admit = |world: &mut World, season: &str, request: &MessageId, token: &AuthToken| {
        let mut letter = world.letter(admitted());
        letter.head.context.season = Some(SeasonId::new(season));
        letter.head.context.league = Some(league.clone());
        letter.head.answers = Some(request.clone());
        if let Act::Decide(said) = &mut letter.act {
            said.token = Some(token.clone());
            said.season = None;
        }
        world.post(Proof::Token, letter)
    };
    let (old, fresh) = (AuthToken::derived([7; 32]), AuthToken::derived([8; 32]));
    assert_eq!(admit(&mut world, "S1", &first, &old), ["ok"]);
    let mut reset = world.letter(Act::Reset(halt()));
    let by = crate::secret::SigningKey::of(&old).unwrap().manager_token(&league);
    reset.auth_token = Some(by);
    world.sent.clear();
    assert_eq!(world.post(Proof::Token, reset).last().unwrap(), "ok");
    let [answered, request] = &world.sent[..] else { panic!("two letters") };
    assert_eq!(answered.auth_token, Some(old.clone()), "it still proves us here");
    assert!(matches!(request.act, Act::Apply(_)));
    assert_eq!(request.auth_token, None);
    let request = request.head.id.clone();
    assert_ne!(request, first, "the manager would take it for the old one");
    assert!(request.as_str().starts_with("sreg-000000000000002a-"), "nobody can guess it");
    assert_eq!(state_of(&world), "WAITING_FOR_CONFIRMATION");
    assert_eq!(admit(&mut world, "S1-2", &request, &fresh), ["ok"]);
    assert_eq!(world.bench.role.records.me.token(), Some(fresh));
    assert_eq!(state_of(&world), "WAITING_FOR_ASSIGNMENT");
}

#[test]
fn a_connectivity_call_is_echoed() {
    let mut world = World::new();
    let call = Connectivity { ping: "p1".into(), echo_from: None, at: Some(at(0)) };
    world.manager(Act::ConnectivityCall(call));
    let Act::ConnectivityEcho(echo) = &world.sent[0].act else { panic!() };
    assert_eq!((&*echo.ping, &echo.echo_from), ("p1", &Some(Address::new(US))));
}

#[test]
fn what_nobody_knows_is_taken_and_changes_nothing() {
    let mut world = World::in_game();
    let before = world.bench.role.records.state().name();
    assert_eq!(world.manager(Act::Other("BROADCAST_SOMETHING_NEW".into())), ["ok"]);
    assert_eq!(world.bench.role.records.state().name(), before);
}
