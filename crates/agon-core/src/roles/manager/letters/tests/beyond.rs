//! Agents of a league by call that come from other machines.

use super::calls::{application, by_call, url};
use super::*;
use agon_proto::tool::{AgentRole, Command, Tool, ToolParams};

use crate::effect::RequestId;
use crate::testing::operator;
use crate::{Caller, CallerPlace, CodeHash, Origin};

/// Stands for the code of the invitation that was made.
const OWN: &str = "own";

/// What is answered to an application from another machine, called with this code in the address.
#[track_caller]
fn check((role, invited): (Role, AgentRole), code: Option<&str>, expected: (Said, Option<&str>)) {
    let mut league = League::read(rules(by_call()), options(None), Vec::new());
    let (auth_token, invited) = (Some(operator()), Some(invited));
    let params = ToolParams { auth_token, role: invited, ..ToolParams::default() };
    league.bench.tool(Tool::Command(Command::Invite), params);
    let own = options(None).secrets.code(1, Some(league.bench.now));
    let code = code.map(|code| CodeHash::of(if code == OWN { own.reveal() } else { code }));
    let home = Caller::at_home(Origin::Endpoint);
    let caller = Some(Caller { place: CallerPlace::Beyond, code, ..home });
    let letter = Box::new(application(&url("ra"), "a", role));
    let (request, proof, at) = (RequestId(1), Proof::Token, league.bench.now);
    let effects = league.bench.tell(Event::Posted { request, proof, caller, at, letter });
    league.note(&effects);
    let (status, reason) = answered(&league.take_sent());
    assert_eq!((status, reason.as_deref()), expected);
}

#[test]
fn the_address_carries_the_code() {
    for who in [(Role::Referee, AgentRole::Referee), (Role::Player, AgentRole::Player)] {
        check(who, None, (Said::Rejected, Some("code_needed")));
        check(who, Some("not-the-code"), (Said::Rejected, Some("code_needed")));
        check(who, Some(OWN), (Said::Accepted, None));
    }
    let other = (Role::Referee, AgentRole::Player);
    check(other, Some(OWN), (Said::Rejected, Some("code_needed")));
}

/// Teams a, b and c of a league by call, and how one of its agents is called.
fn enrolled() -> (League, Address) {
    let (league, _) = super::calls::league(by_call());
    (league, url("ra"))
}

/// A letter by call, from there.
fn call(league: &mut League, caller: Caller, letter: Letter) -> Vec<Effect> {
    let (request, proof, at) = (RequestId(1), Proof::Token, league.bench.now);
    let (caller, letter) = (Some(caller), Box::new(letter));
    let effects = league.bench.tell(Event::Posted { request, proof, caller, at, letter });
    league.note(&effects);
    effects
}

fn asks_again(from: &Address, number: u32) -> Letter {
    let mut letter = application(from, "a", Role::Referee);
    letter.head.id = MessageId::new(&format!("again-{number}"));
    letter
}

#[test]
fn nobody_elses_application_is_answered_to_who_is_in() {
    let (mut league, own) = enrolled();
    let facts = league.bench.facts.len();
    let beyond = Caller { place: CallerPlace::Beyond, ..Caller::at_home(Origin::Elsewhere) };
    let stranger = Caller { address: crate::AddressKey([9; 16]), ..beyond };
    for number in 0..3 {
        let effects = call(&mut league, stranger, asks_again(&own, number));
        assert_eq!(*refused(&effects), Refusal::EndpointTaken);
    }
    assert_eq!(league.bench.facts.len(), facts, "nothing is written down");
    assert!(league.take_sent().is_empty(), "and nobody hears of it");
    // From its own address it is heard.
    let near = Caller { origin: Origin::Endpoint, ..stranger };
    call(&mut league, near, asks_again(&own, 9));
    assert_eq!(answered(&league.take_sent()), (Said::Rejected, Some("already_registered".into())));
}

#[test]
fn who_is_in_fills_no_journal_with_letters() {
    let (mut league, own) = enrolled();
    let near = Caller::at_home(Origin::Endpoint);
    let mut refused = 0;
    for number in 0..200 {
        let effects = call(&mut league, near, asks_again(&own, number));
        refused += usize::from(matches!(effects[..], [Effect::Refuse { .. }]));
    }
    assert_eq!(refused, 140, "sixty times in a minute");
    let facts = league.bench.facts.len();
    call(&mut league, near, asks_again(&own, 201));
    assert_eq!(league.bench.facts.len(), facts);
}

#[test]
fn what_changes_nothing_leaves_no_trace() {
    let mut league = League::started(terms(3));
    let facts = league.bench.facts.len();
    for _ in 0..3 {
        league.mail(&player(1), Act::Other("NONSENSE".into()));
        let report = league.result(MatchId::new(1, 1), [50, 40]);
        league.mail(&player(1), Act::ResultReport(report.into()));
    }
    assert_eq!(league.bench.facts.len(), facts);
}

#[test]
fn who_was_taken_out_is_told_so() {
    let mut league = League::open(terms(3));
    league.enrol(&player(1));
    let params =
        ToolParams { player_id: Some(agon_proto::PlayerId::new(1)), ..ToolParams::default() };
    league.order(Command::RemoveAgent, params);
    league.take_sent();
    league.enrol(&player(1));
    let (status, reason) = answered(&league.take_sent());
    assert_eq!(status, Said::Rejected);
    assert_ne!(reason.as_deref(), Some("already_registered"));
}

#[test]
fn nobody_has_another_one_called_by_being_refused() {
    for origin in [Origin::Elsewhere, Origin::Forbidden] {
        let mut league = League::read(rules(by_call()), options(None), Vec::new());
        let facts = league.bench.facts.len();
        let stranger = Caller { place: CallerPlace::Beyond, ..Caller::at_home(origin) };
        for (number, act) in [(1, None), (2, Some(newcomer()))] {
            let victim = url(&format!("victim{number}"));
            let mut letter = application(&victim, "a", Role::Player);
            letter.act = act.unwrap_or(letter.act);
            let said = refused(&call(&mut league, stranger, letter)).clone();
            let expected = [Refusal::EndpointForbidden, Refusal::EndpointElsewhere];
            let needed = matches!(said, Refusal::LeaveNeeded(_));
            assert!(needed || expected.contains(&said), "{said:?}");
        }
        assert_eq!(league.bench.facts.len(), facts, "nothing is written down");
        assert!(league.take_sent().is_empty(), "and nobody is called");
    }
}

fn newcomer() -> Act {
    Act::LeagueRegistration(agon_proto::act::LeagueRegistration {
        role: Role::Player,
        group: None,
        name: None,
        contact: None,
    })
}
