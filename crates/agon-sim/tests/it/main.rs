//! Ten thousand seasons, spoiled ones among them.

mod seasons;
