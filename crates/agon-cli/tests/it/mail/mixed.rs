//! One league whose players come by call and by mail: its referees know both ways.

use super::crowd::Crowd;
use super::office::Office;
use super::season::{hunt, watch};
use crate::audit::all_played;
use crate::process::quiet_block;

/// Two of each kind, so that every two kinds meet.
const PLAYERS: u16 = 4;
/// Everybody meets everybody.
const GAMES: u64 = 6;
const REFEREES: u16 = 2;

/// Half of the players by call, half by mail, and two referees by both.
fn gather(office: &Office) -> Crowd {
    let port = quiet_block();
    let mut env = Office::env();
    env.push(("AGON_TIMES__RETRY_BACKOFF_S", "[0.05]"));
    let mut crowd = Crowd::new(office.path(), &env);
    let listen = format!("127.0.0.1:{port}");
    let url = format!("http://{listen}/mcp");
    let players = PLAYERS.to_string();
    let start = ["manager", "--game", "q21", "--format", "refereed", "--start-when", &players];
    let place = ["--mail", "open.toml", "--data", "manager", "--listen", &listen];
    crowd.join(&[&start[..], &place, &["--breaker-open-s", "0.1"]].concat());
    for referee in 1..=REFEREES {
        let (listen, data) = (format!("127.0.0.1:{}", port + referee), format!("r{referee}"));
        let (file, group) = (format!("{data}.toml"), format!("house{referee}"));
        let who = ["referee", "--game", "q21", "--group", &group, "--data", &data];
        let place = ["--mail", &file, "--by-call-too", "--listen", &listen, "--manager", &url];
        crowd.join(&[&who[..], &place, &["--breaker-open-s", "0.1"]].concat());
    }
    for player in 1..=PLAYERS {
        let (group, data) = (format!("team{player}"), format!("p{player}"));
        let who = ["player", "--game", "q21", "--group", &group, "--data", &data];
        if player % 2 == 0 {
            let file = format!("{data}.toml");
            crowd.join(&[&who[..], &["--mail", &file, "--introduce"]].concat());
        } else {
            let listen = format!("127.0.0.1:{}", port + 20 + player);
            let place = ["--listen", &listen, "--manager", &url, "--breaker-open-s", "0.1"];
            crowd.join(&[&who[..], &place].concat());
        }
    }
    crowd
}

#[test]
fn players_by_call_and_by_mail_play_one_season() {
    let office = Office::open(PLAYERS.into());
    let mut crowd = gather(&office);
    watch(&mut crowd, |_, _| {});
    all_played(&office.path().join("manager"), GAMES);
}

#[test]
fn killed_at_any_point_a_mixed_season_counts_every_game_once() {
    let office = Office::open(PLAYERS.into());
    let mut crowd = gather(&office);
    hunt(&mut crowd);
    all_played(&office.path().join("manager"), GAMES);
}
