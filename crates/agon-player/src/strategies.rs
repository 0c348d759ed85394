//! Strategies that come with the house, by game.

mod any;
mod even_odd;
pub(crate) mod q21;

pub(crate) use any::Random;
pub(crate) use even_odd::{Adaptive, Alternate, Always};
