//! The programs that the gates need besides cargo. What is missing is installed, and said aloud.
//!
//! What to do about a missing program is decided in one place from what the host offers; only
//! then is anything run.

use std::process::{Command, Stdio};

use anyhow::bail;

mod mail;

pub(crate) use mail::provide_mail;

/// Installs packages that bring services of their own without starting these: the tests start
/// what they need, on ports of their own. `$@` are the packages.
const INSTALL_QUIETLY: &str = r"
policy=/usr/sbin/policy-rc.d
if [ ! -e $policy ]; then
    trap 'rm -f $policy' EXIT
    printf '#!/bin/sh\nexit 101\n' >$policy && chmod 755 $policy
fi
apt-get install --quiet --yes --no-install-recommends $@
";

pub(crate) struct Tool {
    pub(crate) program: &'static str,
    /// One or more, with blanks between them.
    pub(crate) package: &'static str,
    pub(crate) why: &'static str,
}

/// Makes sure that every tool is there.
pub(crate) fn provide(tools: &[Tool]) -> anyhow::Result<()> {
    tools.iter().filter(|tool| !answers(tool.program)).try_for_each(install)
}

/// Makes sure that cargo knows a subcommand.
pub(crate) fn provide_subcommand(name: &str, package: &str) -> anyhow::Result<()> {
    let there = || run(&["cargo", name], &["--version"]);
    if there() {
        return Ok(());
    }
    eprintln!("== `cargo {name}` is missing: installing {package}");
    if !run(&["cargo", "install"], &["--locked", package]) || !there() {
        bail!("could not install {package}: do it by hand and run this again");
    }
    Ok(())
}

fn install(tool: &Tool) -> anyhow::Result<()> {
    let Tool { program, package, why } = tool;
    let Some(root) = as_root(&Host::look()) else {
        bail!("`{program}` is missing ({why}): install {package} by hand and run this again");
    };
    eprintln!("== `{program}` is missing ({why}): installing {package} with `{}`", root.join(" "));
    // A mirror may be out of reach while the lists at hand suffice, so only the outcome counts.
    let _updated = run(root, &["apt-get", "update", "--quiet"]);
    let _installed = run(root, &["sh", "-c", INSTALL_QUIETLY, "install", package]);
    if !answers(program) {
        bail!("`{program}` is still missing: install {package} by hand and run this again");
    }
    Ok(())
}

/// What the host offers for installing something.
struct Host {
    apt: bool,
    root: bool,
    sudo: bool,
}

impl Host {
    fn look() -> Self {
        let id = Command::new("id").arg("-u").output();
        Self {
            apt: answers("apt-get"),
            root: id.is_ok_and(|output| output.stdout.trim_ascii() == b"0"),
            sudo: answers("sudo"),
        }
    }
}

/// The words that let apt do its work here, or `None` if a person has to do it. The setting keeps
/// packages from asking questions; it goes through `env`, because sudo drops the environment.
fn as_root(host: &Host) -> Option<&'static [&'static str]> {
    const ROOT: &[&str] = &["env", "DEBIAN_FRONTEND=noninteractive"];
    const SUDO: &[&str] = &["sudo", "env", "DEBIAN_FRONTEND=noninteractive"];
    match host {
        Host { apt: false, .. } => None,
        Host { root: true, .. } => Some(ROOT),
        Host { sudo: true, .. } => Some(SUDO),
        Host { .. } => None,
    }
}

/// Whether a program is there. Services live where an ordinary user's path does not lead, and not
/// everybody spells the question for the version in the same way.
fn answers(program: &str) -> bool {
    let place = format!("/usr/sbin/{program}");
    let asked = |program: &str, word| {
        let mut command = Command::new(program);
        command.arg(word).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    let words = ["--version", "version", "-V"];
    [program, &place].iter().any(|program| words.iter().any(|word| asked(program, word)))
}

/// Whether a command succeeds. Its complaints, if any, are shown.
fn run(words: &[&str], args: &[&str]) -> bool {
    let [program, first @ ..] = words else {
        return false;
    };
    let mut command = Command::new(program);
    command.args(first).args(args).stdout(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests;
