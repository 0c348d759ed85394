//! Logs go to stderr: for people on a terminal, as JSON lines on request.

use agon_node::config::{Config, LogFormat};
use anyhow::Context;
use tracing_subscriber::EnvFilter;

/// Starts logging. Once per process.
pub(crate) fn start(config: &Config) -> anyhow::Result<()> {
    let filter = EnvFilter::try_new(&config.log.level).context("the log level does not work")?;
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_target(false);
    match config.log.format {
        LogFormat::Json => builder.json().flatten_event(true).init(),
        LogFormat::Text => builder.with_ansi(false).init(),
        LogFormat::Auto if std::io::IsTerminal::is_terminal(&std::io::stderr()) => {
            builder.with_ansi(true).init();
        }
        LogFormat::Auto => builder.with_ansi(false).init(),
    }
    Ok(())
}
