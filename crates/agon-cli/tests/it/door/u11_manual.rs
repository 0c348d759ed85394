//! Manual pages and completions: made of the command line itself, and taken by the programs that
//! use them.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::process::{Process, agon};

/// Completes the last of these words in a real bash, and returns what it offers.
fn complete(dir: &Path, words: &str) -> Vec<String> {
    let script = format!(
        r#"source ./agon.bash
        COMP_WORDS=({words}) && COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
        complete -p agon >&2
        _agon agon "${{COMP_WORDS[COMP_CWORD]}}" "${{COMP_WORDS[COMP_CWORD - 1]}}"
        printf '%s\n' "${{COMPREPLY[@]}}""#
    );
    let ended = Process::start("bash", dir, &["--norc", "-c", &script], &[]).succeed();
    assert!(ended.err.contains("-F _agon agon"), "{}", ended.err);
    ended.out.lines().map(str::to_owned).collect()
}

#[test]
fn u11_bash_completes_what_is_typed() {
    let dir = TempDir::new().unwrap();
    let script = agon(dir.path(), &["completions", "bash"]).succeeded().out;
    fs::write(dir.path().join("agon.bash"), script).unwrap();
    Process::start("bash", dir.path(), &["-n", "agon.bash"], &[]).succeed();
    assert_eq!(complete(dir.path(), "agon stan"), ["standings"]);
    assert_eq!(complete(dir.path(), "agon player --strat"), ["--strategy"]);
    assert_eq!(complete(dir.path(), "agon match --js"), ["--json"]);
}

#[test]
fn u11_other_shells_have_completions_too() {
    let dir = TempDir::new().unwrap();
    let zsh = agon(dir.path(), &["completions", "zsh"]).succeeded().out;
    assert!(zsh.starts_with("#compdef agon"), "{zsh}");
    let fish = agon(dir.path(), &["completions", "fish"]).succeeded().out;
    assert!(fish.contains("complete -c agon"), "{fish}");
    let other = agon(dir.path(), &["completions", "tcsh"]);
    assert_eq!(other.code, Some(2));
    assert!(other.err.contains("neither bash nor zsh nor fish"), "{}", other.err);
}

#[test]
fn u11_every_command_has_a_manual_page() {
    let dir = TempDir::new().unwrap();
    agon(dir.path(), &["man", "--to", "man1"]).succeeded();
    let listed = agon(dir.path(), &["--help"]).out;
    let list = listed.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let names = list.lines().map(|line| line.split_whitespace().next().unwrap());
    let names: Vec<_> = names.filter(|name| *name != "help").collect();
    assert!(names.len() > 25, "{listed}");
    let pages = names.iter().map(|name| format!("agon-{name}.1")).chain(["agon.1".to_owned()]);
    for page in pages {
        let page = dir.path().join("man1").join(page);
        let made =
            Command::new("groff").args(["-man", "-ww", "-Tascii", "-P-cbou"]).arg(&page).output();
        let made = made.unwrap();
        let (text, complaints) = (String::from_utf8_lossy(&made.stdout), made.stderr);
        assert!(made.status.success() && complaints.is_empty(), "{}", page.display());
        assert!(text.contains("SYNOPSIS") && text.contains("--json"), "{text}");
    }
}
