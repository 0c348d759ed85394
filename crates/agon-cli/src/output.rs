//! Data to stdout, talk to stderr. A closed pipe is no reason to panic.

use std::io::Write;

use serde::Serialize;

/// One line on stdout.
pub(crate) fn line(text: impl AsRef<str>) {
    let mut out = std::io::stdout().lock();
    // Whoever closed our stdout does not want the rest.
    let _ = writeln!(out, "{}", text.as_ref()).and_then(|()| out.flush());
}

/// One object on stdout, on one line.
pub(crate) fn json(value: &impl Serialize) -> anyhow::Result<()> {
    line(serde_json::to_string(value)?);
    Ok(())
}

/// One line for the person at the terminal.
pub(crate) fn talk(text: impl AsRef<str>) {
    eprintln!("{}", text.as_ref());
}
