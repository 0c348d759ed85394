//! The target `endpoint`. What must hold stands in `src/endpoint.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| agon_fuzz::endpoint::check(bytes));
