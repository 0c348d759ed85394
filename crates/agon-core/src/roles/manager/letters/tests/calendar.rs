//! When things happen: by completion, by the clock, with and without a check-in.

use agon_proto::act::{KeepAlive, NewRound, StateAnswer};

use super::*;

fn new_rounds(sent: &[(Vec<Address>, Letter)]) -> Vec<&NewRound> {
    let rounds = sent.iter().filter_map(|(_, letter)| {
        if let Act::NewRound(round) = &letter.act { Some(round) } else { None }
    });
    rounds.collect()
}

fn by_clock(every: u64, first: Option<u64>) -> Pace {
    let first_at_ms = first.map(|second| u64::try_from(at(second).micros()).unwrap() / 1_000);
    Pace::Clock { every_ms: every * 1_000, first_at_ms }
}

fn alive() -> Act {
    let text = || "".into();
    let answer = StateAnswer { status: "alive".into(), state: text(), game: None, text: text() };
    Act::State(Task::KeepAlive, answer)
}

#[test]
fn by_completion_the_next_round_follows_at_once() {
    let mut league = League::started(terms(3));
    league.bench.at(40);
    league.report(MatchId::new(1, 1), [90, 80]);
    assert_eq!(league.season().round(), 1, "only the clock moves the season on");
    league.tick();
    assert_eq!(league.season().round(), 2);
    let sent = league.take_sent();
    let round = new_rounds(&sent)[1];
    assert_eq!((round.number, round.total_rounds), (2, Some(3)));
    assert_eq!((round.ends_at, &round.present), (Some(at(640)), &None));
}

#[test]
fn something_is_due_at_once_when_a_round_is_complete() {
    let mut league = League::started(terms(3));
    assert_eq!(league.role().deadline(), Some(at(600)));
    league.report(MatchId::new(1, 1), [90, 80]);
    assert!(league.role().deadline().unwrap() < at(0));
}

#[test]
fn by_the_clock_a_round_begins_at_its_time() {
    let mut league =
        League::started(SeasonSettings { pace: by_clock(1_800, Some(100)), ..terms(3) });
    assert_eq!(league.season().round(), 0);
    assert_eq!(league.role().deadline(), Some(at(100)));
    league.at(100);
    assert_eq!(league.season().round(), 1);
    league.bench.at(200);
    league.report(MatchId::new(1, 1), [90, 80]);
    league.tick();
    assert_eq!(league.season().rounds_completed(), 1, "its results are told at once");
    assert_eq!(league.season().round(), 1);
    assert_eq!(league.role().deadline(), Some(at(1_900)));
    league.at(1_900);
    assert_eq!(league.season().round(), 2);
}

#[test]
fn by_the_clock_the_next_round_ends_the_one_before() {
    let pace = by_clock(300, None);
    let mut league =
        League::started(SeasonSettings { pace, round_time_max_ms: 900_000, ..terms(3) });
    let sent = league.take_sent();
    assert_eq!(new_rounds(&sent)[0].ends_at, Some(at(300)));
    league.at(299);
    assert_eq!(league.season().rounds_completed(), 0);
    league.at(300);
    assert_eq!((league.season().rounds_completed(), league.season().round()), (1, 2));
}

#[test]
fn a_season_begins_by_itself_when_its_time_has_come() {
    let seasons = SeasonSettings { registration_ms: Some(900_000), ..terms(4) };
    let mut league = League::open(seasons);
    league.enrol_all(2);
    league.at(900);
    assert_eq!(league.role().state().phase, LeaguePhase::AcceptingRegistrations);
    league.enrol(&player(3));
    league.enrol(&referee(3));
    league.tick();
    assert_eq!(league.role().state().phase, LeaguePhase::Running);
    assert_eq!(league.role().state().players, 3);
}

#[test]
fn a_season_begins_by_itself_when_it_is_full() {
    let mut league = League::read(rules(terms(4)), options(Some(4)), Vec::new());
    league.enrol_all(3);
    league.tick();
    assert_eq!(league.role().state().phase, LeaguePhase::AcceptingRegistrations);
    league.enrol_all(4);
    league.tick();
    assert_eq!(league.role().state().players, 4);
    assert_eq!(league.season().round(), 1);
}

#[test]
fn a_check_in_comes_before_each_round() {
    let mut league = League::started(SeasonSettings { keep_alive_ms: 30_000, ..terms(3) });
    let sent = league.take_sent();
    assert!(matches!(&sent.last().unwrap().1.act, Act::KeepAlive(KeepAlive { .. })));
    assert_eq!(league.season().round(), 0);
    league.mail(&player(2), alive());
    league.mail(&referee(3), alive());
    // Whoever writes anything is there.
    league.mail(&player(1), Act::StillHere(agon_proto::act::FreeText { text: "".into() }));
    league.at(29);
    assert_eq!(league.season().round(), 0);
    league.at(30);
    let sent = league.take_sent();
    let present = new_rounds(&sent)[0].present.clone().unwrap();
    assert_eq!(present, [player(1), player(2), referee(3)]);
}

#[test]
fn when_everybody_is_there_nobody_waits() {
    let mut league = League::started(SeasonSettings { keep_alive_ms: 30_000, ..terms(3) });
    league.bench.at(5);
    for team in 1..=3 {
        league.mail(&player(team), alive());
        league.mail(&referee(team), alive());
    }
    league.tick();
    let sent = league.take_sent();
    assert_eq!(new_rounds(&sent)[0].present.as_ref().unwrap().len(), 6);
    league.report(MatchId::new(1, 1), [90, 80]);
    league.tick();
    assert_eq!(league.season().round(), 1, "the next check-in is open");
    assert_eq!(league.take_names().last(), Some(&"BROADCAST_KEEP_ALIVE"));
}

#[test]
fn by_the_clock_people_are_asked_in_time() {
    let (pace, keep_alive_ms) = (by_clock(600, Some(100)), 30_000);
    let mut league = League::started(SeasonSettings { pace, keep_alive_ms, ..terms(3) });
    league.at(70);
    assert_eq!(league.take_names().last(), Some(&"BROADCAST_KEEP_ALIVE"));
    league.at(99);
    assert_eq!(league.season().round(), 0);
    league.at(100);
    assert_eq!(league.season().round(), 1);
    // The first round is not over when people are asked for the second.
    league.at(670);
    assert_eq!(league.take_names().last(), Some(&"BROADCAST_KEEP_ALIVE"));
    assert_eq!(league.season().rounds_completed(), 0);
    league.mail(&player(2), alive());
    league.at(700);
    assert_eq!(league.season().round(), 2);
    let sent = league.take_sent();
    assert_eq!(new_rounds(&sent)[0].present, Some(vec![player(2)]));
}

#[test]
fn a_season_with_a_check_in_comes_to_its_end() {
    let mut league = League::started(SeasonSettings { keep_alive_ms: 30_000, ..terms(3) });
    league.play_on();
    assert_eq!(league.role().state().matches_completed, 3);
}

#[test]
fn a_keep_alive_that_nobody_took_is_wanted_no_more() {
    let mut league = League::open(SeasonSettings { keep_alive_ms: 30_000, ..terms(3) });
    league.enrol_all(3);
    let params = ToolParams { auth_token: Some(operator()), ..ToolParams::default() };
    league.bench.tool(Tool::Command(Command::StartLeague), params);
    let kinds = |league: &League| {
        let waiting = league.role().records.letterbox.waiting();
        waiting.map(|parcel| parcel.letter.kind.name()).collect::<Vec<_>>()
    };
    assert_eq!(kinds(&league), ["BROADCAST_ASSIGNMENT_TABLE", "BROADCAST_KEEP_ALIVE"]);
    assert_eq!(league.role().deadline(), Some(at(30)));
    league.bench.at(30).tick();
    assert_eq!(kinds(&league), ["BROADCAST_ASSIGNMENT_TABLE", "BROADCAST_NEW_LEAGUE_ROUND"]);
}

#[test]
fn who_could_not_hear_blames_nobody() {
    let mut league = League::started(terms(3));
    // The host slept through the end of the round, and by some hours.
    league.at(9_000);
    assert_eq!(league.season().rounds_completed(), 0);
    league.report(MatchId::new(1, 1), [90, 80]);
    league.tick();
    assert_eq!(league.season().round(), 2);
    assert_eq!(league.points().values().sum::<u32>(), 5);
}

#[test]
fn after_a_restart_there_is_time_to_read_what_came() {
    let league = League::started(terms(3));
    let mut bench =
        Bench::new(Manager::new(rules(terms(3)), options(None)), league.bench.facts.clone());
    bench.at(5_000).resume();
    assert_eq!(bench.role.deadline(), Some(at(5_240)));
    bench.at(5_240).tick();
    assert_eq!(bench.role.league().season().round(), 2);
    assert_eq!(bench.role.league().season().rounds_completed(), 1);
}

#[test]
fn a_decision_is_dated_when_it_is_made_and_silence_by_what_was_read() {
    let length = 60;
    let seasons = SeasonSettings { round_time_max_ms: length * 1_000, ..terms(3) };
    let mut league = League::open(seasons);
    league.enrol_all(3);
    league.bench.at(40);
    league.command(Command::StartLeague);
    assert_eq!(league.season().round_times(1).unwrap().0, at(40));
    // Nobody has lost anything before the whole length of the round was heard.
    league.bench.at(40 + length + 30);
    league.bench.tick_having_heard(at(40 + length - 1));
    assert_eq!(league.season().round_times(1).unwrap().1, None);
    league.bench.tick_having_heard(at(40 + length));
    let (_, ended) = league.season().round_times(1).unwrap();
    assert_eq!(ended, Some(at(40 + length + 30)));
    let (began, _) = league.season().round_times(2).unwrap();
    assert_eq!(began, at(40 + length + 30), "and the next round has its whole length before it");
}
