//! Consultations for the tests of callbacks: one of each kind, and the question that leads to each.

mod read;

use std::borrow::Cow;

use agon_core::Seat;
use agon_games::q21::{
    Q21Answer, Q21Assessment, Q21Book, Q21Breakdown, Q21Choice, Q21Feedback, Q21Guess, Q21Move,
    Q21PublicBook,
};
use agon_node::clock::Clock;
use agon_proto::known::{Contestant, GameStatus, PlayerStandings, RoundResult};
use agon_proto::{Address, GroupId, LeagueId, MatchId, Payload, Score, SeasonId};

use super::*;

/// One call of a team's program, as a test describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::python) struct Consultation {
    /// Comes back with the answer. Different for every call of one process.
    pub(in crate::python) number: u64,
    /// The game that it is about.
    pub(in crate::python) game: GameId,
    /// What is asked.
    pub(in crate::python) query: Query,
}

/// What a team's program is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::python) enum Query {
    /// A player's four questions, with where it stands in the league.
    Player(PlayerQuery, PlayerStandings),
    /// A referee's four, with what all of them are told.
    Referee(RefereeQuery, RefereeContext),
}

/// What a player's program is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::python) enum PlayerQuery {
    /// `get_warmup_answer`.
    Warmup {
        /// The question.
        question: Box<str>,
    },
    /// `get_questions`.
    Questions {
        /// What is to be found out.
        book: Q21PublicBook,
    },
    /// `get_guess`.
    Guess {
        /// What is to be found out.
        book: Q21PublicBook,
        /// What was answered.
        answers: Vec<Q21Answer>,
        /// What was asked.
        questions: Vec<agon_games::q21::Q21Question>,
    },
    /// `on_score_received`.
    Score {
        /// 0 to 3.
        league_points: u32,
        /// 0 to 100, in hundredths.
        private_score: i32,
        /// Its parts.
        breakdown: Q21Breakdown,
        /// In words.
        feedback: Option<Q21Feedback>,
    },
}

/// A player, as a referee's program hears of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::python) struct Rival {
    /// Its group.
    pub(in crate::python) id: GroupId,
    /// Its address.
    pub(in crate::python) address: Address,
    /// What it answered in the warm-up, once it has.
    pub(in crate::python) warmup_answer: Option<Box<str>>,
}

/// What a referee's program is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::python) enum RefereeQuery {
    /// `get_warmup_question`.
    WarmupQuestion {
        /// Both.
        players: [Rival; 2],
    },
    /// `get_round_start_info`.
    RoundStart {
        /// Both.
        players: [Rival; 2],
    },
    /// `get_answers`, once for each player.
    Answers {
        /// Who asks.
        player: Rival,
        /// The book.
        book: Q21Book,
        /// What it asks.
        questions: Vec<agon_games::q21::Q21Question>,
    },
    /// `get_score_feedback`, once for each player.
    Score {
        /// Who guesses.
        player: Rival,
        /// The book.
        book: Q21Book,
        /// What it guesses.
        guess: Q21Guess,
    },
}

impl Consultation {
    /// The method that is called for it.
    pub(in crate::python) fn method(&self) -> &'static str {
        called(self, Duration::ZERO).method.name
    }
}

/// The call that it comes to.
pub(in crate::python) fn called(consultation: &Consultation, time: Duration) -> Callback {
    let (question, context) = put(consultation, time);
    Callback::of(&question, &Known { context, ..Known::default() }, time).unwrap()
}

/// The question that leads to that consultation, and what is known besides it.
pub(in crate::python) fn put(consultation: &Consultation, time: Duration) -> (Question, Payload) {
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
                    private_score: Score::from_hundredths(private_score.try_into().unwrap()),
                    won,
                    status: GameStatus::Completed,
                    error: None,
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
    let mut seen = Q21View::default();
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
            said.push(Q21Move::Questions(questions).payload());
            "guess"
        }
        PlayerQuery::Score { private_score, breakdown, feedback, .. } => {
            let feedback = feedback.unwrap_or_default();
            seen.score = Some(Q21Assessment { private_score, breakdown, feedback });
            return ("score", What::Heard { view: seen.payload() });
        }
    };
    (kind, What::Move { view: seen.payload(), options: Cow::default(), said })
}

fn judged(query: &RefereeQuery) -> (&'static str, What) {
    let mut brief = Q21Brief::default();
    let (kind, about) = match query.clone() {
        RefereeQuery::WarmupQuestion { .. } => ("warmup_question", None),
        RefereeQuery::RoundStart { players } => {
            brief.warmup_answers = players.map(|player| player.warmup_answer);
            ("book", None)
        }
        RefereeQuery::Answers { book, questions, .. } => {
            (brief.book, brief.questions) = (Some(book), Some(questions));
            ("answers", Some(Seat::A))
        }
        RefereeQuery::Score { book, guess, .. } => {
            (brief.book, brief.guess) = (Some(book), Some(Box::new(guess)));
            ("score", Some(Seat::A))
        }
    };
    (kind, What::Oracle { about, prompt: brief.payload() })
}

pub(super) fn game() -> GameId {
    GameId::new("0103007")
}

pub(super) fn public() -> Q21PublicBook {
    Q21PublicBook {
        name: "Harbour Tales".into(),
        hint: "Solitary duty beside restless water".into(),
        association_word: "colour".into(),
    }
}

pub(super) fn book() -> Q21Book {
    Q21Book {
        public: public(),
        opening_sentence: Some("The keeper lit the lamp.".into()),
        associative_word: Some("green".into()),
    }
}

pub(super) fn questions() -> Vec<Q21Question> {
    let options = ["yes", "no", "partly", "unknown"];
    let question = |number| Q21Question {
        number,
        text: format!("Is it number {number}?").into(),
        options: options.map(Into::into),
    };
    (1..=20).map(question).collect()
}

pub(super) fn guess() -> Q21Guess {
    Q21Guess {
        opening_sentence: "A keeper lit a lamp.".into(),
        sentence_justification: "because".into(),
        associative_word: "blue".into(),
        word_justification: "therefore".into(),
        confidence: 75,
        stand_in: false,
    }
}

pub(super) fn breakdown() -> Q21Breakdown {
    Q21Breakdown {
        opening_sentence: 8000,
        sentence_justification: 7050,
        associative_word: 0,
        word_justification: 6000,
    }
}

fn standings() -> PlayerStandings {
    PlayerStandings {
        season: Some(SeasonId::new("S01")),
        round_number: 3,
        total_hundredths: 15_025,
        league_points: 4,
        games_played: 2,
        games_won: 1,
        rank: 2,
        history: vec![RoundResult {
            game: GameId::new("0102001"),
            round_number: 2,
            league_points: 3,
            private_score: Score::from_points(88.25),
            won: Some(true),
            status: GameStatus::Completed,
            error: None,
        }],
    }
}

fn contestant(name: &str) -> Rival {
    Rival {
        id: GroupId::new(name),
        address: Address::new(&format!("{name}@league.test")),
        warmup_answer: Some("4".into()),
    }
}

fn player(query: PlayerQuery) -> Consultation {
    let query = Query::Player(query, standings());
    Consultation { number: 1, game: game(), query }
}

fn referee(query: RefereeQuery) -> Consultation {
    let context = RefereeContext {
        season: SeasonId::new("S01"),
        league: LeagueId::new("LEAGUE001"),
        game: game(),
        referee: "R-001".into(),
        round_number: 3,
        round: "S01_R3".into(),
        players: ["alphateam", "betateam"].map(|name| Contestant {
            id: GroupId::new(name),
            address: Address::new(&format!("{name}@league.test")),
        }),
    };
    Consultation { number: 1, game: game(), query: Query::Referee(query, context) }
}

pub(super) fn get_warmup_answer() -> Consultation {
    player(PlayerQuery::Warmup { question: "2 + 2?".into() })
}

pub(super) fn get_questions() -> Consultation {
    player(PlayerQuery::Questions { book: public() })
}

pub(super) fn get_guess() -> Consultation {
    let answers = vec![
        Q21Answer { number: 1, choice: Q21Choice::B },
        Q21Answer { number: 2, choice: Q21Choice::NotRelevant },
    ];
    player(PlayerQuery::Guess { book: public(), answers, questions: questions() })
}

pub(super) fn on_score_received() -> Consultation {
    player(PlayerQuery::Score {
        league_points: 1,
        private_score: breakdown().private_score(),
        breakdown: breakdown(),
        feedback: Some(Q21Feedback {
            opening_sentence: "close".into(),
            associative_word: "far".into(),
        }),
    })
}

pub(super) fn get_warmup_question() -> Consultation {
    let players = [contestant("alphateam"), contestant("betateam")];
    referee(RefereeQuery::WarmupQuestion { players })
}

pub(super) fn get_round_start_info() -> Consultation {
    let players = [contestant("alphateam"), contestant("betateam")];
    referee(RefereeQuery::RoundStart { players })
}

pub(super) fn get_answers() -> Consultation {
    let player = contestant("alphateam");
    referee(RefereeQuery::Answers { player, book: book(), questions: questions() })
}

pub(super) fn get_score_feedback() -> Consultation {
    let player = contestant("alphateam");
    referee(RefereeQuery::Score { player, book: book(), guess: guess() })
}
