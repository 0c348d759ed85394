//! What counts as a part of the tree.

use std::path::Path;

use super::Tree;

#[test]
fn this_very_project_is_listed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    if !root.join(".git").exists() {
        return; // An unpacked archive has no list.
    }
    let tree = Tree::read(root).unwrap();
    assert!(tree.files.contains_key("Cargo.toml"));
    assert!(tree.sources.iter().any(|source| source.path == "xtask/src/tidy/tree.rs"));
    assert!(!tree.files.keys().any(|path| path.starts_with("target/")));
}

#[test]
fn a_manifest_goes_by_its_folder() {
    let files = ["Cargo.toml", "xtask/Cargo.toml", "crates/a/Cargo.toml", "crates/a/b/Cargo.toml"];
    let tree = Tree::new(files.into_iter().map(|path| (path.into(), String::new())));
    let names: Vec<&str> = tree.manifests().map(|(name, ..)| name).collect();
    assert_eq!(names, ["a", "xtask"]);
}

#[test]
fn only_our_rust_is_a_source() {
    let files = ["crates/a/src/lib.rs", "xtask/src/main.rs", "examples/x.rs", "crates/a/x.py"];
    let tree = Tree::new(files.into_iter().map(|path| (path.into(), String::new())));
    let paths: Vec<&str> = tree.sources.iter().map(|source| source.path.as_str()).collect();
    assert_eq!(paths, ["crates/a/src/lib.rs", "xtask/src/main.rs"]);
}
