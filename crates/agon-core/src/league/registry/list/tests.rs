//! Everybody is found at its place, and little room is kept for nobody.

use agon_proto::{AgentId, AuthToken};

use super::*;
use crate::TokenHash;
use crate::testing::{player, registration};

#[test]
fn agents_keep_their_places_and_take_no_room_for_more_than_a_block() {
    let hash = TokenHash::of(&AuthToken::derived([1; 32])).unwrap();
    let mut list = AgentList::default();
    let count = 3 * BLOCK + 1;
    for number in 1..=count {
        assert_eq!(list.len(), number - 1);
        let id = AgentId::Player(player(number as u32));
        list.push(RegisteredAgent::from(&registration(id, &format!("p{number}"), hash)));
    }
    for (place, agent) in list.iter().enumerate() {
        assert_eq!(agent.id, AgentId::Player(player(place as u32 + 1)));
        assert_eq!(list.get(place).map(|it| it.id), Some(agent.id));
    }
    assert_eq!(list.iter().count(), count);
    assert!(list.get(count).is_none() && list.get(usize::MAX).is_none());
    assert!(list.get_mut(count).is_none() && list.get_mut(BLOCK).is_some());
    let room: usize = list.0.iter().map(Vec::capacity).sum();
    assert!(room < count + BLOCK, "room for {room}");
}
