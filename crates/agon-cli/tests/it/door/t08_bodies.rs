//! Nine thousand slow bodies, from as many addresses and all from one: honest callers are answered,
//! the manager keeps within its bound, and a season is played to its end.
//!
//! The attack runs beside the test, in this same process. Whoever is hung up on comes back after a
//! while, as long as the crowd lives.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpSocket;
use tokio::sync::oneshot;
use tokio::time::{sleep, timeout};

use crate::http;
use crate::league::League;
use crate::process::{PATIENCE, Process};

/// So many bodies are pending whenever somebody honest is looked at.
const PENDING: usize = 9_000;
/// So many send one in drops: some are always on their way back.
const SLOW: usize = 9_600;
/// Beside them so many send much of one at once, and then nothing more.
const STALLED: usize = 1_000;
const STALLED_BYTES: usize = 60_000;
/// Between two drops, and before whoever was hung up on comes back.
const DROP: Duration = Duration::from_millis(1500);
const BACK: Duration = Duration::from_millis(100);

/// What a slow body may cost the manager, and the settings' bound for all bodies together.
const SLOW_BYTES: u64 = 4 * 1024;
const BODIES_BYTES: u64 = 64 * 1024 * 1024;
/// A stalled one holds a conversation and, beside what is counted, the piece that came last.
const TALK_BYTES: u64 = 32 * 1024;
/// What a process takes or leaves as it likes.
const SLACK_BYTES: u64 = 32 * 1024 * 1024;

/// Ninety-nine of a hundred honest callers are answered within this time.
const ANSWERED: Duration = Duration::from_millis(200);
const PINGS: usize = 200;
/// This machine does other things, too: one quiet look of so many is enough.
const LOOKS: usize = 10;

const PING: &str = r#"{"jsonrpc":"2.0","method":"ping","id":7}"#;

/// What a crowd has done so far.
#[derive(Default)]
struct Deeds {
    /// Every body that is under way holds one of these.
    pending: Arc<()>,
    /// How often somebody came back.
    returns: AtomicUsize,
}

/// One crowd at a time: each needs half of the files that a process may open.
static CROWD: Mutex<()> = Mutex::new(());

/// Slow strangers. They are gone when this is dropped.
struct Crowd {
    deeds: Arc<Deeds>,
    /// Somebody has come back.
    came_back: Receiver<()>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
    _turn: MutexGuard<'static, ()>,
}

impl Drop for Crowd {
    fn drop(&mut self) {
        drop(self.stop.take());
        self.thread.take().into_iter().for_each(|thread| drop(thread.join()));
    }
}

impl Crowd {
    /// All of them, each from the address that is said for its number.
    fn gather(at: &str, source: fn(usize) -> Ipv4Addr) -> Self {
        let turn = CROWD.lock().unwrap_or_else(PoisonError::into_inner);
        let maximum = getrlimit(Resource::Nofile).maximum;
        setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }).unwrap();
        let at: SocketAddr = http::authority(at).parse().unwrap();
        let deeds = Arc::<Deeds>::default();
        let (stop, stopped) = oneshot::channel();
        let (tell, came_back) = channel();
        let shared = Arc::clone(&deeds);
        let run = move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.unwrap().block_on(async move {
                for number in 0..SLOW + STALLED {
                    let (deeds, tell) = (Arc::clone(&shared), tell.clone());
                    tokio::spawn(async move {
                        loop {
                            let _hung_up = dawdle(at, source(number), number, &deeds).await;
                            sleep(BACK).await;
                            deeds.returns.fetch_add(1, Ordering::Relaxed);
                            let _nobody_waits = tell.send(());
                        }
                    });
                    if number % 50 == 49 {
                        sleep(Duration::from_millis(10)).await; // No listener takes all at once.
                    }
                }
                let _gone = stopped.await;
            });
        };
        let (stop, thread) = (Some(stop), Some(thread::spawn(run)));
        Self { deeds, came_back, stop, thread, _turn: turn }
    }

    /// How many bodies are under way.
    fn pending(&self) -> usize {
        Arc::strong_count(&self.deeds.pending) - 1
    }

    fn returns(&self) -> usize {
        self.deeds.returns.load(Ordering::Relaxed)
    }

    /// Waits until it is at its height: all are there, and have been hung up on before.
    #[track_caller]
    fn wait(&self) {
        let since = Instant::now();
        while self.pending() < PENDING || self.returns() < SLOW {
            let next = self.came_back.recv_timeout(PATIENCE);
            let is_near = next.is_ok() && since.elapsed() < PATIENCE;
            let (pending, returns) = (self.pending(), self.returns());
            assert!(is_near, "{pending} bodies are pending, {returns} came back");
        }
    }
}

/// One body that never ends, until somebody hangs up.
async fn dawdle(
    at: SocketAddr,
    from: Ipv4Addr,
    number: usize,
    deeds: &Deeds,
) -> std::io::Result<()> {
    let socket = TcpSocket::new_v4()?;
    socket.bind(SocketAddr::from((from, 0)))?;
    let mut stream = socket.connect(at).await?;
    stream.set_zero_linger()?; // Ends without a trace, so that ports do not run out.
    let length = 200_000;
    let head = format!("POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-length: {length}\r\n\r\n");
    stream.write_all(head.as_bytes()).await?;
    let is_stalled = number >= SLOW;
    if is_stalled {
        stream.write_all(&vec![b' '; STALLED_BYTES]).await?;
    }
    let _seat = Arc::clone(&deeds.pending);
    let mut answer = [0; 512];
    loop {
        if let Ok(read) = timeout(DROP, stream.read(&mut answer)).await {
            read?;
            return Ok(());
        }
        if !is_stalled {
            stream.write_all(b" ").await?;
        }
    }
}

/// How long one honest ping takes.
fn ping(stream: &mut TcpStream) -> Duration {
    let began = Instant::now();
    let length = PING.len();
    let head = format!("POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-length: {length}\r\n\r\n");
    stream.write_all(format!("{head}{PING}").as_bytes()).unwrap();
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

/// Of many pings over one connection, and of as many over new ones: 99 of 100 took no longer.
fn look(at: &str) -> [Duration; 2] {
    let connect = || {
        let stream = TcpStream::connect(http::authority(at)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_nodelay(true).unwrap();
        stream
    };
    let mut warm = connect();
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..PINGS {
        times[0].push(ping(&mut warm));
        let began = Instant::now();
        ping(&mut connect());
        times[1].push(began.elapsed());
    }
    times.map(|mut times| {
        times.sort_unstable();
        times[PINGS * 99 / 100]
    })
}

/// Honest callers are answered in time, however many are slow.
#[track_caller]
fn assert_answered(at: &str, crowd: &Crowd) {
    let mut looks = Vec::new();
    for _ in 0..LOOKS {
        crowd.wait();
        looks.push(look(at));
        let is_quick = looks.last().unwrap().iter().all(|time| *time <= ANSWERED);
        if is_quick && crowd.pending() >= PENDING {
            let (pending, returns) = (crowd.pending(), crowd.returns());
            eprintln!("99 of 100 pings, warm and new, in each look: {looks:?}");
            return eprintln!("{pending} bodies are pending, {returns} came back");
        }
    }
    panic!("99 of 100 pings, warm and new, took no longer than {looks:?}");
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
    let (slow, stalled) = (SLOW as u64 * SLOW_BYTES, STALLED as u64 * TALK_BYTES);
    let bound = before + slow + stalled + BODIES_BYTES + SLACK_BYTES + extra;
    eprintln!("it held {} MiB at most, {} before", held >> 20, before >> 20);
    assert!(held <= bound, "it held {held} bytes, and its bound is {bound}");
}

#[test]
fn t08_slow_bodies_from_everywhere_delay_nobody() {
    let league = League::open(&[]);
    let [before, _] = memory(&league.manager);
    let everywhere = |number: usize| {
        let [high, low] = u16::try_from(number).unwrap().to_be_bytes();
        Ipv4Addr::new(127, 8, high, low)
    };
    let crowd = Crowd::gather(&league.endpoint, everywhere);
    assert_answered(&league.endpoint, &crowd);
    assert_small(&league.manager, before, 0);
    drop(crowd);
    league.close();
}

#[test]
fn t08_slow_bodies_from_an_address_spare_the_honest_agents_there() {
    let mut league = League::open(&["--start-when", "300"]);
    let [before, _] = memory(&league.manager);
    let crowd = Crowd::gather(&league.endpoint, |_| Ipv4Addr::LOCALHOST);
    assert_answered(&league.endpoint, &crowd);
    let referee = league.member("referee", &["--capacity", "100"]);
    let players = league.agent("player", &["--count", "200"]);
    for _ in 0..200 {
        league.manager.logs("player registered");
    }
    league.operate("start").succeed();
    let rounds = 199;
    for _ in 0..rounds {
        league.manager.logs("round completed");
    }
    crowd.wait();
    league.manager.logs("league completed");
    players.succeed();
    referee.succeed();
    let state = league.state();
    assert_eq!(state["matches_completed"], 19_900, "{state}");
    // A season takes its own: results for the table, and what waits to be told.
    assert_small(&league.manager, before, 19_900 * 4 * 1024);
    drop(crowd);
    league.close();
}
