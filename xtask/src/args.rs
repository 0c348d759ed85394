//! What the caretaker can be asked to do.

use crate::fuzz::Plan;
use crate::tidy::Detail;

pub(crate) const USAGE: &str = "\
Usage: cargo xtask <task>

  test             run the complete test suite, after installing what it needs
  ci               run every gate: fmt, tidy, clippy, test, doc, fuzz; changes no file of the tree
  fix              let clippy and fmt repair what they can
  fuzz [--seconds N] [TARGET...]
                   run the fuzz targets, all of them and 600 s each unless told otherwise
  tidy [--verbose] check the house rules; --verbose also lists the largest files
  tidy --owed      write down that less is owed to the rules than before";

#[derive(Debug, PartialEq)]
pub(crate) enum Task {
    Help,
    Test,
    Ci,
    Fix,
    Fuzz(Plan),
    Tidy(Detail),
    Owed,
}

/// Reads the command line; `None` when it makes no sense.
pub(crate) fn parse(args: impl Iterator<Item = String>) -> Option<Task> {
    let args: Vec<String> = args.collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match &words[..] {
        ["help" | "--help" | "-h"] => Some(Task::Help),
        ["test"] => Some(Task::Test),
        ["ci"] => Some(Task::Ci),
        ["fix"] => Some(Task::Fix),
        ["fuzz", rest @ ..] => Plan::parse(rest).map(Task::Fuzz),
        ["tidy"] => Some(Task::Tidy(Detail::Findings)),
        ["tidy", "--owed"] => Some(Task::Owed),
        ["tidy", "--verbose" | "-v"] => Some(Task::Tidy(Detail::FindingsAndSizes)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
