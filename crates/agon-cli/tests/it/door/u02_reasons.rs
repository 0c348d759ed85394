//! Whoever answered wrongly learns what was wrong with it.
