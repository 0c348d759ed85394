//! The target `facts`. What must hold stands in `src/facts.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| agon_fuzz::facts::check(bytes));
