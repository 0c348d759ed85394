//! Matches that are played again: the old result is gone at once, and the new attempt is fenced.

use agon_proto::message::{EntryKind, MatchResultReport, Party, Transcript, TranscriptEntry};

use super::corrections::{because, no_show, plays};
use super::*;
use crate::testing::{at, in_match, lines, player, refusal};

impl League {
    pub(super) fn rerun(&mut self, match_id: MatchId) -> Vec<Effect> {
        let match_id = Some(match_id);
        self.order(Command::RerunMatch, ToolParams { match_id, ..because("the network was down") })
    }

    /// Plays what is given out until the league is complete.
    fn finish(&mut self, effects: &[Effect]) {
        self.play_on(effects, |_, _, _| Fate::Played);
    }
}

/// Whether an answer says that something has changed.
#[track_caller]
fn changed(effects: &[Effect]) -> bool {
    let Answer::Tool(ToolAnswer::League(state)) = answer(effects) else {
        panic!("a command is answered with the league's state");
    };
    state.changed.expect("a command says whether it changed anything")
}

/// Four players, two referees, and a round in which R1M1 has its result.
fn begun() -> (League, Vec<Given>) {
    let (mut league, effects) = League::started(4, &[1, 1]);
    let given = assignments(&effects);
    league.play(&given[0]);
    (league, given)
}

#[test]
fn a_result_leaves_the_table_at_once_and_the_match_goes_to_another_referee() {
    let (mut league, given) = begun();
    let match_id = given[0].match_id;
    assert_eq!((given[0].referee_id.number(), league.points(1).1), (1, 1));
    let effects = league.rerun(match_id);
    assert!(changed(&effects));
    assert_eq!([league.points(1), league.points(2)], [(0, 0), (0, 0)]);
    assert_eq!(league.bench.role.league().season().result(match_id), None);
    assert_eq!(league.bench.role.league().season().completed, 0);
    let said = lines(&effects);
    assert!(said.iter().any(|line| line.starts_with("LEAGUE_STANDINGS_UPDATE to p1 p2 p3 p4")));
    let told: Vec<_> = said.iter().filter(|line| line.starts_with("ROUND_ANNOUNCEMENT")).collect();
    assert_eq!(told, ["ROUND_ANNOUNCEMENT to p1 p2 ref2"]);
    // REF02 has room for one match, and plays another one still.
    assert_eq!(given_to(&effects), [""; 0]);
    let effects = league.play(&given[1]);
    let again = assignments(&effects).remove(0);
    assert_eq!((again.match_id, again.attempt, again.referee_id.number()), (match_id, 2, 2));
    let fact = league.bench.facts.iter().find_map(|fact| {
        let LeagueFact::MatchRerun { order, at, .. } = fact else { return None };
        Some((order.by.as_str(), order.reason.as_str(), *at))
    });
    assert_eq!(fact, Some(("alice", "the network was down", league.bench.now)));
}

#[test]
fn the_round_waits_for_a_match_that_is_played_again() {
    let (mut league, given) = begun();
    league.rerun(given[0].match_id);
    let effects = league.play(&given[1]);
    assert_eq!(league.bench.role.league().season().round(), 1);
    let again = assignments(&effects).remove(0);
    let effects = league.play(&again);
    assert_eq!(league.bench.role.league().season().round(), 2);
    assert_eq!(league.points(1).1, 1);
    league.finish(&effects);
    assert_eq!(league.bench.role.league().season().completed, 6);
}

#[test]
fn a_match_of_an_older_round_is_played_again_before_the_season_goes_on() {
    let (mut league, effects) = League::started(4, &[9]);
    let mut given = assignments(&effects);
    let first = given[0].clone();
    league.play(&first);
    given.extend(assignments(&league.play(&given[1].clone())));
    assert_eq!(league.bench.role.league().season().round(), 2);
    let again = assignments(&league.rerun(first.match_id)).remove(0);
    assert_eq!((again.match_id, again.attempt), (in_match(1, 1), 2));
    for other in &given[2..] {
        league.play(other);
    }
    let season = league.bench.role.league().season();
    assert_eq!((season.round(), season.rounds_completed(), season.completed), (2, 1, 3));
    let effects = league.play(&again);
    assert_eq!(league.bench.role.league().season().round(), 3);
    league.finish(&effects);
    assert_eq!(league.bench.role.league().season().completed, 6);
    assert_eq!(league.points(1).1, 3);
}

#[test]
fn the_report_of_an_older_attempt_is_refused_and_counts_for_nothing() {
    let (mut league, given) = begun();
    league.rerun(given[0].match_id);
    let late = league.report(1, played(&given[0]));
    assert_eq!(refusal(&late).code().name(), "STALE_ATTEMPT");
    let again = assignments(&league.play(&given[1])).remove(0);
    league.play(&again);
    let later = league.report(1, played(&given[0]));
    assert_eq!(refusal(&later).code().name(), "STALE_ATTEMPT");
    assert_eq!(league.points(1).1, 1);
}

#[test]
fn what_was_voided_or_cancelled_can_be_played_again() {
    let (mut league, given) = begun();
    let match_id = given[0].match_id;
    assert!(changed(&league.void(match_id)));
    assert!(!changed(&league.void(match_id)), "once is enough");
    assert!(changed(&league.rerun(match_id)));
    let shown = league.bench.role.match_state(match_id).unwrap();
    assert_eq!((shown.attempt, shown.result, shown.voided), (2, None, None));
    assert_eq!(shown.rerun.unwrap().by.as_str(), "alice");
    assert!(changed(&league.void(match_id)), "also while it is played");
    assert_eq!(league.bench.role.league().season().completed, 1);
}

#[test]
fn a_match_without_a_result_is_played_anyway_and_nothing_changes() {
    let (mut league, given) = begun();
    let facts = league.bench.facts.len();
    assert!(!changed(&league.rerun(given[1].match_id)));
    assert_eq!(league.bench.facts.len(), facts);
    assert!(changed(&league.rerun(given[0].match_id)));
    assert!(!changed(&league.rerun(given[0].match_id)));
}

#[test]
fn what_cannot_be_played_again_is_refused() {
    let (mut league, given) = begun();
    for (match_id, code) in [(in_match(2, 1), "OUT_OF_TURN"), (in_match(9, 1), "MATCH_NOT_FOUND")] {
        assert_eq!(refusal(&league.rerun(match_id)).code().name(), code);
    }
    let nameless = ToolParams { match_id: Some(given[0].match_id), ..ToolParams::default() };
    refusal(&league.order(Command::RerunMatch, nameless));
    league.withdraw(1);
    let refused = league.rerun(given[0].match_id);
    assert!(refusal(&refused).to_string().contains("P01 was withdrawn"));
}

#[test]
fn after_the_end_every_result_is_final() {
    let (mut league, effects) = League::started(2, &[1]);
    league.finish(&effects);
    let refused = league.rerun(in_match(1, 1));
    assert!(refusal(&refused).to_string().contains("the league is complete"));
}

#[test]
fn a_match_that_is_played_again_has_all_its_attempts() {
    let (mut league, effects) = League::started(4, &[1]);
    let given = assignments(&effects).remove(0);
    let mut queue = VecDeque::from(assignments(&league.play(&given)));
    queue.extend(assignments(&league.rerun(given.match_id)));
    let mut attempts = Vec::new();
    while let Some(next) = queue.pop_front() {
        let effects = if next.match_id == given.match_id {
            attempts.push(next.attempt);
            league.report(1, aborted(&next))
        } else {
            league.play(&next)
        };
        if league.bench.role.league().season().round() > 1 {
            break;
        }
        queue.extend(assignments(&effects));
    }
    assert_eq!(attempts, [2, 3, 4]);
}

#[test]
fn a_no_show_that_is_taken_back_leads_to_no_withdrawal() {
    let (mut league, effects) = League::started(6, &[9]);
    let mut queue = VecDeque::from(assignments(&effects));
    let mut missed = Vec::new();
    while let Some(given) = queue.pop_front() {
        let absent = plays(&given, 3) && given.attempt == 1;
        let report = if absent { no_show(&given, 3) } else { played(&given) };
        queue.extend(assignments(&league.report(1, report)));
        if absent {
            missed.push(given.match_id);
        }
        // Every second absence is forgiven before there is a third one in a row.
        if absent && missed.len() % 2 == 0 && league.bench.role.league().season().champion.is_none()
        {
            queue.extend(assignments(&league.rerun(given.match_id)));
        }
    }
    assert_eq!(missed.len(), 5);
    assert!(!league.bench.role.league().season().is_withdrawn(player(3)));
}

#[test]
fn after_a_restart_it_is_still_to_be_played_again() {
    let (mut league, effects) = League::started(4, &[9]);
    let given = assignments(&effects);
    for given in &given {
        league.play(given);
    }
    league.rerun(in_match(1, 1));
    let facts = std::mem::take(&mut league.bench.facts);
    league.bench = Bench::new(Manager::new(settings(), options(None)), facts);
    let effects = league.bench.resume();
    let owed = given_to(&effects);
    assert_eq!(owed, ["R2M1 to REF01", "R2M2 to REF01", "R1M1 to REF01"]);
    assert!(
        lines(&effects).contains(&"ROUND_ANNOUNCEMENT to p1 p2 ref1".to_owned()),
        "{effects:?}"
    );
    let again = assignments(&effects).into_iter().find(|given| given.round_id == 1).unwrap();
    assert_eq!(again.attempt, 2);
    league.finish(&effects);
    assert_eq!(league.bench.role.league().season().completed, 6);
}

#[test]
fn what_is_kept_of_an_attempt_that_does_not_count_goes_with_it() {
    let entry = TranscriptEntry::new(at(1), EntryKind::Verdict, Party::Referee, Party::Referee);
    for lines in [0, 1, 301] {
        let (mut league, given) = begun();
        league.rerun(given[0].match_id);
        let effects = league.play(&given[1]);
        let again = assignments(&effects).remove(0);
        let transcript = Transcript(vec![entry.clone(); lines].into());
        let effects = league.report(2, MatchResultReport { transcript, ..played(&again) });
        let mut kept = effects.iter().filter_map(|effect| {
            let Effect::Archive { match_id, transcript } = effect else { return None };
            Some((*match_id, transcript.0.len()))
        });
        // The last one under the name of the match stays.
        let expected = (given[0].match_id, if lines == 1 { 1 } else { 0 });
        assert_eq!(kept.next_back(), Some(expected), "{lines} lines");
    }
}
