//! Where a game may be named, and how it is recognised.

use super::super::tests::owed;
use super::{debts, says};

#[test]
fn a_game_is_named_in_its_own_places() {
    let at_home = [
        "crates/agon-games/src/q21.rs",
        "crates/agon-games/src/q21/score.rs",
        "crates/agon-games/src/lib.rs",
        "crates/agon-games/src/list.rs",
        "crates/agon-proto/src/dialect/q21/keys.rs",
        "crates/agon-player/src/strategies/q21/bank.rs",
    ];
    owed(debts, &at_home.map(|path| (path, "fn is_q21() {}\n")), &[]);
}

#[test]
fn everywhere_else_it_is_counted_by_file() {
    let named = "fn is_q21() {}\nfn q21() {}\n";
    let files = [
        ("crates/agon-core/src/a.rs", named),
        ("crates/agon-core/src/b.rs", "let game = \"even-odd\";\n"),
        ("crates/agon-core/src/c.rs", "struct Q21;\n"),
        ("crates/agon-core/src/tests.rs", named),
        ("crates/agon-games/src/q21_like.rs", named),
        ("crates/agon-net/src/d.rs", "// q21\n"),
    ];
    let expected =
        ["names agon-core:even_odd 1", "names agon-core:q21 2", "names agon-games:q21 1"];
    owed(debts, &files, &expected);
}

#[test]
fn the_rules_name_neither_dialect_nor_carrier() {
    let files = [
        ("crates/agon-core/src/a.rs", "match d { Dialect::LeagueV2 => by_call }\n"),
        ("crates/agon-node/src/a.rs", "match d { Dialect::LeagueV2 => by_call }\n"),
    ];
    let expected = ["names agon-core:dialect 1", "names agon-core:carrier 1"];
    owed(debts, &files, &expected);
}

#[test]
fn a_name_is_whole_words_in_any_case() {
    for text in ["is_q21()", "Q21", "Q21Settings", "q21::Letter", "\"q21\"", "AGON_Q21_MAX"] {
        assert!(says(text, "q21"), "{text}");
    }
    for text in ["EvenOdd", "EVEN_ODD", "even-odd", "even_odd_points"] {
        assert!(says(text, "even_odd"), "{text}");
    }
    for text in ["xq21", "q211", "evenly_odd", "email", "smtpd"] {
        assert!(!says(text, "q21") && !says(text, "even_odd") && !says(text, "mail"), "{text}");
    }
}
