//! Whatever happens at two paces, in whatever order: a match ends once, and repeats change nothing.

use agon_proto::dialect::q21::Score;
use proptest::prelude::*;

use super::*;
use crate::games::q21::{BOOK, Q21, Rules, WARMUP_QUESTION};

fn seats() -> impl Strategy<Value = Seat> {
    prop_oneof![Just(A), Just(B)]
}

fn events() -> impl Strategy<Value = Event> {
    let answers = prop_oneof![9 => Just(Move::Given), 1 => Just(Move::Invalid)];
    let said = prop_oneof![
        9 => Just(Said::Spoken),
        9 => (0u32..10_000).prop_map(|score| Said::Scored(Score::from_hundredths(score))),
        1 => Just(Said::Lost),
    ];
    prop_oneof![
        6 => (seats(), 0u16..4, answers).prop_map(|(seat, step, answer)| moved(seat, step, answer)),
        6 => (seats(), 0u8..5, said.clone())
            .prop_map(|(seat, oracle, said)| Event::Told { seat: Some(seat), oracle, said }),
        3 => (0u8..3, said).prop_map(|(oracle, said)| Event::Told { seat: None, oracle, said }),
        1 => (seats(), 0u16..4, 0u8..3)
            .prop_map(|(seat, step, ask)| failed(seat, step, ask, Failure::Malformed)),
        1 => Just(Event::TimedOut),
    ]
}

/// Plays the script, and then lets the referee's own judgement fail in whatever it still owes.
fn play(script: &[(u64, Event)]) -> Table {
    let mut out = Vec::new();
    let game = Game::Q21(Q21::new(Rules { warmup_asks: 2, ..Rules::default() }));
    let live = Match::begin(game, at_ms(0), &mut out);
    let told = out.into_iter().map(|effect| (0, effect)).collect();
    let mut table = Table { live, now_ms: 0, told, lapsed: Vec::new() };
    for (milliseconds, event) in script {
        table.wait_until(*milliseconds);
        table.handle(*milliseconds, event.clone());
    }
    table.wait_until(u64::MAX);
    while let Some((seat, oracle)) = table.live.consulting().next() {
        let now_ms = table.now_ms + 1;
        table.handle(now_ms, Event::Told { seat, oracle, said: Said::Lost });
    }
    table
}

/// From waits to times, after a warm-up question and a book that are there at once.
fn timed(script: &[(u64, Event)]) -> Vec<(u64, Event)> {
    let spoken = |oracle| Event::Told { seat: None, oracle, said: Said::Spoken };
    let warm = |seat| moved(seat, 0, Move::Given);
    let mut now = 5;
    let start = [(1, spoken(WARMUP_QUESTION)), (2, warm(A)), (3, warm(B)), (4, spoken(BOOK))];
    let rest = script.iter().map(|(wait, event)| {
        now += wait;
        (now, event.clone())
    });
    start.into_iter().chain(rest).collect()
}

proptest! {
    #[test]
    fn any_sequence_ends_exactly_once(
        script in prop::collection::vec((0u64..60_000, events()), 0..60),
    ) {
        let table = play(&timed(&script));
        let reports = table.told.iter().filter(|(_, told)| matches!(told, Effect::Report(..)));
        prop_assert_eq!(reports.count(), 1);
        prop_assert!(matches!(table.told.last(), Some((_, Effect::Report(..)))));
        prop_assert_eq!(table.live.deadline(), None);
        // Everybody is asked, and the referee's own judgement, once for each thing.
        for (index, (_, told)) in table.told.iter().enumerate() {
            prop_assert!(table.told[..index].iter().all(|(_, before)| before != told));
        }
    }

    #[test]
    fn hearing_everything_twice_changes_nothing(
        script in prop::collection::vec((1u64..60_000, events()), 0..60),
    ) {
        let once = timed(&script);
        let twice: Vec<_> = once.iter().flat_map(|heard| [heard.clone(), heard.clone()]).collect();
        prop_assert_eq!(play(&once).told, play(&twice).told);
    }
}
