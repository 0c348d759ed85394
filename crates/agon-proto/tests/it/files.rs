//! Where the golden files are, and how they are read.

use std::fs;
use std::path::{Path, PathBuf};

use agon_proto::Limits;

pub(crate) const LIMITS: Limits = Limits { depth_max: 32 };

pub(crate) fn golden(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("golden").join(path)
}

pub(crate) fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/protocol")
}

pub(crate) fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The frame of one message.
pub(crate) fn message(name: &str) -> String {
    frame("league.v2", name)
}

/// The frame of one message, from another folder.
pub(crate) fn frame(folder: &str, name: &str) -> String {
    let text = read(&golden(&format!("{folder}/{name}.json")));
    text.strip_suffix('\n').expect("one line").to_owned()
}

/// The names of a folder's files, without their ending.
pub(crate) fn names(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(golden(folder)).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    names.sort();
    names
}

/// A request and its answer.
pub(crate) fn pair(folder: &str, name: &str) -> (String, String) {
    let text = read(&golden(&format!("{folder}/{name}.jsonl")));
    let (request, answer) = text.split_once('\n').expect("two lines");
    (request.to_owned(), answer.strip_suffix('\n').expect("two lines").to_owned())
}
