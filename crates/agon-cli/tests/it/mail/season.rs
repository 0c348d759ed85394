//! Whole seasons by mail: undisturbed, and with processes killed at random points.

use std::collections::BTreeSet;

use super::crowd::{Crowd, Said};
use super::office::Office;
use crate::audit::all_played;
use crate::killed::Chance;
use crate::process::quiet_block;

const TEAMS: u32 = 6;
/// Six teams play six rounds of two games.
const GAMES: u64 = 12;
/// How often somebody is killed, if the season is long enough, and at least.
const KILLS: u32 = 40;
const KILLS_MIN: u32 = 30;
/// Lines of all processes together between two kills, at most.
const LINES_MAX: u32 = 14;

/// Everybody, each in a process of its own: the manager first.
fn gather(office: &Office) -> Crowd {
    let mut crowd = Crowd::with_manager(office, &office.teams.to_string());
    for team in 1..=office.teams {
        crowd.agent("player", team, &[]);
        crowd.agent("referee", team, &[]);
    }
    crowd
}

/// Watches until every agent has ended well. `disturb` is called after every line.
pub(super) fn watch(crowd: &mut Crowd, mut disturb: impl FnMut(&mut Crowd, &BTreeSet<usize>)) {
    let mut home = BTreeSet::new();
    while home.len() < crowd.len() - 1 {
        let (place, said) = crowd.next();
        match said {
            Said::Line(_) => disturb(crowd, &home),
            Said::End(Some(0)) if place > 0 => {
                home.insert(place);
            }
            // A failpoint: it died as it was told to, and comes back.
            Said::End(None) => crowd.revive(place, None),
            Said::End(code) => panic!("{place} ended with {code:?}:\n{}", crowd.tail()),
        }
    }
}

#[test]
fn six_teams_play_a_season_by_mail() {
    let office = Office::open(TEAMS);
    let mut crowd = gather(&office);
    watch(&mut crowd, |_, _| {});
    all_played(&office.path().join("manager"), GAMES);
}

/// Kills processes at random points until it was enough, half of them at a failpoint.
pub(super) fn hunt(crowd: &mut Crowd) {
    const POINTS: [&str; 6] = [
        "before-commit",
        "after-commit",
        "before-release",
        "after-release",
        "before-send",
        "before-reply",
    ];
    let mut chance = Chance::announced();
    let (mut kills, mut wait) = (0, 1 + chance.below(LINES_MAX));
    watch(crowd, |crowd, home| {
        wait -= 1;
        if wait > 0 || kills >= KILLS {
            wait = wait.max(1);
            return;
        }
        wait = 1 + chance.below(LINES_MAX);
        let place = usize::try_from(chance.below(u32::try_from(crowd.len()).unwrap())).unwrap();
        if home.contains(&place) {
            return;
        }
        kills += 1;
        if chance.below(2) == 0 {
            let point = POINTS[usize::try_from(chance.below(6)).unwrap()];
            crowd.kill_and_doom(place, &format!("{point}:{}", 1 + chance.below(6)));
        } else {
            crowd.kill(place);
        }
    });
    assert!(kills >= KILLS_MIN, "only {kills} processes were killed");
}

#[test]
fn killed_at_any_point_nothing_is_lost_and_nothing_counts_twice() {
    let office = Office::open(TEAMS);
    let mut crowd = gather(&office);
    hunt(&mut crowd);
    all_played(&office.path().join("manager"), GAMES);
}

#[test]
fn by_call_too_nothing_is_lost_and_nothing_counts_twice() {
    let dir = tempfile::tempdir().unwrap();
    let port = quiet_block();
    // Whoever finds somebody dead tries again at once.
    let mut crowd = Crowd::new(dir.path(), &[("AGON_TIMES__RETRY_BACKOFF_S", "[0.05]")]);
    let manager = format!("127.0.0.1:{port}");
    let url = format!("http://{manager}/mcp");
    let teams = TEAMS.to_string();
    let start = ["manager", "--game", "q21", "--start-when", &teams, "--data", "manager"];
    crowd.join(&[&start[..], &["--listen", &manager, "--breaker-open-s", "0.1"]].concat());
    for team in 1..=u16::try_from(TEAMS).unwrap() {
        for (role, own) in [("player", port + team), ("referee", port + 20 + team)] {
            let (listen, group) = (format!("127.0.0.1:{own}"), format!("team{team:04}"));
            let data = format!("{role}{team}");
            let who = [role, "--game", "q21", "--group", &group, "--data", &data];
            let place = ["--listen", &listen, "--manager", &url, "--breaker-open-s", "0.1"];
            crowd.join(&[&who[..], &place].concat());
        }
    }
    hunt(&mut crowd);
    all_played(&dir.path().join("manager"), GAMES);
}
