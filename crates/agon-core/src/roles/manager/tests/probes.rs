//! Who is tried when, and who hears what of it.

use std::time::Duration;

use agon_proto::ShortText;

use super::identity::{BEYOND, HERE};
use super::*;
use crate::testing::{at_ms, check, lines, player};
use crate::{AddressKey, AdmissionPolicy, AdmissionRules, Caller, Seat};

fn open() -> League {
    let admission = AdmissionRules {
        players: AdmissionPolicy::Open,
        probe_after: Some(Duration::from_secs(2)),
        ..AdmissionRules::local()
    };
    let mut league = League::open_with(settings(), ManagerOptions { admission, ..options(None) });
    league.bench.now = at_ms(0);
    league
}

fn come(league: &mut League, caller: Caller, name: &str, endpoint: &str, token: Option<AuthToken>) {
    let request = Entry { endpoint: endpoint.into(), token, ..entry(name, None) }.request();
    let (id, token) = admission(&league.bench.call_by(caller, request)).unwrap();
    league.tokens.insert(id, token);
}

fn at_home(league: &mut League, name: &str) {
    come(league, HERE, name, name, None);
}

/// What is done at that time.
fn tick(league: &mut League, milliseconds: u64) -> Vec<Effect> {
    league.bench.now = at_ms(milliseconds);
    league.bench.tick()
}

/// A probe of that player's endpoint comes back.
fn found(league: &mut League, agent: u32, endpoint: &str, why_not: Option<&str>) -> Vec<Effect> {
    let found = why_not.map_or(Ok(()), |why_not| Err(ShortText::new(why_not)));
    let (agent, endpoint) = (AgentId::Player(player(agent)), Endpoint::new(endpoint));
    league.bench.tell(Event::Probed { agent, endpoint, found })
}

/// When the next probes leave, in milliseconds, and which: as long as there are any.
fn all(league: &mut League) -> Vec<(u64, String)> {
    let mut all = Vec::new();
    while let Some(due) = league.bench.role.deadline() {
        let at = u64::try_from(due.since(at_ms(0)).as_millis()).unwrap();
        all.extend(lines(&tick(league, at)).into_iter().map(|line| (at, line)));
    }
    all
}

#[test]
fn an_agent_is_tried_after_its_answer_and_again_with_growing_pauses() {
    let mut league = open();
    at_home(&mut league, "p1");
    check(&tick(&mut league, 1_999), &[]);
    check(&tick(&mut league, 2_000), &["probe P01 at p1"]);
    let mut at = 2_000;
    for (failures, wait) in [4_000, 8_000, 16_000, 32_000, 60_000, 60_000].into_iter().enumerate() {
        let said = lines(&found(&mut league, 1, "p1", Some("refused")));
        assert_eq!(said.len(), usize::from(failures == 0), "{said:?}");
        at += wait;
        check(&tick(&mut league, at - 1), &[]);
        check(&tick(&mut league, at), &["probe P01 at p1"]);
    }
    let [said] = &lines(&found(&mut league, 1, "p1", None))[..] else { panic!("it is said once") };
    assert!(said.starts_with("alert: Reached"), "{said}");
    assert_eq!(league.bench.role.deadline(), None);
    assert!(league.bench.facts.len() == 2, "nothing of it is durable");
}

#[test]
fn so_many_leave_in_all_and_fewer_for_one_address() {
    let mut league = open();
    for name in ["p1", "p2", "p3"] {
        at_home(&mut league, name);
    }
    let other = Caller { address: AddressKey([2; 16]), ..BEYOND };
    come(&mut league, other, "p4", "p4", None);
    let all: Vec<_> = all(&mut league).into_iter().collect();
    let expected = [(2_000, "P01"), (2_050, "P04"), (2_250, "P02"), (2_500, "P03")];
    let named = |(at, id): (u64, &str)| (at, format!("probe {id} at p{}", &id[2..]));
    assert_eq!(all, expected.map(named));
}

#[test]
fn the_addresses_of_one_network_of_ipv6_count_as_one() {
    let mut league = open();
    for (number, name) in (1..).zip(["p1", "p2"]) {
        let mut key = [0x20; 16];
        key[15] = number;
        come(&mut league, Caller { address: AddressKey(key), ..BEYOND }, name, name, None);
    }
    let all: Vec<_> = all(&mut league).into_iter().map(|(at, _)| at).collect();
    assert_eq!(all, [2_000, 2_250]);
}

#[test]
fn whoever_names_one_place_after_the_other_learns_no_faster() {
    let mut league = open();
    at_home(&mut league, "p1");
    check(&tick(&mut league, 2_000), &["probe P01 at p1"]);
    let _ = found(&mut league, 1, "p1", Some("refused"));
    let mut at = 2_000;
    for (number, wait) in [4_000, 8_000, 16_000, 32_000, 60_000, 60_000].into_iter().enumerate() {
        // It moves again and again; only where it is at last is tried.
        let place = |step: u32| format!("port-{number}-{step}");
        for step in 0..3 {
            let token = league.token(AgentId::Player(player(1)));
            come(&mut league, HERE, "p1", &place(step), token);
        }
        check(&found(&mut league, 1, &place(0), None), &[]);
        at += wait;
        check(&tick(&mut league, at - 1), &[]);
        check(&tick(&mut league, at), &[&*format!("probe P01 at {}", place(2))]);
        let _ = found(&mut league, 1, &place(2), Some("refused"));
    }
}

#[test]
fn nobody_is_tried_who_is_not_in_or_again_once_the_season_has_begun() {
    let mut league = open();
    at_home(&mut league, "p1");
    at_home(&mut league, "p2");
    league.register(&entry("ref1", Some(1)));
    let out = ToolParams { player_id: Some(player(1)), ..ToolParams::default() };
    let _ = league.order(Command::RemoveAgent, out);
    let probed = lines(&tick(&mut league, 2_000));
    assert_eq!(probed, ["probe P02 at p2"]);
    for name in ["p3", "p4"] {
        at_home(&mut league, name);
    }
    let _ = league.command(Command::StartLeague);
    let [said] = &lines(&found(&mut league, 2, "p2", Some("refused")))[..] else { panic!() };
    assert!(said.starts_with("alert: NotReached") && said.contains("again: false"), "{said}");
    // Who has taken the news of its round can be called; whoever has no match in it is tried once.
    let match_id = league.bench.role.league().season.matches_in(1).next().unwrap();
    for seat in [Seat::A, Seat::B] {
        let tag = Tag::Announce { match_id, seat };
        let _ = league.bench.tell(Event::Noticed { tag, how: Noticed::Taken });
    }
    let mut later = lines(&tick(&mut league, 60_000));
    later.retain(|line| line.starts_with("probe"));
    assert_eq!(later, ["probe P04 at p4"]);
    let _ = found(&mut league, 4, "p4", Some("refused"));
    let later = lines(&tick(&mut league, 120_000));
    assert!(!later.iter().any(|line| line.starts_with("probe")), "{later:?}");
}

#[test]
fn after_a_restart_everybody_is_tried_again() {
    let mut league = open();
    at_home(&mut league, "p1");
    check(&tick(&mut league, 2_000), &["probe P01 at p1"]);
    let _ = found(&mut league, 1, "p1", None);
    let admission =
        AdmissionRules { probe_after: Some(Duration::from_secs(2)), ..AdmissionRules::local() };
    let facts = league.bench.facts.clone();
    let options = ManagerOptions { admission, ..options(None) };
    league.bench = Bench::new(Manager::new(settings(), options), facts);
    league.bench.now = at_ms(10_000);
    let _ = league.bench.resume();
    check(&tick(&mut league, 12_000), &["probe P01 at p1"]);
}

#[test]
fn what_comes_of_an_older_try_plans_no_other() {
    let mut league = open();
    at_home(&mut league, "p1");
    check(&tick(&mut league, 2_000), &["probe P01 at p1"]);
    let token = league.token(AgentId::Player(player(1)));
    come(&mut league, HERE, "p1", "p1", token);
    check(&found(&mut league, 1, "p1", Some("refused")), &[]);
    check(&tick(&mut league, 3_999), &[]);
    check(&tick(&mut league, 4_000), &["probe P01 at p1"]);
    assert_eq!(league.bench.role.deadline(), None, "one try at a time");
}
