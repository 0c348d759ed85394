//! Who is let in, what is believed, what is heard and in which order, driven from outside.
//!
//! Every test here drives processes and reads what they send and write, so all of it holds for any
//! inside. A test is named after the line of the review that it answers.

mod p01_connections;
mod s01_order;
mod t01_referees;
mod t02_verdicts;
mod t04_mail;
mod t05_identity;
mod t18_journal;
mod u01_finished;
mod u02_reasons;
mod u04_begin;
mod u05_addresses;
mod u07_rules;
mod u08_reasons;
mod u10_words;
