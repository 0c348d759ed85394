//! A process that is killed while it appends: nothing that it acknowledged may be missing.
//!
//! The victim is this test binary, started again with a folder in its environment.

use std::{
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, Command, Stdio},
};

use agon_store::{Batch, Journal, JournalError};

use crate::{Fact, block_on, exhibit, replayed, scored};

const DIR: &str = "AGON_STORE_TEST_DIR";
const ACKNOWLEDGED: &str = "acknowledged ";
/// Batches of one to three facts, so that a torn batch would show.
const SIZE_MAX: u64 = 3;

#[test]
fn what_was_acknowledged_survives_a_kill() {
    let dir = tempfile::tempdir().unwrap();
    // Each life finds what the ones before it have left.
    for acknowledgements in [1, 40, 7] {
        let mut victim = start(dir.path());
        let acknowledged = kill_after(&mut victim, acknowledgements);

        let mut seen = 0;
        let reader = Journal::<Fact>::read_only(dir.path()).unwrap();
        reader.raw(|seq, _, _| seen = seq).unwrap();
        drop(reader);
        let journal = Journal::open(dir.path()).unwrap();
        assert_eq!(seen, journal.last(), "a reader recovers the same as an owner");
        assert!(journal.last() >= acknowledged, "{} < {acknowledged}", journal.last());
        check_contents(&journal);
    }
}

#[test]
fn another_process_is_told_who_owns_the_journal_and_may_read_it() {
    let dir = tempfile::tempdir().unwrap();
    let mut owner = start(dir.path());
    let mut lines = BufReader::new(owner.stdout.take().unwrap()).lines();
    let acknowledged = lines.find_map(|line| acknowledgement(&line.unwrap())).unwrap();

    let error = Journal::<Fact>::open(dir.path()).err().unwrap();
    assert!(
        matches!(error, JournalError::InUse { holder, .. } if holder == Some(owner.id())),
        "{error}"
    );
    let reader = Journal::<Fact>::read_only(dir.path()).unwrap();
    assert!(reader.replay(|_| {}).unwrap() >= acknowledged);

    owner.kill().unwrap();
    owner.wait().unwrap();
}

/// The victim. A test like the others, it does nothing unless it was started by one of them.
#[test]
fn append_until_killed() {
    let Some(dir) = std::env::var_os(DIR) else {
        return;
    };
    let mut journal = Journal::open(Path::new(&dir)).unwrap();
    loop {
        let last = journal.last();
        let next = batch_after(last);
        let last = block_on(journal.append(last, next)).unwrap();
        writeln!(std::io::stdout(), "{ACKNOWLEDGED}{last}").unwrap();
    }
}

/// The batch that follows fact `last`: every fact carries its number, and an exhibit the batch's.
fn batch_after(last: u64) -> Batch<Fact> {
    let numbers = last + 1..=last + size_after(last);
    Batch {
        facts: numbers.map(|number| scored(number.cast_signed())).collect(),
        exhibits: vec![exhibit(&format!("after {last}"), "the batch was whole")],
    }
}

fn size_after(last: u64) -> u64 {
    1 + last % SIZE_MAX
}

/// The journal consists of whole batches, in order, each with its exhibit, and of nothing else.
fn check_contents(journal: &Journal<Fact>) {
    let expected: Vec<Fact> = (1..=journal.last().cast_signed()).map(scored).collect();
    assert_eq!(replayed(journal), expected);
    let mut last = 0;
    while last < journal.last() {
        let found = block_on(journal.exhibit(&format!("after {last}"))).unwrap();
        assert!(found.is_some(), "the exhibit after {last} is missing");
        last += size_after(last);
    }
    assert_eq!(last, journal.last(), "the last batch is torn");
}

fn start(dir: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "kill::append_until_killed", "--nocapture"])
        .env(DIR, dir)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Kills the victim (SIGKILL on Unix) after so many acknowledgements. Returns the last one that
/// it had time to give.
fn kill_after(victim: &mut Child, acknowledgements: usize) -> u64 {
    let lines = BufReader::new(victim.stdout.take().unwrap()).lines();
    let mut given = lines.filter_map(|line| acknowledgement(&line.unwrap()));
    let enough = given.by_ref().take(acknowledgements).last();
    victim.kill().unwrap();
    let last = given.last().or(enough);
    victim.wait().unwrap();
    last.expect("the victim never appended anything")
}

/// The number in a line of the victim, which the test harness may have begun with its own words.
fn acknowledgement(line: &str) -> Option<u64> {
    line.split_once(ACKNOWLEDGED)?.1.parse().ok()
}
