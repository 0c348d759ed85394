//! Addresses are written as their owner writes them, and compared without regard to case: others
//! may compare them exactly.

use std::time::Instant;

use super::post::{Post, vouched};
use crate::mail::office::Office;
use crate::process::{PATIENCE, Process};

/// `R1@League.Test`: what its owner writes, everywhere.
fn capital(address: &str) -> String {
    let (name, domain) = address.split_once('@').unwrap();
    assert_eq!(domain, "league.test");
    format!("{}@League.Test", name.to_uppercase())
}

#[test]
fn q01_a_referee_finds_itself_in_the_table_in_its_own_spelling() {
    let mut post = Post::open();
    post.enrol_as(capital);
    let end = Instant::now() + PATIENCE;
    let table = loop {
        if let Some(table) = post.mailed("BROADCAST_ASSIGNMENT_TABLE").pop() {
            break table.to_string();
        }
        assert!(Instant::now() < end, "no table is mailed");
    };
    for team in 1..=3 {
        for own in [format!("P{team}@League.Test"), format!("R{team}@League.Test")] {
            assert!(table.contains(&format!("\"{own}\"")), "{own}: {table}");
        }
    }
    assert!(!table.contains("@league.test\"") || table.contains("manager@league.test"), "{table}");
    // Who writes itself in another case is the same.
    let (referee, report) = post.report();
    assert!(referee.starts_with('r'), "{referee}");
    post.deliver(&referee, &report, Some(&vouched()));
    assert_eq!(post.manager.logs("result accepted")["match_id"], "R1M1");
    assert_eq!(post.results(), 1);
}

#[test]
fn q01_teams_with_capitals_play_a_season_by_mail() {
    let office = Office::open(3);
    for team in 1..=3 {
        for letter in ["p", "r"] {
            let own = format!("manager = \"Manager@league.test\"\ngroup = \"team{team:04}\"\n");
            let name = format!("{}{team}", letter.to_uppercase());
            office.write(&format!("{letter}{team}"), &office.mailbox(&name, &own));
        }
    }
    let start = |args: &[&str]| Process::agon_with(office.path(), args, &Office::env());
    let season = ["manager", "--game", "q21", "--start-when", "3", "--data", "manager"];
    let place = ["--mail", "manager.toml", "--listen", "127.0.0.1:0", "--json"];
    let talk = ["--log", "info", "--log-format", "json"];
    let mut manager = start(&[&season[..], &place, &talk].concat());
    let mut agents = Vec::new();
    for team in 1..=3 {
        for role in ["player", "referee"] {
            let name = format!("{}{team}", &role[..1]);
            let file = format!("{name}.toml");
            agents.push(start(&[role, "--game", "q21", "--mail", &file, "--data", &name]));
            let address = format!("{}@league.test", name.to_uppercase());
            assert_eq!(manager.logs(&format!("{role} registered"))["address"], address.as_str());
        }
    }
    manager.logs("league completed");
    for agent in agents {
        agent.succeed();
    }
}
