//! The front door: `agon`.

mod archive;
mod args;
mod caller;
mod code;
mod commands;
mod data;
mod life;
mod logs;
mod output;
mod protocol_log;

use std::process::ExitCode;

use clap::Parser;
use mimalloc::MiMalloc;

/// Every letter is a few small allocations, so the allocator is on the hot path of all roles.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    match commands::run(args::Agon::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("agon: {error:#}");
            ExitCode::from(args::EXIT_FAILED)
        }
    }
}
