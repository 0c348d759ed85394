//! What a referee does when the manager does not know its token any more.

use agon_proto::Fault;

use super::*;
use crate::agent::AgentFact;
use crate::effect::Ending;

/// "Your token is not yours."
fn unknown() -> Answer {
    Answer::Fault(Fault {
        code: -32_000,
        message: "no".into(),
        league_code: Some(ErrorCode::AuthTokenInvalid),
    })
}

/// Registered, with a heartbeat under way.
fn beating() -> Bench<Referee> {
    let mut bench = Bench::new(Referee::new(profile("ref1", Some(2))), Vec::new());
    bench.resume();
    check(&admit_with(&mut bench, Some(5_000)), &["HEARTBEAT to manager"]);
    bench
}

/// The manager says so at that second; the referee asks again after so many more.
#[track_caller]
fn check_asks_again(bench: &mut Bench<Referee>, second: u64, pause: u64) {
    let said = answered(bench.at(second), Tag::Heartbeat, unknown());
    check(&said, &["alert: Displaced"]);
    check(&answered(bench, Tag::Heartbeat, unknown()), &[]);
    bench.at(second + pause);
    let asked = bench.tick();
    let (_, request) =
        sent(&asked).find(|(_, letter)| matches!(letter.act, Act::Apply(_))).expect("it registers");
    assert_eq!(request.auth_token, Some(token()), "with the token that it has");
    admit_with(bench, Some(5_000));
    // What left before that still brings the old answer.
    check(&answered(bench, Tag::Heartbeat, unknown()), &[]);
}

#[test]
fn it_registers_again_after_pauses_that_grow_and_then_gives_up() {
    let mut bench = beating();
    check_asks_again(&mut bench, 10, 2);
    check_asks_again(&mut bench, 30, 4);
    check_asks_again(&mut bench, 60, 8);
    let ended = answered(bench.at(100), Tag::Heartbeat, unknown());
    let [Effect::Finish(Ending::NotAdmitted(why))] = &ended[..] else {
        panic!("it ends: {ended:?}");
    };
    assert!(why.contains("somebody else uses this agent's name"), "{why}");
}

#[test]
fn after_ten_minutes_it_tries_again() {
    let mut bench = beating();
    check_asks_again(&mut bench, 10, 2);
    check_asks_again(&mut bench, 30, 4);
    check_asks_again(&mut bench, 60, 8);
    check_asks_again(&mut bench, 700, 2);
}

#[test]
fn each_time_is_another_conversation() {
    let mut bench = beating();
    check_asks_again(&mut bench, 10, 2);
    let asked: Vec<_> = bench
        .facts
        .iter()
        .filter_map(|fact| {
            if let RefereeFact::Agent(AgentFact::Asked { nonce }) = fact {
                Some(*nonce)
            } else {
                None
            }
        })
        .collect();
    assert_eq!(asked, [7, 8]);
}

#[test]
fn a_report_that_was_not_heard_is_owed() {
    let mut bench = enrolled(1);
    let given = assignment(1, 1, 1);
    assign(&mut bench, given.clone());
    let lost = |seat| {
        let (tag, why) = (ask(&given, seat, JOIN, 1), Setback::Unreachable);
        Event::Undelivered { tag, why, objection: None }
    };
    bench.tell(lost(Seat::A));
    bench.tell(lost(Seat::B));
    let facts = bench.facts.len();
    check(&answered(&mut bench, report(&given), unknown()), &["alert: Displaced"]);
    let settled = |fact: &RefereeFact| matches!(fact, RefereeFact::Settled { .. });
    assert!(!bench.facts[facts..].iter().any(settled), "it is not settled");
}

#[test]
fn a_request_that_was_not_answered_is_repeated_by_the_next_life() {
    let mut bench = Bench::new(Referee::new(profile("ref1", Some(2))), Vec::new());
    let first = bench.resume();
    let mut again = restarted(bench.facts);
    again.role.records.me.profile.nonce = 99;
    let second = again.resume();
    let conversation =
        |effects: &[Effect]| sent(effects).next().unwrap().1.head.conversation_id.clone();
    assert_eq!(conversation(&first), conversation(&second));
    admit(&mut again);
    let mut third = restarted(again.facts);
    third.role.records.me.profile.nonce = 99;
    assert_ne!(conversation(&third.resume()), conversation(&first));
}
