//! Headers and the pages that they name.

use super::super::tests::check as on;
use super::check;

const PAGE: (&str, &str) =
    ("docs/match.md", "# The match\n\n## `GAME_OVER`, and after\n```\n# x\n");

#[test]
fn a_header_comes_first() {
    let bare = ("crates/a/src/lib.rs", "use std::fmt;\n//! Late.\n");
    on(check, &[bare, ("xtask/src/main.rs", "//! Good.\n")], &["crates/a/src/lib.rs:1: no header"]);
    on(check, &[("crates/a/src/lib.rs", "")], &["crates/a/src/lib.rs:1: no header"]);
}

#[test]
fn a_page_must_exist() {
    let good =
        ("crates/a/src/a.rs", "//! A.\n//!\n//! Spec: docs/match.md, and `docs/match.md`.\n");
    let bad = ("crates/a/src/b.rs", "//! B.\n//! Spec: docs/match.md docs/lost.md\n");
    let vague = ("crates/a/src/c.rs", "//! C.\n//! Spec: somewhere\n");
    let expected = [
        "crates/a/src/b.rs:2: docs/lost.md does not exist",
        "crates/a/src/c.rs:2: no page after `Spec:`",
    ];
    on(check, &[PAGE, good, bad, vague], &expected);
}

#[test]
fn an_anchor_is_a_heading_of_its_page() {
    let good = ("crates/a/src/a.rs", "//! A.\n//! Spec: docs/match.md#game_over-and-after\n");
    let bad = ("crates/a/src/b.rs", "//! B.\n//! Spec: docs/match.md#x\n");
    on(check, &[PAGE, good, bad], &["crates/a/src/b.rs:2: docs/match.md has no heading `#x`"]);
}

#[test]
fn rules_words_and_games_name_their_page() {
    let rules = ("crates/agon-core/src/roles/clerk.rs", "//! The clerk.\n");
    let game = ("crates/agon-games/src/go.rs", "//! Go.\nimpl Game for Go {\n");
    let helper = ("crates/agon-games/src/list.rs", "//! The list.\n");
    let test = ("crates/agon-core/src/roles/clerk/tests.rs", "//! Scripts.\n");
    let named = ("crates/agon-core/src/roles/usher.rs", "//! A.\n//! Spec: docs/match.md\n");
    let expected = [
        "crates/agon-core/src/roles/clerk.rs:1: rules without their page",
        "crates/agon-games/src/go.rs:1: rules without their page",
    ];
    on(check, &[PAGE, rules, game, helper, test, named], &expected);
}
