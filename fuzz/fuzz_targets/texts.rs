//! The target `texts`. What must hold stands in `src/texts.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| agon_fuzz::texts::check(bytes));
