//! Nothing is acknowledged that would be gone with the process.

use std::fs;
use std::path::Path;

use crate::league::League;

/// Takes the journal away from under a manager, which must stop and say so.
#[track_caller]
fn notices(take_away: fn(&Path)) {
    let mut league = League::open(&[]);
    let _early = league.member("player", &[]);
    take_away(&league.data());
    let mut late = league.agent("player", &[]);
    let ended = league.manager.exit(2);
    assert!(ended.err.contains("was removed or replaced while it was in use"), "{}", ended.err);
    assert_eq!(ended.err.matches("player registered").count(), 1, "{}", ended.err);
    late.kill();
    let ended = late.wait();
    assert!(!ended.err.contains("\"registered\""), "{}", ended.err);
}

#[test]
fn t10_a_manager_with_nothing_to_write_down_notices() {
    let mut league = League::open(&[]);
    // Once somebody is in, all that there was to write down is written.
    let _early = league.member("player", &[]);
    fs::remove_dir_all(league.data()).unwrap();
    let ended = league.manager.exit(2);
    assert!(ended.err.contains("was removed or replaced while it was in use"), "{}", ended.err);
}

#[test]
fn t10_a_folder_that_is_deleted_is_noticed() {
    notices(|data| fs::remove_dir_all(data).unwrap());
}

#[test]
fn t10_a_folder_that_has_another_name_is_noticed() {
    notices(|data| fs::rename(data, data.with_file_name("elsewhere")).unwrap());
}

#[test]
fn t10_another_journal_in_its_place_is_noticed() {
    notices(|data| {
        let journal = data.join("journal.sqlite3");
        fs::copy(&journal, data.join("copy")).unwrap();
        fs::rename(data.join("copy"), journal).unwrap();
    });
}
