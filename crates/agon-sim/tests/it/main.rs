//! Ten thousand seasons, spoiled ones among them.

mod letters;
mod recorded;
mod seasons;
