//! `agon demo`: a whole season in one command.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::league;
use crate::process::{Process, agon, quiet_block};

/// A demo on ports of its own: the tests run side by side, and each is a league by itself.
fn start(dir: &Path, args: &[&str]) -> Process {
    let first = quiet_block();
    let address = |offset: u16| format!("127.0.0.1:{}", first + offset);
    let (manager, referee, player) = (address(0), address(1), address(10));
    let env = [
        ("TMPDIR", dir.to_str().unwrap()),
        ("AGON_MANAGER__LISTEN", &manager),
        ("AGON_REFEREE__LISTEN", &referee),
        ("AGON_PLAYER__LISTEN", &player),
    ];
    Process::agon_with(dir, &[&["demo"], args].concat(), &env)
}

fn demo(args: &[&str]) -> Value {
    let dir = tempfile::tempdir().unwrap();
    start(dir.path(), &[&["--json"], args].concat()).succeed().json()
}

fn list<'a>(season: &'a Value, field: &str) -> &'a [Value] {
    season[field].as_array().unwrap()
}

/// How often each player played.
fn appearances(season: &Value) -> BTreeMap<&str, u64> {
    let mut played = BTreeMap::new();
    for it in list(season, "matches") {
        for seat in ["player_a", "player_b"] {
            *played.entry(it[seat].as_str().unwrap()).or_default() += 1;
        }
    }
    played
}

/// Points of each player, added up from the matches alone.
fn points(season: &Value) -> BTreeMap<&str, u64> {
    let mut points = BTreeMap::new();
    for it in list(season, "matches") {
        for (player, score) in it["score"].as_object().unwrap() {
            *points.entry(player.as_str()).or_default() += score.as_u64().unwrap();
        }
    }
    points
}

#[track_caller]
fn assert_consistent(season: &Value, players: u64, rounds: u64) {
    assert_eq!(season["rounds"], rounds);
    assert_eq!(list(season, "matches").len() as u64, players * (players - 1) / 2);
    let played = appearances(season);
    assert_eq!(played.len() as u64, players);
    assert!(played.values().all(|times| *times == players - 1), "{played:?}");
    let points = points(season);
    let table = list(season, "standings");
    assert_eq!(table.len() as u64, players);
    for row in table {
        assert_eq!(row["points"], points[row["player_id"].as_str().unwrap()], "{row}");
        assert_eq!(row["played"], players - 1, "{row}");
    }
    assert!(table.is_sorted_by_key(|row| std::cmp::Reverse(row["points"].as_u64())));
    assert_eq!(season["champion"], table[0]);
}

#[test]
fn a_seed_gives_the_same_season_again() {
    let (first, second) = (demo(&["--seed", "7"]), demo(&["--seed", "7"]));
    for field in ["matches", "standings", "champion", "rounds"] {
        assert_eq!(first[field], second[field], "{field}");
    }
    assert_consistent(&first, 4, 3);
    let keys: Vec<_> = first.as_object().unwrap().keys().map(String::as_str).collect();
    let expected = [
        "champion",
        "league_id",
        "longest_match_s",
        "longest_round_s",
        "matches",
        "rounds",
        "standings",
        "timeout_rate",
    ];
    assert_eq!(keys, expected);
    assert_eq!(first["timeout_rate"], 0.0);
    for it in list(&first, "matches") {
        assert_eq!((&it["reason"], &it["blame"]), (&"PLAYED".into(), &Value::Null), "{it}");
        let number = it["drawn_number"].as_u64().unwrap();
        assert!((1..=10).contains(&number), "{it}");
        let right = if number.is_multiple_of(2) { "even" } else { "odd" };
        match it["winner"].as_str() {
            Some(winner) => assert_eq!(it["choices"][winner], right, "{it}"),
            None => assert_eq!(it["status"], "DRAW", "{it}"),
        }
    }
    // The course's own table for four players.
    let pairs = list(&first, "matches").iter().map(|it| {
        let field = |name: &str| it[name].as_str().unwrap().to_owned();
        [field("match_id"), field("player_a"), field("player_b")].join(" ")
    });
    let expected = [
        "R1M1 P01 P02",
        "R1M2 P03 P04",
        "R2M1 P03 P01",
        "R2M2 P04 P02",
        "R3M1 P04 P01",
        "R3M2 P03 P02",
    ];
    assert_eq!(pairs.collect::<Vec<_>>(), expected);
}

#[test]
fn another_seed_gives_another_season() {
    let seasons: Vec<_> = ["1", "2", "3"].map(|seed| demo(&["--seed", seed])).into();
    assert!(seasons.iter().any(|season| season["matches"] != seasons[0]["matches"]));
}

#[test]
fn with_an_odd_number_somebody_rests_in_every_round() {
    let season = demo(&["--players", "5"]);
    assert_consistent(&season, 5, 5);
    for round in 1..=5 {
        let matches = list(&season, "matches").iter().filter(|it| it["round"] == round);
        assert_eq!(matches.count(), 2);
    }
}

#[test]
fn a_full_hall_comes_to_its_end() {
    let season = demo(&["--players", "64", "--referees", "4"]);
    assert_consistent(&season, 64, 63);
}

#[test]
fn taken_ports_lead_to_free_ones() {
    // Whoever has them already does us the same service.
    let _taken = [8000, 8001, 8101].map(|port| TcpListener::bind((Ipv4Addr::LOCALHOST, port)));
    let dir = tempfile::tempdir().unwrap();
    let season = Process::agon(dir.path(), &["demo", "--json"]).succeed().json();
    assert_consistent(&season, 4, 3);
}

#[test]
fn people_hear_who_the_champion_is() {
    let dir = tempfile::tempdir().unwrap();
    let ended = start(dir.path(), &["--seed", "7"]).succeed();
    let champion = ended.out.lines().find(|line| line.starts_with("Champion: "));
    assert!(champion.is_some_and(|line| line.ends_with("after 6 matches")), "{}", ended.out);
    assert!(ended.out.contains("Round 3 of 3"), "{}", ended.out);
    assert!(ended.err.contains("data folder removed"), "{}", ended.err);
    assert!(!ended.out.contains('\u{1b}'), "no colours in a pipe: {:?}", ended.out);
}

#[test]
fn a_kept_season_can_be_looked_at_again() {
    let dir = tempfile::tempdir().unwrap();
    let season = start(dir.path(), &["--json", "--keep", "--data", "data"]).succeed().json();
    let again = start(dir.path(), &["--data", "data"]).exit(2);
    assert!(again.err.contains("holds a league already"), "{}", again.err);
    let (manager, endpoint) = league::manager(dir.path(), &[]);
    let league = league::League { dir, manager, endpoint };
    assert_eq!(league.standings(), list(&season, "standings"));
    let shown = league.shown("R1M1");
    let first = &list(&season, "matches")[0];
    assert_eq!(shown["result"]["winner"], first["winner"]);
    assert_eq!(shown["result"]["drawn_number"], first["drawn_number"]);
    assert_eq!(shown["transcript"].as_array().unwrap().last().unwrap()["message_type"], "VERDICT");
    league.close();
}

#[test]
fn keep_without_a_folder_says_where_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let place = dir.path().to_str().unwrap();
    let ended = start(dir.path(), &["--keep", "--json"]).succeed();
    let kept = ended.err.trim_end().rsplit(' ').next().unwrap();
    assert!(std::path::Path::new(kept).join("journal.sqlite3").is_file(), "{kept}");
    assert!(kept.starts_with(place));
}

#[test]
fn a_mistyped_flag_is_no_season() {
    let dir = TempDir::new().unwrap();
    for args in [&["demo", "--player", "4"][..], &["demo", "--players", "1"], &["demmo"]] {
        let ended = agon(dir.path(), args);
        assert_eq!(ended.code, Some(2), "{args:?}: {}", ended.err);
        assert!(ended.out.is_empty());
    }
    let ended = Process::agon_with(dir.path(), &["demo"], &[("AGON_TIMES__SCLAE", "2")]).exit(2);
    assert!(ended.err.contains("sclae"), "{}", ended.err);
}

#[test]
fn a_double_round_robin_is_played_with_the_seats_swapped() {
    let season = demo(&["--players", "4", "--format", "double_round_robin"]);
    let matches = list(&season, "matches");
    assert_eq!(matches.len(), 12);
    let pair = |it: &Value| ["player_a", "player_b"].map(|seat| it[seat].to_string());
    let mut seats: Vec<_> = matches.iter().map(pair).collect();
    seats.sort();
    seats.dedup();
    assert_eq!(seats.len(), 12, "each pair once from each side: {seats:?}");
    assert!(appearances(&season).values().all(|times| *times == 6));
}

#[test]
fn a_format_that_a_game_does_not_know_is_refused_at_the_start() {
    let dir = tempfile::tempdir().unwrap();
    let refused = start(dir.path(), &["--format", "teams"]).exit(2);
    assert!(refused.err.contains("league.format"), "{}", refused.err);
    assert!(refused.err.contains("double-round-robin"), "{}", refused.err);
    let unknown = start(dir.path(), &["--format", "swiss"]).exit(2);
    assert!(unknown.err.contains("there is no format \"swiss\""), "{}", unknown.err);
}
