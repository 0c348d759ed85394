//! Our games in a table, and what is known of one.

use agon_games::q21::Q21View as Seen;
use agon_proto::AsPayload;

use super::super::GameParameters;
use super::super::tests::by_letter::{
    ME, NEXT, ONE, OPPONENT, REFEREE, TWO, address, profile, rows,
};
use super::super::tests::by_letter::{game, round_start};
use super::*;

#[test]
fn our_games_are_found_in_the_table() {
    let mut all = rows(TWO, REFEREE, [OPPONENT, ME]);
    all.extend(rows(ONE, REFEREE, [ME, OPPONENT]));
    all.extend(rows(ONE, REFEREE, [ME, OPPONENT]));
    // We referee nothing here, and a game without a round cannot be played.
    all.extend(rows(NEXT, ME, [OPPONENT, REFEREE]));
    all.extend(rows("final", REFEREE, [ME, OPPONENT]));
    let games = Assignment::ours(&Agent::new(profile()), &all);
    let one = Assignment {
        game: game(ONE),
        match_id: MatchId::new(1, 1),
        my_role: Part::Player1,
        referee: Some(address(REFEREE)),
        opponent: Some(address(OPPONENT)),
    };
    let two = Assignment {
        game: game(TWO),
        match_id: MatchId::new(1, 2),
        my_role: Part::Player2,
        ..one.clone()
    };
    assert_eq!(games, [one, two]);
}

#[test]
fn parameters_are_filled_in_when_the_referee_says_them() {
    let games = Assignment::ours(&Agent::new(profile()), &rows(ONE, REFEREE, [ME, OPPONENT]));
    let parameters = GameParameters::new(games[0].clone(), Some(SeasonId::new("S1")));
    assert_eq!(parameters.assignment.match_id, MatchId::new(1, 1));
    assert_eq!((&parameters.token, &parameters.shown), (&None, &None));
    // What is to be found out stands in the question that says it.
    let Some(Heard::Asks(asked)) = Heard::of(&round_start(ONE)) else { panic!("a question") };
    let book = Seen::of(&asked.view).unwrap().book.expect("a book");
    assert_eq!(&*book.name, "00016");
    assert_eq!(&*book.hint, "about lighthouses");
    assert_eq!(&*book.association_word, "colour");
}
