//! Every message can be read afterwards, whole, with its time, its peer and what became of it, and
//! without a secret; and nobody plays any slower for a log that cannot be written.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::Value;

use super::post::{Post, application, vouched};
use crate::league::{League, assert_whole};
use crate::process::{Ended, Process, agon};

/// What `agon log` shows of a folder, as it is kept.
fn log(dir: &Path, data: &str, more: &[&str]) -> Vec<Value> {
    let shown = agon(dir, &[&["log", "--json", "--data", data], more].concat());
    assert_eq!(shown.code, Some(0), "{}", shown.err);
    shown.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The text of every file of the message log in that folder.
fn kept(dir: &Path) -> String {
    let files = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    let is_log = |path: &std::path::PathBuf| path.extension().is_some_and(|it| it == "jsonl");
    files.filter(is_log).map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

/// A busy machine asks nobody twice.
pub(super) const PATIENT: [(&str, &str); 2] =
    [("AGON_TIMES__JOIN_S", "300"), ("AGON_TIMES__CHOICE_S", "300")];

/// Plays a season of two, in which everybody has a folder.
fn played(manager: &[&str], env: &[(&str, &str)]) -> League {
    played_in(tempfile::tempdir().unwrap(), manager, env)
}

/// The same in that folder.
fn played_in(dir: tempfile::TempDir, manager: &[&str], env: &[(&str, &str)]) -> League {
    let (args, env) = ([&["--start-when", "2"], manager].concat(), [&PATIENT[..], env].concat());
    let (manager, endpoint) = crate::league::manager_with(dir.path(), &args, &env);
    let mut league = League { dir, manager, endpoint };
    let agents = [("referee", "ref"), ("player", "one"), ("player", "two")];
    let agents = agents.map(|(role, data)| league.member(role, &["--data", data]));
    league.manager.logs("league completed");
    agents.into_iter().for_each(|agent| drop(agent.succeed()));
    league
}

#[test]
fn s02_every_message_of_a_match_is_kept_whole_by_everybody() {
    let league = played(&[], &[]);
    let dir = league.path();
    let choices = log(dir, "ref", &["--match", "R1M1", "--message", "choose_parity_call"]);
    assert_eq!(choices.len(), 2, "{choices:?}");
    for asked in &choices {
        assert_eq!(asked["way"], "called", "{asked}");
        assert_eq!((&asked["outcome"], &asked["status"]), (&"ok".into(), &200.into()), "{asked}");
        assert_eq!(asked["request"]["params"]["message_type"], "CHOOSE_PARITY_CALL", "{asked}");
        assert_eq!(asked["answer"]["result"]["message_type"], "CHOOSE_PARITY_RESPONSE", "{asked}");
        assert!(asked["took_us"].as_u64().unwrap() > 0, "{asked}");
        assert!(asked["conversation"].as_str().unwrap().starts_with("conv-r1m1"), "{asked}");
    }
    let of_one = log(dir, "one", &["--match", "R1M1"]);
    let names: Vec<_> = of_one.iter().map(|line| line["message"].as_str().unwrap()).collect();
    for name in ["GAME_INVITATION", "CHOOSE_PARITY_CALL", "GAME_OVER"] {
        assert!(names.contains(&name), "{names:?}");
    }
    assert!(of_one.iter().any(|line| line["agent"] == "REF01"), "{of_one:?}");
    // Whoever is asked about by name is found, whichever way it was spoken to.
    let to_manager = log(dir, "ref", &["--agent", "manager"]);
    for name in ["REFEREE_REGISTER_REQUEST", "MATCH_ASSIGNMENT", "MATCH_RESULT_REPORT"] {
        assert!(to_manager.iter().any(|line| line["message"] == name), "{name}: {to_manager:?}");
    }
    assert!(!log(dir, "one", &["--agent", "REF01", "--match", "R1M1"]).is_empty());
    assert_whole(&league, 2);
    // What passes is written a moment later, and before its node ends at the latest.
    let League { manager, dir, .. } = league;
    manager.terminate();
    manager.succeed();
    let dir = dir.path();
    // Whom the manager talked to is known by its id.
    let with = log(dir, "data", &["--agent", "p01"]);
    let told = |name: &str| with.iter().any(|line| line["message"] == name);
    assert!(told("ROUND_ANNOUNCEMENT") && told("LEAGUE_REGISTER_REQUEST"), "{with:?}");
    let report = log(dir, "data", &["--message", "MATCH_RESULT_REPORT", "--outcome", "ok"]);
    assert_eq!((&report[0]["agent"], &report[0]["match"]), (&"REF01".into(), &"R1M1".into()));
    let mode = dir.join("data/messages.jsonl").metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn s02_letters_by_mail_are_kept_too() {
    let mut post = Post::open();
    for (who, role) in [("p1@league.test", "PLAYER"), ("r1@league.test", "REFEREE")] {
        post.deliver(who, &application(who, role, 1), Some(&vouched()));
        post.manager.logs(&format!("{} registered", role.to_lowercase()));
    }
    post.deliver("p1@league.test", &serde_json::json!({ "message_id": "odd" }), Some(&vouched()));
    post.quarantined();
    let Post { office, manager, .. } = post;
    manager.terminate();
    manager.succeed();
    let all = log(office.path(), "manager", &[]);
    let of = |way: &str, outcome: &str| {
        let it = all.iter().filter(|line| line["way"] == way && line["outcome"] == outcome);
        it.map(|line| line["peer"].as_str().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(of("read", "ok"), ["p1@league.test", "r1@league.test"], "{all:?}");
    assert_eq!(of("read", "not-taken"), ["p1@league.test"], "{all:?}");
    assert!(of("sent", "ok").contains(&"r1@league.test"), "{all:?}");
    for line in all.iter().filter(|line| line["outcome"] == "ok") {
        assert!(line["letter"]["message_type"].is_string(), "{line}");
    }
}

#[test]
fn s02_no_secret_is_kept() {
    let league = played(&[], &[]);
    let invited = league.ask(&["invite", "--data", "data"]).succeed().json();
    let code = invited["code"].as_str().unwrap().to_owned();
    let again = format!("{}/join/{code}/mcp", league.endpoint.trim_end_matches("/mcp"));
    let third = Process::agon(
        league.path(),
        &[
            "player",
            "--manager",
            &again,
            "--data",
            "three",
            "--listen",
            "127.0.0.1:0",
            "--wait",
            "1",
        ],
    );
    third.wait(); // The season is over, so it is turned away.
    let odd = serde_json::json!({ "auth_token": "mine-mine" });
    crate::http::call(&league.endpoint, "get_standings", &odd);
    let token = std::fs::read_to_string(league.data().join("operator.token")).unwrap();
    let folders = ["data", "ref", "one", "two", "three"].map(|name| league.path().join(name));
    let League { manager, dir: _dir, .. } = league;
    manager.terminate();
    manager.succeed();
    for text in folders.iter().filter(|it| it.exists()).map(|it| kept(it)) {
        assert!(!text.contains(&code), "the code of an invitation");
        assert!(!text.contains(token.trim()) && !text.contains("mine-mine"), "a token");
        let shown = |rest: &str| rest.chars().take_while(|c| c.is_ascii_hexdigit()).count();
        for (place, _) in text.match_indices("tok-") {
            let rest = &text[place + 4..];
            assert!(rest.starts_with('…') || shown(rest.split('-').nth(1).unwrap()) < 8, "{place}");
        }
    }
}

#[test]
fn s02_who_wants_no_log_has_none_and_is_told_how_to_get_one() {
    let league = played(&[], &[("AGON_LOG__MESSAGES", "false")]);
    assert_eq!(kept(&league.data()), "");
    let Ended { code, err, .. } = agon(league.path(), &["log", "--data", "data"]);
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("[log] messages") && err.contains("AGON_LOG__MESSAGES"), "{err}");
    let nowhere = agon(league.path(), &["log", "--data", "nowhere"]);
    assert!(nowhere.err.contains("there is no folder nowhere"), "{}", nowhere.err);
    let near = agon(league.path(), &["log", "--data", "ref", "--message", "game_invite"]);
    assert!(near.err.contains("GAME_INVITATION"), "{}", near.err);
    let time = agon(league.path(), &["log", "--data", "ref", "--since", "soon"]);
    assert!(time.err.contains("10m"), "{}", time.err);
    league.close();
}

#[test]
fn s02_a_log_grows_to_its_bound_and_no_further() {
    let dir = tempfile::tempdir().unwrap();
    // What stands there from before is as much as a file may hold.
    let before =
        format!("{{\"at\":\"2026-01-15T10:00:00.5Z\",\"agent\":\"{}\"}}\n", "x".repeat(2_000));
    std::fs::create_dir_all(dir.path().join("data")).unwrap();
    std::fs::write(dir.path().join("data/messages.jsonl"), &before).unwrap();
    let env = [
        ("AGON_LOG__MESSAGES_BYTES_MAX", "2000"),
        ("AGON_LOG__MESSAGES_FILES", "2"),
        ("AGON_LOG__MESSAGES_BODY_MAX", "100"),
    ];
    let league = played_in(dir, &[], &env);
    // Every message wants to be written before one may look.
    let data = league.data();
    let League { manager, dir, .. } = league;
    manager.terminate();
    manager.succeed();
    let names = ["messages.jsonl", "messages.1.jsonl"].map(|name| data.join(name));
    assert!(names.iter().all(|path| path.exists()), "it has begun anew at its bound");
    assert!(!data.join("messages.2.jsonl").exists());
    let lines = log(dir.path(), "data", &[]);
    let cut = lines.iter().find(|line| line["request_bytes"].is_u64()).unwrap();
    assert_eq!(cut["request_text"].as_str().unwrap().len(), 100, "{cut}");
}

#[test]
fn s02_a_damaged_line_is_left_out_with_a_word() {
    let dir = tempfile::tempdir().unwrap();
    let line = |second: u32, name: &str| {
        format!(
            "{{\"at\":\"2026-01-15T10:00:0{second}.5Z\",\"took_us\":1500,\"way\":\"called\",\
             \"peer\":\"http://h:1/mcp\",\"message\":\"{name}\",\"match\":\"R1M1\",\
             \"outcome\":\"late\"}}\n"
        )
    };
    let text = line(1, "GAME_OVER") + "{\"at\":\"2026\n" + &line(2, "GAME_ERROR") + "{\"at";
    std::fs::write(dir.path().join("messages.1.jsonl"), line(0, "GAME_INVITATION")).unwrap();
    std::fs::write(dir.path().join("messages.jsonl"), text).unwrap();
    let shown = agon(dir.path(), &["log", "--data", "."]);
    assert_eq!(shown.code, Some(0));
    let expected = "2026-01-15\n\
        10:00:00.5Z → h:1             GAME_INVITATION          R1M1  late         1.5ms\n\
        10:00:01.5Z → h:1             GAME_OVER                R1M1  late         1.5ms\n\
        10:00:02.5Z → h:1             GAME_ERROR               R1M1  late         1.5ms\n";
    assert_eq!(shown.out, expected);
    assert!(shown.err.contains("2 damaged or unfinished lines"), "{}", shown.err);
    let later = log(
        dir.path(),
        ".",
        &["--since", "2026-01-15T10:00:01Z", "--until", "2026-01-15T10:00:02Z"],
    );
    assert_eq!(later.len(), 1, "{later:?}");
    assert_eq!(log(dir.path(), ".", &["--outcome", "not-ok"]).len(), 3);
    let none = agon(dir.path(), &["log", "--data", ".", "--match", "R2M1"]);
    assert!(none.out.is_empty() && none.err.contains("none of 3 messages fits"), "{}", none.err);
}

#[test]
fn s02_a_full_disk_costs_the_log_and_not_the_league() {
    // A folder stands where the log's file should be, so nothing can be written there.
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(dir.path().join("data/messages.jsonl")).unwrap();
    let (manager, endpoint) = crate::league::manager(dir.path(), &["--start-when", "2"]);
    let mut league = League { dir, manager, endpoint };
    let agents = ["referee", "player", "player"].map(|role| league.member(role, &[]));
    league.manager.logs("league completed");
    agents.into_iter().for_each(|agent| drop(agent.succeed()));
    assert_whole(&league, 2);
    league.manager.terminate();
    let ended = league.manager.succeed();
    let said = ended.err.matches("the message log cannot be written").count();
    assert_eq!(said, 1, "{}", ended.err);
}
