//! Whatever happens, in whatever order, an attempt ends exactly once and its transcript is bounded.

use proptest::prelude::*;

use super::*;

/// What one player does with the question that it has at that moment.
#[derive(Debug, Clone)]
enum Reaction {
    Nothing,
    Move(Move),
    Fail(Failure),
}

fn seats() -> impl Strategy<Value = Seat> {
    prop_oneof![Just(A), Just(B)]
}

fn moves() -> impl Strategy<Value = Move> {
    let chosen = |parity: Parity| Move::Chosen(parity.payload());
    let neither = Move::Chosen(Payload::new("7").unwrap());
    let any = [Move::Join, Move::Decline, chosen(EVEN), chosen(ODD), neither];
    prop::sample::select(any.to_vec())
}

fn failures() -> impl Strategy<Value = Failure> {
    let any = [
        Failure::Silent,
        Failure::Unreachable,
        Failure::Declined,
        Failure::Invalid,
        Failure::Malformed,
        Failure::Oversized,
    ];
    prop::sample::select(any.to_vec())
}

fn events() -> impl Strategy<Value = MatchEvent> {
    prop_oneof![
        4 => (seats(), 0u16..3, moves()).prop_map(|(seat, step, answer)| moved(seat, step, answer)),
        4 => (seats(), 0u16..3, 0u8..6, failures())
            .prop_map(|(seat, step, ask, failure)| failed(seat, step, ask, failure)),
        1 => (0u32..12).prop_map(MatchEvent::Rolled),
        2 => Just(MatchEvent::TimedOut),
    ]
}

fn reactions() -> impl Strategy<Value = Reaction> {
    prop_oneof![
        Just(Reaction::Nothing),
        moves().prop_map(Reaction::Move),
        failures().prop_map(Reaction::Fail),
    ]
}

fn reports(table: &Table) -> Vec<Verdict> {
    let verdict = |(_, effect): &(u64, MatchEffect)| match effect {
        MatchEffect::Report(verdict, _) => Some(*verdict),
        MatchEffect::Ask { .. }
        | MatchEffect::Warn { .. }
        | MatchEffect::Lapsed(_)
        | MatchEffect::Roll(..)
        | MatchEffect::Consult { .. }
        | MatchEffect::Through(_) => None,
    };
    table.told.iter().filter_map(verdict).collect()
}

/// The question that is open for that player: step and ask.
fn question_for(table: &Table, asked: Seat) -> (u16, u8) {
    let open = table.told.iter().rev().find_map(|(_, effect)| match effect {
        MatchEffect::Ask { seat, step, ask, .. } if *seat == asked => Some((*step, *ask)),
        MatchEffect::Ask { .. }
        | MatchEffect::Warn { .. }
        | MatchEffect::Lapsed(_)
        | MatchEffect::Roll(..)
        | MatchEffect::Consult { .. }
        | MatchEffect::Through(_)
        | MatchEffect::Report(..) => None,
    });
    open.expect("everybody is invited")
}

fn react(seat: Seat, (step, ask): (u16, u8), reaction: Reaction) -> Option<MatchEvent> {
    match reaction {
        Reaction::Nothing => None,
        Reaction::Move(answer) => Some(moved(seat, step, answer)),
        Reaction::Fail(failure) => Some(failed(seat, step, ask, failure)),
    }
}

/// Waits for the end; the dice fall if they were rolled.
fn end(table: &mut Table) {
    table.wait_until(u64::MAX);
    let now_ms = table.now_ms + 1;
    table.handle(now_ms, MatchEvent::Rolled(4));
}

/// Plays rounds of reactions, in each round the players in that order.
fn play_in(order: [Seat; 2], rounds: &[(u64, [Reaction; 2])]) -> Table {
    let mut table = Table::new(LIMITS);
    let mut now = 0;
    for (wait, reactions) in rounds {
        now += wait;
        table.wait_until(now);
        let questions = [A, B].map(|seat| question_for(&table, seat));
        for seat in order {
            let (question, reaction) = (questions[seat.index()], reactions[seat.index()].clone());
            if let Some(event) = react(seat, question, reaction) {
                table.handle(now, event);
            }
        }
    }
    end(&mut table);
    table
}

/// From waits to times.
fn timed(script: &[(u64, MatchEvent)]) -> Vec<(u64, MatchEvent)> {
    let mut now = 0;
    let timed = script.iter().map(|(wait, event)| {
        now += wait;
        (now, event.clone())
    });
    timed.collect()
}

/// The numbers of the asks of one step to one player, in order.
fn asks(table: &Table, asked: Seat, wanted: u16) -> Vec<u8> {
    let number = |(_, effect): &(u64, MatchEffect)| match effect {
        MatchEffect::Ask { seat, step, ask, .. } if (*seat, *step) == (asked, wanted) => Some(*ask),
        MatchEffect::Ask { .. }
        | MatchEffect::Warn { .. }
        | MatchEffect::Lapsed(_)
        | MatchEffect::Roll(..)
        | MatchEffect::Consult { .. }
        | MatchEffect::Through(_)
        | MatchEffect::Report(..) => None,
    };
    table.told.iter().filter_map(number).collect()
}

proptest! {
    #[test]
    fn any_sequence_ends_exactly_once(
        script in prop::collection::vec((0u64..20_000, events()), 0..60),
    ) {
        let mut table = Table::new(LIMITS);
        for (now, event) in timed(&script) {
            table.wait_until(now);
            table.handle(now, event);
            prop_assert!(reports(&table).len() <= 1);
            prop_assert_eq!(table.live.verdict(), reports(&table).first().copied());
        }
        end(&mut table);
        prop_assert_eq!(reports(&table).len(), 1);
        prop_assert_eq!(table.live.deadline(), None);
        let transcript = table.live.take_transcript();
        prop_assert!(transcript.0.len() <= TRANSCRIPT_MAX);
        let last = transcript.0.last().map(|entry| entry.message_type);
        prop_assert_eq!(last, Some(EntryKind::Verdict));
        prop_assert!(serde_json::to_vec(&transcript).unwrap().len() <= 64 * 1024);
    }

    #[test]
    fn nobody_is_asked_more_than_four_times_and_no_ask_is_left_out(
        script in prop::collection::vec((0u64..20_000, events()), 0..60),
    ) {
        let table = Table::play(LIMITS, &timed(&script));
        for (seat, step) in [(A, JOIN), (B, JOIN), (A, CHOICE), (B, CHOICE)] {
            let asks = asks(&table, seat, step);
            prop_assert!(asks.len() <= 4);
            prop_assert!(asks.iter().copied().eq((1..).take(asks.len())));
        }
    }

    #[test]
    fn who_is_heard_first_changes_no_verdict(
        rounds in prop::collection::vec((0u64..12_000, [reactions(), reactions()]), 0..30),
    ) {
        let (one, other) = (play_in([A, B], &rounds), play_in([B, A], &rounds));
        prop_assert_eq!(one.live.verdict(), other.live.verdict());
        prop_assert!(one.live.verdict().is_some());
    }

    #[test]
    fn hearing_everything_twice_changes_nothing(
        script in prop::collection::vec((1u64..12_000, events()), 0..40),
    ) {
        let once = timed(&script);
        let twice: Vec<_> = once.iter().flat_map(|heard| [heard.clone(), heard.clone()]).collect();
        let (once, twice) = (Table::play(LIMITS, &once), Table::play(LIMITS, &twice));
        prop_assert_eq!(once.told, twice.told);
    }
}
