//! Scripts: what happened, and everything that the match asked for, each at its time.

mod apart;
mod clock;
mod ends;
mod pace;
mod property;
mod ruled;
mod steps;

use std::sync::Arc;

use agon_games::Rules;
use agon_proto::message::{NotedMove, Parity, StepLimits, Transcript, TranscriptEntry};
use agon_proto::{AsPayload, ErrorCode};

use super::*;
use crate::testing::{LIMITS, at_ms, verdict};
use crate::verdict::blamed;
use Seat::{A, B};

/// The first step after the invitation.
const CHOICE: u16 = 1;

/// A move, as a message of its player gives it.
const EVEN: Parity = Parity::Even;
const ODD: Parity = Parity::Odd;

/// A match under test. Between two events it hears of every deadline that falls.
struct Table {
    live: Match,
    now_ms: u64,
    told: Vec<(u64, MatchEffect)>,
    /// What its operator is told, which changes nothing.
    lapsed: Vec<Lapsed>,
}

impl Table {
    fn new(limits: StepLimits) -> Self {
        let rules = Rules::new("even_odd", "{}").unwrap();
        Self::of(MatchTerms::attempted(rules, &limits))
    }

    fn of(terms: MatchTerms) -> Self {
        Self::without([false; 2], terms)
    }

    fn without(absent: [bool; 2], terms: MatchTerms) -> Self {
        let mut out = Vec::new();
        let mut live = Match::new(Arc::new(terms));
        live.start(absent, at_ms(0), &mut out);
        let mut table = Self { live, now_ms: 0, told: Vec::new(), lapsed: Vec::new() };
        table.see(out);
        table
    }

    fn handle(&mut self, milliseconds: u64, event: MatchEvent) {
        let mut out = Vec::new();
        self.now_ms = milliseconds;
        self.live.handle(event, at_ms(milliseconds), &mut out);
        self.see(out);
    }

    fn see(&mut self, effects: Vec<MatchEffect>) {
        for mut effect in effects {
            // Whether it fits what was asked is another test's business.
            if let MatchEffect::Lapsed(lapsed) | MatchEffect::Warn { lapsed, .. } = &mut effect {
                lapsed.due = None;
            }
            if let MatchEffect::Lapsed(lapsed) = effect {
                self.lapsed.push(*lapsed);
            } else {
                self.told.push((self.now_ms, effect));
            }
        }
    }

    /// What arrives at the very deadline comes before it, as in the driver.
    fn wait_until(&mut self, milliseconds: u64) {
        while let Some(due) = self.due_ms().filter(|due| *due < milliseconds) {
            self.handle(due, MatchEvent::TimedOut);
        }
    }

    fn due_ms(&self) -> Option<u64> {
        let deadline = self.live.deadline()?;
        let due = deadline.since(at_ms(0)).as_millis();
        Some(u64::try_from(due).expect("a short test").max(self.now_ms))
    }

    fn play(limits: StepLimits, script: &[(u64, MatchEvent)]) -> Self {
        let mut table = Self::new(limits);
        for (milliseconds, event) in script {
            table.wait_until(*milliseconds);
            table.handle(*milliseconds, event.clone());
        }
        table.wait_until(u64::MAX);
        table
    }
}

#[track_caller]
fn check(script: &[(u64, MatchEvent)], expected: &[(u64, MatchEffect)]) {
    check_with(LIMITS, script, expected);
}

#[track_caller]
fn check_with(limits: StepLimits, script: &[(u64, MatchEvent)], expected: &[(u64, MatchEffect)]) {
    let table = Table::play(limits, script);
    assert_eq!(table.told, expected);
    let reported = expected.iter().find_map(|(_, effect)| match effect {
        MatchEffect::Report(verdict, _) => Some(*verdict),
        MatchEffect::Ask { .. }
        | MatchEffect::Warn { .. }
        | MatchEffect::Lapsed(_)
        | MatchEffect::Roll(..)
        | MatchEffect::Consult { .. }
        | MatchEffect::Through(_) => None,
    });
    assert_eq!(table.live.verdict(), reported);
}

/// The end alone, where the way to it is another test's business.
#[track_caller]
fn check_end(script: &[(u64, MatchEvent)], milliseconds: u64, end: MatchEffect) {
    let table = Table::play(LIMITS, script);
    assert_eq!(table.told.last(), Some(&(milliseconds, end)));
}

fn moved(seat: Seat, step: u16, answer: Move) -> MatchEvent {
    MatchEvent::Moved { seat, step, answer }
}

fn joined(seat: Seat) -> MatchEvent {
    moved(seat, JOIN, Move::Join)
}

fn chose(seat: Seat, parity: Parity) -> MatchEvent {
    moved(seat, CHOICE, Move::Chosen(parity.payload()))
}

/// It chose something that cannot be chosen.
fn chose_badly(seat: Seat) -> MatchEvent {
    moved(seat, CHOICE, Move::Chosen(Payload::new("7").unwrap()))
}

fn failed(seat: Seat, step: u16, ask: u8, failure: Failure) -> MatchEvent {
    MatchEvent::Failed(lapsed(seat, step, ask, failure))
}

fn ask(seat: Seat, step: u16, ask: u8, until_ms: u64) -> MatchEffect {
    MatchEffect::Ask { seat, step, ask, until: at_ms(until_ms), last: ask == 4 }
}

fn warn(seat: Seat, ask: u8, again_ms: u64) -> MatchEffect {
    warn_of(silent(seat, ask), again_ms)
}

/// Nothing was chosen in all the time that was there.
fn silent(seat: Seat, ask: u8) -> Lapsed {
    let objection = Objection::new(ErrorCode::Timeout, "no answer within 30 s");
    Lapsed { objection: Some(objection.into()), ..lapsed(seat, CHOICE, ask, Failure::Silent) }
}

fn lapsed(seat: Seat, step: u16, ask: u8, failure: Failure) -> Lapsed {
    Lapsed { seat, step, ask, failure, due: None, objection: None }
}

fn warn_of(lapsed: Lapsed, again_ms: u64) -> MatchEffect {
    MatchEffect::Warn { lapsed: Box::new(lapsed), again_at: at_ms(again_ms) }
}

/// The end of a match in which that was chosen and drawn.
fn report(verdict: Verdict, drawn: Option<u32>, choices: [Option<Parity>; 2]) -> MatchEffect {
    let choice = choices.map(|choice| match choice {
        Some(parity) => parity.json().to_owned(),
        None => "null".to_owned(),
    });
    let drawn = drawn.map_or("null".to_owned(), |number| number.to_string());
    let [a, b] = choice;
    let details = format!("{{\"drawn_number\":{drawn},\"choices\":[{a},{b}]}}");
    MatchEffect::Report(verdict, Payload::new(&details).unwrap())
}

fn lost(seat: Seat, cause: Cause, choices: [Option<Parity>; 2]) -> MatchEffect {
    report(verdict(Outcome::Forfeited(seat), cause, Some(blamed(seat))), None, choices)
}

fn both(outcome: Outcome, cause: Cause) -> MatchEffect {
    report(verdict(outcome, cause, Some(Blame::Both)), None, [None, None])
}

/// Won by playing.
fn won(seat: Seat, drawn: u32, choices: [Parity; 2]) -> MatchEffect {
    let gains = Some(if seat == A { [1, -1] } else { [-1, 1] });
    let verdict = Verdict { gains, ..verdict(Outcome::Won(seat), Cause::Played, None) };
    report(verdict, Some(drawn), choices.map(Some))
}

fn invited() -> [(u64, MatchEffect); 2] {
    [(0, ask(A, JOIN, 1, 5_000)), (0, ask(B, JOIN, 1, 5_000))]
}

/// Both are there after a second, and have until the 31st for their choice.
const ARRIVED: [(u64, MatchEvent); 2] = [
    (1_000, MatchEvent::Moved { seat: A, step: JOIN, answer: Move::Join }),
    (1_000, MatchEvent::Moved { seat: B, step: JOIN, answer: Move::Join }),
];

fn after_arrival(script: &[(u64, MatchEvent)]) -> Vec<(u64, MatchEvent)> {
    [&ARRIVED, script].concat()
}

#[test]
fn two_players_who_answer_play_to_the_end() {
    check(
        &[
            (100, joined(B)),
            (300, joined(A)),
            (900, chose(A, EVEN)),
            (1_700, chose(B, ODD)),
            (1_701, MatchEvent::Rolled(7)),
        ],
        &[
            (0, ask(A, JOIN, 1, 5_000)),
            (0, ask(B, JOIN, 1, 5_000)),
            // 30.3 s are printed as 31 s, and 31 s are given.
            (300, ask(A, CHOICE, 1, 31_000)),
            (300, ask(B, CHOICE, 1, 31_000)),
            (1_700, MatchEffect::Roll(10)),
            (1_701, won(A, 8, [EVEN, ODD])),
        ],
    );
}

#[test]
fn the_phases_are_spelled_as_the_league_spells_them() {
    let mut table = Table::new(LIMITS);
    assert_eq!(table.live.phase(), MatchPhase::WaitingForPlayers);
    table.handle(1, joined(A));
    assert_eq!(table.live.phase(), MatchPhase::WaitingForPlayers);
    table.handle(2, joined(B));
    assert_eq!(table.live.phase(), MatchPhase::CollectingChoices);
    table.handle(3, chose(A, EVEN));
    table.handle(4, chose(B, EVEN));
    assert_eq!(table.live.phase(), MatchPhase::DrawingNumber);
    assert_eq!(table.live.deadline(), None);
    table.handle(5, MatchEvent::Rolled(2));
    assert_eq!(table.live.phase(), MatchPhase::Finished);
}

#[test]
fn typed_ends_have_their_own_phase() {
    let silent = Table::play(LIMITS, &after_arrival(&[(2_000, chose(A, EVEN))]));
    assert_eq!(silent.live.phase(), MatchPhase::TimeoutError);
    let nobody = Table::play(LIMITS, &[]);
    assert_eq!(nobody.live.phase(), MatchPhase::Cancelled);
    let unreachable = Table::play(LIMITS, &unreachable_join(&[A, B]));
    assert_eq!(unreachable.live.phase(), MatchPhase::Aborted);
    let no_show = Table::play(LIMITS, &[(1, joined(A))]);
    assert_eq!(no_show.live.phase(), MatchPhase::Finished);
}

#[track_caller]
fn check_no_show(absent: Seat) {
    let mut expected = invited().to_vec();
    expected.extend([
        (7_000, ask(absent, JOIN, 2, 12_000)),
        (16_000, ask(absent, JOIN, 3, 21_000)),
        (29_000, ask(absent, JOIN, 4, 34_000)),
        (34_000, lost(absent, Cause::NoShow, [None, None])),
    ]);
    check(&[(1_000, joined(absent.other()))], &expected);
}

#[test]
fn one_who_does_not_come_is_asked_four_times_and_loses_after_34_seconds() {
    check_no_show(A);
    check_no_show(B);
}

#[test]
fn if_nobody_comes_the_match_is_cancelled() {
    let mut expected = invited().to_vec();
    for (ms, number, until) in [(7_000, 2, 12_000), (16_000, 3, 21_000), (29_000, 4, 34_000)] {
        expected.extend([A, B].map(|seat| (ms, ask(seat, JOIN, number, until))));
    }
    expected.push((34_000, both(Outcome::Cancelled, Cause::NoShow)));
    check(&[], &expected);
}

#[test]
fn a_no_show_may_cancel_the_match_instead() {
    let limits = StepLimits { no_show_cancels: true, ..LIMITS };
    let table = Table::play(limits, &[(1_000, joined(A))]);
    let cancelled = verdict(Outcome::Cancelled, Cause::NoShow, Some(Blame::PlayerB));
    let cancelled = report(cancelled, None, [None, None]);
    assert_eq!(table.told.last(), Some(&(34_000, cancelled)));
    // Whoever came and then does not choose loses as ever.
    let table = Table::play(limits, &after_arrival(&[(2_000, chose(A, EVEN))]));
    let end = lost(B, Cause::TimedOut, [Some(EVEN), None]);
    assert_eq!(table.told.last().map(|(_, effect)| effect), Some(&end));
}

#[test]
fn one_who_does_not_choose_is_warned_and_asked_again() {
    let verdict = lost(B, Cause::TimedOut, [Some(ODD), None]);
    let mut expected = invited().to_vec();
    expected.extend([
        (1_300, ask(A, CHOICE, 1, 32_000)),
        (1_300, ask(B, CHOICE, 1, 32_000)),
        (32_000, warn(B, 1, 34_000)),
        (34_000, ask(B, CHOICE, 2, 64_000)),
        (64_000, warn(B, 2, 68_000)),
        (68_000, ask(B, CHOICE, 3, 98_000)),
        (98_000, warn(B, 3, 106_000)),
        (106_000, ask(B, CHOICE, 4, 136_000)),
        // The last time-out warns of nothing: it is the verdict.
        (136_000, verdict),
    ]);
    check(&[(1_000, joined(A)), (1_300, joined(B)), (2_000, chose(A, ODD))], &expected);
}

#[test]
fn two_who_do_not_choose_both_lose() {
    let verdict = both(Outcome::BothForfeited, Cause::TimedOut);
    check_end(&ARRIVED, 135_000, verdict);
}

#[test]
fn each_half_runs_on_its_own_clock() {
    let mut expected = invited().to_vec();
    expected.extend([
        (3_000, ask(A, JOIN, 2, 8_000)),
        (7_000, ask(B, JOIN, 2, 12_000)),
        (9_000, ask(A, CHOICE, 1, 39_000)),
        (9_000, ask(B, CHOICE, 1, 39_000)),
        (39_000, warn(A, 1, 41_000)),
        (41_000, ask(A, CHOICE, 2, 71_000)),
        (41_500, MatchEffect::Roll(10)),
    ]);
    check(
        &[
            (1_000, failed(A, JOIN, 1, Failure::Unreachable)),
            (4_000, joined(A)),
            (9_000, joined(B)),
            (20_000, chose(B, ODD)),
            (41_500, chose(A, EVEN)),
        ],
        &expected,
    );
}

#[test]
fn an_undelivered_ask_ends_that_ask_and_never_the_step() {
    let mut expected = invited().to_vec();
    expected.extend([
        (3_000, ask(A, JOIN, 2, 8_000)),
        (3_100, warn_of(lapsed(A, JOIN, 2, Failure::Malformed), 7_100)),
        (7_100, ask(A, JOIN, 3, 12_100)),
        (7_200, warn_of(lapsed(A, JOIN, 3, Failure::Oversized), 15_200)),
        (15_200, ask(A, JOIN, 4, 20_200)),
        (15_300, lost(A, Cause::NoShow, [None, None])),
    ]);
    check(
        &[
            (500, joined(B)),
            (1_000, failed(A, JOIN, 1, Failure::Unreachable)),
            (3_100, failed(A, JOIN, 2, Failure::Malformed)),
            (7_200, failed(A, JOIN, 3, Failure::Oversized)),
            (15_300, failed(A, JOIN, 4, Failure::Unreachable)),
        ],
        &expected,
    );
}

#[test]
fn who_cannot_be_reached_is_not_warned() {
    let mut expected = invited().to_vec();
    expected.extend([
        (1_000, ask(A, CHOICE, 1, 31_000)),
        (1_000, ask(B, CHOICE, 1, 31_000)),
        (3_100, ask(B, CHOICE, 2, 34_000)),
        (3_200, MatchEffect::Roll(10)),
    ]);
    let script = [
        (1_100, failed(B, CHOICE, 1, Failure::Unreachable)),
        (1_200, chose(A, ODD)),
        (3_200, chose(B, ODD)),
    ];
    check(&after_arrival(&script), &expected);
}

#[test]
fn an_invalid_choice_loses_at_once_while_the_other_may_finish() {
    let mut expected = invited().to_vec();
    expected.extend([
        (1_000, ask(A, CHOICE, 1, 31_000)),
        (1_000, ask(B, CHOICE, 1, 31_000)),
        (20_000, lost(A, Cause::InvalidMove, [None, Some(EVEN)])),
    ]);
    let script = [
        (2_000, chose_badly(A)),
        // It is too late to think better of it.
        (3_000, chose(A, ODD)),
        (20_000, chose(B, EVEN)),
    ];
    check(&after_arrival(&script), &expected);
}

#[test]
fn an_answer_that_cannot_be_chosen_is_not_asked_for_again() {
    let script = [(2_000, failed(A, CHOICE, 1, Failure::Invalid)), (20_000, chose(B, EVEN))];
    let verdict = lost(A, Cause::InvalidMove, [None, Some(EVEN)]);
    check_end(&after_arrival(&script), 20_000, verdict);
}

#[test]
fn every_ask_that_came_to_nothing_is_told_to_the_operator_once() {
    let script = [
        (1_100, failed(B, CHOICE, 1, Failure::Unreachable)),
        (1_200, failed(B, CHOICE, 1, Failure::Unreachable)),
        (3_200, failed(B, CHOICE, 2, Failure::Malformed)),
        (3_300, chose(A, ODD)),
        (40_000, chose(B, ODD)),
    ];
    let table = Table::play(LIMITS, &after_arrival(&script));
    let expected = [
        lapsed(B, CHOICE, 1, Failure::Unreachable),
        lapsed(B, CHOICE, 2, Failure::Malformed),
        silent(B, 3),
        silent(B, 4),
    ];
    assert_eq!(table.lapsed, expected);
}

#[test]
fn one_who_declines_is_not_asked_again() {
    let script = [(1_000, moved(B, JOIN, Move::Decline)), (2_000, joined(A))];
    check_end(&script, 2_000, lost(B, Cause::Refused, [None, None]));
    let nobody = [(1_000, moved(A, JOIN, Move::Decline)), (1_500, moved(B, JOIN, Move::Decline))];
    check_end(&nobody, 1_500, both(Outcome::Cancelled, Cause::Refused));
}

#[test]
fn the_last_ask_decides_what_the_failure_is_called() {
    for (failure, cause) in [
        (Failure::Malformed, Cause::MalformedAnswer),
        (Failure::Oversized, Cause::OversizedAnswer),
        (Failure::Unreachable, Cause::Crashed),
    ] {
        let script = [(2_000, chose(A, EVEN)), (110_000, failed(B, CHOICE, 4, failure))];
        let verdict = lost(B, cause, [Some(EVEN), None]);
        check_end(&after_arrival(&script), 110_000, verdict);
    }
}

fn unreachable_join(seats: &[Seat]) -> Vec<(u64, MatchEvent)> {
    let times = [(1, 0), (2, 2_001), (3, 6_002), (4, 14_003)];
    let all = times.into_iter().flat_map(|(ask, ms)| {
        seats.iter().map(move |seat| (ms, failed(*seat, JOIN, ask, Failure::Unreachable)))
    });
    all.collect()
}

#[test]
fn if_neither_can_be_reached_it_was_the_network() {
    let void = Verdict::unplayed(Outcome::Void, Cause::Network, Blame::Network);
    let void = MatchEffect::Report(void, Payload::default());
    check_end(&unreachable_join(&[A, B]), 14_003, void);
}

#[test]
fn one_who_cannot_be_reached_is_a_no_show() {
    let mut script = unreachable_join(&[A]);
    script.insert(1, (0, joined(B)));
    check_end(&script, 14_003, lost(A, Cause::NoShow, [None, None]));
    // The other was there and kept silent: that is its own fault.
    check_end(&unreachable_join(&[A]), 34_000, both(Outcome::Cancelled, Cause::NoShow));
}

#[test]
fn an_answer_at_the_deadline_counts_and_a_later_one_does_not() {
    let on_time = after_arrival(&[(31_000, chose(A, EVEN)), (31_000, chose(B, ODD))]);
    let table = Table::play(LIMITS, &on_time);
    assert_eq!(table.told.last(), Some(&(31_000, MatchEffect::Roll(10))));
    let late = after_arrival(&[(31_000, chose(A, EVEN)), (31_001, chose(B, ODD))]);
    let verdict = lost(B, Cause::TimedOut, [Some(EVEN), None]);
    check_end(&late, 135_000, verdict);
}

#[test]
fn an_answer_is_late_even_if_the_time_out_was_not_told_yet() {
    let mut table = Table::new(LIMITS);
    table.handle(5_001, joined(A));
    table.handle(5_001, joined(B));
    assert_eq!(table.told, invited());
}

#[test]
fn the_first_answer_counts() {
    let script = after_arrival(&[
        (2_000, chose(A, EVEN)),
        (2_100, chose(A, ODD)),
        (2_200, joined(A)),
        (2_300, chose(B, ODD)),
        (2_400, chose(B, EVEN)),
        (2_500, MatchEvent::Rolled(1)),
        (2_600, chose(B, EVEN)),
    ]);
    check_end(&script, 2_500, won(A, 2, [EVEN, ODD]));
}

#[test]
fn an_answer_to_an_earlier_ask_counts_while_a_later_one_is_open() {
    // The invitation of second 0 is answered at second 8, when the second one is out since 7.
    let table = Table::play(LIMITS, &[(1_000, joined(A)), (8_000, joined(B))]);
    assert!(table.told.contains(&(8_000, ask(B, CHOICE, 1, 38_000))));
}

#[test]
fn news_of_an_earlier_ask_does_not_end_a_later_one() {
    let script = [
        (1_000, joined(A)),
        (8_000, failed(B, JOIN, 1, Failure::Unreachable)),
        (8_100, failed(B, CHOICE, 2, Failure::Unreachable)),
        (11_900, joined(B)),
    ];
    let table = Table::play(LIMITS, &script);
    assert!(table.told.contains(&(11_900, ask(B, CHOICE, 1, 42_000))));
}

#[test]
fn the_dice_fall_once_and_only_when_they_were_rolled() {
    let script = after_arrival(&[
        (1_500, MatchEvent::Rolled(0)),
        (2_000, chose(A, EVEN)),
        (2_100, chose(B, ODD)),
        (2_200, MatchEvent::Rolled(3)),
        (2_300, MatchEvent::Rolled(4)),
    ]);
    let table = Table::play(LIMITS, &script);
    let drawn_4 = |(_, told): &(u64, MatchEffect)| match told {
        MatchEffect::Report(_, details) => details.as_str().starts_with("{\"drawn_number\":4,"),
        MatchEffect::Ask { .. }
        | MatchEffect::Warn { .. }
        | MatchEffect::Lapsed(_)
        | MatchEffect::Roll(_)
        | MatchEffect::Consult { .. }
        | MatchEffect::Through(_) => false,
    };
    assert!(table.told.iter().any(drawn_4));
    let reports = table.told.iter().filter(|(_, told)| matches!(told, MatchEffect::Report(..)));
    assert_eq!(reports.count(), 1);
}

/// `(millisecond, what, from, to, ask)`.
type Entry = (u64, EntryKind, Party, Party, Option<u8>);

#[track_caller]
fn check_transcript(script: &[(u64, MatchEvent)], expected: &[Entry]) -> Transcript {
    let transcript = Table::play(LIMITS, script).live.take_transcript();
    let entry = |entry: &TranscriptEntry| {
        let ms = u64::try_from(entry.timestamp.since(at_ms(0)).as_millis()).unwrap();
        (ms, entry.message_type, entry.from, entry.to, entry.ask)
    };
    let entries: Vec<Entry> = transcript.0.iter().map(entry).collect();
    assert_eq!(entries, expected);
    transcript
}

#[test]
fn the_transcript_tells_the_whole_match() {
    use EntryKind::{
        ChooseParityCall, ChooseParityResponse, GameInvitation, GameJoinAck, NumberDrawn,
    };
    use Party::{PlayerA, PlayerB, Referee};
    let script = after_arrival(&[
        (2_000, chose(B, ODD)),
        (2_500, chose(A, EVEN)),
        (2_600, MatchEvent::Rolled(6)),
    ]);
    let transcript = check_transcript(
        &script,
        &[
            (0, GameInvitation, Referee, PlayerA, Some(1)),
            (0, GameInvitation, Referee, PlayerB, Some(1)),
            (1_000, GameJoinAck, PlayerA, Referee, None),
            (1_000, GameJoinAck, PlayerB, Referee, None),
            (1_000, ChooseParityCall, Referee, PlayerA, Some(1)),
            (1_000, ChooseParityCall, Referee, PlayerB, Some(1)),
            (2_000, ChooseParityResponse, PlayerB, Referee, None),
            (2_500, ChooseParityResponse, PlayerA, Referee, None),
            (2_600, NumberDrawn, Referee, Referee, None),
            (2_600, EntryKind::Verdict, Referee, Referee, None),
        ],
    );
    assert_eq!(transcript.0[6].choice, Some(NotedMove::Parity(ODD)));
    assert_eq!(transcript.0[7].choice, Some(NotedMove::Parity(EVEN)));
    assert_eq!(transcript.0[8].drawn_number, Some(7));
}

#[test]
fn the_transcript_tells_what_went_wrong() {
    use EntryKind::{BadAnswer, ChooseParityCall, GameError, TimedOut, Unreachable};
    use Party::{PlayerA, PlayerB, Referee};
    let script = after_arrival(&[
        (2_000, chose_badly(A)),
        (2_100, failed(B, CHOICE, 1, Failure::Unreachable)),
        (4_200, failed(B, CHOICE, 2, Failure::Malformed)),
        (40_000, chose(B, EVEN)),
    ]);
    let transcript = Table::play(LIMITS, &script).live.take_transcript();
    let tail: Vec<_> = transcript.0[6..]
        .iter()
        .map(|entry| (entry.message_type, entry.from, entry.to, entry.ask))
        .collect();
    let expected = [
        (BadAnswer, PlayerA, Referee, Some(1)),
        (Unreachable, PlayerB, Referee, Some(1)),
        (ChooseParityCall, Referee, PlayerB, Some(2)),
        (BadAnswer, PlayerB, Referee, Some(2)),
        (GameError, Referee, PlayerB, None),
        (ChooseParityCall, Referee, PlayerB, Some(3)),
        (TimedOut, PlayerB, Referee, Some(3)),
        (GameError, Referee, PlayerB, None),
    ];
    assert_eq!(tail[..expected.len()], expected);
}

/// The longest transcript that a match can have, with the longest of everything.
#[test]
fn a_transcript_full_of_problems_is_not_too_long_to_be_kept() {
    let long = "\u{1d11e}".repeat(1000);
    let objection = || {
        let said = Objection::new(agon_proto::ErrorCode::InvalidMessage, &"x".repeat(200));
        Some(Box::new(said.to(long.as_bytes())))
    };
    let mut table = Table::new(LIMITS);
    for (step, ask) in
        [JOIN, CHOICE].into_iter().flat_map(|step| (1..=4).map(move |ask| (step, ask)))
    {
        for seat in [A, B] {
            let (failure, objection) = (Failure::Malformed, objection());
            let event = match (step, ask) {
                (JOIN, 4) => joined(seat),
                _ => MatchEvent::Failed(Lapsed { seat, step, ask, failure, due: None, objection }),
            };
            table.handle(table.now_ms, event);
        }
        if let Some(due) = table.due_ms().filter(|_| ask < 4) {
            table.handle(due, MatchEvent::TimedOut);
        }
    }
    assert!(table.live.verdict().is_some(), "{:?}", table.told.last());
    let transcript = table.live.take_transcript();
    let problems = transcript.0.iter().filter(|entry| entry.received.is_some()).count();
    assert_eq!(problems, 14, "each ask but two was answered wrongly");
    let text = serde_json::to_string(&transcript).unwrap();
    let kept: Transcript = serde_json::from_str(&text).unwrap();
    assert!(kept.fits(TRANSCRIPT_MAX), "{} bytes", text.len());
    assert_eq!(kept, transcript);
}
