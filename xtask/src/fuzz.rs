//! Fuzzing: every parser of outside bytes, against bytes that nobody thought of.
//!
//! The targets stand in `fuzz/`, one build serves them all, and each gets the same time. What is
//! made on the way (seeds, the grown corpus, logs, what was found) stays in the target folder.

mod build;
mod outcome;
mod seeds;
mod session;

use std::env;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use anyhow::{Context, bail};

pub(crate) use build::{Toolchain, copy_lock};
use outcome::Outcome;
use session::Session;

/// How long a target runs when nobody says.
const SECONDS: u64 = 600;
/// How long it runs as one of the gates.
const GATE_SECONDS: u64 = 30;
const NO_NIGHTLY: &str = "there is no nightly toolchain, which fuzzing needs: \
                          install one with `rustup toolchain install nightly`";

/// What to fuzz, and for how long.
#[derive(Debug, PartialEq)]
pub(crate) struct Plan {
    seconds: u64,
    /// All of them, if none is named.
    targets: Vec<String>,
}

impl Plan {
    /// Reads the words after `fuzz`; `None` when they make no sense.
    pub(crate) fn parse(words: &[&str]) -> Option<Self> {
        let (seconds, targets) = match words {
            ["--seconds", number, rest @ ..] => (number.parse().ok()?, rest),
            rest => (SECONDS, rest),
        };
        let targets: Vec<String> = targets.iter().copied().map(String::from).collect();
        let sound = seconds > 0 && !targets.iter().any(|target| target.starts_with('-'));
        sound.then_some(Self { seconds, targets })
    }

    fn choose(&self, known: &[String]) -> anyhow::Result<Vec<String>> {
        if let Some(unknown) = self.targets.iter().find(|target| !known.contains(target)) {
            bail!("there is no fuzz target `{unknown}`; there are: {}", known.join(", "));
        }
        let wanted = if self.targets.is_empty() { known } else { &self.targets };
        Ok(wanted.to_vec())
    }
}

/// Fuzzes as planned.
pub(crate) fn run(root: &Path, plan: &Plan) -> anyhow::Result<()> {
    fuzz(root, plan, &nightly()?)
}

/// Fuzzes everything for a short while: one of the gates.
pub(crate) fn gate(root: &Path, toolchain: &Toolchain) -> anyhow::Result<()> {
    fuzz(root, &Plan { seconds: GATE_SECONDS, targets: Vec::new() }, toolchain)
}

/// The toolchain that fuzzing needs, or what to do about it. Asked before the first gate, so that
/// nobody waits for all the others in vain.
pub(crate) fn nightly() -> anyhow::Result<Toolchain> {
    build::nightly().context(NO_NIGHTLY)
}

fn fuzz(root: &Path, plan: &Plan, toolchain: &Toolchain) -> anyhow::Result<()> {
    let targets = plan.choose(&targets(root)?)?;
    let folder = target_folder(root)?;
    let programs = build::all(root, &folder, toolchain)?;
    let work = folder.join("fuzz");
    let mut sessions = Vec::new();
    for target in targets {
        let seeds = seeds::lay_out(root, &target, &work.join("seeds").join(&target))?;
        let program = programs.join(&target);
        let dictionary = root.join("fuzz/agon.dict");
        sessions.push(Session::open(target, program, seeds, dictionary, &work)?);
    }
    let workers = thread::available_parallelism().map_or(1, usize::from).min(sessions.len());
    eprintln!("== targets: {}, {} s each, {workers} at a time", sessions.len(), plan.seconds);
    let outcomes = run_all(&sessions, workers, plan.seconds)?;
    let mut out = io::stdout().lock();
    write!(out, "{}", outcome::table(&outcomes))?;
    let found: Vec<&Outcome> =
        outcomes.iter().filter(|outcome| outcome.finding.is_some()).collect();
    for outcome in &found {
        write!(out, "{}", outcome::story(outcome))?;
    }
    match found.len() {
        0 => Ok(()),
        many => bail!("{many} of {} targets found something", outcomes.len()),
    }
}

/// Runs the sessions, a few at a time, and gives their outcomes in the order of the sessions.
fn run_all(sessions: &[Session], workers: usize, seconds: u64) -> anyhow::Result<Vec<Outcome>> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mine = std::iter::from_fn(|| {
            let place = next.fetch_add(1, Ordering::Relaxed);
            sessions.get(place).map(|session| (place, session.run(seconds)))
        });
        mine.collect::<Vec<_>>()
    };
    let mut done: Vec<(usize, anyhow::Result<Outcome>)> = thread::scope(|scope| {
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        let all = threads.into_iter();
        all.flat_map(|thread| thread.join().expect("a worker does not panic")).collect()
    });
    done.sort_by_key(|(place, _)| *place);
    done.into_iter().map(|(_, outcome)| outcome).collect()
}

/// Every target there is: a file each.
fn targets(root: &Path) -> anyhow::Result<Vec<String>> {
    let folder = root.join("fuzz/fuzz_targets");
    let files = fs::read_dir(&folder)
        .with_context(|| format!("could not list the fuzz targets in {}", folder.display()))?;
    let mut names = Vec::new();
    for file in files {
        let path = file?.path();
        let stem = path.extension().filter(|end| *end == "rs").and_then(|_| path.file_stem());
        names.extend(stem.map(|name| name.to_string_lossy().into_owned()));
    }
    names.sort();
    Ok(names)
}

/// Where cargo builds.
fn target_folder(root: &Path) -> anyhow::Result<PathBuf> {
    let set = env::var_os("CARGO_TARGET_DIR").filter(|folder| !folder.is_empty());
    let folder = set.map_or_else(|| root.join("target"), PathBuf::from);
    std::path::absolute(&folder).context("could not find out where cargo builds")
}

#[cfg(test)]
mod tests;
