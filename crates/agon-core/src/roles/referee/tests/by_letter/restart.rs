//! A referee that dies and comes back goes on where it was, in every phase.

use super::*;

type Deed = fn(&mut World) -> Vec<String>;

/// Everything that happens in one game, one thing after the other.
fn acts() -> [Deed; 16] {
    [
        |world| world.manager(start_season()),
        |world| world.manager(admitted()),
        |world| world.manager(Act::AssignmentTable(table())),
        |world| world.manager(new_round(1)),
        World::advise,
        |world| world.player(ADA, warm_up()),
        |world| world.player(BOB, warm_up()),
        World::advise,
        |world| world.player(ADA, guess("80")),
        |world| world.player(ADA, questions()),
        World::advise,
        World::advise,
        |world| world.player(BOB, questions()),
        World::advise,
        |world| world.player(BOB, guess("60")),
        World::advise,
    ]
}

#[test]
fn a_restart_in_any_phase_changes_nothing() {
    let play = |restart_at: Option<usize>| {
        let mut world = World::new();
        for (number, act) in acts().iter().enumerate() {
            act(&mut world);
            if restart_at == Some(number) {
                world.restart();
            }
        }
        world
    };
    let untouched = play(None);
    let expected = untouched.report();
    for number in 0..acts().len() {
        let world = play(Some(number));
        // Sent at least once, always the same.
        assert!(world.reports().iter().all(|report| *report == expected), "{number}");
        assert!(!world.reports().is_empty(), "{number}");
        let tokens = |world: &World| {
            let Act::Ask(said) = &world.last("round-start-0101001-alpha").act else { panic!() };
            said.token.clone()
        };
        assert!(number < 3 || tokens(&world) == tokens(&untouched), "{number}");
    }
}

#[test]
fn letters_that_nobody_has_taken_go_out_again_and_our_program_is_asked_again() {
    let mut world = World::in_round();
    assert_eq!(world.restart(), ["ask warm-up"]);
    world.advise();
    let first = world.parcels[0].id;
    world.take(first);
    assert_eq!(world.restart(), ["warmup-0101001-beta to bob@league.test"]);
    world.player(ADA, warm_up());
    world.player(BOB, warm_up());
    world.take_all();
    assert_eq!(world.restart(), ["ask book"]);
}

#[test]
fn a_letter_that_was_dealt_with_is_known_after_a_restart() {
    let mut world = World::in_game();
    let letter = world.letter(questions());
    let ada = || Proof::Vouched(Address::new(ADA));
    world.post(ada(), letter.clone());
    world.advise();
    world.take_all();
    world.restart();
    let facts = world.bench.facts.len();
    assert_eq!(world.post(ada(), letter), ["ok"]);
    assert_eq!(world.bench.facts.len(), facts);
    let manager = || Proof::Vouched(Address::new(MANAGER));
    let letter = world.letter(keep_alive());
    assert_eq!(world.post(manager(), letter.clone()).len(), 2);
    world.take_all();
    world.restart();
    assert_eq!(world.post(manager(), letter), ["ok"]);
}

#[test]
fn a_deadline_is_the_same_after_a_restart_even_if_the_settings_change() {
    let mut world = World::in_game();
    let due = world.bench.role.deadline();
    world.bench.role.played.as_mut().unwrap().ask_ms[1] = 5;
    world.restart();
    assert_eq!(world.bench.role.deadline(), due);
}

/// Everything that may be read off our only match.
fn read(referee: &Referee) -> String {
    let matches = &referee.records.matches;
    let live = matches.playing(GameId::new(GAME).match_id().unwrap()).unwrap();
    let of = |seat| (live.open(seat), live.view(Some(seat)), live.gain(seat), live.reached(seat));
    let owed: Vec<_> = live.consulting().collect();
    format!("{:?} {owed:?} {:?}", Seat::BOTH.map(of), (live.phase(), &matches.timers))
}

/// What was judged once is not judged again: under other limits, thresholds and numbers of asks the
/// same journal gives the same match, at every step of it.
#[test]
fn a_journal_gives_the_same_match_whatever_it_is_played_by() {
    let mut world = World::in_round();
    let steps: [Deed; 8] = [
        World::advise,
        |world| world.player(BOB, warm_up()),
        |world| world.at(120).tick(),
        World::advise,
        |world| world.player(BOB, guess("80")),
        |world| world.at(130).manager(Act::Pause(halt())),
        |world| world.at(145).manager(Act::Continue(halt())),
        |world| world.player(BOB, questions()),
    ];
    for (number, step) in steps.iter().enumerate() {
        step(&mut world);
        world.take_all();
        let mut other = RefereeSettings { callbacks: Vec::new(), ..settings() };
        other.played = PlayedOnce {
            ask_ms: vec![7],
            greetings: 4,
            thresholds: crate::Thresholds([Score::from_points(1.0); 3]),
            lost_points: 9,
            ..other.played
        };
        let mut replayed = Referee::by_letter(profile(), other.clone());
        for fact in &world.bench.facts {
            if let RefereeFact::Started(start) = fact {
                let start = Start { played: other.played.clone(), ..Start::clone(start) };
                replayed.apply(&RefereeFact::Started(start.into()));
            } else {
                replayed.apply(fact);
            }
        }
        assert_eq!(read(&replayed), read(&world.bench.role), "{number}");
    }
}
