//! What holds for every game: it ends, it is a fold, it is fair, and it says what it is.

use agon_games::{Game, Play, Playing, Seat, Seats, Turn, Visitor};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use crate::table::{Act, Dice, any_move, every_game, fold, random_match, view};

/// A law about one whole match.
trait Law: Copy {
    fn check<G: Game>(game: &G, acts: &[Act], end: &Play<G>);
}

#[derive(Clone, Copy)]
struct Checking<L>(std::marker::PhantomData<L>);

impl<L: Law> Visitor for Checking<L> {
    type Output = ();
    fn visit<G: Game>(self, game: &G) {
        let cases = if game.acts_max() > 100 { 8 } else { 64 };
        let config = ProptestConfig { cases, failure_persistence: None, ..Default::default() };
        let law = |(seed, fails): (u64, bool)| {
            let acts = random_match(game, &mut Dice(seed), fails);
            let end = fold(game, &acts).expect("what was played can be played again");
            L::check(game, &acts, &end);
            Ok(())
        };
        TestRunner::new(config).run(&any::<(u64, bool)>(), law).unwrap();
    }
}

fn check<L: Law>(_: L) {
    every_game(Checking::<L>(std::marker::PhantomData));
}

#[test]
fn a_match_ends_within_its_bound_and_every_one_who_played_has_gained() {
    #[derive(Clone, Copy)]
    struct Ends;
    impl Law for Ends {
        fn check<G: Game>(_: &G, acts: &[Act], end: &Play<G>) {
            // That it ends at all, and in how many acts, is asserted while it is played.
            assert_eq!(end.turn(), Turn::Over);
            let failed = acts.iter().any(|act| matches!(act, Act::Failed(_)));
            let gains = end.gains();
            assert!(failed || gains.iter().all(Option::is_some), "{gains:?}");
            assert!(!end.tell([&"P01", &"P02"]).is_empty());
        }
    }
    check(Ends);
}

#[test]
fn the_fold_of_the_acts_is_the_state_twice_the_same() {
    #[derive(Clone, Copy)]
    struct Folds;
    impl Law for Folds {
        fn check<G: Game>(game: &G, acts: &[Act], end: &Play<G>) {
            let again = fold(game, acts).unwrap();
            assert_eq!(again, *end);
            for seat in [None, Some(Seat::A), Some(Seat::B)] {
                assert_eq!(view(&again, seat), view(end, seat));
            }
        }
    }
    check(Folds);
}

#[test]
fn what_is_listed_is_legal_and_what_is_not_cannot_be_played() {
    #[derive(Clone, Copy)]
    struct Legal;
    impl Law for Legal {
        fn check<G: Game>(game: &G, acts: &[Act], _: &Play<G>) {
            let mut play = Play::open(game);
            for act in acts {
                for seat in Seat::BOTH {
                    check_moves(&play, seat);
                }
                check_world(&play);
                act.take(&mut play).unwrap();
            }
            check_moves(&play, Seat::A);
            check_world(&play);
        }
    }
    check(Legal);
}

fn check_moves<G: Game>(play: &Play<G>, seat: Seat) {
    let refuses = |play: &Play<G>, json: &str| {
        let mut after = play.clone();
        assert!(after.seal(seat, json.as_bytes()).is_err(), "{json}");
        assert_eq!(after, *play, "a refused move changes nothing");
    };
    for bad in ["", "null", "\"seven\"", "{}", "[0]", "{\"warmup\":7}", "\"even\"x"] {
        refuses(play, bad);
    }
    let asked = play.turn().asked().contains(seat);
    for listed in play.options(seat).unwrap_or_default() {
        let mut after = play.clone();
        assert_eq!(after.seal(seat, listed.as_bytes()).is_ok(), asked, "{listed}");
        if asked {
            let sealed = Seats::which(|it| after.sealed[it.index()].is_some());
            assert_eq!(sealed, Seats::only(seat));
            refuses(&after, &listed);
        } else {
            refuses(play, &listed);
        }
    }
}

/// Numbers and words come when they are asked for, and not before.
fn check_world<G: Game>(play: &Play<G>) {
    let mut after = play.clone();
    if let Turn::Chance(below) = play.turn() {
        assert!(after.draw(below).is_err());
        assert!(after.draw(u32::MAX).is_err());
    } else {
        assert!(after.draw(0).is_err());
    }
    let about: &[Option<Seat>] = match play.turn() {
        Turn::Oracle => &[Some(Seat::A), Some(Seat::B)],
        Turn::Apart { .. } => &[None],
        Turn::Together(_) | Turn::Chance(_) | Turn::Over => &[None, Some(Seat::A), Some(Seat::B)],
    };
    for seat in about {
        assert!(after.word(*seat, b"{\"warmup_question\":\"?\"}").is_err());
    }
    assert_eq!(after, *play);
}

#[test]
fn seats_swapped_give_swapped_gains_and_gains_add_up() {
    #[derive(Clone, Copy)]
    struct Fair;
    impl Law for Fair {
        fn check<G: Game>(game: &G, acts: &[Act], end: &Play<G>) {
            let [a, b] = end.gains();
            if G::INFO.symmetric {
                let swapped: Vec<Act> = acts.iter().map(Act::swapped).collect();
                assert_eq!(fold(game, &swapped).unwrap().gains(), [b, a]);
            }
            if G::INFO.zero_sum {
                assert_eq!(a.zip(b).map_or(0, |(a, b)| a + b), 0);
            }
            assert!(G::INFO.can_draw || a != b);
        }
    }
    check(Fair);
}

#[test]
fn moves_and_views_are_what_they_say() {
    #[derive(Clone, Copy)]
    struct RoundTrip;
    impl Law for RoundTrip {
        fn check<G: Game>(game: &G, acts: &[Act], _: &Play<G>) {
            for (text, it) in G::moves() {
                assert_eq!(serde_json::to_string(it).unwrap(), *text);
                assert_eq!(serde_json::from_str::<G::Move>(text).unwrap(), *it);
            }
            let (is_move, is_view) = (schema::<G::Move>(), schema::<G::View>());
            let mut play = Play::open(game);
            for act in acts {
                check_views(&play, &is_view);
                if let Act::Moves(moves) = act {
                    for (_, json) in moves {
                        let it: G::Move = serde_json::from_str(json).unwrap();
                        assert!(is_move(json), "{json}");
                        let text = serde_json::to_string(&it).unwrap();
                        assert_eq!(serde_json::from_str::<G::Move>(&text).unwrap(), it);
                    }
                }
                act.take(&mut play).unwrap();
            }
            check_views(&play, &is_view);
        }
    }
    check(RoundTrip);
}

fn check_views<G: Game>(play: &Play<G>, is_view: &impl Fn(&str) -> bool) {
    for seat in [None, Some(Seat::A), Some(Seat::B)] {
        let text = view(play, seat);
        let read: G::View = serde_json::from_str(&text).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), text);
        if let Some(read) = G::read_view(text.as_bytes()) {
            assert_eq!(serde_json::to_string(&read).unwrap(), text);
        }
        assert!(is_view(&text), "{text}");
    }
}

/// What says whether a value is as its schema has it.
fn schema<T: agon_games::Described>() -> impl Fn(&str) -> bool {
    let schema = schemars::SchemaGenerator::default().into_root_schema_for::<T>();
    let validator = jsonschema::validator_for(schema.as_value()).unwrap();
    move |text| validator.is_valid(&serde_json::from_str(text).unwrap())
}

#[test]
fn a_public_view_leads_back_to_what_it_shows() {
    #[derive(Clone, Copy)]
    struct Retraces;
    impl Law for Retraces {
        fn check<G: Game>(game: &G, acts: &[Act], end: &Play<G>) {
            let shown = game.retrace(&serde_json::from_str(&view(end, None)).unwrap());
            let Some(retraced) = shown.unwrap() else { return };
            assert!(!retraced.gaps);
            assert_eq!(game.gains(&retraced.shown), end.gains());
            let again = serde_json::to_string(&game.view(&retraced.shown, None)).unwrap();
            assert_eq!(again, view(end, None));
            // From every position on the way this end could be reached.
            let mut play = Play::open(game);
            let whole = !acts.iter().any(|act| matches!(act, Act::Failed(_)));
            for act in acts.iter().filter(|_| whole) {
                assert!(play.may_end(&mut |gains| gains == end.gains()));
                act.take(&mut play).unwrap();
            }
        }
    }
    check(Retraces);
}

#[test]
fn who_has_sealed_a_move_has_told_nobody() {
    #[derive(Clone, Copy)]
    struct Sealed;
    impl Law for Sealed {
        fn check<G: Game>(game: &G, acts: &[Act], _: &Play<G>) {
            let mut play = Play::open(game);
            for act in acts {
                for seat in play.turn().asked().iter() {
                    let mut sealed = play.clone();
                    let json = any_move(&play, seat, &mut Dice(1));
                    sealed.seal(seat, json.as_bytes()).unwrap();
                    for reader in [None, Some(Seat::A), Some(Seat::B)] {
                        assert_eq!(view(&sealed, reader), view(&play, reader));
                    }
                }
                act.take(&mut play).unwrap();
            }
        }
    }
    check(Sealed);
}
