//! Consultations for the tests of advisors: one of each kind.

use agon_games::q21::{Q21Answer, Q21Book, Q21Breakdown, Q21Choice, Q21Guess, Q21PublicBook};
use agon_proto::known::{Contestant, PlayerStandings, RefereeContext};
use agon_proto::{Address, GameId, GroupId, LeagueId, SeasonId};

use super::super::callback::tests::{Consultation, PlayerQuery, Query, RefereeQuery, Rival};

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

pub(super) fn book() -> Q21Book {
    Q21Book {
        public: Q21PublicBook {
            name: "Harbour Notes".into(),
            hint: "Somebody quarrels beside water".into(),
            association_word: "colour".into(),
        },
        opening_sentence: Some("It was late.".into()),
        associative_word: Some("green".into()),
    }
}

pub(super) fn question(
    number: u32,
    text: &str,
    options: [&str; 4],
) -> agon_games::q21::Q21Question {
    agon_games::q21::Q21Question { number, text: text.into(), options: options.map(Into::into) }
}

pub(super) fn questions() -> Vec<agon_games::q21::Q21Question> {
    let options = ["yes", "no", "partly", "unknown"];
    (1..=20).map(|number| question(number, "Is it about the sea?", options)).collect()
}

/// The four of a player, in the order of a game.
pub(super) fn all_of_a_player() -> [Consultation; 4] {
    let book = book().public;
    let answers = vec![Q21Answer { number: 1, choice: Q21Choice::A }];
    [
        player("0101001", PlayerQuery::Warmup { question: "What is 2 + 2?".into() }),
        player("0101001", PlayerQuery::Questions { book: book.clone() }),
        player("0101001", PlayerQuery::Guess { book, answers, questions: questions() }),
        player(
            "0101001",
            PlayerQuery::Score {
                league_points: 2,
                private_score: 7_000,
                breakdown: Q21Breakdown::default(),
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
        referee(
            "0101001",
            RefereeQuery::Score { player, book: book(), guess: Q21Guess::default() },
        ),
    ]
}
