//! Who holds others up pays for it: a clock for each player and season, and whoever has nothing
//! left on it is asked once.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;

use super::s01_order::listener::{Character, Listener};
use super::u02_reasons::author::{Author, Habit};
use crate::league::{GATED, League, manager};

const CHOICE: &str = "CHOOSE_PARITY_CALL";

/// Times are a tenth of these. Silent to three asks, a player draws 3.4 s: the waits of 0.2, 0.4
/// and 0.8 s and two asks of a second. So five seconds are enough for two matches.
const TERMS: [(&str, &str); 2] =
    [("AGON_TIMES__CHOICE_S", "10"), ("AGON_TIMES__SLOW_BUDGET_S", "50")];

/// Silent to three asks of each match, answers the fourth. Whoever asked hangs up one day.
fn lawful_and_slow() -> impl Habit {
    let asked: Mutex<BTreeMap<String, u32>> = Mutex::default();
    move |question| {
        let params = &question["params"];
        if params["message_type"] != CHOICE {
            return None;
        }
        let about = params["match_id"].as_str().unwrap().to_owned();
        let mut asked = asked.lock().unwrap_or_else(PoisonError::into_inner);
        let asks = asked.entry(about).or_default();
        *asks += 1;
        if *asks >= 4 {
            return None;
        }
        drop(asked);
        loop {
            std::thread::park();
        }
    }
}

/// How often P02 was asked for its choice in its match of that round, and what came of it.
fn asks_in(league: &League, round: u32) -> (usize, String) {
    let shown = [1, 2].map(|number| league.shown(&format!("R{round}M{number}")));
    let seat = |it: &Value| {
        let seats = [("player_A_id", "PLAYER_A"), ("player_B_id", "PLAYER_B")];
        seats.iter().find(|(field, _)| it[*field] == "P02").map(|(_, seat)| *seat)
    };
    let (own, seat) = shown.iter().find_map(|it| Some((it, seat(it)?))).unwrap();
    let entries = own["transcript"].as_array().unwrap().iter();
    let asks = entries.filter(|it| it["message_type"] == CHOICE && it["to"] == seat).count();
    (asks, own["result"]["reason"].as_str().unwrap().to_owned())
}

/// What is left to each player, as the table shows it.
fn clocks(league: &League) -> BTreeMap<String, Option<u64>> {
    let row =
        |row: &Value| (row["player_id"].as_str().unwrap().to_owned(), row["clock_ms"].as_u64());
    league.standings().iter().map(row).collect()
}

#[test]
fn t14_who_lives_on_being_asked_again_is_asked_once_in_the_end() {
    let mut league = League::open_with(&["--start-when", "4"], &TERMS);
    let _referee = league.member("referee", &[]);
    let mut players = vec![league.member("player", &[])];
    let slow = Author::join(&league.endpoint, lawful_and_slow());
    players.extend([(); 2].map(|()| league.member("player", &[])));
    let told: Vec<_> = (0..3).map(|_| slow.whole_match()).collect();
    league.manager.logs("league completed");
    let played = |asks| (asks, "PLAYED".to_owned());
    assert_eq!([asks_in(&league, 1), asks_in(&league, 2)], [played(4), played(4)]);
    assert_eq!(asks_in(&league, 3), (1, "TIMED_OUT".to_owned()));
    // A warning says how many asks follow; where none does, nobody is warned.
    let warnings = |heard: &[Value]| heard.iter().filter(|it| it["max_retries"] == 3).count();
    assert_eq!(told.iter().map(|heard| warnings(heard)).collect::<Vec<_>>(), [3, 3, 0]);
    let reason = told[2].last().unwrap()["game_result"]["reason"].as_str().unwrap().to_owned();
    assert!(reason.ends_with("; asked once, because its clock is empty"), "{reason}");
    // Nobody else was charged.
    let left = clocks(&league);
    assert_eq!(left["P02"], Some(0), "{left:?}");
    assert_eq!(left.values().filter(|clock| clock.is_some()).count(), 1, "{left:?}");
    players.into_iter().for_each(|player| drop(player.succeed()));
    league.close();
}

#[test]
fn t14_what_was_charged_is_shown_and_outlives_the_manager() {
    let mut league = League::open_with(&["--start-when", "2"], &TERMS);
    let _referee = league.member("referee", &[]);
    let gate = league.shut_gate();
    let mut slow = league.member("player", &GATED);
    let honest = league.member("player", &[]);
    let line = slow.logs("we held others up: our clock was charged; at 0 we are asked once");
    // Asked four times: three waits and three asks.
    assert!(line["left_s"].as_f64().unwrap() <= 5.0 - 1.4, "{line}");
    drop(gate);
    league.manager.logs("league completed");
    let left = clocks(&league);
    let own = left["P01"].unwrap();
    assert_eq!(line["left_s"].as_f64().unwrap(), own as f64 / 1_000.0);
    assert_eq!(left["P02"], None);
    let table = league.ask_offline(&["standings", "--manager", &league.endpoint]).succeed().out;
    let head = table.lines().find(|line| line.contains("points")).unwrap().to_owned();
    assert!(head.trim_end().ends_with("clock"), "{table}");
    for player in [slow, honest] {
        player.succeed();
    }

    league.manager.kill();
    (league.manager, league.endpoint) = manager(league.path(), &[]);
    assert_eq!(clocks(&league), left);
    league.close();
}

/// Every notice takes P04 two seconds, twice as long as may be our own doing. Whoever played with
/// it hears of the next round only when P04 has taken how their match ended.
#[test]
fn t14_who_takes_news_late_is_charged_and_who_hears_late_because_of_that_is_not() {
    let mut league = League::open_with(&["--start-when", "4"], &[("AGON_TIMES__NOTICE_S", "100")]);
    let _referee = league.member("referee", &[]);
    let players: Vec<_> = (0..3).map(|_| league.member("player", &[])).collect();
    let pace = Character::Slow(Duration::from_secs(2));
    let _slow = Listener::join(&league.endpoint, "player", pace);
    league.manager.logs("league completed");
    let left = clocks(&league);
    assert!(left["P04"].is_some(), "{left:?}");
    assert_eq!(left.values().filter(|clock| clock.is_some()).count(), 1, "{left:?}");
    players.into_iter().for_each(|player| drop(player.succeed()));
    league.close();
}
