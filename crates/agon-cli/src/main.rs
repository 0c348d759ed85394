//! The front door: `agon`.

mod archive;
mod args;
mod caller;
mod commands;
mod data;
mod life;
mod logs;
mod output;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    match commands::run(args::Agon::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("agon: {error:#}");
            ExitCode::from(args::EXIT_FAILED)
        }
    }
}
