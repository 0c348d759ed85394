//! Data to stdout, talk to stderr. A closed pipe is no reason to panic.
//!
//! Objects for machines are made field by field: each is called and said in one place.

use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use comfy_table::{CellAlignment, Row, Table, presets};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::args::Common;

/// One line on stdout.
pub(crate) fn line(text: impl AsRef<str>) {
    let mut out = std::io::stdout().lock();
    // Whoever closed our stdout does not want the rest.
    let _ = writeln!(out, "{}", text.as_ref()).and_then(|()| out.flush());
}

/// One object on one line for machines, or a text for people; then most commands are done.
pub(crate) fn show(
    common: &Common,
    value: &impl Serialize,
    text: impl FnOnce() -> String,
) -> anyhow::Result<ExitCode> {
    line(if common.json { serde_json::to_string(value)? } else { text() });
    Ok(ExitCode::SUCCESS)
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
    let lines = grid.lines().map(|line| line.trim_end().to_owned());
    lines.collect::<Vec<_>>().join("\n")
}

/// A name of any length, where there is little room.
pub(crate) fn clipped(name: &str) -> String {
    const ROOM: usize = 16;
    if name.chars().count() <= ROOM {
        return name.to_owned();
    }
    name.chars().take(ROOM - 1).chain(['…']).collect()
}

/// How long something is ago, as people say it.
pub(crate) fn ago(past: Duration) -> String {
    match past.as_secs() {
        seconds @ ..120 => format!("{seconds} s"),
        seconds @ ..7_200 => format!("{} min", seconds / 60),
        seconds @ ..172_800 => format!("{} h", seconds / 3_600),
        seconds => format!("{} days", seconds / 86_400),
    }
}

/// How far something is, on stderr; nothing, if nobody wants to see it. 0 steps are unknown ones.
pub(crate) fn bar(hidden: bool, steps: u64, template: &str) -> ProgressBar {
    let target = if hidden { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let bar = ProgressBar::with_draw_target(Some(steps), target);
    let style = ProgressStyle::with_template(template);
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// A word of the protocol, as people say it: `WAITING_FOR_PLAYERS`.
pub(crate) fn spoken(word: &str) -> String {
    word.to_lowercase().replace('_', " ")
}

/// A number of things: "1 referee", "2 referees".
pub(crate) fn counted(count: u32, thing: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {thing}{plural}")
}

/// An object whose fields stand in the order in which they were said.
pub(crate) struct Object<F>(F);

/// An object without fields.
pub(crate) const fn object() -> Object<()> {
    Object(())
}

impl<F: Fields> Object<F> {
    pub(crate) fn with<V: Serialize>(self, name: &'static str, value: V) -> Object<impl Fields> {
        self.with_any(name, Some(value))
    }

    /// The same, if there is something to say.
    pub(crate) fn with_any<V: Serialize>(
        self,
        name: &'static str,
        value: Option<V>,
    ) -> Object<impl Fields> {
        Object((self.0, name, value))
    }
}

impl<F: Fields> Serialize for Object<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        self.0.write(&mut map)?;
        map.end()
    }
}

/// The fields of an object.
pub(crate) trait Fields {
    fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error>;
}

impl Fields for () {
    fn write<M: SerializeMap>(&self, _: &mut M) -> Result<(), M::Error> {
        Ok(())
    }
}

/// One more field.
impl<F: Fields, V: Serialize> Fields for (F, &'static str, Option<V>) {
    fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        let (before, name, value) = self;
        before.write(map)?;
        value.iter().try_for_each(|value| map.serialize_entry(name, value))
    }
}
