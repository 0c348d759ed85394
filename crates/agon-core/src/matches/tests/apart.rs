//! Scripts of Q21: a warm-up together, then each player at its own pace.

use super::*;

/// The warm-up, the questions, the guess.
pub(super) const WARMUP: u16 = 0;
pub(super) const QUESTIONS: u16 = 1;
pub(super) const GUESS: u16 = 2;

/// What the referee's own judgement is asked for.
pub(super) const WARMUP_QUESTION: u8 = 0;
pub(super) const BOOK: u8 = 1;
pub(super) const ANSWERS: u8 = 2;
pub(super) const SCORE: u8 = 3;

/// A minute for every step, and half a second at the start that no deadline shows.
pub(super) fn minutes() -> PlayedOnce {
    PlayedOnce {
        game: Rules::new("q21", "{}").unwrap(),
        ask_ms: vec![60_000; 3],
        greetings: 1,
        thresholds: crate::verdict::Thresholds::default(),
        lost_points: 2,
    }
}

fn table(played: &PlayedOnce, absent: [bool; 2]) -> Table {
    Table::without(absent, MatchTerms::once(played))
}

fn play(mut table: Table, script: &[(u64, MatchEvent)]) -> Table {
    for (milliseconds, event) in script {
        table.wait_until(*milliseconds);
        table.handle(*milliseconds, event.clone());
    }
    table.wait_until(u64::MAX);
    table.told.iter_mut().for_each(|(_, effect)| forget_details(effect));
    table
}

/// What everybody may see at the end is another test's business.
fn forget_details(effect: &mut MatchEffect) {
    if let MatchEffect::Report(_, details) = effect {
        *details = Payload::default();
    }
}

/// Everything after the warm-up, unless the script is about that.
fn play_on(script: &[(u64, MatchEvent)]) -> Vec<(u64, MatchEffect)> {
    let warm = [
        (500, told(None, WARMUP_QUESTION)),
        (1_000, given(A, WARMUP)),
        (2_000, given(B, WARMUP)),
        (3_000, told(None, BOOK)),
    ];
    let table = play(table(&minutes(), [false; 2]), &[&warm, script].concat());
    let start = table.told.iter().position(|(at, _)| *at >= 3_000).unwrap_or(table.told.len());
    table.told[start..].to_vec()
}

/// The referee's own judgement has said something that fits.
pub(super) fn told(about: Option<Seat>, judgement: u8) -> MatchEvent {
    let word = match judgement {
        WARMUP_QUESTION => r#"{"warmup_question":"Are you there?"}"#,
        BOOK => r#"{"book":{"public":{"name":"A book","hint":"Dark","association_word":"light"}}}"#,
        ANSWERS => r#"{"answers":[]}"#,
        _ => return scored(about.unwrap_or(A), 0),
    };
    MatchEvent::Told { about, judgement, word: Payload::new(word) }
}

pub(super) fn scored(seat: Seat, points: u32) -> MatchEvent {
    scored_exactly(seat, points * 100)
}

pub(super) fn scored_exactly(seat: Seat, hundredths: u32) -> MatchEvent {
    let score = format!(
        r#"{{"score":{{"private_score":{hundredths},"breakdown":{{"opening_sentence":0,
        "sentence_justification":0,"associative_word":0,"word_justification":0}},
        "feedback":{{"opening_sentence":"","associative_word":""}}}}}}"#
    );
    MatchEvent::Told { about: Some(seat), judgement: SCORE, word: Payload::new(&score) }
}

pub(super) fn lost(about: Option<Seat>, judgement: u8) -> MatchEvent {
    MatchEvent::Told { about, judgement, word: None }
}

/// What answers that question.
pub(super) fn given(seat: Seat, step: u16) -> MatchEvent {
    let said = match step {
        WARMUP => r#"{"warmup":"yes"}"#,
        QUESTIONS => r#"{"questions":[{"number":1,"text":"?","options":["a","b","c","d"]}]}"#,
        _ => {
            r#"{"guess":{"opening_sentence":"","sentence_justification":"","associative_word":"",
            "word_justification":"","confidence":0}}"#
        }
    };
    moved(seat, step, Move::Chosen(Payload::new(said).unwrap()))
}

/// What answers no question at all.
pub(super) fn nonsense(seat: Seat, step: u16) -> MatchEvent {
    moved(seat, step, Move::Chosen(Payload::new("7").unwrap()))
}

fn once(seat: Seat, step: u16, until_ms: u64) -> MatchEffect {
    MatchEffect::Ask { seat, step, ask: 1, until: at_ms(until_ms), last: true }
}

fn consult(about: Option<Seat>, judgement: u8) -> MatchEffect {
    MatchEffect::Consult { about, judgement }
}

fn verdict(outcome: Outcome, cause: Cause, blame: Option<Blame>, a: u32, b: u32) -> MatchEffect {
    let gains = [a, b].map(|points| i32::try_from(points * 100).unwrap());
    let points = gains.map(|gain| crate::verdict::Thresholds::default().points(gain));
    let verdict = Verdict { outcome, cause, blame, gains: Some(gains), points };
    MatchEffect::Report(verdict, Payload::default())
}

#[test]
fn each_player_goes_at_its_own_pace_to_the_end() {
    let mut played = play(
        table(&minutes(), [false; 2]),
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
            (7_000, MatchEffect::Through(A)),
            (8_000, consult(Some(B), ANSWERS)),
            (9_250, once(B, GUESS, 70_000)),
            (10_000, consult(Some(B), SCORE)),
            (11_000, MatchEffect::Through(B)),
            (11_000, verdict(Outcome::Won(B), Cause::Played, None, 72, 83)),
        ],
    );
    let shown = played.live.view(None);
    assert!(shown.as_str().ends_with("\"private_scores\":[7200,8300]}"), "{}", shown.as_str());
    assert!(played.live.take_transcript().0.is_empty());
}

#[test]
fn who_does_not_warm_up_is_out_and_the_other_goes_on_alone() {
    let played = play(
        table(&minutes(), [false; 2]),
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
        table(&minutes(), [false, true]),
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
    let nobody = play(table(&minutes(), [true; 2]), &[]);
    let cancelled = Verdict::unplayed(Outcome::Cancelled, Cause::NoShow, Blame::Both);
    assert_eq!(nobody.told, [(0, MatchEffect::Report(cancelled, Payload::default()))]);
}

#[test]
fn a_warm_up_may_be_asked_twice() {
    let played = PlayedOnce { greetings: 2, ..minutes() };
    let played = play(
        table(&played, [false; 2]),
        &[(0, told(None, WARMUP_QUESTION)), (1_000, given(A, WARMUP)), (70_000, given(B, WARMUP))],
    );
    let ask = |seat, ask, until_ms, last| MatchEffect::Ask {
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
        (5_500, nonsense(A, GUESS)),
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
            (7_000, MatchEffect::Through(A)),
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
    let told = play_on(&[(4_000, nonsense(A, QUESTIONS))]);
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
    let check = |told: Vec<(u64, MatchEffect)>, at: u64, points: [u32; 2]| {
        let lost = Verdict::unplayed(Outcome::Cancelled, Cause::RefereeLost, Blame::Referee);
        let lost = Verdict { gains: Some([0, 0]), points, ..lost };
        assert_eq!(told.last(), Some(&(at, MatchEffect::Report(lost, Payload::default()))));
    };
    let never = [false; 2];
    check(play(table(&minutes(), never), &[(9, lost(None, WARMUP_QUESTION))]).told, 9, [2, 2]);
    let silent_a =
        [(0, told(None, WARMUP_QUESTION)), (1_000, given(B, WARMUP)), (61_000, lost(None, BOOK))];
    check(play(table(&minutes(), never), &silent_a).told, 61_000, [0, 2]);
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
        (3_800, MatchEvent::Rolled(3)),
        (3_900, lost(Some(B), SCORE)),
    ]);
    let end = verdict(Outcome::BothForfeited, Cause::TimedOut, Some(Blame::Both), 0, 0);
    assert_eq!(told.len(), 3);
    assert_eq!(told.last(), Some(&(63_000, end)));
}

#[test]
fn a_clock_that_stands_still_moves_every_deadline() {
    let mut table = table(&minutes(), [false; 2]);
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
    assert!(size_of::<MatchStage>() <= 40, "{}", size_of::<MatchStage>());
    assert!(size_of::<asking::Half>() <= 2, "{}", size_of::<asking::Half>());
    assert!(size_of::<Match>() <= 288, "{}", size_of::<Match>());
}
