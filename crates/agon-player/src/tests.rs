//! Questions, matches, tables and lifelines of children for the tests of this crate.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use agon_core::{Known, Question, What};
use agon_node::{Mind, Thinking};
use agon_proto::message::{Parity, StandingsRow};
use agon_proto::tool::{PlayedMatch, PlayedResult};
use agon_proto::{AsPayload, DisplayName, MatchId, Payload, PlayerId, Timestamp};

pub(crate) const EVEN: Parity = Parity::Even;
pub(crate) const ODD: Parity = Parity::Odd;

/// What a player sees before anybody has chosen.
const VIEW: &str = "{\"drawn_number\":null,\"choices\":[null,null]}";

/// What it may choose.
pub(crate) fn options() -> Vec<Payload> {
    [EVEN, ODD].map(|parity| parity.payload()).into()
}

/// Somebody is asked in match 1 of that round, and has all the time of the world.
pub(crate) fn question(round: u32) -> Question {
    Question {
        number: round.into(),
        match_id: MatchId::new(round, 1),
        attempt: 1,
        kind: "choose_parity".into(),
        what: What::Move {
            view: Payload::trusted(VIEW),
            options: options().into(),
            said: Vec::new(),
        },
        until: Timestamp::from_micros(1_900_000_000_000_000),
    }
}

/// What P01 knows that meets this opponent.
pub(crate) fn known(opponent: u32, history: &[PlayedMatch]) -> Known<'_> {
    let (player, opponent) = (Some(PlayerId::new(1)), Some(PlayerId::new(opponent)));
    Known { player, opponent, history, ..Known::default() }
}

/// A match of P01 that was played out.
pub(crate) fn played(round: u32, opponent: u32, choices: [Parity; 2], drawn: u32) -> PlayedMatch {
    let [mine, theirs] = choices;
    let result = if mine == theirs {
        PlayedResult::Draw
    } else if mine == Parity::of(drawn) {
        PlayedResult::Win
    } else {
        PlayedResult::Loss
    };
    PlayedMatch {
        match_id: MatchId::new(round, 1),
        opponent_id: PlayerId::new(opponent),
        result,
        my_choice: Some(mine),
        opponent_choice: Some(theirs),
        drawn_number: Some(drawn),
        timestamp: Timestamp::from_micros(0),
        attempt: 1,
    }
}

/// One row of the table.
pub(crate) fn row(player: u32, points: u32) -> StandingsRow {
    StandingsRow {
        rank: 1,
        player_id: PlayerId::new(player),
        display_name: DisplayName::new("somebody"),
        played: 0,
        wins: 0,
        draws: 0,
        losses: 0,
        points,
        clock_ms: None,
        unverified: None,
        unproved: false,
    }
}

/// What a quick strategy says.
#[track_caller]
pub(crate) fn now(mind: &mut dyn Mind, question: &Question, known: &Known<'_>) -> Parity {
    match mind.think(question, known) {
        Thinking::Now(answer) => Parity::of_json(answer.unwrap().as_bytes()).unwrap(),
        Thinking::Later(_) => panic!("this strategy does not need time"),
    }
}

/// A named pipe that a child holds open for as long as it lives.
pub(crate) struct Lifeline(PathBuf);

impl Lifeline {
    pub(crate) fn new(dir: &Path) -> Self {
        let path = dir.join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        assert!(made.unwrap().success());
        Self(path)
    }

    /// A script that takes hold of the line, goes on, and then lives until it is killed: it never
    /// looks at its stdin again.
    pub(crate) fn script(&self, middle: &str) -> String {
        let path = self.0.display();
        format!("exec 3>{path}; {middle} echo up >&3; exec tail -f /dev/null")
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Waits until the child says that it is up.
    pub(crate) async fn up(&self) -> BufReader<fs::File> {
        let path = self.0.clone();
        let opened = tokio::task::spawn_blocking(move || {
            let mut line = BufReader::new(fs::File::open(path).unwrap());
            line.read_line(&mut String::new()).unwrap();
            line
        });
        opened.await.unwrap()
    }
}

/// Waits until nobody holds the line any more.
pub(crate) async fn cut(mut line: BufReader<fs::File>) {
    let ended = tokio::task::spawn_blocking(move || line.read_to_end(&mut Vec::new()).unwrap());
    ended.await.unwrap();
}
