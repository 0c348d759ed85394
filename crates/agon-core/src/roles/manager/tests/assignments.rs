//! Matches on their way to referees: by capacity, in turn, again, and elsewhere.

use agon_proto::message::{Cause, LeagueError, Record};
use agon_proto::{ErrorCode, Fault};

use super::*;
use crate::Credentials;
use crate::agent::{Agent, AgentFact};
use crate::effect::Lane;
use crate::secret::SigningKey;
use crate::testing::{LIMITS, at, check, in_match, lines, player, profile, referee, sent};
use crate::verdict::Outcome;

#[test]
fn an_assignment_says_all_that_a_referee_needs() {
    let (mut league, effects) = League::started(4, &[2]);
    let given = &assignments(&effects)[0];
    assert_eq!((given.match_id, given.attempt, given.round_id), (in_match(1, 1), 1, 1));
    assert_eq!((given.player_a_id, given.player_b_id), (player(1), player(2)));
    assert_eq!(given.player_a_endpoint, Endpoint::new("p1"));
    assert_eq!(given.player_b_endpoint, Endpoint::new("p2"));
    assert_eq!(given.player_b_display_name, DisplayName::new("p2"));
    assert_eq!((given.referee_id, given.limits), (referee(1), LIMITS));
    assert_eq!(given.player_a_standings, Record::default());
    let (to, letter) = sent(&effects).next().unwrap();
    assert_eq!(to, "ref1");
    assert_eq!(letter.head.conversation_id.to_string(), "conv-r1m1-001");
    let token = league.token(AgentId::Referee(referee(1))).unwrap();
    let expected = SigningKey::of(&token).unwrap().manager_token(&super::league());
    assert_eq!(letter.auth_token, Some(expected));
    // Later ones tell the players' records: R1M2 was won by P03.
    let mut last = Vec::new();
    for given in assignments(&effects) {
        last = league.play(&given);
    }
    let given = &assignments(&last)[0];
    let won = Record { wins: 1, ..Record::default() };
    assert_eq!((given.player_a_id, given.player_a_standings), (player(3), won));
}

#[test]
fn the_players_own_derivation_accepts_the_match_tokens() {
    let (league, effects) = League::started(2, &[1]);
    let given = &assignments(&effects)[0];
    for (id, shown) in
        [(given.player_a_id, &given.player_a_token), (given.player_b_id, &given.player_b_token)]
    {
        let agent = AgentId::Player(id);
        let mut me = Agent::new(profile("somebody", None));
        let credentials = Credentials {
            agent: Some(agent),
            league: super::league(),
            token: league.token(agent).unwrap(),
            signed_calls: true,
            heartbeat_ms: None,
        };
        me.apply(&AgentFact::Admitted { season: None, league: None, given: Some(credentials) });
        let place = (given.match_id, given.attempt, given.referee_id);
        assert_eq!(me.keys.proves(place, Some(shown)), Ok(()));
        // No referee ever sees a league token.
        assert_ne!(league.token(agent).as_ref(), Some(shown));
    }
}

#[test]
fn a_call_to_a_referee_is_one_try_of_its_own_length() {
    let (_, effects) = League::started(2, &[1]);
    let sent = effects
        .iter()
        .find_map(|effect| if let Effect::Send(sent) = effect { Some(sent) } else { None });
    let sent = sent.expect("the assignment");
    let timeout = settings().call();
    assert_eq!(sent.lane, Lane::Once { timeout });
}

#[test]
fn nobody_holds_more_than_its_capacity() {
    let (mut league, effects) = League::started(8, &[1, 2]);
    // Four matches: REF02 has twice the room and gets the larger part.
    assert_eq!(given_to(&effects), ["R1M1 to REF01", "R1M2 to REF02", "R1M3 to REF02"]);
    let given = assignments(&effects);
    let next = league.play(&given[1]);
    assert_eq!(given_to(&next), [""; 0]);
    let next = league.play(&given[0]);
    assert_eq!(given_to(&next), ["R1M4 to REF01"]);
}

#[test]
fn over_a_season_the_work_is_shared_by_capacity() {
    let (mut league, effects) = League::started(10, &[1, 2, 1]);
    league.play_on(&effects, |_, _, _| Fate::Played);
    let mut counts = BTreeMap::new();
    for fact in &league.bench.facts {
        if let LeagueFact::ResultAccepted { referee, .. } = fact {
            *counts.entry(referee.number()).or_insert(0u32) += 1;
        }
    }
    // 45 matches, a quarter of them each for the two small ones.
    assert_eq!(counts.values().sum::<u32>(), 45);
    for (number, fair) in [(1, 11), (2, 22), (3, 11)] {
        assert!(counts[&number].abs_diff(fair) <= 1, "{counts:?}");
    }
}

#[test]
fn a_refused_match_is_offered_again_later() {
    let (mut league, effects) = League::started(2, &[1]);
    let given = assignments(&effects).remove(0);
    check(&league.answer_assignment(&given, ReceiptStatus::Refused), &[]);
    assert_eq!(league.bench.role.deadline(), Some(at(2)));
    let again = league.wait();
    assert_eq!(assignments(&again), std::slice::from_ref(&given));
    league.play_on(&again, |_, _, _| Fate::Played);
    assert_eq!(league.reassignments(), []);
}

#[test]
fn a_match_that_does_not_arrive_three_times_goes_elsewhere() {
    let (mut league, effects) = League::started(2, &[1, 1]);
    let given = assignments(&effects).remove(0);
    assert_eq!(given.referee_id, referee(1));
    for second in [2, 4] {
        check(&league.lose_assignment(&given), &[]);
        assert_eq!(league.bench.role.deadline(), Some(at(second)));
        assert_eq!(assignments(&league.wait()), std::slice::from_ref(&given));
    }
    let moved = assignments(&league.lose_assignment(&given)).remove(0);
    assert_eq!((moved.attempt, moved.referee_id), (2, referee(2)));
    assert_ne!(moved.player_a_token, given.player_a_token);
    assert_eq!(league.reassignments(), [(in_match(1, 1), 2, 2)]);
    // The first call's late outcome is nobody's business any more.
    check(&league.lose_assignment(&given), &[]);
    check(&league.answer_assignment(&given, ReceiptStatus::Refused), &[]);
}

#[test]
fn a_match_that_our_own_host_could_not_send_is_offered_again_and_nobody_is_given_up_on() {
    let (mut league, effects) = League::started(2, &[1, 1]);
    let given = assignments(&effects).remove(0);
    for second in [2, 4, 6, 8, 10] {
        let (tag, why) = (tag(&given), Setback::NotSent);
        let not_sent = Event::Undelivered { tag, why, objection: None };
        check(&league.bench.tell(not_sent), &[]);
        assert_eq!(league.bench.role.deadline(), Some(at(second)));
        assert_eq!(assignments(&league.wait()), std::slice::from_ref(&given));
    }
    assert_eq!(league.reassignments(), []);
}

#[test]
fn with_no_referee_left_the_league_waits_and_no_attempt_is_spent() {
    let (mut league, effects) = League::started(2, &[1]);
    let given = assignments(&effects).remove(0);
    let mut again = effects;
    let mut said = Vec::new();
    for _ in 0..20 {
        let call = assignments(&again).remove(0);
        assert_eq!(call, given);
        said.extend(lines(&league.lose_assignment(&call)));
        again = league.wait();
    }
    assert_eq!(said, ["alert: NoReferee { open: 1 }"], "once, not twenty times");
    assert!(league.bench.role.state().waiting_for_referee);
    let back = league.answer_assignment(&given, ReceiptStatus::Accepted);
    check(&back, &["alert: RefereeBack { referees: 1 }"]);
    assert!(!league.bench.role.state().waiting_for_referee);
    league.play_on(&again, |_, _, _| Fate::Played);
    assert_eq!(league.reassignments(), []);
}

#[test]
fn a_late_answer_to_an_old_attempt_says_nothing_of_the_new_holder() {
    let (mut league, effects) = League::started(2, &[1, 1]);
    let given = assignments(&effects).remove(0);
    for _ in 0..2 {
        league.lose_assignment(&given);
        league.wait();
    }
    let moved = assignments(&league.lose_assignment(&given)).remove(0);
    league.lose_assignment(&moved);
    assert!(league.bench.role.in_play.assignments.is_doubtful(moved.referee_id));
    check(&league.answer_assignment(&given, ReceiptStatus::Accepted), &[]);
    assert!(league.bench.role.in_play.assignments.is_doubtful(moved.referee_id));
}

#[test]
fn an_error_is_no_acceptance() {
    let (mut league, effects) = League::started(2, &[1]);
    let given = assignments(&effects).remove(0);
    let fault =
        Answer::Fault(Fault { code: -32_601, message: "no such method".into(), league_code: None });
    let error = LeagueError {
        error_code: ErrorCode::AuthTokenInvalid,
        error_name: "AUTH_TOKEN_INVALID".into(),
        error_description: "".into(),
        problem: None,
        original_message_type: None,
        retryable: false,
        context: agon_proto::message::ErrorContext::default(),
    };
    let sender = Sender::Referee(referee(1));
    let error = letter(sender, None, ConversationId::new("conv-1"), error);
    let alert = &["alert: NoReferee { open: 1 }"][..];
    for (answer, said) in [(fault, alert), (Answer::Message(Box::new(error)), &[])] {
        let tag = tag(&given);
        check(&league.bench.tell(Event::Answered { tag, answer }), said);
        assert_eq!(assignments(&league.wait()), std::slice::from_ref(&given));
    }
    assert_eq!(league.reassignments(), []);
}

#[test]
fn a_lease_that_runs_out_gives_the_match_to_another() {
    let (mut league, effects) = League::started(2, &[1, 1]);
    let given = assignments(&effects).remove(0);
    league.answer_assignment(&given, ReceiptStatus::Accepted);
    assert_eq!(league.bench.role.deadline(), Some(at(240)));
    let moved = assignments(&league.wait()).remove(0);
    assert_eq!((moved.attempt, moved.referee_id), (2, referee(2)));
    // The lost referee comes back too late.
    check(&league.report(1, played(&given)), &["heard ref1", "refuse 6: STALE_ATTEMPT"]);
    league.play(&moved);
    let record = league.bench.role.league().season().result(in_match(1, 1)).unwrap();
    assert_eq!((record.attempt, record.referee), (2, referee(2)));
}

#[test]
fn after_three_attempts_the_match_is_cancelled() {
    for fate in [Fate::Lost, Fate::Aborted] {
        let (mut league, effects) = League::started(2, &[1, 1]);
        league.play_on(&effects, |_, _, _| fate);
        assert_eq!(league.reassignments(), [(in_match(1, 1), 2, 2), (in_match(1, 1), 3, 1)]);
        let verdict = league.bench.role.league().season().result(in_match(1, 1)).unwrap().verdict;
        assert_eq!((verdict.outcome, verdict.cause), (Outcome::Cancelled, Cause::RefereeLost));
        assert_eq!(league.bench.role.league().table(1)[0].points, 0);
    }
}

#[test]
fn a_doubtful_referee_gets_nothing_while_others_are_well() {
    let (mut league, effects) = League::started(4, &[1, 1]);
    let (lost, well) = (&assignments(&effects)[0], &assignments(&effects)[1]);
    for _ in 0..2 {
        league.lose_assignment(lost);
        league.wait();
    }
    check(&league.lose_assignment(lost), &[]);
    let next = league.play(well);
    assert_eq!(given_to(&next), ["R1M1 to REF02"]);
    let next = league.play(&assignments(&next)[0]);
    let round: Vec<_> = (1..=2)
        .filter_map(|number| league.bench.role.league().season().attempt(in_match(2, number)))
        .map(|attempt| attempt.referee)
        .collect();
    assert_eq!(round, [referee(2), referee(2)]);
    assert_eq!(given_to(&next), ["R2M1 to REF02"]);
}

#[test]
fn a_referee_that_restarts_loses_what_it_held_and_no_more() {
    let (mut league, effects) = League::started(6, &[1]);
    assert_eq!(given_to(&effects), ["R1M1 to REF01"]);
    let again = Entry { conversation: "conv-ref1-reg-2".into(), ..entry("ref1", Some(1)) };
    let effects = league.register(&again);
    assert_eq!(lines(&effects)[1], "reply 9: REFEREE_REGISTER_RESPONSE");
    // R1M1 begins again at the end of the queue; R1M2 and R1M3 never began.
    assert_eq!(league.reassignments(), [(in_match(1, 1), 2, 1)]);
    assert_eq!(given_to(&effects), ["R1M2 to REF01"]);
    assert_eq!(assignments(&effects)[0].attempt, 1);
}

#[test]
fn a_repeated_registration_is_no_restart() {
    let (mut league, _) = League::started(2, &[1]);
    let effects = league.register(&entry("ref1", Some(1)));
    check(&effects, &["reply 5: REFEREE_REGISTER_RESPONSE"]);
    assert_eq!(league.reassignments(), []);
}
