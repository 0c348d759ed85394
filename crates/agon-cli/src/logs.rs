//! Logs go to stderr: for people on a terminal, as JSON lines on request.

use std::io::{IsTerminal, stderr};

use agon_node::config::{Config, LogFormat};
use anyhow::Context;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// Starts logging. Once per process.
pub(crate) fn start(config: &Config) -> anyhow::Result<()> {
    let filter: Targets = config.log.level.parse().context("the log level does not work")?;
    let all = tracing_subscriber::registry().with(filter);
    let layer = fmt::layer().with_writer(stderr).with_target(false);
    match config.log.format {
        LogFormat::Json => all.with(layer.json().flatten_event(true)).init(),
        LogFormat::Text => all.with(layer.with_ansi(false)).init(),
        LogFormat::Auto => all.with(layer.with_ansi(stderr().is_terminal())).init(),
    }
    Ok(())
}
