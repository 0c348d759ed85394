//! Building the targets: the toolchain, the programs that are needed, and one build for all.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};

use crate::needs::{self, Tool};

const TOOLS: &[Tool] =
    &[Tool { program: "c++", package: "g++", why: "libFuzzer is written in C++" }];

/// A nightly toolchain: the instrumentation that libFuzzer goes by is not stable yet.
pub(crate) struct Toolchain {
    /// The machine that it builds for, such as `x86_64-unknown-linux-gnu`.
    host: String,
}

/// The nightly toolchain, if there is one.
pub(super) fn nightly() -> Option<Toolchain> {
    let output = rustup().args(["rustc", "-vV"]).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: "))?;
    output.status.success().then(|| Toolchain { host: host.into() })
}

/// Builds every target and returns the folder that holds the programs.
pub(super) fn all(root: &Path, folder: &Path, toolchain: &Toolchain) -> anyhow::Result<PathBuf> {
    needs::provide(TOOLS)?;
    needs::provide_subcommand("fuzz", "cargo-fuzz")?;
    copy_lock(root)?;
    // Optimised, with debug assertions and overflow checks, which is what cargo-fuzz does unasked.
    // No sanitizer: they look for what `unsafe` code gets wrong, there is none of ours, and without
    // one everything runs several times as often.
    let mut command = rustup();
    command.args(["cargo", "fuzz", "build", "--fuzz-dir", "fuzz", "--sanitizer", "none"]);
    // Pieces that can be built at the same time: the crates stand in a row, the cores do not.
    command.args(["--codegen-units", "16", "--target-dir"]).arg(folder).current_dir(root);
    let status = command.status().context("could not start `cargo fuzz build`")?;
    if !status.success() {
        bail!("`cargo fuzz build` failed ({status})");
    }
    Ok(folder.join(&toolchain.host).join("release"))
}

/// Fuzzes what is shipped: the same versions. Cargo then adds the few that only fuzzing needs, so a
/// copy that is not older than the original is left alone.
pub(crate) fn copy_lock(root: &Path) -> anyhow::Result<()> {
    let (ours, copy) = (root.join("Cargo.lock"), root.join("fuzz/Cargo.lock"));
    let written = |path: &Path| fs::metadata(path).and_then(|data| data.modified());
    let fresh = written(&copy).is_ok_and(|copied| written(&ours).is_ok_and(|own| own <= copied));
    if !fresh {
        fs::copy(&ours, &copy).context("could not copy Cargo.lock to fuzz/")?;
    }
    Ok(())
}

/// Starts a program of the nightly toolchain, without what cargo told us about our own build.
fn rustup() -> Command {
    let mut command = Command::new("rustup");
    command.args(["run", "nightly"]);
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&name);
        }
    }
    command
}
