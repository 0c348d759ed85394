//! Consultations for the tests of advisors: one of each kind.

use std::borrow::Cow;
use std::time::Duration;

use agon_node::clock::Clock;
use agon_proto::dialect::q21;
use agon_proto::dialect::q21::{
    Answered, Book, Breakdown, Brief, Choice, Guess, PublicBook, Said, Seen,
};
use agon_proto::known::{Contestant, PlayerContext, PlayerStandings, RefereeContext, RoundResult};
use agon_proto::{Address, GroupId, LeagueId, MatchId, Payload, Score, SeasonId};
use agon_proto::{AsPayload, GameId};

use super::super::callback::{Consultation, PlayerQuery, Query, RefereeQuery, Rival};
use agon_core::{Question, Seat, What};

pub(super) fn player(game: &str, query: PlayerQuery) -> Consultation {
    let query = Query::Player(query, PlayerStandings::default());
    Consultation { number: 7, game: GameId::new(game), query }
}

pub(super) fn referee(game: &str, query: RefereeQuery) -> Consultation {
    let game = GameId::new(game);
    let context = RefereeContext {
        season: SeasonId::new("S01"),
        league: LeagueId::new("LEAGUE001"),
        game: game.clone(),
        referee: "R-001".into(),
        round_number: 1,
        round: "S01_R1".into(),
        players: ["alphateam", "betateam"].map(seated),
    };
    Consultation { number: 7, game, query: Query::Referee(query, context) }
}

fn seated(name: &str) -> Contestant {
    let Rival { id, address, .. } = contestant(name);
    Contestant { id, address }
}

pub(super) fn contestant(name: &str) -> Rival {
    Rival {
        id: GroupId::new(name),
        address: Address::new(&format!("{name}@league.test")),
        warmup_answer: None,
    }
}

pub(super) fn book() -> Book {
    Book {
        public: PublicBook {
            name: "Harbour Notes".into(),
            hint: "Somebody quarrels beside water".into(),
            association_word: "colour".into(),
        },
        opening_sentence: Some("It was late.".into()),
        associative_word: Some("green".into()),
    }
}

pub(super) fn question(number: u32, text: &str, options: [&str; 4]) -> q21::QuestionRow {
    q21::QuestionRow { number, text: text.into(), options: options.map(Into::into) }
}

pub(super) fn questions() -> Vec<q21::QuestionRow> {
    let options = ["yes", "no", "partly", "unknown"];
    (1..=20).map(|number| question(number, "Is it about the sea?", options)).collect()
}

/// The four of a player, in the order of a game.
pub(super) fn all_of_a_player() -> [Consultation; 4] {
    let book = book().public;
    let answers = vec![Answered { number: 1, choice: Choice::A }];
    [
        player("0101001", PlayerQuery::Warmup { question: "What is 2 + 2?".into() }),
        player("0101001", PlayerQuery::Questions { book: book.clone() }),
        player("0101001", PlayerQuery::Guess { book, answers, questions: questions() }),
        player(
            "0101001",
            PlayerQuery::Score {
                league_points: 2,
                private_score: Score::from_points(70.0),
                breakdown: Breakdown::default(),
                feedback: None,
            },
        ),
    ]
}

/// The four of a referee, in the order of a game.
pub(super) fn all_of_a_referee() -> [Consultation; 4] {
    let players = || [contestant("alphateam"), contestant("betateam")];
    let player = contestant("alphateam");
    [
        referee("0101001", RefereeQuery::WarmupQuestion { players: players() }),
        referee("0101001", RefereeQuery::RoundStart { players: players() }),
        referee(
            "0101001",
            RefereeQuery::Answers { player: player.clone(), book: book(), questions: questions() },
        ),
        referee("0101001", RefereeQuery::Score { player, book: book(), guess: Guess::default() }),
    ]
}

/// The question that leads to that consultation, and what is known besides it.
pub(super) fn put(consultation: &Consultation, time: Duration) -> (Question, Payload) {
    let Consultation { number, game, query } = consultation;
    let (kind, what) = match query {
        Query::Player(query, _) => asked(query),
        Query::Referee(query, _) => judged(query),
    };
    let context = match query {
        Query::Player(query, standings) => {
            let mut standings = standings.clone();
            if let PlayerQuery::Score { league_points, private_score, .. } = query {
                let (league_points, private_score) = (*league_points, *private_score);
                let (game, round_number, won) = (game.clone(), 1, None);
                standings.history.push(RoundResult {
                    game,
                    round_number,
                    league_points,
                    private_score,
                    won,
                });
            }
            PlayerContext { game: game.clone(), standings }.payload()
        }
        Query::Referee(_, context) => context.payload(),
    };
    let until = Clock::start().now() + time;
    let match_id = MatchId::new(1, 1);
    (Question { number: *number, match_id, attempt: 1, kind: kind.into(), what, until }, context)
}

fn asked(query: &PlayerQuery) -> (&'static str, What) {
    let mut seen = Seen::default();
    let mut said = Vec::new();
    let kind = match query.clone() {
        PlayerQuery::Warmup { question } => {
            seen.warmup_question = Some(question);
            "warmup"
        }
        PlayerQuery::Questions { book } => {
            seen.book = Some(book);
            "questions"
        }
        PlayerQuery::Guess { book, answers, questions } => {
            (seen.book, seen.answers) = (Some(book), Some(answers));
            said.push(Said::Questions(questions).payload());
            "guess"
        }
        PlayerQuery::Score { private_score, breakdown, feedback, .. } => {
            let feedback = feedback.unwrap_or_default();
            seen.score = Some(q21::Assessment { private_score, breakdown, feedback });
            return ("score", What::Heard { view: seen.payload() });
        }
    };
    (kind, What::Move { view: seen.payload(), options: Cow::default(), said })
}

fn judged(query: &RefereeQuery) -> (&'static str, What) {
    let mut brief = Brief::default();
    let (kind, about) = match query.clone() {
        RefereeQuery::WarmupQuestion { .. } => ("warmup_question", None),
        RefereeQuery::RoundStart { .. } => ("book", None),
        RefereeQuery::Answers { book, questions, .. } => {
            (brief.book, brief.questions) = (Some(book), Some(questions));
            ("answers", Some(Seat::A))
        }
        RefereeQuery::Score { book, guess, .. } => {
            (brief.book, brief.guess) = (Some(book), Some(guess));
            ("score", Some(Seat::A))
        }
    };
    (kind, What::Oracle { about, prompt: brief.payload() })
}
