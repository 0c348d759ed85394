//! A strategy that comes along is known to the program and to the page for authors.

use std::fs;
use std::path::PathBuf;

use crate::process::agon;

#[test]
fn u12_every_strategy_stands_on_the_page_for_authors() {
    let page = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/players.md");
    let page = fs::read_to_string(page).unwrap();
    let (_, page) = page.split_once("## The built-in strategies").unwrap();
    let (page, _) = page.split_once("\n## ").unwrap();
    let dir = tempfile::tempdir().unwrap();
    for game in ["even-odd", "rock-paper-scissors", "prisoners-dilemma"] {
        let listen = ["player", "--game", game, "--listen", "127.0.0.1:0"];
        let refused = agon(dir.path(), &[&listen[..], &["--strategy", "none"]].concat());
        assert_eq!(refused.code, Some(2), "{}", refused.err);
        let (_, names) = refused.err.trim_end().split_once("there are: ").unwrap();
        let names: Vec<_> = names.split(", ").filter(|name| !name.contains(':')).collect();
        assert!(names.len() >= 4, "{}", refused.err);
        for name in names {
            assert!(page.contains(&format!("`{name}`")), "{game}: {name} is not in: {page}");
        }
    }
}
