//! How many matches of Even/Odd, the usual game, the rules play in a second on one core, through
//! `Position`: texts in, gains out; and how many if the public view is written as well.
//!
//! `cargo run --release -p agon-games --example speed`

#![expect(clippy::print_stdout, reason = "its figures are its output")]

use std::hint::black_box;
use std::time::Instant;

use agon_games::{BadMove, Position, Rules, Seat, Seats, Turn};

const MATCHES: u32 = 20_000_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rules = Rules::default();
    let mut sum = 0;
    let begin = Instant::now();
    for number in 0..MATCHES {
        let [a, _] = play(black_box(&rules), number)?.gains();
        sum += a.unwrap_or_default();
    }
    told("played", begin, sum);
    let begin = Instant::now();
    for number in 0..MATCHES {
        let shown = play(black_box(&rules), number)?.view(None)?;
        sum += i32::try_from(shown.len())?;
    }
    told("played and shown", begin, sum);
    Ok(())
}

fn play(rules: &Rules, number: u32) -> Result<Position, BadMove> {
    let mut position = rules.open();
    for seat in Seat::BOTH {
        let even = (number >> seat.index()) & 1 == 0;
        position.seal(seat, black_box(if even { b"\"even\"" } else { b"\"odd\"" }))?;
    }
    position.reveal(Seats::BOTH);
    if let Turn::Chance(below) = position.turn() {
        position.draw(number % below)?;
    }
    Ok(position)
}

fn told(what: &str, begin: Instant, sum: i32) {
    let millions = f64::from(MATCHES) / begin.elapsed().as_secs_f64() / 1e6;
    println!("{millions:.1} million matches/s {what} ({sum})");
}
