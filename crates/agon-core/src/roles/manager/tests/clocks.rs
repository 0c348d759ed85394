//! The clock of a player: what is charged to it, and what becomes of whom has nothing left.

use std::time::Duration;

use super::*;
use crate::effect::Noticed;
use crate::testing::{check, in_match, player};
use crate::verdict::Seat;

/// A minute on every clock, for leagues that are over before ten are.
fn short() -> Settings {
    Settings { slow_budget_ms: 60_000, ..settings() }
}

/// Two players meet each other twice, and a referee has room for them.
fn started(settings: Settings) -> (League, Given) {
    let settings = Settings { format: FormatKind::DoubleRoundRobin, ..settings };
    let mut league = League::with(settings, 2, &[1]);
    let effects = league.command(Command::StartLeague);
    let given = assignments(&effects).remove(0);
    (league, given)
}

impl League {
    /// That match took so many seconds, in which its players were asked again for so long.
    fn charge(&mut self, given: &Given, seconds: u64, charged: [u32; 2]) -> Vec<Effect> {
        self.bench.now = self.bench.now + Duration::from_secs(seconds);
        let [a, b] = charged.map(|seconds| seconds * 1_000);
        let (player_a, player_b) = (given.player_a_id, given.player_b_id);
        let charged_ms = PerPlayer::both((player_a, a), (player_b, b));
        self.report(1, MatchResultReport { charged_ms, ..played(given) })
    }

    /// The seconds that are left to P01 and P02, in life and as a journal tells.
    #[track_caller]
    fn left(&self) -> [u64; 2] {
        let live = self.bench.role.league();
        let mut again = crate::league::League::new(live.settings().clone());
        self.bench.facts.iter().for_each(|fact| again.apply(fact));
        let left = [live, &again].map(|league| [1, 2].map(|it| league.clock(player(it)).unwrap()));
        assert_eq!(left[0], left[1], "a journal makes the same of it");
        left[0].map(|left| left.as_secs())
    }

    fn shown(&self) -> Vec<Option<u64>> {
        let mut table = self.bench.role.league().table(usize::MAX);
        table.sort_by_key(|row| row.player_id);
        table.iter().map(|row| row.clock_ms).collect()
    }
}

#[test]
fn what_a_referee_says_is_charged_and_shown() {
    let (mut league, given) = started(short());
    assert_eq!((league.left(), league.shown()), ([60, 60], vec![None, None]));
    assert_eq!(given.asked_once, []);
    let effects = league.charge(&given, 50, [0, 45]);
    assert_eq!((league.left(), league.shown()), ([60, 15], vec![None, Some(15_000)]));
    // Something is left: it is asked as often as ever.
    let again = assignments(&effects).remove(0);
    assert_eq!(again.asked_once, []);
}

#[test]
fn whose_clock_is_empty_is_asked_once() {
    let (mut league, given) = started(short());
    let effects = league.charge(&given, 100, [59, 70]);
    assert_eq!(league.left(), [1, 0]);
    let again = assignments(&effects).remove(0);
    assert_eq!(again.asked_once, [player(2)]);
    let [a, b] = [again.player_a_id, again.player_b_id];
    assert_eq!([a, b], [player(2), player(1)], "the seats are swapped");
}

#[test]
fn a_referee_that_says_nothing_charges_nobody() {
    let (mut league, given) = started(short());
    league.bench.at(100);
    league.report(1, played(&given));
    assert_eq!(league.left(), [60, 60]);
    assert_eq!(league.shown(), [None, None]);
}

#[test]
fn nobody_is_charged_more_than_the_match_can_have_taken() {
    let (mut league, given) = started(settings());
    league.charge(&given, 10, [200, 0]);
    assert_eq!(league.left(), [590, 600], "its round began ten seconds ago");
    let (mut league, given) = started(settings());
    league.charge(&given, 239, [500, 0]);
    assert_eq!(league.left(), [361, 600]);
    let (mut league, given) = started(Settings { match_time_max_ms: 20_000, ..settings() });
    league.charge(&given, 19, [500, u32::MAX / 1_000]);
    assert_eq!(league.left(), [581, 581]);
}

#[test]
fn an_attempt_that_came_to_nothing_is_not_charged_and_a_result_taken_back_is() {
    let (mut league, given) = started(settings());
    league.bench.at(30);
    let charged_ms = PerPlayer::both((player(1), 9_000), (player(2), 9_000));
    let void = MatchResultReport { charged_ms, ..aborted(&given) };
    let again = assignments(&league.report(1, void)).remove(0);
    assert_eq!(league.left(), [600, 600]);
    league.charge(&again, 10, [5, 0]);
    league.rerun(given.match_id);
    assert_eq!(league.left(), [595, 600], "others have waited all the same");
}

#[test]
fn without_a_budget_no_clock_runs() {
    let (mut league, given) = started(Settings { slow_budget_ms: 0, ..settings() });
    let effects = league.charge(&given, 200, [200, 200]);
    assert_eq!(assignments(&effects)[0].asked_once, []);
    assert_eq!(league.bench.role.league().clock(player(1)), None);
    assert_eq!(league.shown(), [None, None]);
}

/// A round is announced, and nobody takes news by itself.
fn announced() -> League {
    let (mut league, given) = started(settings());
    league.bench.prompt = false;
    league.report(1, played(&given));
    league
}

fn hears(league: &mut League, second: u64, seat: Seat) -> Vec<Effect> {
    league.bench.at(second);
    let tag = Tag::Announce { match_id: in_match(2, 1), seat };
    league.bench.tell(Event::Noticed { tag, how: Noticed::Taken })
}

fn referee_hears(league: &mut League) -> Vec<Effect> {
    let tag = Tag::AnnounceTo { referee: RefereeId::new(1), round: 2 };
    league.bench.tell(Event::Noticed { tag, how: Noticed::Taken })
}

/// In round 2 the seats are swapped: P02 is player A.
#[test]
fn who_hears_of_a_round_late_is_charged_for_the_wait() {
    let mut league = announced();
    check(&referee_hears(&mut league), &[]);
    // Up to a second may be our own doing.
    check(&hears(&mut league, 1, Seat::A), &[]);
    let given = assignments(&hears(&mut league, 8, Seat::B)).remove(0);
    // Hearing it twice is hearing it once.
    check(&hears(&mut league, 9, Seat::B), &[]);
    assert_eq!(league.left(), [600, 600], "nothing is charged before there is a result");
    league.charge(&given, 10, [5, 0]);
    assert_eq!(league.left(), [593, 595]);
}

#[test]
fn who_never_hears_is_charged_one_notice_and_no_more() {
    let mut league = announced();
    check(&referee_hears(&mut league), &[]);
    hears(&mut league, 0, Seat::A);
    let given = assignments(&league.bench.at(10).tick()).remove(0);
    check(&hears(&mut league, 30, Seat::B), &[]);
    league.report(1, played(&given));
    assert_eq!(league.left(), [591, 600]);
}

#[test]
fn a_manager_that_is_late_itself_charges_nobody() {
    let mut league = announced();
    check(&referee_hears(&mut league), &[]);
    let given = assignments(&league.bench.at(15).tick()).remove(0);
    league.report(1, played(&given));
    assert_eq!(league.left(), [600, 600]);
}

/// A round that was announced in a pause begins with the end of the pause.
#[test]
fn a_pause_is_nobodys_wait() {
    let (mut league, given) = started(settings());
    league.command(Command::PauseLeague);
    league.bench.prompt = false;
    league.report(1, played(&given));
    league.bench.at(100);
    league.command(Command::ResumeLeague);
    let given = assignments(&league.bench.tick()).remove(0);
    check(&hears(&mut league, 105, Seat::B), &[]);
    league.report(1, played(&given));
    assert_eq!(league.left(), [600, 600]);
}

/// The referee of two players says whom it has told; it has not told how round 1 ended.
fn untold() -> League {
    let settings = Settings { format: FormatKind::DoubleRoundRobin, ..settings() };
    let mut league = League::with(settings, 2, &[]);
    league.register(&Entry { says_told: true, ..entry("ref1", Some(1)) });
    let given = assignments(&league.command(Command::StartLeague)).remove(0);
    league.bench.prompt = false;
    league.report(1, played(&given));
    check(&referee_hears(&mut league), &[]);
    league
}

#[test]
fn who_is_told_later_because_of_others_holds_nobody_up() {
    let mut league = untold();
    league.bench.at(6);
    league.says_told(&[in_match(1, 1)]);
    check(&hears(&mut league, 7, Seat::A), &[]);
    let given = assignments(&hears(&mut league, 9, Seat::B)).remove(0);
    league.report(1, played(&given));
    assert_eq!(league.left(), [598, 600], "P01 took three seconds, not nine");
}

#[test]
fn who_is_not_told_at_all_holds_nobody_up() {
    let mut league = untold();
    let given = assignments(&league.bench.at(10).tick()).remove(0);
    league.report(1, played(&given));
    assert_eq!(league.left(), [600, 600]);
}

#[test]
fn a_match_that_is_played_again_is_no_older_than_its_announcement() {
    let mut league = announced();
    check(&referee_hears(&mut league), &[]);
    league.bench.at(8);
    league.rerun(in_match(1, 1));
    for seat in Seat::BOTH {
        league.bench.at(9);
        let tag = Tag::Announce { match_id: in_match(1, 1), seat };
        let given = assignments(&league.bench.tell(Event::Noticed { tag, how: Noticed::Taken }));
        given.iter().for_each(|given| drop(league.report(1, played(given))));
    }
    assert_eq!(league.bench.role.league().season().completed, 1);
    assert_eq!(league.left(), [600, 600]);
}
