//! Rounds and games together, as the manager's and the referees' letters make them.

use agon_proto::act::{LastActor, Rejection, StatusReport, StopReason, Worth};
use agon_proto::known::GameStatus;

use super::*;

fn reports(stage: &Stage) -> Vec<StatusReport> {
    let all = stage.posted.iter().filter_map(|parcel| {
        if let Act::StatusReport(it) = parcel.letter.read()?.act { Some(*it) } else { None }
    });
    all.collect()
}

#[test]
fn a_whole_game() {
    let mut stage = Stage::playing();
    let effects = stage.referee("w", warmup(ONE));
    check(&effects, &["reply 1: Acknowledged", "think R1M1: warmup"]);
    check(&stage.advise_all(), &["Q21WARMUPRESPONSE to ref@league.test"]);
    stage.referee("s", round_start(ONE));
    check(&stage.advise_all(), &["Q21QUESTIONSBATCH to ref@league.test"]);
    stage.referee("a", answers(ONE));
    check(&stage.advise_all(), &["Q21GUESSSUBMISSION to ref@league.test"]);
    let effects = stage.referee("p", score(ONE));
    assert_eq!(
        lines(&effects)[..2],
        ["MATCH_RESULT_REPORT to manager@league.test", "reply 1: Acknowledged"]
    );
    check(&stage.advise_all(), &[]);
    assert_eq!(stage.phase(ONE), Some(Progress::Completed));
    let reports = reports(&stage);
    let [report] = &reports[..] else { panic!("one report") };
    assert_eq!(report.reason, StopReason::GameCompleted);
    assert_eq!(report.phase, Progress::Completed);
    assert_eq!(report.points, Some((2, Score::from_points(72.5))));
}

#[test]
fn new_round_stops_and_starts() {
    let mut stage = Stage::advanced(2);
    let effects = stage.bench.at(50).tell(Event::Posted {
        request: RequestId(9),
        proof: Proof::Vouched(address(MANAGER)),
        caller: None,
        at: crate::testing::at(50),
        letter: Box::new(letter("round-2", MANAGER, Role::Manager, new_round(2))),
    });
    let effects = stage.note(effects);
    check(
        &effects,
        &[
            "MATCH_RESULT_REPORT to manager@league.test",
            "MATCH_RESULT_REPORT to manager@league.test",
            "reply 9: Acknowledged",
        ],
    );
    assert_eq!(stage.player().rounds().current_round(), 2);
    assert_eq!(stage.phase(ONE), Some(Progress::Terminated));
    assert_eq!(stage.phase(TWO), Some(Progress::Terminated));
    assert_eq!(stage.phase(NEXT), Some(Progress::Answered(0)));
    let reports = reports(&stage);
    let [one, two] = &reports[..] else { panic!("two reports") };
    assert_eq!((one.game.as_str(), two.game.as_str()), (ONE, TWO));
    assert_eq!((one.phase, two.phase), (Progress::Answered(2), Progress::Answered(0)));
    assert_eq!((one.last_actor, two.last_actor), (LastActor::Player, LastActor::None));
    assert_eq!(one.reason, StopReason::NewRoundStarted);
    assert_eq!(one.at, Some(at(50)));
    assert_eq!((&*one.reporter.role, &*two.reporter.role), ("PLAYER_A", "PLAYER_B"));
    // Reports go to the manager, with ids that follow from what they are about.
    let parcel = stage.posted.last().unwrap();
    assert_eq!(parcel.to, [address(MANAGER)]);
    assert_eq!(parcel.letter.head.id.as_str(), "report-0101002-ada@league.test-new_round_started");
    assert_eq!(parcel.letter.head.context.game, Some(game(TWO)));
}

#[test]
fn q21_message_after_round_change() {
    let mut stage = Stage::advanced(1);
    stage.manager("round-2", new_round(2));
    for body in [warmup(ONE), round_start(ONE), answers(ONE), warmup(TWO)] {
        let effects = stage.referee("late", body);
        assert_eq!(why(&effects), "out of turn: the round of this game is over");
    }
    assert_eq!(stage.asked, []);
    assert_eq!(stage.phase(NEXT), Some(Progress::Answered(0)));
}

#[test]
fn multiple_concurrent_games() {
    let mut stage = Stage::playing();
    stage.referee("w1", warmup(ONE));
    stage.referee("w2", warmup(TWO));
    stage.advise_all();
    stage.referee("s2", round_start(TWO));
    stage.advise_all();
    stage.referee("s1", round_start(ONE));
    assert_eq!(stage.phase(ONE), Some(Progress::Answered(1)));
    assert_eq!(stage.phase(TWO), Some(Progress::Answered(2)));
    assert_eq!(stage.controller(ONE).last_actor(), LastActor::Referee);
    assert_eq!(stage.controller(TWO).last_actor(), LastActor::Player);
    stage.referee("p2", score(TWO));
    assert_eq!(stage.phase(ONE), Some(Progress::Answered(1)));
    assert_eq!(stage.phase(TWO), Some(Progress::Completed));
    let live: Vec<_> = stage.player().rounds().under_way().collect();
    let games = live.iter().filter_map(|live| live.parameters.as_deref());
    assert_eq!(games.map(|it| it.assignment.game.as_str()).collect::<Vec<_>>(), [ONE]);
}

#[test]
fn a_score_that_comes_after_its_round_changes_nothing() {
    let mut stage = Stage::advanced(3);
    stage.manager("round-2", new_round(2));
    check(&stage.referee("late", score(ONE)), &["refuse 1: OUT_OF_TURN"]);
    assert_eq!((standings(&stage).games_played, standings(&stage).total_hundredths), (0, 0));
    assert_eq!(stage.phase(ONE), Some(Progress::Terminated));
    // It is known as a game that was broken off, with the reason.
    let known = &standings(&stage).history[0];
    assert_eq!((known.game.as_str(), known.status), (ONE, GameStatus::Failed));
    assert_eq!(known.error.as_deref(), Some("NEW_ROUND_STARTED"));
}

#[test]
fn who_was_late_knows_it_and_its_game_counts_for_nothing() {
    let mut stage = Stage::advanced(1);
    let reason = "no answer within 300 s";
    let original = Some("Q21QUESTIONSBATCH".into());
    let said = Rejection { original, deadline: None, received_at: None, reason: reason.into() };
    let mut rejection = letter("rej", REFEREE, Role::Referee, Act::Rejection(said));
    rejection.head.context.game = Some(game(ONE));
    let lines = lines(&stage.post(Proof::Vouched(address(REFEREE)), rejection));
    assert!(lines[0].starts_with("alert: Rejected") && lines[0].contains(reason), "{lines:?}");
    let known = standings(&stage).history[0].clone();
    assert_eq!((known.status, known.error.as_deref()), (GameStatus::Timeout, Some(reason)));
    assert_eq!(standings(&stage).games_played, 0);
    // Its score ends it; that changes neither why nor how it ended.
    let Act::Worth(told) = score(ONE) else { panic!("a score") };
    let nothing = Worth { league_points: 0, private_score: Score::ZERO, ..told };
    stage.referee("score", Act::Worth(nothing));
    assert_eq!(stage.phase(ONE), Some(Progress::Completed));
    assert_eq!(standings(&stage).history, [known]);
    assert_eq!(standings(&stage).games_played, 1);
}

#[test]
fn letters_that_nobody_wants_any_more_are_taken_back() {
    let mut stage = Stage::advanced(1);
    assert_eq!(stage.player().me.letterbox.waiting().count(), 3);
    stage.dispatch_all();
    stage.referee("s", round_start(ONE));
    stage.advise_all();
    stage.manager("round-2", new_round(2));
    let waiting = stage.player().me.letterbox.waiting();
    let kinds: Vec<_> = waiting.map(|parcel| parcel.letter.kind).collect();
    assert_eq!(kinds, [ActKind::StatusReport, ActKind::StatusReport]);
}

#[test]
fn a_letter_to_a_referee_expires_some_time_after_its_deadline() {
    let mut stage = Stage::playing();
    stage.dispatch_all();
    stage.referee("w", warmup(ONE));
    stage.advise_all();
    // The deadline was 120; a minute of grace.
    assert_eq!(stage.player().deadline(), Some(at(180)));
    check(&stage.tick(179), &[]);
    assert_eq!(stage.player().me.letterbox.waiting().count(), 1);
    check(&stage.tick(180), &[]);
    assert_eq!(stage.player().me.letterbox.waiting().count(), 0);
    assert_eq!(stage.player().deadline(), None);
}

#[test]
fn letters_that_overtake_each_other_are_not_lost() {
    // The table after the round, and the referee's letters before both.
    let mut stage = Stage::new();
    stage.manager("open", start_season("S1"));
    check(&stage.referee("w", warmup(ONE)), &["reply 1: Acknowledged"]);
    check(&stage.referee("w", warmup(ONE)), &["reply 1: Acknowledged"]);
    assert_eq!(stage.player().me.kept.len(), 1);
    // A round without a table: it asks for one.
    check(
        &stage.manager("round-1", new_round(1)),
        &["REQUEST_ASSIGNMENT_TABLE to manager@league.test", "reply 1: Acknowledged"],
    );
    let effects = stage.manager("table", table());
    assert_eq!(
        lines(&effects),
        [
            "GROUP_ASSIGNMENT_RESPONSE to manager@league.test",
            "reply 1: Acknowledged",
            "think R1M1: warmup",
        ]
    );
    // A letter of the next round, before that has begun; a restart in between.
    stage.advise_all();
    check(&stage.referee("w-next", warmup(NEXT)), &["reply 1: Acknowledged"]);
    let mut stage = stage.restarted();
    stage.resume();
    let effects = stage.manager("round-2", new_round(2));
    assert!(lines(&effects).contains(&"think R2M1: warmup".into()));
    // It is known by now.
    check(&stage.referee("w-next", warmup(NEXT)), &["reply 1: Acknowledged"]);
}

#[test]
fn an_early_letter_that_cannot_be_read_any_more_is_not_in_the_way() {
    let mut stage = Stage::enrolled();
    check(&stage.referee("w", warmup(ONE)), &["reply 1: Acknowledged"]);
    check(&stage.referee("s", round_start(ONE)), &["reply 1: Acknowledged"]);
    for fact in &mut stage.bench.facts {
        if let PlayerFact::Agent(AgentFact::Kept { letter, .. }) = fact
            && letter.head.id.as_str() == "s"
        {
            letter.text = "[]".into();
        }
    }
    let facts = stage.bench.facts.clone();
    stage.bench = Bench::new(Player::new(profile(), times()), facts);
    let effects = stage.manager("round-1", new_round(1));
    assert!(lines(&effects).contains(&"think R1M1: warmup".into()));
    assert_eq!(stage.player().me.kept, []);
}

#[test]
fn only_so_many_early_letters_are_kept() {
    let mut stage = Stage::new();
    for number in 0..agent::KEPT_MAX {
        let effects = stage.mail(STRANGER, Role::Referee, &format!("{number}"), warmup(ONE));
        check(&effects, &["reply 1: Acknowledged"]);
    }
    let effects = stage.mail(STRANGER, Role::Referee, "more", warmup(ONE));
    assert_eq!(why(&effects), "there is no such match");
    // None of them was the referee's.
    stage.manager("table", table());
    assert_eq!(stage.player().me.kept, []);
    assert_eq!(stage.asked, []);
}

#[test]
fn the_start_before_the_warmup_is_answered_and_so_is_the_warmup() {
    let mut stage = Stage::playing();
    stage.referee("s", round_start(ONE));
    check(&stage.advise_all(), &["Q21QUESTIONSBATCH to ref@league.test"]);
    assert_eq!(stage.phase(ONE), Some(Progress::Answered(2)));
    stage.referee("w", warmup(ONE));
    check(&stage.advise_all(), &["Q21WARMUPRESPONSE to ref@league.test"]);
    assert_eq!(stage.phase(ONE), Some(Progress::Answered(2)), "a phase only goes forward");
    stage.referee("a", answers(ONE));
    check(&stage.advise_all(), &["Q21GUESSSUBMISSION to ref@league.test"]);
}

#[test]
fn answers_that_come_before_our_questions_wait_for_them() {
    let mut stage = Stage::playing();
    check(&stage.referee("a", answers(ONE)), &["reply 1: Acknowledged"]);
    stage.referee("s", round_start(ONE));
    assert_eq!(stage.asked.len(), 1);
    let effects = stage.advise(Ok(Said::Questions(questions())));
    assert_eq!(lines(&effects).len(), 2, "{:?}", lines(&effects));
    assert_eq!(callback(&stage.asked[0]), Callback::Guess);
}

#[test]
fn a_corrected_table_replaces_rounds_that_have_not_begun() {
    let mut stage = Stage::advanced(2);
    let mut corrected = rows("0101003", STRANGER, [ME, OPPONENT]);
    corrected.extend(rows("0102007", STRANGER, [OPPONENT, ME]));
    stage.manager("table-2", table_of(corrected));
    assert_eq!(stage.phase(ONE), Some(Progress::Answered(2)));
    assert_eq!(stage.phase("0101003"), None);
    stage.manager("round-2", new_round(2));
    assert_eq!(stage.phase("0102007"), Some(Progress::Answered(0)));
    assert_eq!(stage.phase(NEXT), None);
}

#[test]
fn a_round_that_is_not_in_the_table_starts_empty() {
    let mut stage = Stage::playing();
    stage.manager("round-9", new_round(9));
    assert_eq!(stage.player().rounds().current_round(), 9);
    assert_eq!(stage.player().rounds().games().count(), 0);
    assert_eq!(stage.player().rounds().under_way().count(), 0);
    assert_eq!(stage.player().season_state(), SeasonState::AssignmentsReceived);
}
