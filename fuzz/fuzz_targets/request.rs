//! The target `request`. What must hold stands in `src/request.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| agon_fuzz::request::check(bytes));
