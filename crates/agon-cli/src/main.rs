//! The front door: `agon`.

mod archive;
mod args;
mod caller;
mod commands;
mod data;
mod life;
mod output;
mod protocol_log;

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// Every letter is a few small allocations, so the allocator is on the hot path of all roles.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    let asked = commands::run(args::Agon::said());
    let done = life::runtime().and_then(|runtime| runtime.block_on(asked));
    done.unwrap_or_else(|error| {
        eprintln!("agon: {error:#}");
        ExitCode::from(args::EXIT_FAILED)
    })
}
