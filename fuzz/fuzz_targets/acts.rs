//! The target `acts`. What must hold stands in `src/acts.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| agon_fuzz::acts::check(bytes));
