//! A Q21 league by real mail: Dovecot and an SMTP server on loopback, every role a process of its
//! own.

mod crowd;
mod golden;
mod mixed;
pub(crate) mod office;
mod programs;
mod recorded;
mod season;
