//! The target `proxied`. What must hold stands in `src/proxied.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| agon_fuzz::proxied::check(bytes));
