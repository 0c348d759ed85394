//! Mail against a real server: Dovecot and a submission server on loopback.

mod checking;
mod receiving;
mod sending;
mod server;
mod tokens;
mod watching;
