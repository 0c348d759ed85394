//! Data to stdout, talk to stderr. A closed pipe is no reason to panic.

mod object;

use std::io::Write;

use comfy_table::{CellAlignment, Row, Table, presets};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;

use crate::args::Common;
pub(crate) use object::object;

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

/// One object for machines, or a text for people.
pub(crate) fn show(
    common: &Common,
    value: &impl Serialize,
    text: impl FnOnce() -> String,
) -> anyhow::Result<()> {
    if common.json {
        return json(value);
    }
    line(text());
    Ok(())
}

/// A table without rules. Numbers stand on the right of their columns.
pub(crate) fn grid<R: Into<Row>>(
    head: &[&str],
    rows: impl IntoIterator<Item = R>,
    is_number: impl Fn(usize) -> bool,
) -> String {
    let mut grid = Table::new();
    grid.load_style(presets::NOTHING);
    if !head.is_empty() {
        grid.set_header(head);
    }
    grid.add_rows(rows);
    for (_, column) in grid.column_iter_mut().enumerate().filter(|(place, _)| is_number(*place)) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    grid.to_string()
}

/// Figures as a table for people: the number, its unit, what it means, with a tab between them.
#[cfg(feature = "lab")]
pub(crate) fn figures(rows: &[String]) -> String {
    grid(&[], rows.iter().map(|row| row.split('\t')), |place| place == 0)
}

/// How far something is, on stderr; nothing, if nobody wants to see it. 0 steps are unknown ones.
pub(crate) fn bar(hidden: bool, steps: u64, template: &str) -> ProgressBar {
    let target = if hidden { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let bar = ProgressBar::with_draw_target(Some(steps), target);
    let style = ProgressStyle::with_template(template);
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// A number of things: "1 referee", "2 referees".
pub(crate) fn counted(count: u32, thing: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {thing}{plural}")
}

/// One line for the person at the terminal.
pub(crate) fn talk(text: impl AsRef<str>) {
    eprintln!("{}", text.as_ref());
}
