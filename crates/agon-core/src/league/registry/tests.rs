//! Ids for ever, one agent at an endpoint, one living token each, burden by capacity.

use agon_proto::{AuthToken, Endpoint};

use super::*;
use crate::testing::{player, referee, registration};

/// More matches at a time than anybody here has room for.
const MANY: u32 = 100;

fn hash(number: u8) -> TokenHash {
    TokenHash::of(&AuthToken::derived([number; 32])).unwrap()
}

fn admit_player(registry: &mut Registry, number: u32, endpoint: &str, token: u8) {
    registry.admit(&registration(AgentId::Player(player(number)), endpoint, hash(token)));
}

fn admit_referee(registry: &mut Registry, number: u32, capacity: u32) {
    let id = AgentId::Referee(referee(number));
    let known = registration(id, &format!("ref{number}"), hash(100 + number as u8));
    registry.admit(&Registration { capacity, ..known });
}

#[test]
fn an_agent_is_found_by_id_endpoint_and_token() {
    let mut registry = Registry::default();
    admit_player(&mut registry, 1, "p1", 1);
    admit_referee(&mut registry, 1, 2);
    assert_eq!(registry.at(&Endpoint::new("p1").into()), Some(AgentId::Player(player(1))));
    assert_eq!(registry.holder(&hash(101)), Some(AgentId::Referee(referee(1))));
    assert_eq!((registry.player_count(), registry.referee_count()), (1, 1));
    assert!(registry.player(player(0)).is_none() && registry.player(player(2)).is_none());
    assert!(registry.referee(referee(0)).is_none() && registry.referee(referee(2)).is_none());
    assert_eq!(registry.capacity(referee(2)), 0);
    let everybody: Vec<_> = registry.everybody().map(|agent| agent.contact.as_str()).collect();
    assert_eq!(everybody, ["p1", "ref1"]);
}

#[test]
fn registering_again_keeps_the_id_and_kills_the_old_token_and_endpoint() {
    let mut registry = Registry::default();
    admit_player(&mut registry, 1, "old", 1);
    admit_player(&mut registry, 1, "new", 2);
    assert_eq!(registry.player_count(), 1);
    assert_eq!(registry.holder(&hash(1)), None);
    assert_eq!(registry.at(&Endpoint::new("old").into()), None);
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
    assert_eq!(registry.burden_of(referee(1)), registry.burden_of(referee(2)));
}

#[test]
fn more_room_than_there_are_matches_is_worth_nothing() {
    assert_eq!(share(u32::MAX, 4), share(4, 4));
    assert!(share(u32::MAX, u32::MAX) > 0);
    assert!(share(0, 0) > 0);
}

#[test]
fn a_newcomer_begins_level_with_the_least_burdened() {
    let mut registry = Registry::default();
    for number in 1..=2 {
        admit_referee(&mut registry, number, 1);
        registry.burden(referee(number), MANY);
    }
    registry.burden(referee(2), MANY);
    let least = registry.burden_of(referee(1));
    admit_referee(&mut registry, 3, 1);
    assert_eq!(registry.burden_of(referee(3)), least);
    // One that comes again keeps what it has.
    admit_referee(&mut registry, 2, 5);
    assert_eq!(registry.capacity(referee(2)), 5);
    assert!(registry.burden_of(referee(2)) > least);
}

#[test]
fn a_team_is_complete_when_it_has_a_player_and_a_referee() {
    let mut registry = Registry::default();
    let join = |registry: &mut Registry, agent, group: &str| {
        let known = registration(agent, &format!("{agent}"), hash(1));
        registry.admit(&Registration { group: Some(GroupId::new(group)), token: None, ..known });
    };
    join(&mut registry, AgentId::Player(player(1)), "Alpha");
    join(&mut registry, AgentId::Player(player(2)), "beta");
    join(&mut registry, AgentId::Referee(referee(1)), "BETA");
    assert_eq!(registry.teams().collect::<Vec<_>>(), [(player(2), referee(1))]);
    join(&mut registry, AgentId::Referee(referee(2)), "alpha");
    let teams = [(player(1), referee(2)), (player(2), referee(1))];
    assert_eq!(registry.teams().collect::<Vec<_>>(), teams);
    assert_eq!(registry.holder(&hash(1)), None, "whom its carrier vouches for has no token");
}

#[test]
fn nobody_can_be_in_the_way_of_every_name() {
    let mut registry = Registry::default();
    let late = AgentId::Player(player(99));
    let own = |before: &str| DisplayName::new(&format!("{before}Ada ({late})"));
    let mut taken = vec![DisplayName::new("Ada")];
    // A name is cut at 64 characters, so these are all that can be made like that.
    taken.extend((0..=64).map(|length| own(&"_".repeat(length))));
    taken.extend((2..9).map(|number| own(&format!("{number} "))));
    for (number, name) in (1..).zip(&taken) {
        let id = AgentId::Player(player(number));
        let known = registration(id, &format!("p{number}"), hash(number as u8));
        registry.admit(&Registration { name: name.clone(), ..known });
    }
    let name = registry.distinct(DisplayName::new("Ada"), late);
    assert!(taken.iter().all(|other| other.look() != name.look()), "{name}");
    assert!(name.as_str().ends_with("Ada (P99)"), "{name}");
}
