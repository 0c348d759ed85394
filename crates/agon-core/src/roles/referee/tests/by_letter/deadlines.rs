//! What is announced is what is enforced, and nobody pays for our own post.

use super::*;
use crate::testing::at_ms;

fn deadline(world: &World, id: &str) -> Timestamp {
    #[expect(clippy::wildcard_enum_match_arm, reason = "three letters have a deadline")]
    let deadline = match &world.last(id).act {
        Act::Ask(said) => said.deadline,
        _ => None,
    };
    deadline.unwrap()
}

#[test]
fn deadlines_match_what_was_announced() {
    let mut world = World::in_round();
    world.bench.now = at_ms(300);
    world.advise();
    world.take_all();
    assert_eq!(deadline(&world, "warmup-0101001-alpha"), at(121));
    assert_eq!(world.bench.role.deadline(), Some(at(121)));
    world.bench.now = at_ms(121_000);
    world.player(ADA, warm_up());
    world.player(BOB, warm_up());
    world.advise();
    world.take_all();
    assert_eq!(deadline(&world, "round-start-0101001-beta"), at(421));
    world.at(400).player(ADA, questions());
    world.advise();
    world.take_all();
    assert_eq!(deadline(&world, "answers-0101001-alpha"), at(700));
    assert_eq!(world.bench.role.deadline(), Some(at(421)));
    assert_eq!(world.at(421).tick(), rejected("beta", "bob"));
    assert_eq!(world.bench.role.deadline(), Some(at(700)));
    assert_eq!(world.at(700).player(ADA, guess("1")), ["ask score of alpha", "ok"]);
}

#[test]
fn an_answer_counts_by_the_time_at_which_it_arrived() {
    let mut world = World::in_game();
    let late = world.at(301).player(BOB, questions());
    let refused = "no: out of turn: it came after its deadline";
    assert_eq!(late, ["rej-0101001-beta to bob@league.test", refused]);
    // Read only now, but it has lain in our mailbox since long before the deadline.
    let (proof, letter) = (Proof::Vouched(Address::new(ADA)), world.letter(questions()));
    let read = world.at(400).post_read_late(at(200), proof, letter);
    assert_eq!(read, ["ask answers for alpha", "ok"]);
    assert_eq!(world.advise(), ["answers-0101001-alpha to ada@league.test"]);
    // And what follows is due from now on, not from then.
    assert_eq!(deadline(&world, "answers-0101001-alpha"), at(700));
}

#[test]
fn who_was_never_asked_is_not_too_late() {
    let mut world = World::in_round();
    world.advise();
    let warm_ups = world.parcels.clone();
    world.take(warm_ups[0].id);
    // Bob's letter still lies here: he is asked again, with all his time.
    let [rejection, score] = rejected("alpha", "ada");
    let asked = "warmup-0101001-beta to bob@league.test".to_owned();
    assert_eq!(world.at(120).tick(), [asked, rejection, score]);
    assert_eq!(deadline(&world, "warmup-0101001-beta"), at(240));
    // The old letter is no longer waited for.
    assert_eq!(world.take(warm_ups[1].id), [""; 0]);
    world.parcels.remove(0);
    world.parcels.remove(0);
    world.take_all();
    world.restart();
    assert_eq!(world.at(240).player(BOB, warm_up()), ["ask book", "ok"]);
}

#[test]
fn a_question_that_leaves_us_late_leaves_all_its_time() {
    let mut world = World::in_round();
    world.advise();
    let [ada, bob] = [world.parcels[0].id, world.parcels[1].id];
    world.at(59).take(ada);
    world.at(61).take(bob);
    assert_eq!(world.bench.role.deadline(), Some(at(120)));
    assert_eq!(world.at(120).tick(), rejected("alpha", "ada"));
    assert_eq!(world.bench.role.deadline(), Some(at(181)));
    assert_eq!(world.at(180).player(BOB, warm_up()), ["ask book", "ok"]);
}

#[test]
fn a_second_warm_up_call_is_another_letter() {
    let played = PlayedOnce { greetings: 2, ..settings().played };
    let mut world = World::with(profile(), RefereeSettings { played, ..settings() }, Vec::new());
    world.manager(Act::AssignmentTable(table()));
    world.manager(new_round(1));
    world.advise();
    world.take_all();
    world.player(ADA, warm_up());
    assert_eq!(world.at(120).tick(), ["warmup-0101001-beta-2 to bob@league.test"]);
    assert_eq!(deadline(&world, "warmup-0101001-beta-2"), at(240));
    assert_eq!(world.player(BOB, warm_up()), ["ask book", "ok"]);
}

#[test]
fn questions_nobody_needs_to_answer_any_more_are_taken_back() {
    let mut world = World::in_round();
    world.advise();
    world.manager(new_round(3));
    let waiting: Vec<_> = world
        .bench
        .role
        .records
        .me
        .letterbox
        .waiting()
        .map(|one| one.letter.head.id.clone())
        .collect();
    assert_eq!(waiting, [MessageId::new("result-0101001")]);
}
