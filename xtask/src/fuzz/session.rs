//! One target at work: its folders, its time, and what it said.

use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::Context;

use super::outcome::Outcome;

/// Longest input. Above the length from which long lists are treated in another way.
const INPUT_MAX: usize = 8192;
/// An input that takes longer is a finding, and so is one that takes more memory.
const INPUT_SECONDS: u64 = 10;
const MEMORY_MB: u64 = 1024;

pub(super) struct Session {
    target: String,
    program: PathBuf,
    dictionary: PathBuf,
    seeds: PathBuf,
    /// What was interesting so far. Kept from one run to the next.
    corpus: PathBuf,
    /// What was found.
    artefacts: PathBuf,
    log: PathBuf,
}

impl Session {
    /// Makes the folders that the target works in.
    pub(super) fn open(
        target: String,
        program: PathBuf,
        seeds: PathBuf,
        dictionary: PathBuf,
        work: &Path,
    ) -> anyhow::Result<Self> {
        let corpus = work.join("corpus").join(&target);
        let artefacts = work.join("artefacts").join(&target);
        for folder in [&corpus, &artefacts] {
            let made = fs::create_dir_all(folder);
            made.with_context(|| format!("could not make the folder {}", folder.display()))?;
        }
        let log = work.join(format!("{target}.log"));
        Ok(Self { target, program, dictionary, seeds, corpus, artefacts, log })
    }

    /// Runs the target for so long, or until it finds something.
    pub(super) fn run(&self, seconds: u64) -> anyhow::Result<Outcome> {
        let Self { target, program, log, .. } = self;
        eprintln!("== {target}: begins, its log is {}", log.display());
        let start = Instant::now();
        let file =
            File::create(log).with_context(|| format!("could not write {}", log.display()))?;
        let mut command = Command::new(program);
        command.args(self.options(seconds)).arg(&self.corpus).arg(&self.seeds);
        command.stdout(file.try_clone().context("could not share the log")?).stderr(file);
        let status = command.status().with_context(|| format!("could not start `{target}`"))?;
        let said = fs::read(log).with_context(|| format!("could not read {}", log.display()))?;
        let said = String::from_utf8_lossy(&said);
        let took = start.elapsed();
        let (word, outcome) = if status.success() {
            ("ok", Outcome::good(target, &said, took)?)
        } else {
            ("found something", Outcome::bad(target, &said, took))
        };
        eprintln!("== {target}: {word}, {:.1} s", took.as_secs_f64());
        Ok(outcome)
    }

    fn options(&self, seconds: u64) -> Vec<OsString> {
        let mut dictionary = OsString::from("-dict=");
        dictionary.push(&self.dictionary);
        let mut artefacts = OsString::from("-artifact_prefix=");
        artefacts.push(self.artefacts.join("")); // With a slash at its end: it is a prefix.
        let numbers = [
            format!("-max_total_time={seconds}"),
            format!("-max_len={INPUT_MAX}"),
            format!("-timeout={INPUT_SECONDS}"),
            format!("-rss_limit_mb={MEMORY_MB}"),
            "-print_final_stats=1".into(),
        ];
        numbers.into_iter().map(OsString::from).chain([dictionary, artefacts]).collect()
    }
}
