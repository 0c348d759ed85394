//! By mail a decision is dated when it is made, and rounds last as long as they should.

use std::time::Instant;

use super::post::{self, application};
use crate::mail::office::Office;
use crate::process::{PATIENCE, Process};

/// How long a round may last here.
const ROUND_S: i64 = 6;

#[test]
fn s03_by_mail_nothing_is_dated_before_what_it_follows_from() {
    let office = Office::open_with(3, &["--record"]);
    let mut env = Office::env();
    // The box is hardly ever looked at, unless something comes or is due.
    env.extend([("AGON_Q21__ROUND_MAX_S", "6"), ("AGON_MAIL__POLL_S", "60")]);
    let season = ["manager", "--game", "q21", "--start-when", "3", "--data", "manager"];
    let place = ["--mail", "manager.toml", "--listen", "127.0.0.1:0", "--json"];
    let talk = ["--log", "info", "--log-format", "json"];
    let args = [&season[..], &place, &talk].concat();
    let mut manager = Process::agon_with(office.path(), &args, &env);
    let end = Instant::now() + PATIENCE;
    while post::mailed(&office, "BROADCAST_START_SEASON").is_empty() {
        assert!(Instant::now() < end, "nobody is invited");
        std::thread::yield_now();
    }
    for team in 1..=3 {
        for (role, letter) in [("PLAYER", 'p'), ("REFEREE", 'r')] {
            let from = format!("{letter}{team}@league.test");
            let letter = application(&from, role, team);
            post::put(&office, (&from, "manager@league.test"), &letter, "");
            manager.logs(&format!("{} registered", role.to_lowercase()));
        }
    }
    // Nobody plays, so each round ends by the clock: not before its time.
    let mut rounds = Vec::new();
    for round in 1..=3 {
        let begun = manager.logs("round announced");
        assert_eq!(begun["round"], round);
        let lost = manager.logs("result accepted");
        assert_eq!(lost["cause"], "REFEREE_LOST", "{lost}");
        let lasted = micros(&lost["timestamp"]) - micros(&begun["timestamp"]);
        assert!(lasted >= ROUND_S * 1_000_000, "round {round} lasted {lasted} µs");
        rounds.push(micros(&begun["timestamp"]));
    }
    manager.logs("league completed");
    let first = |kind: &str| micros(&post::mailed(&office, kind)[0]["timestamp"]);
    let (invited, table) = (first("BROADCAST_START_SEASON"), first("BROADCAST_ASSIGNMENT_TABLE"));
    assert!(invited <= table, "the table is dated before the season: {invited} {table}");
    let told = post::mailed(&office, "BROADCAST_NEW_LEAGUE_ROUND");
    assert_eq!(told.len(), 3);
    for (letter, begun) in told.iter().zip(rounds) {
        let (at, ends) = (micros(&letter["timestamp"]), &letter["payload"]["round_ends_at"]);
        assert!(table <= at, "{letter}");
        assert!(micros(ends) - at >= ROUND_S * 1_000_000, "{letter}");
        // And it is no date of the past.
        assert!((begun - at).abs() < 3_000_000, "announced at {begun}: {letter}");
    }
}

/// A time as letters and logs have it.
fn micros(time: &serde_json::Value) -> i64 {
    let text = time.as_str().unwrap_or_else(|| panic!("{time} is no time"));
    text.replace("+00:00", "Z").parse::<agon_proto::Timestamp>().unwrap().micros()
}
