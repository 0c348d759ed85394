//! The target `letters`. What must hold stands in `src/letters.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| agon_fuzz::letters::check(bytes));
