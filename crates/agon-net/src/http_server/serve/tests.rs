//! What a connection costs before it has said anything, and who has to go when room is needed.

use std::future::pending;
use std::sync::Arc;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::super::{Busy, Hosts, Incoming, Pacing, Page, Rate};
use super::{CHOSEN, Connections, Door, GONE, Presence, ServerConfig, Session, Shared, converse};

struct Nobody;

impl Door for Nobody {
    fn handle(&self, _: Incoming) -> Result<(), Busy> {
        Err(Busy)
    }

    fn get(&self, _: &str) -> Option<Page> {
        None
    }
}

#[tokio::test]
async fn a_silent_connection_holds_little_room() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let stream = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
    let from = stream.local_addr().unwrap();
    let second = std::time::Duration::from_secs(1);
    let rate = Rate::new(1, 1);
    let pacing = Pacing { rate, wait_max: second, waiting_max: 1, words: Default::default() };
    let config = ServerConfig {
        body_max: 1,
        head_max: 1,
        header_timeout: second,
        body_timeout: second,
        connections_max: 1,
        stop_grace: second,
        retry_after: second,
        pacing,
        hosts: Hosts::default(),
        identity: None,
    };
    let shared = Arc::new(Shared::new(config, Nobody, Arc::default()));
    let session = Session::new(&shared, from, Connections::new().presence());
    let (_stop, stopped) = watch::channel(false);
    let talk = converse(stream, Arc::new(session), stopped);
    assert!(size_of_val(&talk) <= 1024, "{} bytes", size_of_val(&talk));
}

/// A roster of guests that do nothing, with these times of rest.
struct House {
    roster: Connections,
    tasks: JoinSet<()>,
}

impl House {
    fn of(rests: impl IntoIterator<Item = u64>) -> (Self, Vec<Arc<Presence>>) {
        let mut house = Self { roster: Connections::new(), tasks: JoinSet::new() };
        let guests = rests.into_iter().map(|rest| house.welcome(rest)).collect();
        (house, guests)
    }

    fn welcome(&mut self, rest: u64) -> Arc<Presence> {
        let presence = self.roster.presence();
        presence.rest.store(rest, std::sync::atomic::Ordering::Relaxed);
        self.roster.add(Arc::clone(&presence), self.tasks.spawn(pending()));
        presence
    }
}

fn is_gone(presence: &Presence) -> bool {
    presence.rest.load(std::sync::atomic::Ordering::Relaxed) == GONE
}

fn left(guests: &[Arc<Presence>]) -> Vec<usize> {
    (0..guests.len()).filter(|number| !is_gone(&guests[*number])).collect()
}

#[tokio::test]
async fn whoever_has_been_at_rest_longest_goes_first() {
    let (mut house, guests) = House::of([30, 10, 20]);
    for expected in [vec![0, 2], vec![0], vec![]] {
        assert!(house.roster.make_room());
        assert_eq!(left(&guests), expected);
    }
    assert!(!house.roster.make_room());
    assert_eq!(house.roster.guests.len(), 0);
}

#[tokio::test]
async fn nobody_is_sent_away_whose_request_is_with_the_door() {
    let (mut house, guests) = House::of([10, 20]);
    assert!(guests[0].begin());
    assert!(house.roster.make_room());
    assert_eq!(left(&guests), [0]);
    assert!(!house.roster.make_room());
    guests[0].end();
    assert!(house.roster.make_room());
    assert!(!guests[0].begin(), "it must not begin what nobody will hear");
}

#[tokio::test]
async fn whoever_was_chosen_and_moved_meanwhile_is_spared() {
    let (mut house, guests) = House::of([10, 20, 30]);
    assert!(house.roster.make_room()); // Chooses all three, in order.
    assert!(guests[1].begin());
    guests[1].rest.store(40, std::sync::atomic::Ordering::Relaxed);
    assert!(house.roster.make_room());
    assert_eq!(left(&guests), [1]);
    assert!(house.roster.make_room());
    assert_eq!(left(&guests), [0_usize; 0]);
}

#[tokio::test]
async fn of_very_many_the_oldest_go_in_order() {
    let count = 3 * CHOSEN as u64;
    let (mut house, guests) = House::of((0..count).map(|number| (number * 7) % count));
    for gone in 1..=count {
        assert!(house.roster.make_room());
        let rests = left(&guests).into_iter().map(|number| (number as u64 * 7) % count);
        assert_eq!(rests.min().unwrap_or(count), gone);
    }
}
