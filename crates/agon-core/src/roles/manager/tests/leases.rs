//! Heartbeats and leases: who is silent for too long loses its matches to somebody who is there.

use agon_proto::message::Heartbeat;

use super::*;
use crate::testing::{at, check, in_match, lines, player, referee};

impl League {
    fn beat(&mut self, number: u32) -> Vec<Effect> {
        let heartbeat = Heartbeat { league_id: super::league(), matches_held: 1, told: Vec::new() };
        let token = self.token(AgentId::Referee(referee(number)));
        let conversation = ConversationId::new("conv-heartbeat");
        self.bench.call(letter(Sender::Referee(referee(number)), token, conversation, heartbeat))
    }

    fn at(&mut self, second: u64) -> &mut Self {
        self.bench.at(second);
        self
    }
}

/// Two players, their match with REF01, which has sent a heartbeat.
fn beating(referees: &[u32]) -> (League, Given) {
    let (mut league, effects) = League::started(2, referees);
    let given = assignments(&effects).remove(0);
    league.answer_assignment(&given, ReceiptStatus::Accepted);
    league.beat(1);
    (league, given)
}

#[test]
fn a_heartbeat_is_acknowledged_and_renews_the_lease() {
    let (mut league, _) = beating(&[1, 1]);
    assert_eq!(league.bench.role.deadline(), Some(at(15)));
    check(&league.at(14).beat(1), &["reply 7: Acknowledged"]);
    check(&league.at(15).bench.tick(), &[]);
    assert_eq!(league.bench.role.deadline(), Some(at(29)));
    assert_eq!(league.reassignments(), []);
}

#[test]
fn any_letter_of_the_referee_renews_its_lease() {
    let (mut league, given) = beating(&[1, 1]);
    let stranger = MatchResultReport { round_id: 7, ..played(&given) };
    league.at(14).report(1, stranger);
    check(&league.at(28).bench.tick(), &[]);
    assert_eq!(league.reassignments(), []);
}

#[test]
fn a_silent_referee_loses_its_matches_and_its_late_report_is_refused() {
    let (mut league, given) = beating(&[1, 1]);
    let moved = assignments(&league.at(15).bench.tick()).remove(0);
    assert_eq!((moved.attempt, moved.referee_id), (2, referee(2)));
    let late = league.report(1, played(&given));
    check(&late, &["heard ref1", "refuse 7: STALE_ATTEMPT"]);
    league.play(&moved);
    let record = league.bench.role.league().season().result(in_match(1, 1)).unwrap();
    assert_eq!((record.attempt, record.referee), (2, referee(2)));
}

#[test]
fn what_waits_for_a_silent_referee_goes_elsewhere_too() {
    let (mut league, effects) = League::started(8, &[1, 2]);
    assert_eq!(given_to(&effects), ["R1M1 to REF01", "R1M2 to REF02", "R1M3 to REF02"]);
    league.beat(1);
    let moved = league.at(15).bench.tick();
    assert_eq!(given_to(&moved), [""; 0], "REF02 has no room yet");
    let both = [(in_match(1, 1), 2, 2), (in_match(1, 4), 2, 2)];
    assert_eq!(league.reassignments(), both);
    let next = league.play(&assignments(&effects)[1]);
    assert_eq!(given_to(&next), ["R1M1 to REF02"]);
}

#[test]
fn with_nobody_else_the_league_waits_and_goes_on_when_somebody_comes() {
    let (mut league, given) = beating(&[1]);
    check(&league.at(15).bench.tick(), &["alert: NoReferee { open: 1 }"]);
    for second in [17, 19, 21] {
        check(&league.at(second).bench.tick(), &[]);
    }
    assert_eq!(league.reassignments(), []);
    let back = lines(&league.register(&entry("ref2", Some(1))));
    assert_eq!(back.last().unwrap(), "alert: RefereeBack { referees: 1 }");
    let moved = assignments(&league.at(23).bench.tick()).remove(0);
    assert_eq!((moved.attempt, moved.referee_id), (2, referee(2)));
    check(&league.report(1, played(&given)), &["heard ref1", "refuse 7: STALE_ATTEMPT"]);
}

#[test]
fn whoever_was_only_slow_and_alone_goes_on_where_it_was() {
    let (mut league, given) = beating(&[1]);
    check(&league.at(15).bench.tick(), &["alert: NoReferee { open: 1 }"]);
    let back = "alert: RefereeBack { referees: 1 }";
    check(&league.at(16).beat(1), &["heard ref1", "reply 6: Acknowledged", back]);
    check(&league.at(30).bench.tick(), &[]);
    assert_eq!(league.reassignments(), []);
    league.play(&given);
    assert!(league.bench.role.league().season().result(given.match_id).is_some());
}

#[test]
fn a_manager_that_could_not_hear_blames_nobody() {
    let (mut league, _) = beating(&[1, 1]);
    check(&league.at(40).bench.tick(), &[]);
    assert_eq!(league.reassignments(), []);
    assert_eq!(league.bench.role.deadline(), Some(at(55)));
    assert_eq!(assignments(&league.at(55).bench.tick()).len(), 1);
}

#[test]
fn only_a_referee_has_a_heart() {
    let (mut league, _) = beating(&[1]);
    let heartbeat = Heartbeat { league_id: super::league(), matches_held: 0, told: Vec::new() };
    let id = player(1);
    let token = league.token(AgentId::Player(id));
    let conversation = ConversationId::new("conv-heartbeat");
    let effects = league.bench.call(letter(Sender::Player(id), token, conversation, heartbeat));
    check(&effects, &["refuse 6: NOT_PERMITTED"]);
}

#[test]
fn a_lease_outlives_the_round() {
    let (mut league, effects) = League::started(4, &[2]);
    league.beat(1);
    for given in assignments(&effects) {
        league.play(&given);
    }
    assert_eq!(league.bench.role.league().season().round(), 2);
    assert_eq!(league.bench.role.deadline(), Some(at(15)));
}

/// REF01, which has a match, is taken out.
fn without_its_referee() -> League {
    let (mut league, _) = beating(&[1]);
    let params = ToolParams {
        referee_id: Some(referee(1)),
        reason: Some(DisplayName::new("because")),
        ..ToolParams::default()
    };
    let effects = league.order(Command::RemoveAgent, params);
    assert!(lines(&effects).contains(&"alert: NoReferee { open: 1 }".to_owned()), "{effects:?}");
    league
}

#[test]
fn nobody_doubts_who_was_taken_out() {
    let mut league = without_its_referee();
    let back = lines(&league.at(2).register(&entry("ref2", Some(1))));
    assert!(back.contains(&"alert: RefereeBack { referees: 1 }".to_owned()), "{back:?}");
    for second in [15, 31, 47] {
        let said = lines(&league.at(second).bench.tick());
        assert!(!said.iter().any(|line| line.contains("NoReferee")), "{said:?}");
    }
}

#[test]
fn what_was_left_behind_goes_to_whoever_comes() {
    let mut league = without_its_referee();
    let first = [(in_match(1, 1), 2, 2)];
    league.at(2).register(&entry("ref2", Some(1)));
    assert_eq!(league.reassignments(), first);
    // Also after a restart.
    let mut league = without_its_referee();
    let facts = league.bench.facts.clone();
    league.bench = Bench::new(Manager::new(settings(), options(None)), facts);
    let effects = league.bench.at(20).resume();
    assert_eq!(assignments(&effects), []);
    assert_eq!(assignments(&league.at(40).bench.tick()), [], "nothing for who was taken out");
    league.register(&entry("ref2", Some(1)));
    assert_eq!(league.reassignments(), first);
}
