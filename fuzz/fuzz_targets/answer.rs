//! The target `answer`. What must hold stands in `src/answer.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| agon_fuzz::answer::check(bytes));
