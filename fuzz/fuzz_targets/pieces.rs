//! The target `pieces`. What must hold stands in `src/pieces.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| agon_fuzz::pieces::check(bytes));
