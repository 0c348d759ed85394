//! The strategy sees what the player knows, and its decision arrives unchanged.

use agon_games::even_odd::{EvenOdd, Parity};

use super::*;
use crate::tests::{EVEN, ODD, known, played, question};

/// Chooses what the opponent of the last match chose; later, if it was odd.
struct Echo;

impl Strategy<EvenOdd> for Echo {
    fn choose(&mut self, now: &Situation<'_, EvenOdd>) -> Decision<Parity> {
        assert_eq!(now.known.table(), []);
        assert_eq!(now.options, [Parity::Even, Parity::Odd]);
        assert_eq!(now.view.drawn_number, None);
        match now.known.history.last().and_then(|past| past.opponent_choice) {
            Some(Parity::Odd) => Decision::Later(Box::pin(async { Some(Parity::Odd) })),
            Some(Parity::Even) => Decision::Now(Parity::Even),
            None => Decision::Later(Box::pin(async { None })),
        }
    }
}

/// What comes of a question to a player with one match, or none, behind it.
async fn check(theirs: Option<Parity>, quick: bool, expected: Option<Parity>) {
    let past: Vec<_> = theirs.map(|theirs| played(1, 2, [EVEN, theirs], 2)).into_iter().collect();
    let (was_quick, answer) = match typed(Echo).think(&question(2), &known(3, &past)) {
        Thinking::Now(answer) => (true, answer),
        Thinking::Later(thought) => (false, thought.await),
    };
    let choice = answer.ok().map(|made| Parity::of_json(made.as_bytes()).unwrap());
    assert_eq!((was_quick, choice), (quick, expected));
}

#[tokio::test]
async fn quick_and_slow_decisions_become_thoughts() {
    check(Some(EVEN), true, Some(EVEN)).await;
    check(Some(ODD), false, Some(ODD)).await;
    check(None, false, None).await;
}

#[test]
fn options_that_nobody_lists_are_those_of_the_game() {
    let Question { what: What::Move { view, said, .. }, .. } = question(2) else {
        panic!("a move");
    };
    let what = What::Move { view, options: Default::default(), said };
    let past = [played(1, 2, [EVEN, EVEN], 2)];
    let asked = Question { what, ..question(2) };
    assert!(matches!(typed(Echo).think(&asked, &known(3, &past)), Thinking::Now(Ok(_))));
}

#[test]
fn another_game_is_named_and_not_played() {
    let what = What::Heard { view: Payload::trusted("[1]") };
    let asked = Question { what, ..question(2) };
    let Thinking::Now(Err(mishap)) = typed(Echo).think(&asked, &known(3, &[])) else {
        panic!("that is no view of this game");
    };
    assert_eq!(mishap.kind, MishapKind::WrongValue);
    assert!(mishap.text.starts_with("this strategy plays another game"), "{}", mishap.text);
}
