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

/// Figures as a table for people: the number, its unit, what it means.
#[cfg(feature = "lab")]
pub(crate) fn figures(rows: Vec<(String, &'static str, String)>) -> String {
    let mut table = comfy_table::Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    for (value, unit, meaning) in rows {
        table.add_row([value, unit.to_owned(), meaning]);
    }
    if let Some(column) = table.column_mut(0) {
        column.set_cell_alignment(comfy_table::CellAlignment::Right);
    }
    table.to_string()
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
