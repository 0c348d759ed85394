//! The corridor of Agon: the loop, clock, links and configuration that join the rooms.

pub mod backoff;
pub mod breaker;
pub mod config;
pub mod link;
