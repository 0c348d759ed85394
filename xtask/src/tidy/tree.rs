//! The project's files, read once and kept as text.
//!
//! Git says which files belong to the project: those it tracks, and those that it would offer to
//! add. Files that are not text are left out.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail};

use super::source::Source;

pub(super) struct Tree {
    /// Every text file, by its path from the root.
    pub(super) files: BTreeMap<String, String>,
    /// The Rust files of our own crates.
    pub(super) sources: Vec<Source>,
}

impl Tree {
    pub(super) fn new(files: impl Iterator<Item = (String, String)>) -> Self {
        let files: BTreeMap<String, String> = files.collect();
        let folders = ["crates/", "fuzz/", "xtask/"];
        let ours = |path: &str| folders.iter().any(|folder| path.starts_with(folder));
        let sources = files
            .iter()
            .filter(|(path, _)| ours(path) && path.ends_with(".rs"))
            .map(|(path, text)| Source::read(path, text))
            .collect();
        Self { files, sources }
    }

    pub(super) fn read(root: &Path) -> anyhow::Result<Self> {
        let mut files = Vec::new();
        for path in list(root)? {
            match fs::read(root.join(&path)) {
                Ok(bytes) => files.extend(String::from_utf8(bytes).ok().map(|text| (path, text))),
                // Deleted but not committed, or a link to a folder: nothing to check.
                Err(err) if matches!(err.kind(), ErrorKind::NotFound | ErrorKind::IsADirectory) => {
                }
                Err(err) => return Err(err).with_context(|| format!("could not read {path}")),
            }
        }
        Ok(Self::new(files.into_iter()))
    }

    /// The files of what we ship: not the caretaker, not the fuzz targets.
    pub(super) fn crates(&self) -> impl Iterator<Item = &Source> {
        self.sources.iter().filter(|source| source.path.starts_with("crates/"))
    }

    /// The manifests of our crates, as `(crate's folder, path, text)`.
    pub(super) fn manifests(&self) -> impl Iterator<Item = (&str, &str, &str)> {
        self.files.iter().filter_map(|(path, text)| {
            let folder = path.strip_suffix("/Cargo.toml")?;
            let name = folder.strip_prefix("crates/").unwrap_or(folder);
            (!name.contains('/')).then_some((name, path.as_str(), text.as_str()))
        })
    }
}

fn list(root: &Path) -> anyhow::Result<Vec<String>> {
    // The folder may belong to another user, as in a container; listing names is safe all the same.
    let output = Command::new("git")
        .args(["-c", "safe.directory=*", "ls-files", "-z"])
        .args(["--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output()
        .context("could not start git, which lists the project's files: install it")?;
    if !output.status.success() {
        let reason = String::from_utf8_lossy(&output.stderr);
        bail!("git could not list the project's files: {}", reason.trim());
    }
    let names = String::from_utf8(output.stdout).context("a file's name is not UTF-8")?;
    Ok(names.split('\0').filter(|name| !name.is_empty()).map(String::from).collect())
}

#[cfg(test)]
mod tests;
