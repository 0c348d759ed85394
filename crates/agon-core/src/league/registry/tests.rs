//! Ids for ever, one agent at an endpoint, one living token each, burden by capacity.

use agon_proto::AuthToken;

use super::*;
use crate::testing::{at, player, referee};

/// More matches at a time than anybody here has room for.
const MANY: u32 = 100;

fn hash(number: u8) -> TokenHash {
    TokenHash::of(&AuthToken::derived([number; 32])).unwrap()
}

fn papers<'a>(name: &'a DisplayName, endpoint: &'a Endpoint, token: TokenHash) -> Papers<'a> {
    let (provenance, at) = (Provenance::default(), at(0));
    Papers { name, endpoint, token, provenance, said_at: at, at }
}

fn admit_player(registry: &mut Registry, number: u32, endpoint: &str, token: u8) {
    let (name, endpoint) = (DisplayName::new("somebody"), Endpoint::new(endpoint));
    let papers = papers(&name, &endpoint, hash(token));
    registry.admit_player(player(number), papers);
}

fn admit_referee(registry: &mut Registry, number: u32, capacity: u32) {
    let name = DisplayName::new("somebody");
    let endpoint = Endpoint::new(&format!("ref{number}"));
    let token = hash(100 + number as u8);
    let papers = papers(&name, &endpoint, token);
    registry.admit_referee(referee(number), papers, (capacity, false));
}

#[test]
fn an_agent_is_found_by_id_endpoint_and_token() {
    let mut registry = Registry::default();
    admit_player(&mut registry, 1, "p1", 1);
    admit_referee(&mut registry, 1, 2);
    assert_eq!(registry.at(&Endpoint::new("p1")), Some(AgentId::Player(player(1))));
    assert_eq!(registry.holder(&hash(101)), Some(AgentId::Referee(referee(1))));
    assert_eq!((registry.player_count(), registry.referee_count()), (1, 1));
    assert!(registry.player(player(0)).is_none() && registry.player(player(2)).is_none());
    assert!(registry.referee(referee(0)).is_none() && registry.referee(referee(2)).is_none());
    assert_eq!(registry.duty(referee(2)).capacity, 0);
    let everybody: Vec<_> =
        registry.everybody().map(|(_, agent)| agent.endpoint.as_str()).collect();
    assert_eq!(everybody, ["p1", "ref1"]);
}

#[test]
fn registering_again_keeps_the_id_and_kills_the_old_token_and_endpoint() {
    let mut registry = Registry::default();
    admit_player(&mut registry, 1, "old", 1);
    admit_player(&mut registry, 1, "new", 2);
    assert_eq!(registry.player_count(), 1);
    assert_eq!(registry.holder(&hash(1)), None);
    assert_eq!(registry.at(&Endpoint::new("old")), None);
    assert_eq!(registry.holder(&hash(2)), Some(AgentId::Player(player(1))));
    assert_eq!(registry.player(player(1)).unwrap().number, 2);
}

#[test]
fn a_burden_is_measured_by_capacity() {
    let mut registry = Registry::default();
    admit_referee(&mut registry, 1, 1);
    admit_referee(&mut registry, 2, 4);
    registry.burden(referee(1), MANY);
    for _ in 0..4 {
        registry.burden(referee(2), MANY);
    }
    assert_eq!(registry.duty(referee(1)).burden, registry.duty(referee(2)).burden);
}

#[test]
fn more_room_than_there_are_matches_is_worth_nothing() {
    let duty = |capacity| Duty { capacity, ..Duty::default() };
    assert_eq!(duty(u32::MAX).share(4), duty(4).share(4));
    assert!(duty(u32::MAX).share(u32::MAX) > 0);
    assert!(duty(0).share(0) > 0);
}

#[test]
fn a_newcomer_begins_level_with_the_least_burdened() {
    let mut registry = Registry::default();
    for number in 1..=2 {
        admit_referee(&mut registry, number, 1);
        registry.burden(referee(number), MANY);
    }
    registry.burden(referee(2), MANY);
    let least = registry.duty(referee(1)).burden;
    admit_referee(&mut registry, 3, 1);
    assert_eq!(registry.duty(referee(3)).burden, least);
    // One that comes again keeps what it has.
    admit_referee(&mut registry, 2, 5);
    assert_eq!(registry.duty(referee(2)).capacity, 5);
    assert!(registry.duty(referee(2)).burden > least);
}
