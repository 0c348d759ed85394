//! All that is said and written down in some hundred seasons, as digests by seed: any seasons, and
//! seasons by letters.
//!
//! What a season says changes with a decision, and a commit that explains it:
//! `AGON_RECORDED=write cargo test -p agon-sim --test it recorded` writes the digests anew.

use std::fmt::Write;
use std::path::PathBuf;

use agon_sim::{Digests, Plan, digest};

use crate::seasons::by_letters;

/// Seasons of each kind.
const SEEDS: u64 = 256;
/// Set to `write`, it accepts whatever is said now.
const VARIABLE: &str = "AGON_RECORDED";

/// Plays the seasons on two threads, and writes a line for each.
fn played(season: fn(u64) -> Digests) -> String {
    let half = |seeds: std::ops::Range<u64>| seeds.map(season).collect::<Vec<_>>();
    let (mut first, second) = std::thread::scope(|scope| {
        let second = scope.spawn(|| half(SEEDS / 2..SEEDS));
        (half(0..SEEDS / 2), second.join().expect("no season panics"))
    });
    first.extend(second);
    let mut text = String::from("# seed said facts\n");
    for (seed, Digests { said, facts }) in first.iter().enumerate() {
        writeln!(text, "{seed} {said:016x} {facts:016x}").expect("a text takes every line");
    }
    text
}

#[track_caller]
fn check(name: &str, season: fn(u64) -> Digests) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/recorded").join(name);
    let played = played(season);
    if std::env::var_os(VARIABLE).is_some_and(|it| it == "write") {
        std::fs::write(&path, played).expect("the digests can be written");
        return;
    }
    let kept = std::fs::read_to_string(&path).expect("the digests of earlier seasons are kept");
    let different: Vec<_> =
        kept.lines().zip(played.lines()).filter(|(kept, played)| kept != played).collect();
    if let Some((kept, played)) = different.first() {
        panic!(
            "{} of {SEEDS} seasons differ from {name}; the first of them (seed, said, facts):\n\
             \x20 was {kept}\n   is {played}\n\
             If that is meant, say why in the commit, and write them anew:\n\
             \x20 {VARIABLE}=write cargo test -p agon-sim --test it recorded",
            different.len()
        );
    }
    assert_eq!(kept, played, "{name} does not have {SEEDS} seasons");
}

#[test]
fn recorded_seasons_say_what_they_said() {
    check("seasons.txt", |seed| digest(Plan::from_seed(seed)));
}

#[test]
fn recorded_seasons_by_letters_say_what_they_said() {
    check("letters.txt", |seed| digest(by_letters(seed)));
}
