//! Who is who when somebody registers again, and which referees may come at all.

use std::time::Duration;

use super::*;
use crate::testing::{lines, player, referee, stolen};
use crate::{AddressKey, Alert, Caller, CallerPlace};

pub(super) const HERE: Caller = Caller {
    origin: Origin::Endpoint,
    place: CallerPlace::ThisMachine,
    address: AddressKey([1; 16]),
    public_only: false,
    code: None,
};
const ELSEWHERE: Caller = Caller { address: AddressKey([2; 16]), ..HERE };
pub(super) const BEYOND: Caller = Caller { place: CallerPlace::Beyond, ..HERE };

fn keeping(name: &str, capacity: Option<u32>) -> Entry {
    Entry { keeps_token: true, ..entry(name, capacity) }
}

#[track_caller]
fn token(league: &mut League, caller: Caller, entry: &Entry) -> AuthToken {
    admission(&league.bench.call_by(caller, entry.request())).unwrap().1
}

#[track_caller]
pub(super) fn check_refused(league: &mut League, caller: Caller, entry: &Entry, code: &str) {
    let before = league.bench.facts.len();
    let reason = admission(&league.bench.call_by(caller, entry.request())).unwrap_err();
    assert!(reason.starts_with(code), "{reason}");
    assert_eq!(league.bench.facts.len(), before, "nothing is written down");
}

#[test]
fn whoever_comes_from_the_internet_is_called_there_alone_also_after_a_restart() {
    let mut league = League::open();
    let bounds = |effects: &[Effect]| {
        lines(effects).into_iter().filter(|line| line.starts_with("calls to")).collect::<Vec<_>>()
    };
    let far = Caller { public_only: true, ..HERE };
    let there = entry("p1", None).request();
    let only_public = ["calls to p1 in public only: true"];
    assert_eq!(bounds(&league.bench.call_by(far, there.clone())), only_public);
    // Once is enough.
    assert_eq!(bounds(&league.bench.call_by(far, entry("p1", Some(1)).request())), [""; 0]);
    let facts = league.bench.facts.clone();
    league.bench = Bench::new(Manager::new(settings(), options(None)), facts);
    assert_eq!(bounds(&league.bench.resume()), only_public);
    league.bench.at(60);
    let near = bounds(&league.bench.call_by(HERE, entry("p1", None).request()));
    assert_eq!(near, ["calls to p1 in public only: false"]);
}

#[test]
fn a_repeat_writes_nothing_down_and_survives_a_restart() {
    let mut league = League::open();
    let first = token(&mut league, HERE, &entry("p1", None));
    let facts = league.bench.facts.clone();
    league.bench.at(30);
    assert_eq!(token(&mut league, HERE, &entry("p1", None)), first);
    assert_eq!(league.bench.facts, facts);
    league.bench = Bench::new(Manager::new(settings(), options(None)), facts);
    league.bench.at(30);
    assert_eq!(token(&mut league, HERE, &entry("p1", None)), first);
}

#[test]
fn what_comes_late_or_changed_or_from_elsewhere_gets_another_token() {
    let mut league = League::open();
    let mut known = vec![token(&mut league, HERE, &entry("p1", None))];
    let mut anew = |league: &mut League, caller, entry: &Entry| {
        let token = token(league, caller, entry);
        assert!(!known.contains(&token), "another one each time");
        known.push(token);
    };
    let renamed = Entry { name: "thief".into(), ..entry("p1", None) };
    anew(&mut league, HERE, &renamed);
    anew(&mut league, HERE, &entry("p1", None));
    anew(&mut league, ELSEWHERE, &entry("p1", None));
    league.bench.now = at(30) + Duration::from_micros(1);
    anew(&mut league, ELSEWHERE, &entry("p1", None));
}

#[test]
fn a_token_that_was_shown_is_given_to_nobody_again() {
    let mut league = League::open();
    let shown = token(&mut league, HERE, &keeping("ref1", Some(1)));
    let conversation = ConversationId::new("conv-heartbeat");
    let heartbeat = agon_proto::message::Heartbeat {
        league_id: super::league(),
        matches_held: 0,
        told: Vec::new(),
    };
    let sender = Sender::Referee(referee(1));
    league.bench.call(letter(sender, Some(shown.clone()), conversation, heartbeat));
    check_refused(&mut league, HERE, &keeping("ref1", Some(1)), "E017");
    let proved = Entry { token: Some(shown.clone()), ..keeping("ref1", Some(1)) };
    assert_ne!(token(&mut league, HERE, &proved), shown);
}

#[test]
fn only_its_token_brings_back_an_agent_that_keeps_it() {
    let mut league = League::open();
    let own = token(&mut league, HERE, &keeping("p1", None));
    let again = Entry { conversation: "conv-2".into(), ..keeping("p1", None) };
    for thief in [again.clone(), Entry { keeps_token: false, ..again.clone() }] {
        check_refused(&mut league, HERE, &thief, "E017");
        check_refused(&mut league, HERE, &Entry { token: Some(stolen()), ..thief }, "E017");
    }
    let own = Entry { token: Some(own), ..again };
    let (id, _) = admission(&league.bench.call_by(ELSEWHERE, own.request())).unwrap();
    assert_eq!(id, AgentId::Player(player(1)));
}

#[test]
fn a_timestamp_from_the_future_locks_nobody_out() {
    let mut league = League::open();
    let written = |entry: &Entry, second| {
        let mut request = entry.request();
        request.head.timestamp = at(second);
        request
    };
    league.bench.at(10);
    let ahead = league.bench.call(written(&entry("p1", None), 1_000_000));
    let (_, ahead) = admission(&ahead).unwrap();
    // Its own token counts, even if it says that it was written long ago.
    let proved = Entry { token: Some(ahead), conversation: "conv-2".into(), ..entry("p1", None) };
    admission(&league.bench.call(written(&proved, 0))).unwrap();
    // And whoever has none is not measured by a clock that was wrong.
    league.bench.at(12);
    let lost = Entry { conversation: "conv-3".into(), ..entry("p1", None) };
    admission(&league.bench.call(written(&lost, 11))).unwrap();
}

#[test]
fn a_capacity_is_capped_and_the_operator_hears_of_it() {
    let mut league = League::open();
    let effects = league.bench.call_by(HERE, entry("ref1", Some(u32::MAX)).request());
    let capped = Alert::CapacityCapped { referee: referee(1), said: u32::MAX, capacity: 1_000 };
    assert!(matches!(&effects[0], Effect::Alert(alert) if *alert == capped), "{effects:?}");
    assert_eq!(league.bench.role.league().registry.capacity(referee(1)), 1_000);
}

#[test]
fn a_referee_that_comes_late_is_named_once() {
    let (mut league, _) = League::started(2, &[1]);
    let late = |effects: &[Effect]| {
        effects.iter().any(|effect| {
            matches!(effect, Effect::Alert(Alert::RefereeJoinedLate { referee, address, .. })
                if *referee == RefereeId::new(2) && *address == HERE.address)
        })
    };
    assert!(late(&league.bench.call_by(HERE, entry("ref2", Some(1)).request())));
    let again = Entry { conversation: "conv-again".into(), ..entry("ref2", Some(1)) };
    let effects = league.bench.call_by(HERE, again.request());
    assert!(!late(&effects));
}
