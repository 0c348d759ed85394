//! The target `config`. What must hold stands in `src/config.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| agon_fuzz::config::check(bytes));
