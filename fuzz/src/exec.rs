//! The answer of an `exec:` child: its first line is a choice, or there is none.
//!
//! Every input starts a real child, the only way in from outside; so this target is slow.

use std::fmt::Write;
use std::time::Duration;

use agon_player::{
    Chance, Decision, ExecTerms, Listed, MatchId, Parity, PlayerId, Question, Situation, Timestamp,
    strategy,
};
use serde::Deserialize;
use tokio::runtime::{Builder, Runtime};

/// A child hears the question before it says what it was told to say.
const CHILD: &str = r#"exec:sh -c 'read -r question; printf %b "$0"' "#;
/// What fits into one argument of a program when every byte takes five characters.
const INPUT_MAX: usize = 16 * 1024;

/// What the child says is taken for a choice if it is one, and for nothing else.
pub fn check(bytes: &[u8]) {
    if bytes.len() <= INPUT_MAX {
        assert_eq!(ask(bytes), choice(bytes));
    }
}

fn ask(answer: &[u8]) -> Option<Parity> {
    let mut command = CHILD.to_owned();
    command.push('\'');
    for byte in answer {
        write!(command, "\\0{byte:03o}").expect("memory takes all");
    }
    command.push('\'');
    let terms = ExecTerms { limit: Duration::from_secs(20), ..ExecTerms::default() };
    let mut child = strategy(&command, Chance::Fair, &terms).expect("the command is sound");
    let question = Question {
        player: PlayerId::new(1),
        match_id: MatchId::new(1, 1),
        attempt: 1,
        round: 1,
        opponent: PlayerId::new(2),
        deadline: Timestamp::default(), // Long ago, so only the limit counts.
    };
    let standings = Listed::default();
    let situation = Situation { question: &question, history: &[], standings: &standings };
    let runtime: Runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        match child.choose(&situation) {
            Decision::Now(parity) => Some(parity),
            Decision::Later(thought) => thought.await,
        }
    })
}

/// The same, said in another way.
fn choice(answer: &[u8]) -> Option<Parity> {
    let line = answer.split(|byte| *byte == b'\n').next()?;
    let line = String::from_utf8_lossy(line);
    let line = line.trim();
    if !line.starts_with('{') {
        return parity(line);
    }
    let Answered { choice } = serde_json::from_str(line).ok()?;
    parity(&choice)
}

#[derive(Deserialize)]
struct Answered {
    choice: String,
}

fn parity(word: &str) -> Option<Parity> {
    match word.trim().to_ascii_lowercase().as_str() {
        "even" => Some(Parity::Even),
        "odd" => Some(Parity::Odd),
        _ => None,
    }
}
