//! What can be said to the simulator.

use agon_core::Rules;
use clap::Args;

use super::between;
use super::league::game;

#[derive(Debug, Args)]
pub(crate) struct Sim {
    /// Only seasons of this game; a name that is none lists them all [default: any game]
    #[arg(long, value_name = "GAME", value_parser = game)]
    pub game: Option<Rules>,
    /// How many seasons, with the seeds from 0 on
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = between(1, u32::MAX))]
    pub seeds: u32,
    /// Play the season of this seed alone, and tell what happens in it
    #[arg(long, value_name = "S", conflicts_with = "seeds")]
    pub seed: Option<u64>,
}
