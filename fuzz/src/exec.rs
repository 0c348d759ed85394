//! The answer of an `exec:` child: its first line is a choice, or there is none.
//!
//! Every input starts a real child, the only way in from outside; so this target is slow.

use std::fmt::Write;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use agon_player::{
    Chance, ChildTerms, Known, MatchId, Parity, Payload, Question, Thinking, Timestamp, What,
    strategy,
};
use agon_proto::AsPayload;
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
    let mut child = strategy("even_odd", &command, Chance::Fair, &ChildTerms::default())
        .expect("the command is sound");
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("it is later than 1970");
    let until = Timestamp::default() + now + Duration::from_secs(20);
    let question = Question {
        number: 1,
        match_id: MatchId::new(1, 1),
        attempt: 1,
        kind: "choose_parity".into(),
        what: What::Move {
            view: Payload::default(),
            options: [Parity::Even, Parity::Odd].map(|it| it.payload()).to_vec().into(),
            said: Vec::new(),
        },
        until,
    };
    let runtime: Runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
    let answer = runtime.block_on(async {
        match child.think(&question, &Known::default()) {
            Thinking::Now(answer) => answer,
            Thinking::Later(thought) => thought.await,
        }
    });
    answer.ok().and_then(|made| Parity::of_json(made.as_bytes()))
}

/// The same, said in another way.
fn choice(answer: &[u8]) -> Option<Parity> {
    let line = answer.split(|byte| *byte == b'\n').next()?;
    let line = String::from_utf8_lossy(line);
    let line = line.trim();
    if !line.starts_with('{') {
        let quoted = serde_json::from_str::<String>(line);
        return parity(quoted.as_deref().unwrap_or(line));
    }
    let Answered { said } = serde_json::from_str(line).ok()?;
    parity(&said)
}

#[derive(Deserialize)]
struct Answered {
    #[serde(rename = "move", alias = "choice", alias = "word")]
    said: String,
}

fn parity(word: &str) -> Option<Parity> {
    match word.trim().to_ascii_lowercase().as_str() {
        "even" => Some(Parity::Even),
        "odd" => Some(Parity::Odd),
        _ => None,
    }
}
