//! Consultations for the tests of callbacks: one of each kind.

use agon_proto::dialect::q21::{Choice, QuestionRow};
use agon_proto::known::RoundResult;
use agon_proto::{LeagueId, SeasonId};

use super::*;

pub(super) fn game() -> GameId {
    GameId::new("0103007")
}

pub(super) fn public() -> PublicBook {
    PublicBook {
        name: "Harbour Tales".into(),
        hint: "Solitary duty beside restless water".into(),
        association_word: "colour".into(),
    }
}

pub(super) fn book() -> Book {
    Book {
        public: public(),
        opening_sentence: Some("The keeper lit the lamp.".into()),
        associative_word: Some("green".into()),
    }
}

pub(super) fn questions() -> Vec<QuestionRow> {
    let options = ["yes", "no", "partly", "unknown"];
    let question = |number| QuestionRow {
        number,
        text: format!("Is it number {number}?").into(),
        options: options.map(Into::into),
    };
    (1..=20).map(question).collect()
}

pub(super) fn guess() -> Guess {
    Guess {
        opening_sentence: "A keeper lit a lamp.".into(),
        sentence_justification: "because".into(),
        associative_word: "blue".into(),
        word_justification: "therefore".into(),
        confidence: 75,
    }
}

pub(super) fn breakdown() -> Breakdown {
    Breakdown {
        opening_sentence: Score::from_points(80.0),
        sentence_justification: Score::from_points(70.5),
        associative_word: Score::from_points(0.0),
        word_justification: Score::from_points(60.0),
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
        Answered { number: 1, choice: Choice::B },
        Answered { number: 2, choice: Choice::NotRelevant },
    ];
    player(PlayerQuery::Guess { book: public(), answers, questions: questions() })
}

pub(super) fn on_score_received() -> Consultation {
    player(PlayerQuery::Score {
        league_points: 1,
        private_score: breakdown().private_score(),
        breakdown: breakdown(),
        feedback: Some(Feedback {
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

impl From<Said> for Advice {
    fn from(said: Said) -> Self {
        Self::Said(said)
    }
}

impl From<Word> for Advice {
    fn from(word: Word) -> Self {
        Self::Word(word)
    }
}
