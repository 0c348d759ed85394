//! `agon config`: every setting there is, or what is in force here and where it was set.

use std::fmt::Write;
use std::process::ExitCode;

use agon_node::config::DEFAULT_FILE;
use anyhow::Context;
use serde_json::{Map, json};
use toml::Table;

use crate::args::Common;
use crate::output;

/// What stands above the settings in force. They can be kept as a file.
const HEAD: &str = "# What is in force here. What has no note is as in `agon config --defaults`.";

/// The default file.
pub(super) fn defaults(common: &Common) -> anyhow::Result<ExitCode> {
    let settings: Table = DEFAULT_FILE.parse().context("the default file does not work")?;
    output::show(common, &settings, || DEFAULT_FILE.trim_end().to_owned())
}

/// What file, environment and flags make of it.
pub(super) fn effective(common: &Common) -> anyhow::Result<ExitCode> {
    let settings = common.settings()?;
    let (mut sections, mut said) = (Map::new(), Map::new());
    for it in &settings {
        let section = sections.entry(&it.section).or_insert_with(|| json!({}));
        section[&it.key] = serde_json::to_value(&it.value)?;
        if let Some(from) = &it.from {
            said.insert(format!("{}.{}", it.section, it.key), from.to_string().into());
        }
    }
    output::show(common, &json!({ "settings": sections, "set_by": said }), || {
        let (mut text, mut section) = (HEAD.to_owned(), "");
        for it in &settings {
            if section != it.section {
                section = &it.section;
                let _ = write!(text, "\n\n[{section}]");
            }
            let from = it.from.as_ref().map(|from| format!("  # {from}")).unwrap_or_default();
            let _ = write!(text, "\n{} = {}{from}", it.key, it.value);
        }
        text
    })
}
