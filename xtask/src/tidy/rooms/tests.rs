//! Who may use whom.

use super::super::tests::check as on;
use super::{check, dependencies};

#[test]
fn leaves_use_none_of_ours() {
    let text = "[dependencies]\nbytes.workspace = true\nagon-proto.workspace = true\n";
    let expected = ["crates/agon-net/Cargo.toml:3: agon-net must not use agon-proto"];
    on(check, &[("crates/agon-net/Cargo.toml", text)], &expected);
}

#[test]
fn the_corridor_joins_the_rooms_but_not_the_guests() {
    let text = "[dependencies]\nagon-core.workspace = true\nagon-net = { workspace = true }\n\
                agon-store = { workspace = true, optional = true }\nagon-sim.workspace = true\n";
    let expected = ["crates/agon-node/Cargo.toml:5: agon-node must not use agon-sim"];
    on(check, &[("crates/agon-node/Cargo.toml", text)], &expected);
}

#[test]
fn the_front_door_uses_all() {
    let text = "[dependencies]\nagon-sim = { workspace = true, optional = true }\n\
                agon-lab.workspace = true\nanyhow = \"1\"\n";
    on(check, &[("crates/agon-cli/Cargo.toml", text)], &[]);
}

#[test]
fn the_rules_use_little_but_their_tests_are_free() {
    let text = "[dependencies]\nagon-proto.workspace = true\nserde.workspace = true\n\
                jiff.workspace = true\n[dev-dependencies]\nproptest.workspace = true\n";
    let expected =
        ["crates/agon-core/Cargo.toml:4: agon-core uses only blake3, rustc-hash, serde, subtle"];
    on(check, &[("crates/agon-core/Cargo.toml", text)], &expected);
}

#[test]
fn a_new_crate_needs_a_row() {
    let expected = ["crates/agon-attic/Cargo.toml:1: agon-attic is not in the table"];
    on(check, &[("crates/agon-attic/Cargo.toml", "[package]\n")], &expected);
}

#[test]
fn every_spelling_of_a_dependency_is_read() {
    let text = "[package]\nname = \"x\"\n[dependencies]\n# note = 1\n\"a\" = \"1\"\n\
                b.workspace = true\nc = { package = \"agon-d\", path = \"..\" }\n\
                [dependencies.e]\nversion = \"1\"\n[target.'cfg(unix)'.dependencies]\nf = \"1\"\n\
                [dev-dependencies]\ng = \"1\"\n[build-dependencies]\nh = \"1\"\n\
                [features]\ni = []\n";
    let expected = [(5, "a"), (6, "b"), (7, "agon-d"), (8, "e"), (11, "f"), (15, "h")];
    assert_eq!(dependencies(text), expected);
}

#[test]
fn the_rules_do_not_know_the_world() {
    let rules = "//! Never tokio.\nuse std::net::IpAddr;\nlet a = Instant::now();\n\
                 let b = \"serde_json\";\n#[cfg(test)]\nuse std::fs;\nstrand::cut();\n";
    let tests = ("crates/agon-core/src/gate/tests.rs", "use serde_json::json;\n");
    let elsewhere = ("crates/agon-node/src/lib.rs", "use tokio::time;\n");
    let expected = [
        "crates/agon-core/src/gate.rs:2: the rules must not know `std::net`",
        "crates/agon-core/src/gate.rs:3: the rules must not know `Instant::now`",
    ];
    on(check, &[("crates/agon-core/src/gate.rs", rules), tests, elsewhere], &expected);
}
