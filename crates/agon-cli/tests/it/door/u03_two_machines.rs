//! Two machines and the obvious commands: they work, or say what to type.

use crate::field::{AWAY, Field, HOME, TALKATIVE};
use crate::process::Process;

/// What stands behind a word in a text, up to the next blank.
fn after<'a>(text: &'a str, word: &str) -> &'a str {
    let (_, rest) = text.split_once(word).unwrap_or_else(|| panic!("no {word:?} in {text}"));
    rest.trim_start().split([' ', '\n']).next().unwrap()
}

#[test]
fn u03_a_player_on_another_machine_plays_or_is_told_what_to_type() {
    let mut field = Field::open(&["--admit", "open", "--start-when", "3"]);
    let path = field.league.path();
    // As one would on one machine: nobody could call that.
    let obvious = ["player", "--manager", &field.manager, "--listen", "127.0.0.1:8101"];
    let ended = field.away.enter(|| Process::agon(path, &obvious).exit(2));
    assert!(
        ended.err.contains("is on another machine, and cannot call 127.0.0.1"),
        "{}",
        ended.err
    );
    let listen = after(&ended.err, "--listen").to_owned();
    assert_eq!(listen, format!("{AWAY}:8101"));
    assert!(ended.err.contains("--insecure"), "{}", ended.err);
    // What it says works, and so does listening everywhere.
    let player = |listen: &str| {
        let usual = ["player", "--manager", &field.manager, "--listen", listen, "--insecure"];
        let args = [&usual[..], &TALKATIVE].concat();
        field.away.enter(|| Process::agon(path, &args))
    };
    let mut everywhere = player("0.0.0.0:8102");
    assert_eq!(everywhere.endpoint(), format!("http://{AWAY}:8102/mcp"));
    let mut all = vec![everywhere, player(&listen)];
    let home = (&field.home, HOME);
    for role in ["player", "referee"] {
        all.push(field.agent(home, role, &["--manager", &field.league.endpoint], &[]));
    }
    field.league.manager.logs("league completed");
    all.into_iter().for_each(|agent| drop(agent.succeed()));
    field.assert_whole(3);
}

#[test]
fn u03_an_agent_that_finds_no_way_yet_waits_and_names_where_it_can_be_called() {
    let mut field = Field::open(&["--admit", "open"]);
    field.away.ip(&["link", "set", "cable", "down"]);
    let args = ["player", "--manager", &field.manager, "--listen", "0.0.0.0:8102", "--insecure"];
    let args = [&args[..], &TALKATIVE].concat();
    let path = field.league.path().to_owned();
    let mut player = field.away.enter(|| Process::agon(&path, &args));
    player.logs("no way leads to the manager yet; waiting for it");
    field.away.ip(&["link", "set", "cable", "up"]);
    assert_eq!(player.endpoint(), format!("http://{AWAY}:8102/mcp"));
    field.league.manager.logs("player registered");
    // And not for ever.
    field.away.ip(&["link", "set", "cable", "down"]);
    let args = ["player", "--manager", &field.manager, "--listen", "127.0.0.1:0", "--wait", "0.01"];
    let ended = field.away.enter(|| Process::agon(&path, &args).exit(2));
    assert!(ended.err.contains("there is no way to the manager at"), "{}", ended.err);
}
