//! An address of the manager as people write it: it works, or they are told at once.

use crate::league::{League, TERMS, assert_whole};
use crate::process::{Process, agon};

#[test]
fn u05_without_a_path_the_manager_is_found() {
    let mut league = League::open(&["--start-when", "2"]);
    let bare = league.endpoint.strip_suffix("/mcp").unwrap().to_owned();
    let manager = [bare.clone(), format!("{bare}/"), format!("{bare}/mcp/")];
    let roles = ["referee", "player", "player"];
    let agents: Vec<_> = roles
        .iter()
        .zip(&manager)
        .map(|(role, manager)| {
            let args = [role, "--manager", manager, "--listen", "127.0.0.1:0"];
            Process::agon(league.path(), &[&args[..], &TERMS].concat())
        })
        .collect();
    league.manager.logs("league completed");
    for agent in agents {
        agent.succeed();
    }
    assert_whole(&league, 2);
    for manager in &manager {
        let shown = agon(league.path(), &["standings", "--json", "--manager", manager]);
        assert_eq!(shown.json()["standings"].as_array().unwrap().len(), 2, "{}", shown.err);
    }
    league.close();
}

#[test]
fn u05_what_is_no_address_is_said_before_anybody_is_asked() {
    let dir = tempfile::tempdir().unwrap();
    let wrong = "127.0.0.1:8000/mcp";
    for command in [&["player", "--listen", "127.0.0.1:0"][..], &["referee"], &["standings"]] {
        let ended = agon(dir.path(), &[command, &["--manager", wrong]].concat());
        assert_eq!(ended.code, Some(2), "{}", ended.err);
        let told = format!("--manager {wrong} is no address such as http://127.0.0.1:8000/mcp");
        assert!(ended.err.contains(&told), "{}", ended.err);
        assert_eq!(ended.out.matches("listening").count(), 0, "{}", ended.out);
    }
}
