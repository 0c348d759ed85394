//! Who is counted as one caller, and how fast each may ask.

use std::net::IpAddr;
use std::time::{Duration, Instant};

use agon_proto::frame::{Limits, decode_request};
use agon_proto::tool::{Tool, ToolParams};
use agon_proto::{AuthToken, Call};

use super::Quota;
use crate::config::Config;

fn quota() -> Quota {
    let rates = "[server]\nrequests_per_s = 3\nreferee_requests_per_s = 5\n\
                 [admission]\nregistrations_per_s = 1";
    Quota::new(&Config::load(None, std::iter::empty(), rates.parse().unwrap()).unwrap())
}

fn ask(token: Option<u8>) -> Call {
    let auth_token = token.map(|byte| AuthToken::derived([byte; 32]));
    Call::Tool(Tool::GetStandings, Box::new(ToolParams { auth_token, ..ToolParams::default() }))
}

fn golden(request: &str) -> Call {
    decode_request(request.as_bytes(), Limits { depth_max: 32 }).unwrap().call
}

fn address(last: u8) -> IpAddr {
    IpAddr::from([192, 0, 2, last])
}

/// How many of twenty calls at one moment are taken.
#[track_caller]
fn check(quota: &mut Quota, call: &Call, from: IpAddr, at: Instant, expected: usize) {
    let is_near = from.is_loopback();
    let taken = (0..20).filter(|_| quota.admit(call, (from, is_near), at).is_ok()).count();
    assert_eq!(taken, expected, "{call:?} from {from}");
}

#[test]
fn a_token_has_a_rate_of_its_own_wherever_it_comes_from() {
    let (mut quota, now) = (quota(), Instant::now());
    check(&mut quota, &ask(Some(1)), address(1), now, 3);
    check(&mut quota, &ask(Some(1)), address(2), now, 0);
    check(&mut quota, &ask(Some(2)), address(1), now, 3);
    assert_eq!(
        quota.admit(&ask(Some(1)), (address(1), false), now),
        Err(Duration::from_secs(1) / 3)
    );
    check(&mut quota, &ask(Some(1)), address(1), now + Duration::from_secs(1), 3);
}

#[test]
fn without_a_token_an_address_is_counted() {
    let (mut quota, now) = (quota(), Instant::now());
    check(&mut quota, &ask(None), address(1), now, 3);
    check(&mut quota, &ask(None), address(2), now, 3);
    check(&mut quota, &ask(Some(1)), address(1), now, 3);
}

#[test]
fn a_referee_may_ask_faster_and_who_registers_has_a_rate_of_its_own() {
    let (mut quota, now) = (quota(), Instant::now());
    let report = include_str!("../../../../agon-proto/golden/league.v2/MATCH_RESULT_REPORT.json");
    check(&mut quota, &golden(report), address(1), now, 5);
    let register =
        include_str!("../../../../agon-proto/golden/league.v2/LEAGUE_REGISTER_REQUEST.json");
    check(&mut quota, &golden(register), address(1), now, 10);
    check(&mut quota, &golden(register), address(2), now, 10);
    // Many do so when a league opens on this machine.
    check(&mut quota, &golden(register), IpAddr::from([127, 0, 0, 1]), now, 20);
}

#[test]
fn a_network_of_ipv6_is_one_caller() {
    let (mut quota, now) = (quota(), Instant::now());
    let register =
        include_str!("../../../../agon-proto/golden/league.v2/LEAGUE_REGISTER_REQUEST.json");
    check(&mut quota, &golden(register), "2001:db8::1".parse().unwrap(), now, 10);
    check(&mut quota, &golden(register), "2001:db8::2".parse().unwrap(), now, 0);
    check(&mut quota, &golden(register), "2001:db8:0:1::1".parse().unwrap(), now, 10);
}
