//! The `agon` binary, as people and scripts use it.

mod export;
