//! What an outside player builds: neither mail nor a journal.

use std::env;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail};

/// Everything that somebody who writes a player's crate has to compile.
const TREE: &[&str] = &[
    "tree",
    "--locked",
    "--package",
    "agon-player",
    "--edges",
    "normal",
    "--prefix",
    "none",
    "--format",
    "{p}",
];

/// What mail and the journal bring along.
const HEAVY: &[&str] =
    &["agon-store", "async-imap", "lettre", "libsqlite3-sys", "mail-parser", "rusqlite"];

/// Asks cargo, and fails if a player's crate has become heavy.
pub(crate) fn check(root: &Path) -> anyhow::Result<()> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo).args(TREE).current_dir(root).output();
    let output = output.context("could not start cargo")?;
    if !output.status.success() {
        bail!("cargo could not list them: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    match &heavy(&String::from_utf8_lossy(&output.stdout))[..] {
        [] => Ok(()),
        found => bail!(
            "agon-player builds {}: put what needs it behind a feature that agon-player leaves off",
            found.join(", ")
        ),
    }
}

/// Which of the heavy ones stand in a list of `name version` lines.
fn heavy(tree: &str) -> Vec<&'static str> {
    let stands = |name: &str| tree.lines().any(|line| line.split(' ').next() == Some(name));
    HEAVY.iter().copied().filter(|name| stands(name)).collect()
}

#[cfg(test)]
mod tests;
