//! Who has to go when room is needed: for a connection, for one of an address, for bytes.

use std::future::pending;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::task::{Id, JoinSet};

use super::{Bounds, CHOSEN, Full, Places, Presence, State};

const HOME: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
const BOUNDS: Bounds =
    Bounds { connections_max: 0, per_address_max: usize::MAX, bytes_max: usize::MAX, pace: 100 };

/// Places, and guests in them that do nothing.
struct House {
    places: Places,
    tasks: JoinSet<()>,
    opened: Instant,
    guests: Vec<(Arc<Presence>, Id)>,
}

impl House {
    fn new(bounds: Bounds) -> Self {
        let opened = Instant::now();
        Self { places: Places::new(bounds), tasks: JoinSet::new(), opened, guests: Vec::new() }
    }

    /// Full as it is, with guests that have been at rest since these milliseconds.
    fn of(rests: impl IntoIterator<Item = u64>) -> Self {
        let mut house = Self::new(BOUNDS);
        for rest in rests {
            house.welcome(HOME, State::Resting, Duration::from_millis(1_000_000 - rest));
        }
        house
    }

    /// A guest that has been doing that for so long.
    fn welcome(&mut self, from: impl Into<IpAddr>, state: State, long: Duration) -> usize {
        let presence = Presence::new();
        {
            let mut doing = presence.doing();
            (doing.state, doing.since) = (state, self.opened.checked_sub(long).unwrap());
        }
        let task = self.tasks.spawn(pending());
        let id = task.id();
        self.places.add(Arc::clone(&presence), task, Some(from.into()));
        self.guests.push((presence, id));
        self.guests.len() - 1
    }

    fn make_room(&self) -> bool {
        self.places.make_room(None, false) == Some(Ok(()))
    }

    fn left(&self) -> Vec<usize> {
        let is_here = |number: &usize| self.guests[*number].0.doing().state != State::Gone;
        (0..self.guests.len()).filter(is_here).collect()
    }

    /// Makes room until nobody is left, and says in which order they went.
    fn order(&self) -> Vec<usize> {
        let mut order = Vec::new();
        let mut before = self.left();
        while self.make_room() {
            let after = self.left();
            order.extend(before.iter().filter(|number| !after.contains(number)));
            before = after;
        }
        order
    }
}

fn address(last: u8) -> Ipv4Addr {
    Ipv4Addr::new(127, 0, 0, last)
}

const LONG: Duration = Duration::from_secs(4);
const SHORT: Duration = Duration::from_millis(1);

#[tokio::test]
async fn whoever_has_been_at_rest_longest_goes_first() {
    let house = House::of([30, 10, 20]);
    assert_eq!(house.order(), [1, 2, 0]);
    assert!(!house.make_room());
    assert!(house.places.table().guests.is_empty() && house.places.table().of_address.is_empty());
}

#[tokio::test]
async fn nobody_is_sent_away_whose_request_is_with_the_door() {
    let house = House::of([10, 20]);
    let busy = &house.guests[0].0;
    assert!(busy.begin());
    assert!(house.make_room());
    assert_eq!(house.left(), [0]);
    assert!(!house.make_room());
    busy.end();
    assert!(house.make_room());
    assert!(!busy.begin(), "it must not begin what nobody will hear");
}

#[tokio::test]
async fn whoever_was_chosen_and_moved_meanwhile_is_spared() {
    let house = House::of([10, 20, 30]);
    assert!(house.make_room()); // Chooses all three, in order.
    assert!(house.guests[1].0.begin());
    house.guests[1].0.end();
    assert!(house.make_room());
    assert_eq!(house.left(), [1]);
    assert!(house.make_room());
    assert_eq!(house.left(), [0_usize; 0]);
}

#[tokio::test]
async fn of_very_many_the_oldest_go_in_order() {
    let count = 3 * CHOSEN as u64;
    let house = House::of((0..count).map(|number| (number * 7) % count));
    let rests: Vec<u64> = house.order().iter().map(|number| (*number as u64 * 7) % count).collect();
    assert_eq!(rests, (0..count).collect::<Vec<_>>());
}

#[tokio::test]
async fn the_least_useful_go_first() {
    let mut house = House::new(BOUNDS);
    let just_came = house.welcome(HOME, State::Silent, SHORT);
    let rests = house.welcome(HOME, State::Resting, SHORT);
    let silent = house.welcome(HOME, State::Silent, LONG);
    let slower = house.welcome(HOME, State::Reading(10), LONG);
    let slow = house.welcome(HOME, State::Reading(300), LONG);
    let keeps_the_pace = house.welcome(HOME, State::Reading(500), LONG);
    let just_began = house.welcome(HOME, State::Reading(1), SHORT);
    let order = [slower, slow, silent, rests, just_came, keeps_the_pace, just_began];
    assert_eq!(house.order(), order);
}

#[tokio::test]
async fn the_address_with_most_of_the_slow_loses_them_first() {
    let mut house = House::new(BOUNDS);
    let alone = house.welcome(address(1), State::Reading(1), LONG);
    let crowd = [50, 20, 30].map(|got| house.welcome(address(2), State::Reading(got), LONG));
    let resting = house.welcome(address(2), State::Resting, LONG);
    assert_eq!(house.order(), [crowd[1], crowd[2], crowd[0], alone, resting]);
}

#[tokio::test]
async fn an_address_makes_room_for_itself() {
    let mut house = House::new(Bounds { connections_max: 9, per_address_max: 2, ..BOUNDS });
    let other = house.welcome(address(1), State::Reading(0), LONG);
    let honest = house.welcome(address(2), State::Resting, LONG);
    assert_eq!(house.places.make_room(Some(address(2).into()), false), None);
    let slow = house.welcome(address(2), State::Reading(0), LONG);
    assert_eq!(house.places.make_room(Some(address(2).into()), false), Some(Ok(())));
    assert_eq!(house.left(), [other, honest]);
    let again = house.welcome(address(2), State::Resting, LONG);
    house.guests[honest].0.begin();
    house.guests[again].0.begin();
    assert_eq!(house.places.make_room(Some(address(2).into()), false), Some(Err(Full)));
    assert_eq!(house.places.make_room(Some(address(3).into()), false), None);
    assert_eq!(house.left(), [other, honest, again]);
    assert_ne!(slow, again);
}

#[tokio::test]
async fn whoever_a_proxy_names_counts_for_its_own_address() {
    let mut house = House::new(Bounds { connections_max: 9, per_address_max: 1, ..BOUNDS });
    let (presence, proxy) = (Presence::new(), house.tasks.spawn(pending()));
    let id = proxy.id();
    house.places.add(presence, proxy, None);
    house.welcome(address(2), State::Resting, LONG);
    assert_eq!(house.places.move_to(id, address(2).into()), Ok(()));
    assert_eq!(house.left(), [0_usize; 0]);
    assert_eq!(house.places.table().of_address.get(&address(2).into()), Some(&1));
    house.places.remove(id);
    assert!(house.places.table().of_address.is_empty());
}

#[tokio::test]
async fn the_slowest_bodies_make_room_for_a_quick_one() {
    let mut house = House::new(Bounds { connections_max: 9, bytes_max: 100, ..BOUNDS });
    let slow = house.welcome(HOME, State::Reading(60), LONG);
    let slower = house.welcome(HOME, State::Reading(30), LONG);
    let quick = house.welcome(HOME, State::Reading(100), SHORT);
    let resting = house.welcome(HOME, State::Resting, LONG);
    let hold = |number: usize, more| house.places.hold(&house.guests[number].0, more);
    assert_eq!((hold(slow, 60), hold(slower, 30), hold(quick, 10)), (Ok(0), Ok(0), Ok(0)));
    assert_eq!(hold(quick, 1), Ok(1));
    assert_eq!(house.left(), [slow, quick, resting]);
    // Whoever is itself the slowest makes room for nobody.
    assert_eq!(hold(slow, 40), Err(Full));
    assert_eq!(house.left(), [slow, quick, resting]);
    house.places.release(&house.guests[slow].0);
    assert_eq!(hold(quick, 89), Ok(0));
    // What is with the door stays; and what is gone counts no more.
    assert!(house.guests[quick].0.begin());
    assert_eq!(hold(slow, 1), Err(Full));
    house.places.release(&house.guests[slow].0);
    assert_eq!(hold(slower, 1), Err(Full));
    house.places.release(&house.guests[quick].0);
    assert_eq!(house.places.held.load(std::sync::atomic::Ordering::Relaxed), 0);
}

#[tokio::test]
async fn the_address_that_holds_most_bytes_makes_room_for_others() {
    let mut house = House::new(Bounds { connections_max: 9, bytes_max: 100, ..BOUNDS });
    // All of them keep the pace, and those that hold most were quickest.
    let [first, second] = [900, 800]
        .map(|got| house.welcome(address(1), State::Reading(got), Duration::from_secs(1)));
    let honest = house.welcome(address(2), State::Reading(500), LONG);
    let hold = |number: usize, more| house.places.hold(&house.guests[number].0, more);
    assert_eq!((hold(first, 45), hold(second, 45), hold(honest, 10)), (Ok(0), Ok(0), Ok(0)));
    assert_eq!(hold(honest, 10), Ok(1));
    assert_eq!(house.left(), [first, honest]);
    // Whoever holds most is not spared for being the one who wants more.
    assert_eq!(hold(first, 45), Err(Full));
    assert_eq!(house.left(), [first, honest]);
}

#[tokio::test]
async fn nothing_is_remembered_of_an_address_whose_last_connection_is_gone() {
    let mut house = House::new(Bounds { connections_max: 9, per_address_max: 3, ..BOUNDS });
    let from = Some(IpAddr::from(address(2)));
    for _ in 0..3 {
        house.welcome(address(2), State::Resting, LONG);
    }
    assert_eq!(house.places.make_room(from, false), Some(Ok(())));
    assert_eq!(house.places.table().next.len(), 1, "two more are the next to go");
    house.left().into_iter().for_each(|number| house.places.remove(house.guests[number].1));
    assert!(house.places.table().next.is_empty());
}

#[test]
fn what_was_looked_at_counts_once() {
    let presence = Presence::new();
    presence.seen(30);
    presence.seen(10);
    presence.received(25);
    assert_eq!(presence.doing().state, State::Reading(40));
    presence.received(20); // Five of them are new.
    assert_eq!(presence.doing().state, State::Reading(45));
}
