//! The processes of a measurement: this same program in another role.
//!
//! A worker is killed when it is dropped, so an interrupted measurement leaves nothing behind.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, bail};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

/// Longer than any start or replay of ours takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);
/// Linux counts the time of a process in hundredths of a second, whatever its own tick is.
const TICK: Duration = Duration::from_millis(10);
/// What would make the processes speak TLS, or call each other by names: nothing of it is measured.
const PLAIN: [&str; 6] = [
    "AGON_TLS__CERT",
    "AGON_TLS__KEY",
    "AGON_TLS__CA",
    "AGON_MANAGER__ADVERTISE",
    "AGON_REFEREE__ADVERTISE",
    "AGON_PLAYER__ADVERTISE",
];
/// Where the times stand in `/proc/PID/stat`, counted behind the name of the program.
const USER_TIME: usize = 11;

/// This same program with other arguments, which ends when whoever began it does.
pub(crate) fn this_program<A: AsRef<OsStr>>(
    arguments: impl IntoIterator<Item = A>,
) -> anyhow::Result<Command> {
    let program = std::env::current_exe().context("could not find this program itself")?;
    let mut command = Command::new(program);
    command.args(arguments).kill_on_drop(true);
    Ok(command)
}

/// One child process that is spoken with.
pub(crate) struct Worker {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
    input: ChildStdin,
}

impl Worker {
    /// Starts this program with these arguments and settings. It records its calls into `record`.
    pub(crate) fn start<A: AsRef<OsStr>>(
        arguments: impl IntoIterator<Item = A>,
        settings: &[(&str, &str)],
        record: Option<&Path>,
    ) -> anyhow::Result<Self> {
        let mut command = this_program(arguments)?;
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .env_remove("AGON_RECORD")
            .env_remove("AGON_RECORD_WORDS")
            .envs(PLAIN.map(|setting| (setting, "")))
            .envs(settings.iter().copied());
        if let Some(folder) = record {
            command.env("AGON_RECORD", folder);
        }
        let mut child = command.spawn().context("could not start a process")?;
        let output = child.stdout.take().context("a process has no output")?;
        let input = child.stdin.take().context("a process has no input")?;
        Ok(Self { child, lines: BufReader::new(output).lines(), input })
    }

    /// The next line that it says.
    pub(crate) async fn line(&mut self) -> anyhow::Result<String> {
        let line = tokio::time::timeout(PATIENCE, self.lines.next_line()).await;
        match line.context("a process said nothing for too long")? {
            Ok(Some(line)) => Ok(line),
            Ok(None) => bail!("a process ended before its time; its own message says why"),
            Err(error) => Err(error).context("could not read what a process says"),
        }
    }

    /// The endpoint that an agent announces.
    pub(crate) async fn endpoint(&mut self) -> anyhow::Result<String> {
        let line = self.line().await?;
        let said: serde_json::Value =
            serde_json::from_str(&line).context("a process said something unexpected")?;
        let endpoint = said.get("endpoint").and_then(|it| it.as_str());
        Ok(endpoint.context("a process named no endpoint")?.to_owned())
    }

    /// Says one line to it.
    pub(crate) async fn say(&mut self, line: &str) -> anyhow::Result<()> {
        let text = format!("{line}\n");
        let said = self.input.write_all(text.as_bytes()).await;
        said.context("a process does not listen")
    }

    /// The time that its threads have worked so far.
    pub(crate) fn cpu(&self) -> anyhow::Result<Duration> {
        let stat = self.told_by_system("stat")?;
        worked(&stat).context("the system tells the time of a process in an unknown way")
    }

    /// The memory that it holds now, in bytes.
    pub(crate) fn rss(&self) -> anyhow::Result<u64> {
        let status = self.told_by_system("status")?;
        held(&status).context("the system tells the memory of a process in an unknown way")
    }

    fn told_by_system(&self, file: &str) -> anyhow::Result<String> {
        let id = self.child.id().context("a process ended too early")?;
        let told = std::fs::read_to_string(format!("/proc/{id}/{file}"));
        told.with_context(|| format!("could not read the {file} of a process; is this Linux?"))
    }
}

/// Resident memory in `/proc/PID/status`, which counts in units of 1024 bytes.
fn held(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let units: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(units * 1024)
}

/// User and system time in a line of `/proc/PID/stat`. The name may hold anything, so the fields
/// are counted from its closing bracket.
fn worked(stat: &str) -> Option<Duration> {
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_whitespace().skip(USER_TIME);
    let user: u32 = fields.next()?.parse().ok()?;
    let system: u32 = fields.next()?.parse().ok()?;
    Some(TICK * (user + system))
}

#[cfg(test)]
mod tests;
