//! The caretaker: `cargo xtask test`, `ci`, `fix`, `fuzz` and `tidy`.
//!
//! Findings go to standard output, talk goes to standard error. The exit code is 0 when all is
//! well, 1 when a step failed or tidy found something, 2 when the command was not understood.

mod args;
mod fuzz;
mod lean;
mod needs;
mod steps;
mod tidy;

use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use args::Task;

fn main() -> ExitCode {
    let Some(task) = args::parse(env::args().skip(1)) else {
        eprintln!("{}", args::USAGE);
        return ExitCode::from(2);
    };
    match workspace().and_then(|root| run(&task, &root)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(err) => {
            eprintln!("xtask: {err:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(task: &Task, root: &Path) -> anyhow::Result<()> {
    match task {
        Task::Help => {
            eprintln!("{}", args::USAGE);
            Ok(())
        }
        Task::Test => steps::test(root),
        Task::Ci => steps::ci(root),
        Task::Fix => steps::fix(root),
        Task::Fuzz(plan) => fuzz::run(root, plan),
        Task::Tidy(detail) => tidy::run(root, *detail),
        Task::Owed => tidy::owed(root),
    }
}

/// The workspace to look after. Asked for at run time, because a shared target folder may hold a
/// binary that was built in another clone.
fn workspace() -> anyhow::Result<PathBuf> {
    let xtask = env::var_os("CARGO_MANIFEST_DIR")
        .context("CARGO_MANIFEST_DIR is not set: start the caretaker with `cargo xtask`")?;
    let root = PathBuf::from(xtask).parent().map(PathBuf::from);
    root.context("xtask must be a folder of the workspace")
}
