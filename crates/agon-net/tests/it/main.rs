//! The street, walked from end to end: real sockets on port 0.
#![cfg(test)]

mod answers;
mod bounds;
mod calls;
mod certificates;
mod crowd;
mod hostile;
#[cfg(feature = "mail")]
mod mail;
mod pace;
mod policy;
mod stop;
mod support;
mod tls;
