//! Plays one season and tells its story: `cargo run -p agon-sim --example seed -- 42`,
//! with the name of a game after it if it must be that one.

use std::io::Write;

use agon_games::games;
use agon_sim::{Plan, narrate};

fn main() -> std::io::Result<()> {
    let seed = std::env::args().nth(1);
    let seed = seed.and_then(|seed| seed.parse().ok()).unwrap_or(0);
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let game = std::env::args().nth(2);
    let game = games().iter().find(|info| game.as_deref() == Some(info.name));
    let plan = game.map_or_else(|| Plan::from_seed(seed), |info| Plan::of_game(seed, info));
    writeln!(out, "{plan:#?}")?;
    let mut lines = Vec::new();
    let report = narrate(plan, &mut |line| lines.push(line.to_owned()));
    for line in lines {
        writeln!(out, "{line}")?;
    }
    writeln!(out, "{report:#?}")?;
    out.flush()
}
