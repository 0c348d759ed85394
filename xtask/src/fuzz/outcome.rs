//! What a session came to, read from what libFuzzer said.

use std::fmt::Write;
use std::time::Duration;

use anyhow::Context;

pub(super) struct Outcome {
    target: String,
    seconds: u64,
    numbers: Numbers,
    pub(super) finding: Option<Finding>,
}

/// How far it got.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Numbers {
    executions: u64,
    /// Edges of the program that were reached.
    coverage: u64,
    /// Those, told apart by how often and on which way.
    features: u64,
    /// Inputs that are kept because each shows something of its own.
    corpus: u64,
}

/// Something that does not hold.
#[derive(Debug, PartialEq)]
pub(super) struct Finding {
    /// What the program said when it gave up.
    complaint: String,
    /// The input, if it was written down.
    artefact: Option<String>,
}

impl Outcome {
    /// A target that ended well. If it says nothing it has not run, and that is an error.
    pub(super) fn good(target: &str, said: &str, took: Duration) -> anyhow::Result<Self> {
        let numbers = numbers(said).filter(|numbers| numbers.executions > 0);
        let numbers = numbers.with_context(|| format!("`{target}` ended without having run"))?;
        Ok(Self { target: target.into(), seconds: took.as_secs(), numbers, finding: None })
    }

    /// A target that gave up.
    pub(super) fn bad(target: &str, said: &str, took: Duration) -> Self {
        let finding = Finding { complaint: complaint(said), artefact: artefact(said) };
        let numbers = numbers(said).unwrap_or_default();
        let (target, seconds) = (target.into(), took.as_secs());
        Self { target, seconds, numbers, finding: Some(finding) }
    }
}

/// All outcomes as a table.
pub(super) fn table(outcomes: &[Outcome]) -> String {
    let mut text = String::from(
        "target      executions  seconds  per second  coverage  features  corpus  outcome\n",
    );
    for Outcome { target, seconds, numbers, finding } in outcomes {
        let Numbers { executions, coverage, features, corpus } = numbers;
        let rate = executions / (*seconds).max(1);
        let word = if finding.is_some() { "FINDING" } else { "ok" };
        let _infallible = writeln!(
            text,
            "{target:<10} {executions:>11} {seconds:>8} {rate:>11} {coverage:>9} {features:>9} \
             {corpus:>7}  {word}"
        );
    }
    text
}

/// What was found, and what to do about it. Empty if nothing was.
pub(super) fn story(outcome: &Outcome) -> String {
    let Outcome { target, finding, .. } = outcome;
    let Some(Finding { complaint, artefact }) = finding else {
        return String::new();
    };
    let input = artefact.as_deref().unwrap_or("not written down, see the log");
    format!(
        "\n{target} found something: {complaint}\n  the input: {input}\n  when it is mended, keep \
         the input under fuzz/seeds/{target}/ with a name that says what it shows\n"
    )
}

fn numbers(said: &str) -> Option<Numbers> {
    let executed =
        said.lines().find_map(|line| line.strip_prefix("stat::number_of_executed_units:"));
    let executions = executed?.trim().parse().ok()?;
    // The last line that tells how far it got. A target that gave up among its seeds has none.
    let status = said.lines().rfind(|line| line.starts_with('#') && line.contains(" cov: "));
    let after = |name: &str| {
        let mut words = status?.split_whitespace().skip_while(|word| *word != name).skip(1);
        words.next()?.split('/').next()?.parse().ok()
    };
    let number = |name: &str| after(name).unwrap_or_default();
    let (coverage, features, corpus) = (number("cov:"), number("ft:"), number("corp:"));
    Some(Numbers { executions, coverage, features, corpus })
}

/// What a panic said, in two lines at most, or what libFuzzer itself complains about.
fn complaint(said: &str) -> String {
    let mut lines = said.lines().skip_while(|line| !line.contains("panicked at "));
    let panic: Vec<&str> = lines.by_ref().take(2).map(str::trim).collect();
    if !panic.is_empty() {
        return panic.join(" ");
    }
    let own = said.lines().find(|line| line.contains("ERROR: libFuzzer"));
    own.unwrap_or("it ended without a word").trim().into()
}

fn artefact(said: &str) -> Option<String> {
    let (_, path) = said.lines().find_map(|line| line.split_once("Test unit written to "))?;
    Some(path.trim().into())
}

#[cfg(test)]
mod tests;
