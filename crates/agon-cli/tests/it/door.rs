//! Who is let in, what is believed, what is heard and in which order, driven from outside.
//!
//! Every test here drives processes and reads what they send and write, so all of it holds for any
//! inside. A test is named after the line of the review that it answers.

mod p01_connections;
mod post;
mod q01_addresses;
mod q03_ids;
mod s01_order;
mod s04_foreign;
mod s05_shapes;
mod s09_unreadable;
mod t01_referees;
mod t02_verdicts;
mod t04_mail;
mod t05_identity;
mod t07_endpoints;
mod t09_repeats;
mod t10_folder;
mod t11_checks;
mod t12_backup;
mod t13_news;
mod t16_gone;
mod t17_answers;
mod t18_journal;
mod u01_finished;
mod u02_reasons;
mod u02_side_by_side;
mod u04_begin;
mod u05_addresses;
mod u07_rules;
mod u08_reasons;
mod u10_words;
