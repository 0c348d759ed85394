//! Ten thousand seasons, spoiled ones among them.

mod recorded;
mod seasons;
