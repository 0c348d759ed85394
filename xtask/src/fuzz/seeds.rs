//! What a target begins with: its own seeds, and the golden files where they are of its kind.
//!
//! Golden files are read where they stand, so that no message is stored twice.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

const GOLDEN: &str = "crates/agon-proto/golden";
const DEFAULTS: &str = "crates/agon-node/agon.default.toml";
/// A file whose name ends so holds a seed on every line; any other file is one seed.
const LINES: &str = ".lines";

/// Writes the seeds of a target into a folder, one file each, and returns the folder.
pub(super) fn lay_out(root: &Path, target: &str, folder: &Path) -> anyhow::Result<PathBuf> {
    let seeds = collect(root, target)?;
    if folder.exists() {
        fs::remove_dir_all(folder).context("could not remove the seeds of the last time")?;
    }
    fs::create_dir_all(folder).context("could not make a folder for seeds")?;
    for (number, seed) in seeds.iter().enumerate() {
        fs::write(folder.join(format!("seed-{number:03}")), seed)
            .context("could not lay a seed")?;
    }
    Ok(folder.to_owned())
}

fn collect(root: &Path, target: &str) -> anyhow::Result<Vec<Vec<u8>>> {
    let mut seeds = Vec::new();
    for path in files(&root.join("fuzz/seeds").join(target))? {
        let bytes = read(&path)?;
        if path.to_string_lossy().ends_with(LINES) {
            seeds.extend(lines(&bytes).map(<[u8]>::to_vec));
        } else {
            seeds.push(bytes);
        }
    }
    match target {
        "request" | "answer" => seeds.extend(golden(root)?),
        "envelope" => seeds.extend(golden(root)?.iter().filter_map(|frame| letter(frame))),
        "letters" => seeds.extend(letters(root)?),
        "config" => seeds.push(read(&root.join(DEFAULTS))?),
        _ => {}
    }
    Ok(seeds)
}

/// Every frame of the golden files: one a line.
fn golden(root: &Path) -> anyhow::Result<Vec<Vec<u8>>> {
    let mut frames = Vec::new();
    for folder in files(&root.join(GOLDEN))? {
        for path in files(&folder)?.iter().filter(|path| path.is_file()) {
            frames.extend(lines(&read(path)?).map(<[u8]>::to_vec));
        }
    }
    Ok(frames)
}

/// Every letter of a Q21 league in the golden files: its subject, a line, its JSON.
fn letters(root: &Path) -> anyhow::Result<Vec<Vec<u8>>> {
    let mut letters = Vec::new();
    for folder in files(&root.join(GOLDEN).join("q21"))? {
        let paths = files(&folder)?;
        for path in paths.iter().filter(|path| path.extension().is_some_and(|end| end == "json")) {
            let subject = fs::read_to_string(path.with_extension("subject")).unwrap_or_default();
            let subject = subject.replace(['\r', '\n'], "");
            letters.push([subject.as_bytes(), b"\n", &read(path)?].concat());
        }
    }
    Ok(letters)
}

/// What a frame of ours carries. Ours always end with the id.
fn letter(frame: &[u8]) -> Option<Vec<u8>> {
    let text = str::from_utf8(frame).ok()?;
    // Whole messages of others may stand within.
    let parts = ["\"params\":", "\"result\":"].map(|field| text.split_once(field));
    let (_, rest) = parts.into_iter().flatten().min_by_key(|(before, _)| before.len())?;
    let (letter, _id) = rest.rsplit_once(",\"id\":")?;
    Some(letter.into())
}

fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty())
}

fn files(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let list = || fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect();
    let listed: std::io::Result<Vec<PathBuf>> = list();
    let mut paths = listed.with_context(|| format!("could not list {}", folder.display()))?;
    paths.sort();
    Ok(paths)
}

fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("could not read {}", path.display()))
}

#[cfg(test)]
mod tests;
