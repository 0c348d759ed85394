//! Referees of a league by call that come from other machines.

use super::calls::{application, by_call, url};
use super::*;
use crate::effect::RequestId;
use crate::{Caller, CallerPlace, CodeHash, Origin};

/// What is answered to an application from another machine, called with this code in the address.
#[track_caller]
fn check(role: Role, code: Option<&str>, expected: (Said, Option<&str>)) {
    let options = ManagerOptions { referee_code: Some(CodeHash::of("the-code")), ..options(None) };
    let mut league = League::read(rules(by_call()), options, Vec::new());
    let code = code.map(CodeHash::of);
    let home = Caller::at_home(Origin::Elsewhere);
    let caller = Some(Caller { place: CallerPlace::Beyond, code, ..home });
    let letter = Box::new(application(&url("ra"), "a", role));
    let (request, proof, at) = (RequestId(1), Proof::Token, league.bench.now);
    let effects = league.bench.tell(Event::Posted { request, proof, caller, at, letter });
    league.note(&effects);
    let (status, reason) = answered(&league.take_sent());
    assert_eq!((status, reason.as_deref()), expected);
}

#[test]
fn the_address_carries_the_code_and_players_need_none() {
    check(Role::Referee, None, (Said::Rejected, Some("code_needed")));
    check(Role::Referee, Some("not-the-code"), (Said::Rejected, Some("code_needed")));
    check(Role::Referee, Some("the-code"), (Said::Accepted, None));
    check(Role::Player, None, (Said::Accepted, None));
}
