//! What is made of the command line's own definition: manual pages, and what completes words.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use clap_complete::{Shell, generate};
use serde_json::json;

use crate::args::Common;
use crate::args::help::{Detail, command};
use crate::output;

/// `agon completions`: a script for that shell.
pub(super) fn completions(shell: Shell) -> anyhow::Result<ExitCode> {
    let mut script = Vec::new();
    generate(shell, &mut command(Detail::Everything), "agon", &mut script);
    output::line(String::from_utf8(script)?.trim_end());
    Ok(ExitCode::SUCCESS)
}

/// `agon man`: a page for each command.
pub(super) fn pages(common: &Common, to: &Path) -> anyhow::Result<ExitCode> {
    let failed = || format!("could not write the manual pages into {}", to.display());
    std::fs::create_dir_all(to).with_context(failed)?;
    clap_mangen::generate_to(command(Detail::Everything), to).with_context(failed)?;
    let (dir, first) = (to.display().to_string(), to.join("agon.1"));
    output::show(common, &json!({ "to": dir }), || {
        format!("the manual stands in {dir}; read it with: man {}", first.display())
    })
}

/// `agon options`: the same page as `agon help options`.
pub(super) fn options() -> anyhow::Result<ExitCode> {
    let mut agon = command(Detail::Own);
    agon.build();
    let page = agon.find_subcommand_mut("options").context("the page is missing")?;
    output::line(page.render_help().to_string().trim_end());
    Ok(ExitCode::SUCCESS)
}
