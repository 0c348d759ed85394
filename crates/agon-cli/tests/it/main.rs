//! The `agon` binary, as people and scripts use it.

#![expect(clippy::unwrap_used, reason = "the helpers of a test may fail like the test itself")]

mod audit;
mod bench;
mod crash_test;
mod demo;
mod door;
mod export;
mod failover;
mod field;
mod golden;
mod hostile;
mod http;
mod killed;
mod league;
mod mail;
mod namespace;
mod overload;
mod players;
mod process;
mod python;
mod q21;
mod rates;
mod recorded;
mod refusals;
mod season;
mod seeds;
mod siege;
mod sim;
mod starved;
mod strategies;
mod surgery;
mod tls;
