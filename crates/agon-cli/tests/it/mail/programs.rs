//! A team's own program by mail, and the ways to look at a mailbox.

use agon_core::LeagueFact;
use agon_core::letterbox::LetterboxFact;
use agon_proto::act::ActKind;
use agon_store::Journal;

use super::crowd::{Crowd, Said};
use super::office::Office;
use crate::audit::all_played;
use crate::process::Process;
use crate::q21::my_player;

/// Three teams by mail: the first one plays with a program of its own.
fn gather(office: &Office, ai: &str) -> Crowd {
    let mut crowd = Crowd::with_manager(office, "3");
    crowd.agent("player", 1, &["--ai", ai]);
    for team in 2..=3 {
        crowd.agent("player", team, &[]);
    }
    for team in 1..=3 {
        crowd.agent("referee", team, &[]);
    }
    crowd
}

#[test]
fn a_program_with_four_functions_plays_by_mail() {
    let office = Office::open(3);
    let mut crowd = gather(&office, &my_player("MyPlayerAI"));
    crowd.see_home();
    all_played(&office.path().join("manager"), 3);
}

fn player(office: &Office, args: &[&str]) -> Process {
    let fixed = ["player", "--game", "q21", "--mail", "p1.toml", "--data", "p1"];
    Process::agon_with(office.path(), &[&fixed, args].concat(), &Office::env())
}

#[test]
fn a_mailbox_is_tried_step_by_step() {
    let office = Office::open(1);
    let tried = player(&office, &["--test-connectivity", "--json"]).succeed().json();
    assert_eq!(tried["ok"], true, "{tried}");
    assert!(tried["steps"].as_array().unwrap().len() >= 4, "{tried}");
    let mut env = Office::env();
    env.retain(|(key, _)| *key != super::office::PASSWORD_ENV);
    env.push((super::office::PASSWORD_ENV, "wrong"));
    let args = ["player", "--game", "q21", "--mail", "p1.toml", "--test-connectivity"];
    let failed = Process::agon_with(office.path(), &args, &env).exit(1);
    assert!(failed.out.contains("failed") && !failed.out.contains("wrong\""), "{}", failed.out);
}

#[test]
fn a_scan_reads_once_and_a_dry_run_changes_nothing() {
    let office = Office::open(1);
    let mut crowd = Crowd::with_manager(&office, "9");
    // The manager's invitation is there when its log says that it was sent.
    wait_for(&mut crowd, ["SENT", "START-SEASON"]);
    for _ in 0..2 {
        let dry = player(&office, &["--dry-run"]).succeed();
        assert!(dry.out.contains("would send SEASON_REGISTRATION_REQUEST"), "{}", dry.out);
    }
    let scan = player(&office, &["--scan"]).succeed();
    assert!(scan.out.contains("Done: 1 found, 1 processed, 1 sent, 0 errors"), "{}", scan.out);
    let again = player(&office, &["--dry-run"]).succeed();
    assert!(!again.out.contains("BROADCAST_START_SEASON"), "{}", again.out);
}

/// Waits until the manager has said this.
pub(super) fn wait_for(crowd: &mut Crowd, words: [&str; 2]) {
    loop {
        if let (0, Said::Line(line)) = crowd.next()
            && words.iter().all(|word| line.contains(word))
        {
            return;
        }
    }
}

#[test]
fn a_crash_between_reading_a_mail_and_dealing_with_it_loses_nothing_and_counts_once() {
    let office = Office::open(1);
    let mut crowd = Crowd::with_manager(&office, "9");
    wait_for(&mut crowd, ["SENT", "START-SEASON"]);
    // The invitation is read and not dealt with; dealt with and not marked as read.
    for point in ["before-commit:1", "after-commit:1", "before-reply:1", "before-send:1"] {
        let mut env = Office::env();
        env.push(("AGON_FAILPOINT", point));
        let args = ["player", "--game", "q21", "--mail", "p1.toml", "--data", "p1", "--scan"];
        let ended = Process::agon_with(office.path(), &args, &env).wait();
        // The mail server may be so quick that nothing is left to send in the last lives.
        let died = ended.code.is_none();
        assert!(
            died || point == "before-send:1" && ended.code == Some(0),
            "{point}: {}",
            ended.err
        );
    }
    player(&office, &["--scan"]).succeed();
    wait_for(&mut crowd, ["SENT", "SIGNUP-RESPONSE"]);
    let second = player(&office, &["--scan"]).succeed();
    assert!(!second.out.contains("SEASON-SIGNUP"), "{}", second.out);
    // It may have been mailed twice; it counts once.
    let (mut enrolled, mut answered) = (0, 0);
    let journal = Journal::read_only(&office.path().join("manager")).unwrap();
    journal
        .replay(|fact: LeagueFact| {
            enrolled += u32::from(matches!(fact, LeagueFact::Registered(_)));
            let queued = match fact.letterbox() {
                Some(LetterboxFact::Queued(parcel)) => Some(parcel),
                Some(LetterboxFact::Settled(_) | LetterboxFact::Handled { .. }) | None => None,
            };
            let kind = queued.map(|parcel| parcel.letter.kind);
            answered += u32::from(kind == Some(ActKind::Decide));
        })
        .unwrap();
    assert_eq!((enrolled, answered), (1, 1));
}

#[test]
fn an_open_league_takes_whoever_introduces_itself() {
    let office = Office::open(3);
    let mut crowd = Crowd::with_manager_of(&office, "open.toml", "3");
    for team in 1..=3 {
        crowd.agent("player", team, &["--introduce"]);
        crowd.agent("referee", team, &["--introduce"]);
    }
    crowd.see_home();
    all_played(&office.path().join("manager"), 3);
}
