//! Scripts of Q21: a warm-up together, then each player at its own pace.

use agon_proto::dialect::q21::Score;

use super::*;
use crate::games::q21::{
    ANSWERS, BOOK, GUESS, Q21, QUESTIONS, Rules, SCORE, WARMUP, WARMUP_QUESTION,
};

/// A minute for every step, and half a second at the start that no deadline shows.
const RULES: fn() -> Rules =
    || Rules { warmup_ms: 60_000, questions_ms: 60_000, guess_ms: 60_000, ..Rules::default() };

fn table(rules: Rules, halves: [Half; 2]) -> Table {
    let mut out = Vec::new();
    let live = Match::begin_with(halves, Game::Q21(Q21::new(rules)), at_ms(0), &mut out);
    let told = out.into_iter().map(|effect| (0, effect)).collect();
    Table { live, now_ms: 0, told, lapsed: Vec::new() }
}

fn play(mut table: Table, script: &[(u64, Event)]) -> Table {
    for (milliseconds, event) in script {
        table.wait_until(*milliseconds);
        table.handle(*milliseconds, event.clone());
    }
    table.wait_until(u64::MAX);
    table
}

/// Everything after the warm-up, unless the script is about that.
fn play_on(script: &[(u64, Event)]) -> Vec<(u64, Effect)> {
    let warm = [
        (500, told(None, WARMUP_QUESTION)),
        (1_000, given(A, WARMUP)),
        (2_000, given(B, WARMUP)),
        (3_000, told(None, BOOK)),
    ];
    let table = play(table(RULES(), [Ok(()); 2]), &[&warm, script].concat());
    let start = table.told.iter().position(|(at, _)| *at >= 3_000).unwrap_or(table.told.len());
    table.told[start..].to_vec()
}

fn told(seat: Option<Seat>, oracle: u8) -> Event {
    Event::Told { seat, oracle, said: Said::Spoken }
}

fn scored(seat: Seat, points: u32) -> Event {
    let said = Said::Scored(Score::from_hundredths(points * 100));
    Event::Told { seat: Some(seat), oracle: SCORE, said }
}

fn lost(seat: Option<Seat>, oracle: u8) -> Event {
    Event::Told { seat, oracle, said: Said::Lost }
}

fn given(seat: Seat, step: u16) -> Event {
    moved(seat, step, Move::Given)
}

fn once(seat: Seat, step: u16, until_ms: u64) -> Effect {
    Effect::Ask { seat, step, ask: 1, until: at_ms(until_ms), last: true }
}

fn consult(seat: Option<Seat>, oracle: u8) -> Effect {
    Effect::Consult { seat, oracle }
}

fn verdict(outcome: Outcome, cause: Cause, blame: Option<Blame>, a: u32, b: u32) -> Effect {
    let gains = [a, b].map(|points| i32::try_from(points * 100).unwrap());
    let points = gains.map(|gain| crate::verdict::Thresholds::default().points(gain));
    let verdict = Verdict { outcome, cause, blame, gains: Some(gains), points };
    Effect::Report(verdict, Payload::default())
}

#[test]
fn each_player_goes_at_its_own_pace_to_the_end() {
    let played = play(
        table(RULES(), [Ok(()); 2]),
        &[
            (500, told(None, WARMUP_QUESTION)),
            (1_000, given(B, WARMUP)),
            (2_000, given(A, WARMUP)),
            (3_000, told(None, BOOK)),
            (4_000, given(A, QUESTIONS)),
            (5_000, told(Some(A), ANSWERS)),
            // A is through before B has asked anything.
            (6_000, given(A, GUESS)),
            (7_000, scored(A, 72)),
            (8_000, given(B, QUESTIONS)),
            (9_250, told(Some(B), ANSWERS)),
            (10_000, given(B, GUESS)),
            (11_000, scored(B, 83)),
        ],
    );
    assert_eq!(
        played.told,
        [
            (0, consult(None, WARMUP_QUESTION)),
            (500, once(A, WARMUP, 61_000)),
            (500, once(B, WARMUP, 61_000)),
            (2_000, consult(None, BOOK)),
            (3_000, once(A, QUESTIONS, 63_000)),
            (3_000, once(B, QUESTIONS, 63_000)),
            (4_000, consult(Some(A), ANSWERS)),
            (5_000, once(A, GUESS, 65_000)),
            (6_000, consult(Some(A), SCORE)),
            (8_000, consult(Some(B), ANSWERS)),
            (9_250, once(B, GUESS, 70_000)),
            (10_000, consult(Some(B), SCORE)),
            (11_000, verdict(Outcome::Won(B), Cause::Played, None, 72, 83)),
        ],
    );
    assert!(played.live.into_transcript().0.is_empty());
}

#[test]
fn who_does_not_warm_up_is_out_and_the_other_goes_on_alone() {
    let played = play(
        table(RULES(), [Ok(()); 2]),
        &[
            (0, told(None, WARMUP_QUESTION)),
            (1_000, given(B, WARMUP)),
            (61_000, told(None, BOOK)),
            (62_000, given(B, QUESTIONS)),
            (62_500, given(A, QUESTIONS)),
            (63_000, told(Some(B), ANSWERS)),
            (64_000, given(B, GUESS)),
            (65_000, scored(B, 50)),
        ],
    );
    let alone = (61_000, once(B, QUESTIONS, 121_000));
    assert_eq!(played.told[4], alone);
    let forfeited = Outcome::Forfeited(A);
    let end = verdict(forfeited, Cause::NoShow, Some(Blame::PlayerA), 0, 50);
    assert_eq!(played.told.last(), Some(&(65_000, end)));
}

#[test]
fn who_did_not_check_in_is_not_even_asked() {
    let played = play(
        table(RULES(), [Ok(()), Err(Failure::Silent)]),
        &[(0, told(None, WARMUP_QUESTION)), (1_000, given(A, WARMUP)), (2_000, told(None, BOOK))],
    );
    let end = verdict(Outcome::BothForfeited, Cause::TimedOut, Some(Blame::Both), 0, 0);
    assert_eq!(
        played.told,
        [
            (0, consult(None, WARMUP_QUESTION)),
            (0, once(A, WARMUP, 60_000)),
            (1_000, consult(None, BOOK)),
            (2_000, once(A, QUESTIONS, 62_000)),
            (62_000, end),
        ],
    );
    let nobody = table(RULES(), [Err(Failure::Silent); 2]);
    let cancelled = Verdict::unplayed(Outcome::Cancelled, Cause::NoShow, Blame::Both);
    assert_eq!(nobody.told, [(0, Effect::Report(cancelled, Payload::default()))]);
}

#[test]
fn a_warm_up_may_be_asked_twice() {
    let rules = Rules { warmup_asks: 2, ..RULES() };
    let played = play(
        table(rules, [Ok(()); 2]),
        &[(0, told(None, WARMUP_QUESTION)), (1_000, given(A, WARMUP)), (70_000, given(B, WARMUP))],
    );
    let ask = |seat, ask, until_ms, last| Effect::Ask {
        seat,
        step: WARMUP,
        ask,
        until: at_ms(until_ms),
        last,
    };
    assert_eq!(
        played.told,
        [
            (0, consult(None, WARMUP_QUESTION)),
            (0, ask(A, 1, 60_000, false)),
            (0, ask(B, 1, 60_000, false)),
            (60_000, ask(B, 2, 120_000, true)),
            (70_000, consult(None, BOOK)),
        ],
    );
}

#[test]
fn an_early_guess_is_kept_until_its_turn_has_come() {
    let told = play_on(&[
        (4_000, given(A, GUESS)),
        (5_000, given(A, QUESTIONS)),
        (5_500, moved(A, GUESS, Move::Invalid)),
        (6_000, told(Some(A), ANSWERS)),
        (7_000, scored(A, 90)),
    ]);
    let end = verdict(Outcome::Forfeited(B), Cause::TimedOut, Some(Blame::PlayerB), 90, 0);
    assert_eq!(
        told,
        [
            (3_000, once(A, QUESTIONS, 63_000)),
            (3_000, once(B, QUESTIONS, 63_000)),
            (5_000, consult(Some(A), ANSWERS)),
            (6_000, once(A, GUESS, 66_000)),
            (6_000, consult(Some(A), SCORE)),
            (63_000, end),
        ],
    );
}

#[test]
fn a_failure_in_the_middle_costs_only_who_failed() {
    for (failure, cause) in [
        (Failure::Malformed, Cause::MalformedAnswer),
        (Failure::Oversized, Cause::OversizedAnswer),
        (Failure::Unreachable, Cause::Crashed),
    ] {
        let told = play_on(&[
            (4_000, failed(A, QUESTIONS, 1, failure)),
            (5_000, given(B, QUESTIONS)),
            (6_000, told(Some(B), ANSWERS)),
            (7_000, given(B, GUESS)),
            (8_000, scored(B, 10)),
        ]);
        let end = verdict(Outcome::Forfeited(A), cause, Some(Blame::PlayerA), 0, 10);
        assert_eq!(told.last(), Some(&(8_000, end)));
    }
    let told = play_on(&[(4_000, moved(A, QUESTIONS, Move::Invalid))]);
    let end = verdict(Outcome::BothForfeited, Cause::InvalidMove, Some(Blame::Both), 0, 0);
    assert_eq!(told.last(), Some(&(63_000, end)));
}

#[test]
fn an_answer_at_the_deadline_counts_and_one_after_it_does_not() {
    let told = play_on(&[
        (63_000, given(A, QUESTIONS)),
        (63_001, given(B, QUESTIONS)),
        (64_000, told(Some(A), ANSWERS)),
        (65_000, given(A, GUESS)),
        (66_000, scored(A, 60)),
    ]);
    let end = verdict(Outcome::Forfeited(B), Cause::TimedOut, Some(Blame::PlayerB), 60, 0);
    assert_eq!(told.last(), Some(&(66_000, end)));
}

#[test]
fn a_lost_oracle_ends_the_match_through_the_referees_fault() {
    let check = |told: Vec<(u64, Effect)>, at: u64, points: [u32; 2]| {
        let lost = Verdict::unplayed(Outcome::Cancelled, Cause::RefereeLost, Blame::Referee);
        let lost = Verdict { gains: Some([0, 0]), points, ..lost };
        assert_eq!(told.last(), Some(&(at, Effect::Report(lost, Payload::default()))));
    };
    let never = [Ok(()); 2];
    check(play(table(RULES(), never), &[(9, lost(None, WARMUP_QUESTION))]).told, 9, [2, 2]);
    let silent_a =
        [(0, told(None, WARMUP_QUESTION)), (1_000, given(B, WARMUP)), (61_000, lost(None, BOOK))];
    check(play(table(RULES(), never), &silent_a).told, 61_000, [0, 2]);
    let told = play_on(&[(4_000, given(A, QUESTIONS)), (5_000, lost(Some(A), ANSWERS))]);
    check(told, 5_000, [2, 2]);
}

#[test]
fn what_was_not_asked_for_changes_nothing() {
    let told = play_on(&[
        (3_100, told(None, BOOK)),
        (3_200, told(Some(A), ANSWERS)),
        (3_300, scored(A, 100)),
        (3_400, given(A, WARMUP)),
        (3_500, given(A, 7)),
        (3_600, failed(A, QUESTIONS, 2, Failure::Malformed)),
        (3_700, failed(A, GUESS, 1, Failure::Malformed)),
        (3_800, Event::Rolled(3)),
        (3_900, lost(Some(B), SCORE)),
    ]);
    let end = verdict(Outcome::BothForfeited, Cause::TimedOut, Some(Blame::Both), 0, 0);
    assert_eq!(told.len(), 3);
    assert_eq!(told.last(), Some(&(63_000, end)));
}

#[test]
fn a_clock_that_stands_still_moves_every_deadline() {
    let mut table = table(RULES(), [Ok(()); 2]);
    table.handle(0, told(None, WARMUP_QUESTION));
    table.live.postpone(std::time::Duration::from_secs(5));
    assert_eq!(table.live.deadline(), Some(at_ms(65_000)));
    table.live.extend(A, at_ms(90_000));
    table.live.extend(B, at_ms(1_000));
    let until = |seat| table.live.open(seat).map(|open| open.until);
    assert_eq!([until(A), until(B)], [Some(at_ms(90_000)), Some(at_ms(65_000))]);
}

#[test]
fn nobody_is_asked_for_a_second_guess() {
    let told = play_on(&[
        (4_000, given(A, QUESTIONS)),
        (5_000, told(Some(A), ANSWERS)),
        (6_000, given(A, GUESS)),
        (7_000, told(Some(A), SCORE)),
    ]);
    let asked = told.iter().filter(|(_, effect)| *effect == once(A, GUESS, 65_000));
    assert_eq!(asked.count(), 1);
    let end = verdict(Outcome::Forfeited(B), Cause::TimedOut, Some(Blame::PlayerB), 0, 0);
    assert_eq!(told.last(), Some(&(63_000, end)));
}

#[test]
fn a_match_stays_small() {
    assert!(size_of::<Phase>() <= 128, "{}", size_of::<Phase>());
    assert!(size_of::<Half>() <= 2, "{}", size_of::<Half>());
    assert!(size_of::<Match>() <= 288, "{}", size_of::<Match>());
}
