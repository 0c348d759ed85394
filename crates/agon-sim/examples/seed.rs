//! Plays one season and tells its story: `cargo run -p agon-sim --example seed -- 42`.

use std::io::Write;

use agon_sim::{Plan, Sabotage, narrate};

fn main() -> std::io::Result<()> {
    let seed = std::env::args().nth(1);
    let seed = seed.and_then(|seed| seed.parse().ok()).unwrap_or(0);
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    writeln!(out, "{:#?}", Plan::from_seed(seed))?;
    let mut lines = Vec::new();
    let report = narrate(seed, Sabotage::None, &mut |line| lines.push(line.to_owned()));
    for line in lines {
        writeln!(out, "{line}")?;
    }
    writeln!(out, "{report:#?}")?;
    out.flush()
}
