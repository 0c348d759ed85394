//! The target `vouched`. What must hold stands in `src/vouched.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| agon_fuzz::vouched::check(bytes));
