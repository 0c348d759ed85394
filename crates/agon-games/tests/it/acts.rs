//! The acts of a match, as a report tells them: whoever plays them again has what was shown, and
//! whatever could not have been played is found out.

use agon_games::{Failed, Game, Play, Playing, Rules, Seats, Taken, Visitor, write_acts};
use proptest::prelude::*;

use crate::table::{Act, Dice, every_game, random_match, view};

/// The steps that a referee takes for that act.
fn steps<G: Game>(act: &Act) -> Vec<Taken<String>> {
    match act {
        Act::Moves(moves) => {
            let sealed = moves.iter().map(|(seat, json)| Taken::Sealed(*seat, json.clone()));
            sealed.chain([Taken::Revealed(Seats::BOTH)]).collect()
        }
        Act::Drawn(number) => vec![Taken::Drawn(*number)],
        Act::Word(about, json) => vec![Taken::Word(*about, json.clone())],
        Act::Failed(seat) => match G::INFO.failed {
            Failed::Over => vec![Taken::Cut],
            Failed::GoesOn => vec![Taken::Failed(*seat)],
        },
    }
}

#[derive(Clone, Copy)]
struct Replays(u64, bool);

impl Visitor for Replays {
    type Output = ();
    fn visit<G: Game>(self, game: &G) {
        let Self(seed, fails) = self;
        let played = random_match(game, &mut Dice(seed), fails);
        let mut end = Play::open(game);
        played.iter().for_each(|act| act.take(&mut end).unwrap());
        let told: Vec<_> = played.iter().flat_map(steps::<G>).collect();
        let acts = write_acts(&told);
        let settings = serde_json::to_string(game).unwrap();
        let rules = Rules::new(G::INFO.name, &settings).unwrap();
        let shown = view(&end, None);
        let again = rules.replay(acts.as_bytes(), shown.as_bytes()).unwrap();
        assert_eq!((again.gains(), again.view(None).unwrap()), (end.gains(), shown.clone()));
        // One act less is another game, unless nobody can see that it is missing.
        let last = told.len() - told.iter().rev().position(is_act).map_or(told.len(), |it| it + 1);
        let less = write_acts(&told[..last]);
        let mut before = Play::open(game);
        let acts_before = played.iter().rev().skip_while(|act| matches!(act, Act::Failed(_)));
        let acts_before: Vec<_> = acts_before.skip(1).collect();
        acts_before.into_iter().rev().for_each(|act| act.take(&mut before).unwrap());
        if less != acts && view(&before, None) != shown {
            assert!(rules.replay(less.as_bytes(), shown.as_bytes()).is_err(), "{less} {shown}");
        }
    }
}

/// Whether something of a report begins with that step.
fn is_act(step: &Taken<String>) -> bool {
    matches!(step, Taken::Sealed(..) | Taken::Drawn(_) | Taken::Word(..))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn whoever_plays_the_acts_again_has_what_was_shown(
        seed in any::<u64>(),
        fails in any::<bool>(),
    ) {
        every_game(Replays(seed, fails));
    }
}

const SHOWN: &str = r#"{"last":["rock","paper"],"round":2,"rounds":2,"totals":[-1,1]}"#;

#[track_caller]
fn check(acts: &str, shown: &str, expected: Result<(), &str>) {
    let rules = Rules::new("rock_paper_scissors", r#"{"rounds":2}"#).unwrap();
    let replayed = rules.replay(acts.as_bytes(), shown.as_bytes());
    let replayed = replayed.map(|_| ()).map_err(|why| why.to_string());
    assert_eq!(replayed, expected.map_err(str::to_owned), "{acts}");
}

#[test]
fn what_cannot_have_been_played_is_found_out() {
    check(r#"[["rock","paper"]]"#, SHOWN, Ok(()));
    // The text of a view need not be ours.
    check(r#"[ ["rock", "paper"] ]"#, &SHOWN.replace(',', ", "), Ok(()));
    let options = "it must be rock, paper or scissors";
    check(r#"[["rock","stone"]]"#, SHOWN, Err(&format!("act 1 is none: {options}")));
    check("[3]", SHOWN, Err("act 1 is none: it is out of turn"));
    check(r#"[{"word":"rock"}]"#, SHOWN, Err("act 1 is none: it is out of turn"));
    check("[[null,null]]", SHOWN, Err("act 1 is none: it is not legal: nobody moves in it"));
    let alone = "act 1 is none: it is not legal: nobody goes on here when one has failed";
    check(r#"[{"failed":"A"}]"#, SHOWN, Err(alone));
    let neither = "act 1 is none: it is not legal: it is neither a word nor a failure";
    check("[{}]", SHOWN, Err(neither));
    // Where one of two made no move the match was over.
    check(r#"[["rock",null],["rock","paper"]]"#, SHOWN, Err("act 2 is none: it is out of turn"));
    let other = r#"{"last":["paper","rock"],"round":2,"rounds":2,"totals":[1,-1]}"#;
    check(
        r#"[["rock","paper"]]"#,
        other,
        Err(&format!("`view` {other} contradicts `acts` ({SHOWN})")),
    );
}

#[test]
fn acts_are_bounded_like_everything_that_comes_from_outside() {
    let rules = Rules::new("rock_paper_scissors", "{}").unwrap();
    let long = format!("[{}7]", "7,".repeat(40_000));
    let why = rules.replay(long.as_bytes(), SHOWN.as_bytes()).unwrap_err().to_string();
    assert!(why.contains("65536 is the most"), "{why}");
    let deep = format!("{}{}", "[".repeat(40), "]".repeat(40));
    let why = rules.replay(deep.as_bytes(), SHOWN.as_bytes()).unwrap_err().to_string();
    assert!(why.contains("nested deeper"), "{why}");
}
