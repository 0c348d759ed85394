//! The target `exec`. What must hold stands in `src/exec.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| agon_fuzz::exec::check(bytes));
