//! What counts as heavy.

use super::heavy;

#[test]
fn mail_and_the_journal_are_found_by_their_whole_names() {
    let tree =
        "agon-player v0.0.0 (/a)\nrusqlite v0.41.1\nlettre-like v1.0.0\nlettre v0.11.23 (*)\n";
    assert_eq!(heavy(tree), ["lettre", "rusqlite"]);
}

#[test]
fn a_lean_player_passes() {
    assert!(heavy("agon-player v0.0.0 (/a)\nhyper v1.12.0\n").is_empty());
}
