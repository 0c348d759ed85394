//! The rigs of Agon: bench, crash test and siege.
//!
//! Each runs real leagues of separate processes, this same program in other roles, and says what it
//! found. Who asked for it prints that. A rig stays on loopback and in a temporary folder, and ends
//! every process that it began.

pub mod bench;
pub mod crash_test;
mod figures;
mod lab;
mod options;
mod processes;
pub mod siege;

pub use options::{BenchOptions, CrashOptions, SiegeOptions};
