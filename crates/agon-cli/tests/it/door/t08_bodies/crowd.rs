//! A crowd of strangers whose bodies never end: most send one in drops, as a plain first request,
//! in chunks or as the second request of a connection; some send much at once, and then nothing.
//!
//! They run beside the test, in this same process. Whoever is hung up on comes back after a while,
//! as long as the crowd lives.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::sync::oneshot;
use tokio::time::{sleep, timeout};

use super::request;
use crate::http;
use crate::process::PATIENCE;

/// So many bodies are pending whenever somebody honest is looked at.
pub(super) const PENDING: usize = 9_000;
/// So many send one in drops: some are always on their way back.
pub(super) const SLOW: usize = 9_600;
/// Of so many of those one sends chunks, and one a second request.
pub(super) const ONE_OF: usize = 20;
/// Beside them so many send much of one at once, and then nothing more.
pub(super) const STALLED: usize = 300;
const STALLED_BYTES: usize = 60_000;
/// Between two drops, and before whoever was hung up on comes back.
const DROP: Duration = Duration::from_millis(1500);
const BACK: Duration = Duration::from_millis(100);
/// Whoever had to go for its bytes, and not for its pace, rests before that.
const REST: Duration = Duration::from_secs(2);

/// How somebody sends a body that never ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Manner {
    Plain,
    Chunked,
    Second,
    Stalled,
}

impl Manner {
    fn of(number: usize) -> Self {
        match number % ONE_OF {
            _ if number >= SLOW => Self::Stalled,
            0 => Self::Chunked,
            1 => Self::Second,
            _ => Self::Plain,
        }
    }
}

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
pub(super) struct Crowd {
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
    pub(super) fn gather(at: &str, source: fn(usize) -> Ipv4Addr) -> Self {
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
                        let manner = Manner::of(number);
                        loop {
                            let _hung_up = dawdle(at, source(number), manner, &deeds).await;
                            sleep(if manner == Manner::Plain { BACK } else { REST }).await;
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
    pub(super) fn pending(&self) -> usize {
        Arc::strong_count(&self.deeds.pending) - 1
    }

    pub(super) fn returns(&self) -> usize {
        self.deeds.returns.load(Ordering::Relaxed)
    }

    /// Waits until it is at its height: all are there, and have been hung up on before.
    #[track_caller]
    pub(super) fn wait(&self) {
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
    manner: Manner,
    deeds: &Deeds,
) -> std::io::Result<()> {
    let socket = TcpSocket::new_v4()?;
    socket.bind(SocketAddr::from((from, 0)))?;
    let mut stream = socket.connect(at).await?;
    stream.set_zero_linger()?; // Ends without a trace, so that ports do not run out.
    let (framing, drop): (_, &[u8]) = match manner {
        Manner::Chunked => ("transfer-encoding: chunked", b"1\r\n \r\n"),
        Manner::Plain | Manner::Second | Manner::Stalled => ("content-length: 200000", b" "),
    };
    if manner == Manner::Second {
        first(&mut stream).await?;
    }
    let head = format!("POST /mcp HTTP/1.1\r\nhost: localhost\r\n{framing}\r\n\r\n");
    stream.write_all(head.as_bytes()).await?;
    if manner == Manner::Stalled {
        stream.write_all(&vec![b' '; STALLED_BYTES]).await?;
    }
    let _seat = Arc::clone(&deeds.pending);
    let mut answer = [0; 512];
    loop {
        if let Ok(read) = timeout(DROP, stream.read(&mut answer)).await {
            read?;
            return Ok(());
        }
        if manner != Manner::Stalled {
            stream.write_all(drop).await?;
        }
    }
}

/// An honest first request, and its answer.
async fn first(stream: &mut TcpStream) -> std::io::Result<()> {
    stream.write_all(request().as_bytes()).await?;
    let mut answer = Vec::new();
    while !answer.ends_with(b"}") {
        if stream.read_buf(&mut answer).await? == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
    }
    Ok(())
}
