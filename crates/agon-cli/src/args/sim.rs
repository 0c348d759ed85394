//! What can be said to the simulator.

use clap::Args;

use super::between;
use super::letters::Game;

#[derive(Debug, Args)]
pub(crate) struct Sim {
    /// Whose seasons: even_odd by calls, q21 by letters
    #[arg(long, value_name = "GAME", value_enum, default_value_t = Game::EvenOdd)]
    pub game: Game,
    /// How many seasons, with the seeds from 0 on
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = between(1, u32::MAX))]
    pub seeds: u32,
    /// Play the season of this seed alone, and tell what happens in it
    #[arg(long, value_name = "S", conflicts_with = "seeds")]
    pub seed: Option<u64>,
}
