//! What a killed export leaves behind, and what the next one makes of it.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use super::{MARKER, NEW, Place};

/// A folder with an export in it.
fn export(path: PathBuf, content: &str) -> PathBuf {
    fs::create_dir_all(&path).unwrap();
    fs::write(path.join(MARKER), "").unwrap();
    fs::write(path.join("content"), content).unwrap();
    path
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_crash_between_the_renames_loses_nothing() {
    let dir = tempfile::tempdir().unwrap();
    export(dir.path().join("out.old-4194305"), "old");
    export(dir.path().join("out.new-4194305"), "half of the new one");
    Place::take(&dir.path().join("out")).unwrap();
    assert_eq!(names(dir.path()), ["out"]);
    let content = fs::read_to_string(dir.path().join("out/content")).unwrap();
    assert_eq!(content, "old");
}

#[test]
fn what_others_write_or_own_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let alive = export(dir.path().join("out.new-1"), "being written");
    let lock = File::open(alive.join(MARKER)).unwrap();
    lock.lock().unwrap();
    fs::create_dir(dir.path().join("out.new-2")).unwrap();
    fs::write(dir.path().join("out.new-2/notes"), "no marker").unwrap();
    export(dir.path().join("out.new-x"), "somebody's name for it");
    export(dir.path().join("outer.old-3"), "another place's");
    Place::take(&dir.path().join("out")).unwrap();
    let kept = ["out.new-1", "out.new-2", "out.new-x", "outer.old-3"];
    assert_eq!(names(dir.path()), kept);
}

#[test]
fn half_a_removal_is_finished() {
    let dir = tempfile::tempdir().unwrap();
    export(dir.path().join("out"), "new");
    export(dir.path().join("out.gone-7"), "rest of the old one");
    fs::create_dir(dir.path().join("out.gone-8")).unwrap();
    export(dir.path().join("out.old-9"), "another old one");
    Place::take(&dir.path().join("out")).unwrap();
    assert_eq!(names(dir.path()), ["out"]);
}

#[test]
fn a_new_export_replaces_the_old_one_whole() {
    let dir = tempfile::tempdir().unwrap();
    let to = export(dir.path().join("out"), "old");
    fs::write(to.join("only in the old one"), "").unwrap();
    let place = Place::take(&to).unwrap();
    let fresh = export(place.mine(NEW), "new");
    place.put(&fresh).unwrap();
    assert_eq!(names(dir.path()), ["out"]);
    assert_eq!(names(&to), [MARKER, "content"]);
    assert_eq!(fs::read_to_string(to.join("content")).unwrap(), "new");
}

#[test]
fn a_place_that_filled_up_meanwhile_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let to = dir.path().join("out");
    let place = Place::take(&to).unwrap();
    let fresh = export(place.mine(NEW), "new");
    fs::create_dir(&to).unwrap();
    fs::write(to.join("thesis.tex"), "").unwrap();
    assert!(place.put(&fresh).is_err());
    assert_eq!(names(&to), ["thesis.tex"]);
}
