//! What can be said to the rigs, flag by flag: `agon bench`, `agon crash-test` and `agon siege`.

use clap::Args;
use clap::builder::RangedI64ValueParser;

#[derive(Debug, Args)]
pub struct CrashOptions {
    /// Strike for so many minutes, then let the last season finish [default: 1]
    #[arg(long, value_name = "M", conflicts_with = "kills", value_parser = minutes)]
    pub minutes: Option<f64>,
    /// Strike until so many processes were killed
    #[arg(long, value_name = "N", value_parser = between(1, 1_000_000))]
    pub kills: Option<u32>,
    /// Repeat the choices of an earlier run [default: by chance]
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
    /// How many players, each a process
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = between(2, 64))]
    pub players: u32,
    /// How many referees, each a process
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = between(1, 16))]
    pub referees: u32,
    /// Keep the folder with all journals and logs, whatever comes of it
    #[arg(long)]
    pub keep: bool,
}

fn minutes(text: &str) -> Result<f64, &'static str> {
    let minutes = text.parse().map_err(|_| "say a number of minutes, e.g. 0.5")?;
    let fits = minutes > 0.0 && minutes <= 100_000.0;
    fits.then_some(minutes).ok_or("say a number above 0 and up to 100000")
}

#[derive(Debug, Args)]
pub struct SiegeOptions {
    /// How long each of three quiet and three hostile windows lasts
    #[arg(long, value_name = "S", default_value_t = 5.0, value_parser = seconds)]
    pub seconds: f64,
    /// How many connections say nothing
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = between(0, 1_000_000))]
    pub idle: u32,
    /// How many clients send bad requests without pause
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = between(0, 10_000))]
    pub clients: u32,
    /// How many other matches are under way while players are silent
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = between(1, 20_000))]
    pub matches: u32,
}

fn seconds(text: &str) -> Result<f64, &'static str> {
    let seconds: f64 = text.parse().map_err(|_| "say a number of seconds, e.g. 2.5")?;
    let fits = (0.05..=3_600.0).contains(&seconds);
    fits.then_some(seconds).ok_or("say a number from 0.05 to 3600")
}

#[derive(Debug, Args)]
pub struct BenchOptions {
    /// How many players each season has [default: 64, quick: 16]
    #[arg(long, value_name = "N", value_parser = between(2, 1_000))]
    pub players: Option<u32>,
    /// How many seasons and bare replays are compared [default: 5, quick: 1]
    #[arg(long, value_name = "N", value_parser = between(1, 100))]
    pub pairs: Option<u32>,
    /// A short look, for a test: less of everything
    #[arg(long)]
    pub quick: bool,
}

/// A number between the two, both included.
fn between(min: u32, max: u32) -> RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(i64::from(min)..=i64::from(max))
}
