//! The target `envelope`. What must hold stands in `src/envelope.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| agon_fuzz::envelope::check(bytes));
