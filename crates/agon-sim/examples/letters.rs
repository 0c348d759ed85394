//! Plays the season by letters of one seed and tells it, line by line.

use agon_sim::{LettersSabotage, narrate_letters};

#[expect(clippy::print_stdout, reason = "that is what it is for")]
fn main() {
    let seed = std::env::args().nth(1).and_then(|seed| seed.parse().ok()).unwrap_or(0);
    let report = narrate_letters(seed, LettersSabotage::None, &mut |line| println!("{line}"));
    println!("{report:#?}");
}
