//! Whatever happens at two paces, in whatever order: a match ends once, and repeats change nothing.

use proptest::prelude::*;

use super::apart::{BOOK, WARMUP_QUESTION, given, lost, minutes, nonsense, scored_exactly, told};
use super::*;

fn seats() -> impl Strategy<Value = Seat> {
    prop_oneof![Just(A), Just(B)]
}

fn events() -> impl Strategy<Value = MatchEvent> {
    prop_oneof![
        6 => (seats(), 0u16..4).prop_map(|(seat, step)| given(seat, step)),
        1 => (seats(), 0u16..4).prop_map(|(seat, step)| nonsense(seat, step)),
        3 => (seats(), 0u8..5).prop_map(|(seat, judgement)| told(Some(seat), judgement)),
        3 => (seats(), 0u32..10_000).prop_map(|(seat, score)| scored_exactly(seat, score)),
        1 => (seats(), 0u8..5).prop_map(|(seat, judgement)| lost(Some(seat), judgement)),
        2 => (0u8..3).prop_map(|judgement| told(None, judgement)),
        1 => (0u8..3).prop_map(|judgement| lost(None, judgement)),
        1 => (seats(), 0u16..4, 0u8..3)
            .prop_map(|(seat, step, ask)| failed(seat, step, ask, Failure::Malformed)),
        1 => Just(MatchEvent::TimedOut),
    ]
}

/// Plays the script, and then lets the referee's own judgement fail in whatever it still owes.
fn play(script: &[(u64, MatchEvent)]) -> Table {
    let course = [120_000, 300_000, 300_000].into();
    let played = PlayedOnce { greetings: 2, ask_ms: course, ..minutes() };
    let mut table = Table::of(MatchTerms::once(&played));
    for (milliseconds, event) in script {
        table.wait_until(*milliseconds);
        table.handle(*milliseconds, event.clone());
    }
    table.wait_until(u64::MAX);
    while let Some((about, judgement)) = table.live.consulting().next() {
        let now_ms = table.now_ms + 1;
        table.handle(now_ms, lost(about, judgement));
    }
    table
}

/// From waits to times, after a warm-up question and a book that are there at once.
fn timed(script: &[(u64, MatchEvent)]) -> Vec<(u64, MatchEvent)> {
    let mut now = 5;
    let start = [
        (1, told(None, WARMUP_QUESTION)),
        (2, given(A, 0)),
        (3, given(B, 0)),
        (4, told(None, BOOK)),
    ];
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
        let reports = table.told.iter().filter(|(_, told)| matches!(told, MatchEffect::Report(..)));
        prop_assert_eq!(reports.count(), 1);
        prop_assert!(matches!(table.told.last(), Some((_, MatchEffect::Report(..)))));
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
