//! Players hear how their match ended until they have it, and the manager hears that they do.

use agon_proto::message::RoundCompleted;

use super::*;
use crate::effect::Noticed;
use crate::testing::at_ms;

/// A referee whose peers take news when the test says so.
fn enrolled_among_slow(capacity: u32) -> Bench<Referee> {
    let mut bench = enrolled(capacity);
    bench.prompt = false;
    bench
}

fn noticed(
    bench: &mut Bench<Referee>,
    given: &MatchAssignment,
    seat: Seat,
    how: Noticed,
) -> Vec<Effect> {
    let (match_id, attempt) = (given.match_id, given.attempt);
    bench.tell(Event::Noticed { tag: Tag::Over { match_id, attempt, seat }, how })
}

/// What a report or a heartbeat says of matches that were told.
fn told(effects: &[Effect]) -> Vec<MatchId> {
    #[expect(clippy::wildcard_enum_match_arm, reason = "two of 23 messages tell it")]
    let said = sent(effects).map(|(_, letter)| match &letter.act {
        Act::MatchResultReport(said) => said.told.clone(),
        Act::Heartbeat(said) => said.told.clone(),
        other => panic!("{other:?} tells nothing"),
    });
    said.flatten().collect()
}

fn announce(bench: &mut Bench<Referee>, round_id: u32, repeated: bool) -> Vec<Effect> {
    let matches = Vec::new().into();
    let news = RoundAnnouncement { league_id: league(), round_id, matches, repeated };
    call(bench, Some(manager_token()), news)
}

#[test]
fn the_manager_hears_it_at_once_when_nothing_more_is_to_come() {
    let mut bench = enrolled_among_slow(2);
    let given = assignment(1, 1, 1);
    play(&mut bench, &given);
    check(&recorded(&mut bench, &given), &["GAME_OVER to p1", "GAME_OVER to p2"]);
    assert!(matches!(bench.facts.last(), Some(RefereeFact::Recorded { .. })));
    check(&noticed(&mut bench, &given, Seat::B, Noticed::Taken), &[]);
    // Its first try failed: that is no reason to give up.
    check(&noticed(&mut bench, &given, Seat::A, Noticed::Missed), &[]);
    let effects = noticed(&mut bench, &given, Seat::A, Noticed::GivenUp);
    check(&effects, &["HEARTBEAT to manager"]);
    assert_eq!(told(&effects), [given.match_id]);
    assert!(matches!(bench.facts.last(), Some(RefereeFact::Settled { .. })));
    assert_eq!(bench.role.deadline(), None);
}

#[test]
fn a_report_that_follows_says_it_in_passing() {
    let mut bench = enrolled_among_slow(2);
    let (first, second) = (assignment(1, 1, 1), assignment(1, 2, 1));
    play(&mut bench, &first);
    recorded(&mut bench, &first);
    assign(&mut bench, second.clone());
    for seat in Seat::BOTH {
        check(&noticed(&mut bench, &first, seat, Noticed::Taken), &[]);
        join(&mut bench, &second, seat);
    }
    choose(&mut bench, &second, Seat::A, "even");
    choose(&mut bench, &second, Seat::B, "odd");
    assert_eq!(told(&draw(&mut bench, &second, 8)), [first.match_id]);
    assert_eq!(bench.role.deadline(), None);
}

#[test]
fn it_waits_for_a_report_only_so_long() {
    let mut bench = enrolled_among_slow(2);
    let (first, second) = (assignment(1, 1, 1), assignment(1, 2, 1));
    play(&mut bench, &first);
    recorded(&mut bench, &first);
    assign(&mut bench, second);
    for seat in Seat::BOTH {
        noticed(&mut bench, &first, seat, Noticed::Taken);
    }
    assert_eq!(bench.role.deadline(), Some(at_ms(20)));
    bench.now = at_ms(20);
    assert_eq!(told(&bench.tick()), [first.match_id]);
}

#[test]
fn who_did_not_come_is_not_waited_for() {
    let mut bench = enrolled_among_slow(2);
    let given = assignment(1, 1, 1);
    assign(&mut bench, given.clone());
    join(&mut bench, &given, Seat::A);
    while bench.role.live() > 0 {
        bench.now = bench.role.deadline().unwrap();
        bench.tick();
    }
    recorded(&mut bench, &given);
    check(&noticed(&mut bench, &given, Seat::B, Noticed::Missed), &[]);
    let effects = noticed(&mut bench, &given, Seat::A, Noticed::Taken);
    assert_eq!(told(&effects), [given.match_id]);
}

#[test]
fn what_was_not_heard_is_said_again() {
    let mut bench = enrolled(2);
    let given = assignment(1, 1, 1);
    play(&mut bench, &given);
    recorded(&mut bench, &given);
    let (tag, why) = (Tag::Told, Setback::Unreachable);
    let lost = Event::Undelivered { tag, why, objection: None };
    check(&bench.tell(lost), &[]);
    assert_eq!(told(&bench.at(2).tick()), [given.match_id]);
    answered(&mut bench, Tag::Told, league_error(ErrorCode::Unavailable));
    assert_eq!(told(&bench.at(4).tick()), [given.match_id]);
    let receipt = Receipt { status: ReceiptStatus::Acknowledged, match_id: None, played: None };
    answered(&mut bench, Tag::Told, Answer::Receipt(receipt));
    assert_eq!(bench.role.deadline(), None);
}

#[test]
fn a_manager_that_begins_anew_hears_all_of_it_again() {
    let mut bench = enrolled(2);
    announce(&mut bench, 1, false);
    let given = assignment(1, 1, 1);
    play(&mut bench, &given);
    recorded(&mut bench, &given);
    check(&announce(&mut bench, 2, false), &["reply 3: Acknowledged"]);
    // Also with a round that we have not heard of before.
    let again = announce(&mut bench, 2, true);
    check(&again, &["reply 4: Acknowledged", "heard manager", "HEARTBEAT to manager"]);
    assert_eq!(told(&again[2..]), [given.match_id]);
    let over = |round_id, repeated| RoundCompleted {
        league_id: league(),
        round_id,
        matches_played: 1,
        matches_completed: 1,
        next_round_id: None,
        summary: agon_proto::message::RoundSummary::default(),
        repeated,
    };
    let again = call(&mut bench, Some(manager_token()), over(1, true));
    assert_eq!(told(&again[2..]), [given.match_id]);
    call(&mut bench, Some(manager_token()), over(2, false));
    // What is older than a round is not asked for.
    check(&announce(&mut bench, 3, true), &["reply 7: Acknowledged", "heard manager"]);
}

#[test]
fn the_news_is_owed_across_a_restart() {
    let mut bench = enrolled_among_slow(2);
    let given = assignment(1, 1, 1);
    play(&mut bench, &given);
    recorded(&mut bench, &given);
    noticed(&mut bench, &given, Seat::A, Noticed::Taken);
    let mut again = restarted(bench.facts);
    again.prompt = false;
    again.resume();
    check(&admit(&mut again), &["GAME_OVER to p1", "GAME_OVER to p2"]);
    noticed(&mut again, &given, Seat::A, Noticed::Taken);
    let effects = noticed(&mut again, &given, Seat::B, Noticed::Taken);
    assert_eq!(told(&effects), [given.match_id]);
}

#[test]
fn it_does_not_leave_before_its_players_know_how_the_last_match_ended() {
    let mut bench = enrolled_among_slow(2);
    let given = assignment(1, 1, 1);
    play(&mut bench, &given);
    // The manager has the report, and its answer is still on its way.
    check(&call(&mut bench, Some(manager_token()), completed()), &["reply 2: Acknowledged"]);
    check(&recorded(&mut bench, &given), &["GAME_OVER to p1", "GAME_OVER to p2"]);
    check(&noticed(&mut bench, &given, Seat::A, Noticed::Taken), &[]);
    let effects = noticed(&mut bench, &given, Seat::B, Noticed::Taken);
    check(&effects, &["HEARTBEAT to manager", "finish: LeagueCompleted"]);
}

#[test]
fn it_does_not_wait_for_ever_for_who_takes_nothing() {
    let mut bench = enrolled_among_slow(2);
    let given = assignment(1, 1, 1);
    play(&mut bench, &given);
    call(&mut bench, Some(manager_token()), completed());
    let due = bench.role.deadline().expect("it leaves at some time");
    assert!(due <= bench.now + bench.role.records.me.profile.timeout);
    bench.now = due;
    check(&bench.tick(), &["finish: LeagueCompleted"]);
}
