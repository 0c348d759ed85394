//! Places and whose they are, with and without gaps.

use super::super::*;
use crate::testing::{player, referee};

#[test]
fn where_everybody_takes_part_a_place_is_a_number() {
    let lineup = Lineup::All { players: 3, referees: 1 };
    assert_eq!((lineup.players(), lineup.referees()), (3, 1));
    assert_eq!((lineup.player(player(2)), lineup.place(player(2))), (player(2), Some(player(2))));
    assert_eq!(lineup.place(player(4)), None);
    assert!(!lineup.holds(AgentId::Player(player(4))));
    // A referee that comes later is as good as the others.
    assert!(lineup.holds(AgentId::Referee(referee(9))));
}

#[test]
fn who_is_not_listed_takes_no_place() {
    let (players, referees) = (vec![player(2), player(5)], vec![referee(3), referee(1)]);
    let lineup = Lineup::Listed { players, referees, referees_later: false };
    assert_eq!((lineup.players(), lineup.referees()), (2, 2));
    assert_eq!(lineup.player(player(2)), player(5));
    assert_eq!(lineup.place(player(5)), Some(player(2)));
    assert_eq!([1, 3].map(|number| lineup.place(player(number))), [None, None]);
    assert_eq!([1, 2].map(|place| lineup.referee(referee(place))), [referee(3), referee(1)]);
    let referees = [1, 2, 3].map(|number| lineup.holds(AgentId::Referee(referee(number))));
    assert_eq!(referees, [true, false, true]);
}
