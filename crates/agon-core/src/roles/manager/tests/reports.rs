//! The first result counts; everything else is answered, and changes nothing.

use agon_proto::message::{Blame, Cause, EntryKind, Parity, Party, ResultStatus, TranscriptEntry};

use super::*;
use crate::testing::{at, check, in_match, player, referee, refusal, verdict};
use crate::verdict::{Outcome, Seat, Verdict};

/// Four players, two referees of one match each: R1M1 with REF01, R1M2 with REF02.
fn two_matches() -> (League, Given, Given) {
    let (league, effects) = League::started(4, &[1, 1]);
    let mut given = assignments(&effects);
    let second = given.remove(1);
    (league, given.remove(0), second)
}

/// A report that is refused leaves no trace but, perhaps, the dispute.
#[track_caller]
fn check_refused(report: impl FnOnce(&Given) -> MatchResultReport, referee: u32, why: &Refusal) {
    let (mut league, first, _) = two_matches();
    let report = report(&first);
    let facts = league.bench.facts.len();
    assert_eq!(refusal(&league.report(referee, report)), why);
    assert_eq!(league.bench.facts.len(), facts);
    assert_eq!(league.bench.role.league().season().completed, 0);
}

/// A report of R1M1 with these changes, and the verdict that it is.
#[track_caller]
fn check_verdict(change: impl FnOnce(&mut ReportedResult), expected: Verdict, points: [u32; 2]) {
    let (mut league, first, _) = two_matches();
    let mut report = result(&first, None);
    change(&mut report.result);
    check(&league.report(1, report), &["reply 8: Recorded"]);
    let record = *league.bench.role.league().season().result(in_match(1, 1)).unwrap();
    assert_eq!(record.verdict, expected);
    assert_eq!((record.referee, record.attempt), (referee(1), 1));
    let rows =
        [1, 2].map(|number| league.bench.role.league().season().standings.row(player(number)));
    assert_eq!(rows.map(|row| row.points), points);
}

#[test]
fn the_courses_own_report_is_enough() {
    let played = |outcome| verdict(outcome, Cause::Played, None);
    check_verdict(|said| said.winner = Some(player(1)), played(Outcome::Won(Seat::A)), [3, 0]);
    check_verdict(|said| said.winner = Some(player(2)), played(Outcome::Won(Seat::B)), [0, 3]);
    check_verdict(|_| {}, played(Outcome::Drawn), [1, 1]);
}

#[test]
fn a_report_that_names_no_attempt_counts_for_the_current_one() {
    let drawn = Verdict { gains: Some([0, 0]), ..verdict(Outcome::Drawn, Cause::Played, None) };
    let details = ReportDetails {
        drawn_number: Some(4),
        choices: PerPlayer::both((player(2), Parity::Even), (player(1), Parity::Even)),
        played: None,
    };
    let change = |said: &mut ReportedResult| (said.attempt, said.details) = (None, details);
    check_verdict(change, drawn, [1, 1]);
}

#[test]
fn a_technical_result_says_who_failed() {
    let forfeited = verdict(Outcome::Forfeited(Seat::B), Cause::NoShow, Some(Blame::PlayerB));
    let no_show = |said: &mut ReportedResult| {
        said.winner = Some(player(1));
        said.status = Some(ResultStatus::TechnicalLoss);
        said.reason = Some(Cause::NoShow);
        said.blame = Some(Blame::PlayerB);
    };
    check_verdict(no_show, forfeited, [3, 0]);
    // Without a reason it is taken for a time-out of the one who did not win.
    let timed_out = Verdict { cause: Cause::TimedOut, ..forfeited };
    let silent = |said: &mut ReportedResult| {
        said.winner = Some(player(1));
        said.status = Some(ResultStatus::TechnicalLoss);
    };
    check_verdict(silent, timed_out, [3, 0]);
    let both = verdict(Outcome::BothForfeited, Cause::TimedOut, Some(Blame::Both));
    let status = |status| move |said: &mut ReportedResult| said.status = Some(status);
    check_verdict(status(ResultStatus::TechnicalLoss), both, [0, 0]);
    let cancelled = verdict(Outcome::Cancelled, Cause::NoShow, Some(Blame::Both));
    check_verdict(status(ResultStatus::Cancelled), cancelled, [0, 0]);
}

#[test]
fn a_score_from_outside_is_never_believed() {
    let won = verdict(Outcome::Won(Seat::A), Cause::Played, None);
    let greedy = |said: &mut ReportedResult| {
        said.winner = Some(player(1));
        said.score = PerPlayer::both((player(1), 1_000), (player(2), 0));
    };
    check_verdict(greedy, won, [3, 0]);
}

/// A report of R1M1 that contradicts itself is refused with its reason, and written down once. The
/// match goes to the other referee.
#[track_caller]
fn check_contradiction(change: impl Fn(&mut ReportedResult), why: &str) {
    let (mut league, first, _) = two_matches();
    let mut report = result(&first, None);
    change(&mut report.result);
    let effects = league.report(1, report.clone());
    let Effect::Refuse { refusal, .. } = &effects[0] else { panic!("{effects:?}") };
    assert_eq!(refusal.to_string(), format!("the report contradicts itself: {why}"));
    assert_eq!(league.bench.role.league().season().completed, 0);
    let disputes = league.bench.facts.iter().filter_map(|fact| {
        let LeagueFact::ResultDisputed { referee, contradiction, .. } = fact else { return None };
        Some((referee.number(), contradiction.as_deref().unwrap_or_default().to_owned()))
    });
    assert_eq!(disputes.collect::<Vec<_>>(), [(1, why.to_owned())]);
    assert_eq!(league.reassignments(), [(in_match(1, 1), 2, 2)]);
    check(&league.report(1, report), &["refuse 9: STALE_ATTEMPT"]);
}

#[test]
fn status_and_winner_must_agree() {
    for (status, winner, why) in [
        (ResultStatus::Win, None, "`status` WIN contradicts `winner` null"),
        (ResultStatus::Draw, Some(player(1)), "`status` DRAW contradicts `winner` P01"),
        (ResultStatus::Cancelled, Some(player(1)), "`status` CANCELLED contradicts `winner` P01"),
        (ResultStatus::Aborted, Some(player(2)), "`status` ABORTED contradicts `winner` P02"),
    ] {
        let change =
            |said: &mut ReportedResult| (said.status, said.winner) = (Some(status), winner);
        check_contradiction(change, why);
    }
}

/// Both chose even, 7 was drawn, and the first is said to have won.
fn lie(said: &mut ReportedResult) {
    said.winner = Some(player(1));
    said.details = ReportDetails {
        drawn_number: Some(7),
        choices: PerPlayer::both((player(1), Parity::Even), (player(2), Parity::Even)),
        played: None,
    };
}

#[test]
fn a_winner_that_does_not_follow_is_refused_and_the_match_goes_elsewhere() {
    let why = "`status` WIN for P01 contradicts `choices` P01 even, P02 even with `drawn_number` 7";
    check_contradiction(lie, why);
}

#[test]
fn a_referee_that_is_alone_may_mend_its_report() {
    let (mut league, effects) = League::started(2, &[1]);
    let given = assignments(&effects).remove(0);
    let mut report = result(&given, None);
    lie(&mut report.result);
    for request in [5, 6] {
        let refused = format!("refuse {request}: INVALID_MESSAGE");
        check(&league.report(1, report.clone()), &[&refused]);
    }
    let disputed = |fact: &&LeagueFact| matches!(fact, LeagueFact::ResultDisputed { .. });
    assert_eq!(league.bench.facts.iter().filter(disputed).count(), 1, "written down once");
    assert!(league.reassignments().is_empty(), "no attempt is spent without another referee");
    report.result.winner = None;
    league.report(1, report);
    let record = *league.bench.role.league().season().result(in_match(1, 1)).unwrap();
    assert_eq!((record.verdict.outcome, record.unverified), (Outcome::Drawn, false));
    let state = league.bench.role.match_state(in_match(1, 1)).unwrap();
    let told = state.contradictions[0].contradiction.as_deref().unwrap();
    assert!(told.contains("`drawn_number` 7"), "{told}");
}

#[test]
fn a_match_that_nobody_else_could_take_goes_to_the_next_referee_that_joins() {
    let (mut league, effects) = League::started(2, &[1]);
    let given = assignments(&effects).remove(0);
    let mut report = result(&given, None);
    lie(&mut report.result);
    league.report(1, report);
    let state = league.bench.role.match_state(in_match(1, 1)).unwrap();
    assert_eq!(state.contradictions[0].contradiction, None, "not while it is played");
    let effects = league.register(&entry("ref2", Some(1)));
    assert_eq!(given_to(&effects), ["R1M1 to REF02"]);
    assert_eq!(league.reassignments(), [(in_match(1, 1), 2, 2)]);
}

#[test]
fn a_referee_that_contradicted_itself_gets_no_more_matches_while_others_are_there() {
    let (mut league, effects) = League::started(4, &[8, 1]);
    let mut queue: VecDeque<Given> = assignments(&effects).into();
    let mut lies = 0;
    while let Some(given) = queue.pop_front() {
        let mut report = result(&given, None);
        if given.referee_id == referee(1) {
            report.result.winner = Some(given.player_a_id);
            report.result.score = PerPlayer::both((given.player_a_id, 0), (given.player_b_id, 3));
            lies += 1;
        }
        queue.extend(assignments(&league.report(given.referee_id.number(), report)));
    }
    assert_eq!(league.bench.role.league().season().phase, LeaguePhase::Completed);
    let first_round = league.bench.facts.iter().find_map(|fact| {
        if let LeagueFact::RoundAnnounced { referees, .. } = fact { Some(referees) } else { None }
    });
    let held = first_round.unwrap().iter().filter(|id| **id == Some(referee(1))).count();
    assert_eq!(lies, held, "it is asked in the first round only");
    assert!(lies > 0);
}

#[test]
fn a_report_without_details_is_marked_and_one_with_them_is_not() {
    let (mut league, first, second) = two_matches();
    league.report(1, result(&first, Some(player(1))));
    let unverified =
        |league: &League, id| league.bench.role.league().season().result(id).unwrap().unverified;
    assert!(unverified(&league, in_match(1, 1)));
    let state = league.bench.role.match_state(in_match(1, 1)).unwrap();
    assert!(state.result.unwrap().unverified);
    let mut whole = result(&second, Some(second.player_a_id));
    whole.result.details = ReportDetails {
        drawn_number: Some(4),
        choices: PerPlayer::both(
            (second.player_a_id, Parity::Even),
            (second.player_b_id, Parity::Odd),
        ),
        played: None,
    };
    league.report(2, whole);
    assert!(!unverified(&league, in_match(1, 2)));
}

#[test]
fn a_report_about_something_else_is_refused() {
    let wrong_league = |given: &Given| MatchResultReport {
        league_id: agon_proto::LeagueId::new("another"),
        ..played(given)
    };
    check_refused(wrong_league, 1, &Refusal::WrongLeague(league()));
    let about = |round, number| {
        move |given: &Given| MatchResultReport {
            match_id: in_match(round, number),
            round_id: round,
            ..played(given)
        }
    };
    check_refused(about(1, 3), 1, &Refusal::NoSuchMatch);
    check_refused(about(4, 1), 1, &Refusal::NoSuchMatch);
    let early = Refusal::OutOfTurn("this round is not announced yet");
    check_refused(about(2, 1), 1, &early);
    let wrong_round = |given: &Given| MatchResultReport { round_id: 2, ..played(given) };
    let disagree = Refusal::BadValue("round_id and match_id disagree");
    check_refused(wrong_round, 1, &disagree);
    let outsider = |given: &Given| result(given, Some(player(3)));
    let not_in_it = Refusal::BadValue("winner is not a player of this match");
    check_refused(outsider, 1, &not_in_it);
}

#[test]
fn only_the_referee_that_holds_the_match_may_report_it() {
    check_refused(|given| played(given), 2, &Refusal::NotYourMatch(in_match(1, 1)));
    let nameless = |given: &Given| {
        let mut report = played(given);
        report.result.attempt = None;
        report
    };
    check_refused(nameless, 2, &Refusal::NotYourMatch(in_match(1, 1)));
    check_refused(|given| played(given), 3, &Refusal::Unknown(AgentId::Referee(referee(3))));
}

#[test]
fn a_future_attempt_does_not_exist() {
    let future = |given: &Given| {
        let mut report = played(given);
        report.result.attempt = Some(2);
        report
    };
    check_refused(future, 1, &Refusal::NoSuchAttempt { current: 1 });
}

#[test]
fn a_players_report_is_no_result() {
    let (mut league, first, _) = two_matches();
    let token = league.token(AgentId::Player(player(1)));
    let conversation = ConversationId::Report(first.match_id);
    let sender = Sender::Player(player(1));
    let effects = league.bench.call(letter(sender, token.clone(), conversation, played(&first)));
    let no = Refusal::NotPermitted("results come from referees");
    assert_eq!(*refusal(&effects), no);
    // Nor does it help to sign as the referee.
    let conversation = ConversationId::Report(first.match_id);
    let sender = Sender::Referee(referee(1));
    let effects = league.bench.call(letter(sender, token.clone(), conversation, played(&first)));
    assert_eq!(*refusal(&effects), Refusal::TokenInvalid(token.unwrap()));
    assert_eq!(league.bench.role.league().season().completed, 0);
}

#[test]
fn an_equal_repeat_is_acknowledged_again() {
    let (mut league, first, second) = two_matches();
    let report = played(&first);
    check(&league.report(1, report.clone()), &["reply 8: Recorded"]);
    let facts = league.bench.facts.len();
    check(&league.report(1, report.clone()), &["reply 9: Recorded"]);
    assert_eq!(league.bench.facts.len(), facts);
    // Also when its round is long over.
    league.play(&second);
    check(&league.report(1, report), &["reply 11: Recorded"]);
    assert_eq!(league.bench.role.league().season().standings.row(player(1)).played, 1);
}

#[test]
fn a_different_result_is_refused_and_written_down_as_a_dispute() {
    let (mut league, first, _) = two_matches();
    league.report(1, result(&first, Some(player(1))));
    league.bench.at(9);
    let effects = league.report(1, result(&first, Some(player(2))));
    check(&effects, &["refuse 9: RESULT_CONFLICT"]);
    let verdict = verdict(Outcome::Won(Seat::B), Cause::Played, None);
    let dispute = LeagueFact::ResultDisputed {
        match_id: in_match(1, 1),
        attempt: Some(1),
        referee: referee(1),
        verdict: Some(verdict),
        details: ReportDetails::default().view([player(1), player(2)]),
        contradiction: None,
        at: at(9),
    };
    assert_eq!(league.bench.facts.last(), Some(&dispute));
    assert_eq!(league.bench.role.league().season().standings.row(player(1)).points, 3);
    assert_eq!(league.bench.role.league().season().standings.row(player(2)).points, 0);
    // The same words from a referee that never held it are nothing.
    let effects = league.report(2, result(&first, Some(player(1))));
    check(&effects, &["refuse 10: MATCH_NOT_FOUND"]);
}

#[test]
fn a_void_attempt_is_followed_by_another_and_its_results_are_stale() {
    let (mut league, effects) = League::started(2, &[1, 1]);
    let first = assignments(&effects).remove(0);
    let effects = league.report(1, aborted(&first));
    check(&effects, &["reply 6: Recorded", "MATCH_ASSIGNMENT to ref2"]);
    let second = assignments(&effects).remove(0);
    check(&league.report(1, aborted(&first)), &["refuse 7: STALE_ATTEMPT"]);
    check(&league.report(1, played(&first)), &["refuse 8: STALE_ATTEMPT"]);
    league.play(&second);
    check(&league.report(1, played(&first)), &["refuse 10: STALE_ATTEMPT"]);
    // What it says it judged is written down, once; that it had nothing is not worth a word.
    let disputes = league.bench.facts.iter().filter_map(|fact| {
        let LeagueFact::ResultDisputed { attempt, referee, .. } = fact else { return None };
        Some((*attempt, *referee))
    });
    assert_eq!(disputes.collect::<Vec<_>>(), [(Some(1), referee(1))]);
}

/// P01 says that it knows how this attempt ended.
fn over_for_a(given: &MatchAssignment) -> MatchResultReport {
    let mut report = aborted(given);
    report.result.reason = Some(Cause::Refused);
    report.result.blame = Some(Blame::PlayerA);
    report
}

#[test]
fn what_is_over_for_a_player_goes_on_with_a_number_that_nobody_has_heard() {
    let (mut league, effects) = League::started(2, &[1, 1]);
    let first = assignments(&effects).remove(0);
    // Its journal may be an older one, and three attempts may have been forgotten.
    let second = assignments(&league.report(1, over_for_a(&first))).remove(0);
    assert_eq!(league.reassignments(), [(first.match_id, 4, 2)]);
    // That counts as one attempt all the same.
    let effects = league.report(2, aborted(&second));
    assert_eq!(assignments(&effects)[0].attempt, 5);
}

#[test]
fn who_refuses_every_attempt_as_over_has_lost() {
    let (mut league, effects) = League::started(2, &[1]);
    let mut given = assignments(&effects).remove(0);
    for attempt in [4, 7] {
        given = assignments(&league.report(1, over_for_a(&given))).remove(0);
        assert_eq!(given.attempt, attempt);
    }
    league.report(1, over_for_a(&given));
    let result = league.bench.role.league().season().result(given.match_id);
    let lost = verdict(Outcome::Forfeited(Seat::A), Cause::Refused, Some(Blame::PlayerA));
    assert_eq!(result.map(|it| it.verdict), Some(lost));
}

/// Whoever may write a dispute writes it down for ever.
#[test]
fn who_never_held_a_match_disputes_nothing_of_it() {
    let (mut league, effects) = League::started(2, &[1, 1, 1]);
    let first = assignments(&effects).remove(0);
    let second = assignments(&league.report(1, aborted(&first))).remove(0);
    check(&league.report(3, played(&first)), &["refuse 8: MATCH_NOT_FOUND"]);
    league.play(&second);
    let facts = league.bench.facts.len();
    check(&league.report(3, played(&first)), &["refuse 10: MATCH_NOT_FOUND"]);
    check(&league.report(3, result(&second, None)), &["refuse 11: MATCH_NOT_FOUND"]);
    assert_eq!(league.bench.facts.len(), facts);
}

#[test]
fn a_loss_of_which_nothing_is_shown_is_marked() {
    let lost = |transcript: Transcript, drawn: Option<Parity>| {
        let (mut league, first, _) = two_matches();
        let mut report =
            MatchResultReport { transcript, ..result(&first, Some(first.player_a_id)) };
        report.result.status = Some(ResultStatus::TechnicalLoss);
        let choice = drawn.map(|choice| (first.player_a_id, choice));
        report.result.details.choices = PerPlayer::of([choice, None]);
        league.report(1, report);
        let season = league.bench.role.league().season();
        season.result(first.match_id).unwrap().unverified
    };
    let asked = TranscriptEntry::new(at(1), EntryKind::TimedOut, Party::PlayerB, Party::Referee);
    assert!(lost(Transcript::default(), None));
    assert!(!lost(Transcript::default(), Some(Parity::Even)));
    assert!(!lost(Transcript(vec![asked].into()), None));
}

#[test]
fn a_last_void_report_that_is_repeated_is_no_dispute() {
    let settings = Settings { attempts_max: 1, ..settings() };
    let mut league = League::with(settings, 2, &[1]);
    let effects = league.command(Command::StartLeague);
    let given = assignments(&effects).remove(0);
    league.report(1, aborted(&given));
    assert_eq!(league.bench.role.league().season().completed, 1);
    let facts = league.bench.facts.len();
    check(&league.report(1, aborted(&given)), &["reply 6: Recorded"]);
    assert_eq!(league.bench.facts.len(), facts);
}

#[test]
fn a_transcript_is_kept_with_the_result_and_not_in_it() {
    let (mut league, first, second) = two_matches();
    let entry = TranscriptEntry::new(at(1), EntryKind::Verdict, Party::Referee, Party::Referee);
    let transcript = Transcript(vec![entry.clone()].into());
    let report = MatchResultReport { transcript, ..played(&first) };
    let effects = league.report(1, report.clone());
    check(&effects, &["reply 8: Recorded", "archive R1M1"]);
    check(&league.report(1, report), &["reply 9: Recorded"]);
    // One that is longer than any honest one is not kept.
    let transcript = Transcript(vec![entry; 301].into());
    let held_by = second.referee_id.number();
    let report = MatchResultReport { transcript, ..played(&second) };
    let effects = league.report(held_by, report);
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::Archive { .. })));
    assert!(league.bench.role.league().season().result(second.match_id).is_some());
}
