//! The gates, step by step: what runs, in which order, and how long it took.
//!
//! The first step that fails ends the run. `ci` never changes a file of the tree: `fmt` only
//! checks, and `--locked` refuses to touch the lock file.

use std::env;
use std::fmt;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, bail};

use crate::fuzz;
use crate::lean;
use crate::needs::{self, Tool};
use crate::tidy::{self, Detail};

/// One call of cargo.
struct Step {
    title: &'static str,
    /// Its words, with blanks between them.
    cargo: &'static str,
    env: &'static [(&'static str, &'static str)],
}

/// The test suite. One build serves all of it; a later step is one more entry.
const TEST: &[Step] = &[Step { title: "tests", cargo: "test --locked --workspace", env: &[] }];

const FORMAT: Step = Step { title: "formatting", cargo: "fmt --all --check", env: &[] };

/// The fuzz targets are a workspace of their own, so they are formatted and checked apart.
const FORMAT_FUZZ: Step = Step {
    title: "formatting of fuzz",
    cargo: "fmt --manifest-path fuzz/Cargo.toml --check",
    env: &[],
};

const LINT: Step = Step {
    title: "clippy",
    cargo: "clippy --locked --workspace --all-targets -- -D warnings",
    env: &[],
};

/// The libraries as somebody builds them who wants less: an outside player without mail and
/// journal, the binary without its rigs. All other steps build all features at once.
const LINT_LEAN: &[Step] = &[
    Step {
        title: "clippy without mail and journal",
        cargo: "clippy --locked -p agon-player -p agon-node --no-default-features -- -D warnings",
        env: &[],
    },
    Step {
        title: "clippy without mail",
        cargo: "clippy --locked -p agon-node --no-default-features --features store -- -D warnings",
        env: &[],
    },
    Step {
        title: "clippy without a journal",
        cargo: "clippy --locked -p agon-node --no-default-features --features mail -- -D warnings",
        env: &[],
    },
    Step {
        title: "clippy of the smallest binary",
        cargo: "clippy --locked -p agon-cli --no-default-features -- -D warnings",
        env: &[],
    },
];

const LINT_FUZZ: Step = Step {
    title: "clippy of fuzz",
    cargo: "clippy --manifest-path fuzz/Cargo.toml --all-targets -- -D warnings",
    env: &[],
};

const DOC: Step = Step {
    title: "documentation",
    cargo: "doc --locked --workspace --no-deps",
    env: &[("RUSTDOCFLAGS", "-D warnings")],
};

/// Clippy goes first, because what it writes is not always formatted.
const FIX: &[Step] = &[
    Step {
        title: "clippy's repairs",
        cargo: "clippy --workspace --all-targets --fix --allow-dirty --allow-staged",
        env: &[],
    },
    Step { title: "formatting", cargo: "fmt --all", env: &[] },
    Step { title: "formatting of fuzz", cargo: "fmt --manifest-path fuzz/Cargo.toml", env: &[] },
];

/// What the suite needs besides cargo.
const TOOLS: &[Tool] = &[
    Tool { program: "git", package: "git", why: "tidy lists the project's files with it" },
    Tool { program: "groff", package: "groff-base", why: "the manual pages are read by it" },
    Tool { program: "ip", package: "iproute2", why: "some tests have networks of their own" },
    Tool { program: "python3", package: "python3", why: "the example player in Python is tested" },
    Tool { program: "systemd-analyze", package: "systemd", why: "it checks our units" },
];

/// The complete test suite, on a machine that may still lack what it needs.
pub(crate) fn test(root: &Path) -> anyhow::Result<()> {
    needs::provide(TOOLS)?;
    needs::provide_mail()?;
    TEST.iter().try_for_each(|step| step.run(root))
}

/// Every gate, the cheap ones first.
pub(crate) fn ci(root: &Path) -> anyhow::Result<()> {
    needs::provide(TOOLS)?;
    needs::provide_mail()?;
    let nightly = fuzz::nightly()?;
    FORMAT.run(root)?;
    FORMAT_FUZZ.run(root)?;
    timed("tidy", || tidy::run(root, Detail::Findings))?;
    timed("an outside player's dependencies", || lean::check(root))?;
    LINT.run(root)?;
    LINT_LEAN.iter().try_for_each(|step| step.run(root))?;
    fuzz::copy_lock(root)?;
    LINT_FUZZ.run(root)?;
    test(root)?;
    DOC.run(root)?;
    timed("fuzzing", || fuzz::gate(root, &nightly))
}

/// Repairs what can be repaired without a thought.
pub(crate) fn fix(root: &Path) -> anyhow::Result<()> {
    FIX.iter().try_for_each(|step| step.run(root))
}

impl Step {
    fn run(&self, root: &Path) -> anyhow::Result<()> {
        timed(self.title, || {
            let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
            let mut command = Command::new(cargo);
            command.args(self.cargo.split(' ')).envs(self.env.iter().copied()).current_dir(root);
            let status = command.status().with_context(|| format!("could not start `{self}`"))?;
            if !status.success() {
                bail!("`{self}` failed ({status})");
            }
            Ok(())
        })
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in self.env {
            write!(f, "{name}=\"{value}\" ")?;
        }
        write!(f, "cargo {}", self.cargo)
    }
}

/// Says what begins, and how long it took; a failure names the step.
fn timed(title: &str, work: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<()> {
    eprintln!("== {title}");
    let start = Instant::now();
    let outcome = work();
    let seconds = start.elapsed().as_secs_f64();
    match outcome {
        Ok(()) => {
            eprintln!("== {title}: ok, {seconds:.1} s");
            Ok(())
        }
        Err(err) => Err(err.context(format!("{title} failed after {seconds:.1} s"))),
    }
}

#[cfg(test)]
mod tests;
