//! A player with a strategy of its own: whatever this opponent chose last, it chooses the other.
//!
//! `cargo run -p agon-player --example contrarian -- http://127.0.0.1:8000`

use agon_player::{Decision, EvenOdd, Guest, Parity, Situation, Strategy, play, typed};

struct Contrarian;

impl Strategy<EvenOdd> for Contrarian {
    fn choose(&mut self, now: &Situation<'_, EvenOdd>) -> Decision<Parity> {
        let mut met = now.known.history.iter().rev();
        let last = met.find(|past| Some(past.opponent_id) == now.known.opponent);
        Decision::Now(match last.and_then(|past| past.opponent_choice) {
            Some(Parity::Odd) | None => Parity::Even,
            Some(Parity::Even) => Parity::Odd,
        })
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let manager = std::env::args().nth(1);
    let manager = manager.as_deref().unwrap_or("http://127.0.0.1:8000");
    let guest = Guest::new(manager, "Contrarian")?;
    let record = play(guest, typed(Contrarian)).await?;
    eprintln!("{} won, {} drawn, {} lost", record.wins, record.draws, record.losses);
    Ok(())
}
