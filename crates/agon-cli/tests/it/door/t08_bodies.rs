//! Nine thousand slow bodies, from as many addresses and all from one: honest callers are answered,
//! the manager keeps within its bounds, and a season is played to its end.
//!
//! Every bound is well below what the crowd asks for, and what was counted says that each was met:
//! nobody but the pace of bodies hangs up on a slow one, the budget of bytes is less than half of
//! what the stalled ones send, and there is room for fewer connections than there are strangers.

mod crowd;

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::time::{Duration, Instant};

use crate::http;
use crate::league::League;
use crate::process::{PATIENCE, Process};
use crowd::{Crowd, ONE_OF, PENDING, SLOW, STALLED};

/// A body has all the time that it wants as long as it keeps the pace, and all of them together
/// have so many bytes.
const BOUNDS: [(&str, &str); 2] =
    [("AGON_SERVER__BODY_TIMEOUT_S", "600"), ("AGON_SERVER__BODIES_MAX", "8388608")];
const BODIES_BYTES: u64 = 8_388_608;
/// So many connections there may be in all, where the crowd is nearly everybody; and of one
/// address, where two hundred honest agents have the same.
const IN_ALL: (&str, &str) = ("AGON_SERVER__CONNECTIONS_MAX", "9400");
const OF_ONE: (&str, &str) = ("AGON_SERVER__CONNECTIONS_PER_ADDRESS_MAX", "9550");

/// What a slow body may cost the manager that comes plainly, as the first request of a connection.
const SLOW_BYTES: u64 = 4 * 1024;
/// Any other holds a conversation and, beside what is counted, the piece that came last.
const TALK_BYTES: u64 = 32 * 1024;
/// What a process takes or leaves as it likes.
const SLACK_BYTES: u64 = 32 * 1024 * 1024;

/// Ninety-nine of a hundred honest callers are answered within this time.
const ANSWERED: Duration = Duration::from_millis(200);
/// So many are looked at in all, and so many at a time.
const PINGS: usize = 300;
const AT_A_TIME: usize = 20;

const PING: &str = r#"{"jsonrpc":"2.0","method":"ping","id":7}"#;

/// An honest request.
fn request() -> String {
    let length = PING.len();
    format!("POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-length: {length}\r\n\r\n{PING}")
}

/// How long one honest ping takes.
fn ping(stream: &mut TcpStream) -> Duration {
    let began = Instant::now();
    stream.write_all(request().as_bytes()).unwrap();
    let mut answer = Vec::new();
    let mut part = [0; 1024];
    while !answer.ends_with(b"}") {
        let count = stream.read(&mut part).unwrap();
        assert!(count > 0, "an honest caller was hung up on: {}", String::from_utf8_lossy(&answer));
        answer.extend_from_slice(&part[..count]);
    }
    assert!(answer.starts_with(b"HTTP/1.1 200 "), "{}", String::from_utf8_lossy(&answer));
    began.elapsed()
}

/// Honest callers are answered in time, however many are slow: of many pings over one connection,
/// and of as many over new ones, 99 of 100 take no longer. What is measured while fewer bodies are
/// pending does not count.
#[track_caller]
fn assert_answered(at: &str, crowd: &Crowd) {
    let connect = || {
        let stream = TcpStream::connect(http::authority(at)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_nodelay(true).unwrap();
        stream
    };
    let mut times = [Vec::new(), Vec::new()];
    let since = Instant::now();
    while times[0].len() < PINGS {
        assert!(since.elapsed() < PATIENCE, "never so many pending for so long");
        crowd.wait();
        let mut warm = connect();
        ping(&mut warm);
        let over_one: Vec<_> = (0..AT_A_TIME).map(|_| ping(&mut warm)).collect();
        let over_new = (0..AT_A_TIME).map(|_| {
            let began = Instant::now();
            ping(&mut connect());
            began.elapsed()
        });
        let over_new: Vec<_> = over_new.collect();
        if crowd.pending() >= PENDING {
            times[0].extend(over_one);
            times[1].extend(over_new);
        }
    }
    let slowest = times.map(|mut times| {
        times.sort_unstable();
        times[times.len() * 99 / 100 - 1]
    });
    let (pending, returns) = (crowd.pending(), crowd.returns());
    eprintln!("{pending} bodies are pending, {returns} came back; 99 of 100: {slowest:?}");
    assert!(slowest.iter().all(|time| *time <= ANSWERED), "99 of 100 took up to {slowest:?}");
}

/// Every bound was met, again and again.
#[track_caller]
fn assert_bounded(league: &League) {
    let metrics = http::get(&league.endpoint, "/metrics").body;
    let count = |reason: &str| -> usize {
        let named = format!("agon_http_refusals_total{{role=\"manager\",reason=\"{reason}\"}} ");
        let line = metrics.lines().find_map(|line| line.strip_prefix(&named));
        line.unwrap_or_else(|| panic!("{reason} is counted: {metrics}")).parse().unwrap()
    };
    let counts = ["timeout", "bodies", "made_room"].map(count);
    eprintln!("too slow, too many bytes, too many connections: {counts:?}");
    let least = [SLOW, STALLED, 100];
    let is_met = counts.iter().zip(least).all(|(count, least)| *count >= least);
    assert!(
        is_met,
        "too slow, too many bytes, too many connections: {counts:?}, at least {least:?}"
    );
}

/// The memory that a process holds now, and what it held at most, in bytes.
fn memory(process: &Process) -> [u64; 2] {
    let status = std::fs::read_to_string(format!("/proc/{}/status", process.id())).unwrap();
    ["VmRSS:", "VmHWM:"].map(|name| {
        let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        line.split_whitespace().next().unwrap().parse::<u64>().unwrap() * 1024
    })
}

#[track_caller]
fn assert_small(process: &Process, before: u64, extra: u64) {
    let held = memory(process)[1];
    let talking = (STALLED + SLOW * 2 / ONE_OF) as u64;
    let bound = before + SLOW as u64 * SLOW_BYTES + talking * TALK_BYTES;
    let bound = bound + BODIES_BYTES + SLACK_BYTES + extra;
    eprintln!(
        "it held {} MiB at most, {} before, {} allowed",
        held >> 20,
        before >> 20,
        bound >> 20
    );
    assert!(held <= bound, "it held {held} bytes, and its bound is {bound}");
}

/// Players and a referee come, play each other and are done, all with the crowd around them.
#[track_caller]
fn assert_played(league: &mut League, crowd: &Crowd, players: usize) {
    let referee = league.member("referee", &["--capacity", "100"]);
    let agents = league.agent("player", &["--count", &players.to_string()]);
    for _ in 0..players {
        league.manager.logs("player registered");
    }
    crowd.wait();
    league.operate("start").succeed();
    for _ in 1..players {
        league.manager.logs("round completed");
    }
    crowd.wait();
    league.manager.logs("league completed");
    agents.succeed();
    referee.succeed();
    let state = league.state();
    assert_eq!(state["matches_completed"], players * (players - 1) / 2, "{state}");
}

#[test]
fn t08_slow_bodies_from_everywhere_delay_nobody() {
    let env = [&BOUNDS[..], &[IN_ALL]].concat();
    let mut league = League::open_with(&["--start-when", "300"], &env);
    let [before, _] = memory(&league.manager);
    let everywhere = |number: usize| {
        let [high, low] = u16::try_from(number).unwrap().to_be_bytes();
        Ipv4Addr::new(127, 8, high, low)
    };
    let crowd = Crowd::gather(&league.endpoint, everywhere);
    assert_answered(&league.endpoint, &crowd);
    assert_played(&mut league, &crowd, 20);
    assert_bounded(&league);
    assert_small(&league.manager, before, 0);
    drop(crowd);
    league.close();
}

#[test]
fn t08_slow_bodies_from_an_address_spare_the_honest_agents_there() {
    let env = [&BOUNDS[..], &[OF_ONE]].concat();
    let mut league = League::open_with(&["--start-when", "300"], &env);
    let [before, _] = memory(&league.manager);
    let crowd = Crowd::gather(&league.endpoint, |_| Ipv4Addr::LOCALHOST);
    assert_answered(&league.endpoint, &crowd);
    assert_played(&mut league, &crowd, 200);
    assert_bounded(&league);
    // A season takes its own: results for the table, and what waits to be told.
    assert_small(&league.manager, before, 19_900 * 4 * 1024);
    drop(crowd);
    league.close();
}
