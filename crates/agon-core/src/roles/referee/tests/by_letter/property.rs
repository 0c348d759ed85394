//! Whatever comes, in whatever order and however often: one report for each game, one thought for
//! each purpose, and a journal that gives the same referee.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

#[derive(Debug, Clone, Copy)]
enum Happening {
    /// One of the players' letters, by its number; the same number is the same letter.
    Letter(u8),
    /// One of the manager's.
    Manager(u8),
    /// Our program answers the oldest thing that it was asked.
    Advise,
    /// It fails in it.
    Fail,
    /// The post takes the oldest letter.
    Take,
    /// So many seconds go by.
    Wait(u16),
    Restart,
}

fn acts() -> impl Strategy<Value = Happening> {
    prop_oneof![
        10 => (0u8..16).prop_map(Happening::Letter),
        2 => (0u8..8).prop_map(Happening::Manager),
        8 => Just(Happening::Advise),
        1 => Just(Happening::Fail),
        6 => Just(Happening::Take),
        2 => (0u16..200).prop_map(Happening::Wait),
        1 => Just(Happening::Restart),
    ]
}

/// How often our program was asked for each thing, and how often it failed or we died meanwhile.
#[derive(Default)]
struct Tally {
    asked: BTreeMap<(GameId, String), u32>,
    excused: u32,
}

impl Tally {
    fn note(&mut self, game: &str, lines: &[String]) {
        for line in lines.iter().filter(|line| line.starts_with("ask ")) {
            *self.asked.entry((GameId::new(game), line.clone())).or_default() += 1;
        }
    }
}

fn letter(world: &World, number: u8) -> (Proof, Letter) {
    let (from, act) = match number {
        0 | 1 => (ADA, warm_up()),
        2 | 3 => (BOB, warm_up()),
        4 | 5 => (ADA, questions()),
        6 | 7 => (BOB, questions()),
        8 | 9 => (ADA, guess("70")),
        10 | 11 => (BOB, guess("30")),
        12 => ("eve@league.test", guess("100")),
        13 => ("eve@league.test", new_round(2)),
        14 => (BOB, ask_so_many(0)),
        _ => (ADA, warm_up_in("0101002")),
    };
    let letter = Letter {
        head: Heading {
            id: MessageId::new(&format!("player-{number}")),
            sent_at: world.bench.now,
            from: Claimed { address: None, role: None, logical_id: None },
            recipient: "anybody".into(),
            answers: None,
            context: Context::default(),
        },
        auth_token: None,
        act,
    };
    (Proof::Vouched(Address::new(from)), letter)
}

fn manager(world: &World, number: u8) -> (Proof, Letter) {
    let act = match number {
        0 => new_round(1),
        1 => Act::AssignmentTable(table()),
        2 => keep_alive(),
        3 => Act::Pause(halt()),
        4 | 5 => Act::Continue(halt()),
        6 => new_round(0),
        _ => Act::Other("NEWS".into()),
    };
    let (_, letter) = letter(world, 0);
    let id = MessageId::new(&format!("manager-{number}"));
    (
        Proof::Vouched(Address::new(MANAGER)),
        Letter { head: Heading { id, ..letter.head }, act, ..letter },
    )
}

fn perform(world: &mut World, act: Happening, tally: &mut Tally) {
    let lines = match act {
        Happening::Letter(number) => {
            let (proof, letter) = letter(world, number);
            world.post(proof, letter)
        }
        Happening::Manager(number) => {
            let (proof, letter) = manager(world, number);
            world.post(proof, letter)
        }
        Happening::Advise if !world.asked.is_empty() => {
            let asked = world.asked.remove(0);
            world.advise_one(&asked, Ok(advice(&asked)))
        }
        Happening::Fail if !world.asked.is_empty() => {
            tally.excused += 1;
            let asked = world.asked.remove(0);
            let mishap = Mishap { kind: MishapKind::TimedOut, text: "slow".into() };
            world.advise_one(&asked, Err(mishap))
        }
        Happening::Take if !world.parcels.is_empty() => {
            let parcel = world.parcels.remove(0).id;
            world.take(parcel)
        }
        Happening::Advise | Happening::Fail | Happening::Take => Vec::new(),
        Happening::Wait(seconds) => {
            let now = world.bench.now + std::time::Duration::from_secs(seconds.into());
            world.bench.now = now;
            world.tick()
        }
        Happening::Restart => {
            tally.excused += 1;
            world.restart()
        }
    };
    tally.note(GAME, &lines);
}

fn distinct(reports: &[&ResultReport]) -> usize {
    let mut seen: Vec<&ResultReport> = Vec::new();
    for report in reports {
        if !seen.contains(report) {
            seen.push(report);
        }
    }
    seen.len()
}

proptest! {
    #[test]
    fn any_order_and_repetition_gives_one_report_and_one_thought_for_each_purpose(
        acts in prop::collection::vec(acts(), 0..120),
    ) {
        let mut world = World::in_round();
        let mut tally = Tally::default();
        tally.note(GAME, &["ask warm-up".to_owned()]);
        for act in &acts {
            perform(&mut world, *act, &mut tally);
        }
        // A journal gives the same referee.
        let mut replayed = Referee::by_letter(profile(), settings());
        for fact in &world.bench.facts {
            replayed.apply(fact);
        }
        prop_assert_eq!(durable(&replayed), durable(&world.bench.role));
        for ((_, line), times) in &tally.asked {
            prop_assert!(*times <= 1 + tally.excused, "{} {} times", line, times);
        }
        prop_assert!(distinct(&world.reports()) <= 1);
        // Whatever is still open ends with the round.
        world.manager(end_round(1));
        prop_assert_eq!(distinct(&world.reports()), 1);
        prop_assert_eq!(world.bench.role.live(), 0);
        let queued = world.bench.facts.iter().filter(|fact| {
            matches!(fact, RefereeFact::Agent(AgentFact::Letterbox(LetterboxFact::Queued(parcel)))
                if parcel.letter.head.id.as_str() == "result-0101001")
        });
        prop_assert_eq!(queued.count(), 1);
    }

    #[test]
    fn players_who_answer_in_time_are_scored_in_whatever_order_their_letters_come(
        order in Just(vec![0u8, 2, 4, 6, 8, 10]).prop_shuffle(),
        repeats in prop::collection::vec(0u8..12, 0..20),
    ) {
        let mut world = World::in_round();
        let mut tally = Tally::default();
        world.advise();
        // Letters that come before their turn are refused, and written again by whoever wrote them.
        for _ in 0..4 {
            for number in order.iter().chain(&repeats) {
                perform(&mut world, Happening::Letter(*number), &mut tally);
                world.advise();
            }
        }
        let report = world.report();
        let points: Vec<_> = report.scores.iter().map(|row| row.league_points).collect();
        prop_assert_eq!(points, [Some(2), Some(0)]);
        prop_assert!(tally.asked.values().all(|times| *times == 1));
    }
}
