//! The hostile crowd: connections that say nothing, and clients that say nonsense without pause.
//!
//! Whoever is hung up on comes back at once, and every other client hangs up itself when it is kept
//! waiting. All of them are gone when the crowd is dropped.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

/// So many connections are opened at a time: no listener takes thousands in one breath.
const STEP: usize = 100;
const PAUSE: Duration = Duration::from_millis(2);
/// How long the impatient ones wait for an answer before they hang up and begin anew.
const IMPATIENCE: Duration = Duration::from_millis(20);
/// Longer than any answer to nonsense.
const ANSWER_MAX: usize = 64 * 1024;

/// What the crowd has done so far.
#[derive(Debug, Default)]
pub(super) struct Deeds {
    /// Every silent connection that is open now holds one of these.
    idle: Arc<()>,
    /// Bad requests that were sent.
    pub(super) requests: AtomicU64,
    /// Of these, answered with 429.
    pub(super) too_many: AtomicU64,
}

#[derive(Default)]
pub(super) struct Crowd {
    pub(super) deeds: Arc<Deeds>,
    people: JoinSet<()>,
}

impl Crowd {
    /// Opens so many silent connections, and returns when all of them have been tried.
    pub(super) async fn sit_down(&mut self, at: SocketAddr, count: usize) {
        for number in 0..count {
            let deeds = Arc::clone(&self.deeds);
            self.people.spawn(async move {
                loop {
                    sit(at, &deeds).await;
                    sleep(PAUSE).await;
                }
            });
            if number % STEP == STEP - 1 {
                sleep(PAUSE).await;
            }
        }
    }

    /// Lets one client shout until the crowd is dropped.
    pub(super) fn shout(&mut self, at: SocketAddr, number: usize) {
        let deeds = Arc::clone(&self.deeds);
        self.people.spawn(async move {
            let mut turn = number;
            let impatient = number % 2 == 1;
            loop {
                // Whatever goes wrong, it begins anew.
                let _hung_up = rant(at, &mut turn, impatient, &deeds).await;
                tokio::task::yield_now().await;
            }
        });
    }

    /// How many silent connections are open now.
    pub(super) fn idle(&self) -> usize {
        Arc::strong_count(&self.deeds.idle) - 1
    }
}

/// One silent connection, until somebody ends it.
async fn sit(at: SocketAddr, deeds: &Deeds) {
    let Ok(mut stream) = TcpStream::connect(at).await else { return };
    // Ends without a trace, so that the system's ports do not run out.
    let _ = stream.set_zero_linger();
    let _seat = Arc::clone(&deeds.idle);
    let _closed = stream.read_u8().await;
}

/// One connection full of nonsense, until it is closed.
async fn rant(at: SocketAddr, turn: &mut usize, impatient: bool, deeds: &Deeds) -> io::Result<()> {
    let mut stream = TcpStream::connect(at).await?;
    let _ = stream.set_zero_linger();
    let mut heard = Vec::new();
    loop {
        *turn += 1;
        stream.write_all(nonsense(*turn).as_bytes()).await?;
        deeds.requests.fetch_add(1, Ordering::Relaxed);
        heard.clear();
        let head = read_head(&mut stream, &mut heard);
        let head = if impatient { timeout(IMPATIENCE, head).await? } else { head.await };
        let Some(head) = head? else { return Ok(()) };
        if head.starts_with("http/1.1 429") {
            deeds.too_many.fetch_add(1, Ordering::Relaxed);
        }
        let whole = head.len() + 4 + length(&head);
        while heard.len() < whole {
            if whole > ANSWER_MAX || stream.read_buf(&mut heard).await? == 0 {
                return Ok(());
            }
        }
    }
}

/// Reads at least the head of an answer; `None` if there is none.
async fn read_head(stream: &mut TcpStream, heard: &mut Vec<u8>) -> io::Result<Option<String>> {
    loop {
        if let Some(end) = heard.windows(4).position(|bytes| bytes == b"\r\n\r\n") {
            return Ok(Some(String::from_utf8_lossy(&heard[..end]).to_ascii_lowercase()));
        }
        if heard.len() > ANSWER_MAX || stream.read_buf(heard).await? == 0 {
            return Ok(None);
        }
    }
}

fn length(head: &str) -> usize {
    let line = head.lines().find_map(|line| line.strip_prefix("content-length:"));
    line.and_then(|text| text.trim().parse().ok()).unwrap_or(0)
}

/// Bad requests of every kind, in turn.
fn nonsense(turn: usize) -> String {
    let post = |body: &str| {
        let length = body.len();
        format!("POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-length: {length}\r\n\r\n{body}")
    };
    match turn % 8 {
        0 => "\u{1}\u{2} nothing that anybody speaks\r\n\r\n".to_owned(),
        1 => post("{\"jsonrpc\":\"2.0\",\"method\":"),
        2 => post(&stranger("league_query", "LEAGUE_QUERY", "player:P01")),
        3 => "DELETE /mcp HTTP/1.1\r\nhost: localhost\r\n\r\n".to_owned(),
        4 => "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-length: 99999999\r\n\r\n".to_owned(),
        5 => "GET /../operator.token HTTP/1.1\r\nhost: localhost\r\n\r\n".to_owned(),
        6 => post(&format!("{}{}", "[".repeat(500), "]".repeat(500))),
        _ => post(&stranger("report_match_result", "MATCH_RESULT_REPORT", "referee:REF01")),
    }
}

/// A letter with a token that was never given to anybody.
fn stranger(method: &str, kind: &str, sender: &str) -> String {
    let token = "ab".repeat(32);
    format!(
        "{{\"jsonrpc\":\"2.0\",\"method\":\"{method}\",\"id\":7,\"params\":{{\
         \"protocol\":\"league.v2\",\"message_type\":\"{kind}\",\"sender\":\"{sender}\",\
         \"timestamp\":\"2026-01-15T10:05:00Z\",\"conversation_id\":\"conv-1\",\
         \"auth_token\":\"tok-{token}\",\"league_id\":\"league_2026\",\
         \"query_type\":\"GET_STANDINGS\"}}}}"
    )
}
