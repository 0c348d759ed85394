//! The archive of Agon: an append-only journal on SQLite.
