//! Where seeds come from, shown on the project's own files.

use std::path::Path;

use super::{collect, letter, lines};

fn of(target: &str) -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    collect(root, target).unwrap()
}

fn mentions(seeds: &[Vec<u8>], text: &str) -> bool {
    seeds.iter().any(|seed| String::from_utf8_lossy(seed).contains(text))
}

#[test]
fn golden_files_seed_requests_and_answers() {
    for target in ["request", "answer"] {
        assert!(mentions(&of(target), "\"method\":\"register_player\""), "{target}");
        assert!(mentions(&of(target), "\"error\":{"), "{target}");
    }
}

#[test]
fn envelopes_begin_without_their_frames() {
    let seeds = of("envelope");
    let letters = seeds.iter().filter(|seed| seed.starts_with(b"{\"protocol\":\"league.v2\""));
    assert!(letters.count() >= 21, "one for each message");
    // Within them whole messages of others may stand.
    let framed = seeds.iter().filter(|seed| seed.starts_with(b"{\"jsonrpc\""));
    assert_eq!(framed.count(), 0);
}

#[test]
fn letters_begin_with_their_subjects() {
    let seeds = of("letters");
    assert!(mentions(&seeds, "league.v2::LEAGUEMANAGER::manager@league.test::["));
    assert!(mentions(&seeds, "\n{\"protocol\":\"Q21G.v1\""));
    assert!(mentions(&seeds, "[Q21G][REFEREE][0102001][Q21WARMUPCALL]\n{"));
}

#[test]
fn the_default_file_seeds_the_configuration() {
    assert!(mentions(&of("config"), "[league]"));
}

#[test]
fn a_frame_without_a_letter_gives_none() {
    assert_eq!(letter(b"{\"jsonrpc\":\"2.0\",\"error\":{},\"id\":1}"), None);
    assert_eq!(letter(b"{\"result\":{\"a\":1},\"id\":1}").as_deref(), Some(&b"{\"a\":1}"[..]));
}

#[test]
fn a_file_of_lines_holds_a_seed_on_each() {
    assert_eq!(lines(b"a\n\nb\n").collect::<Vec<_>>(), [b"a", b"b"]);
}
