//! A record of the calls that a node made: to whom, how large, how many at once; or every word.
//!
//! `agon bench` asks for sizes, in a season that it does not time: a bare HTTP stack replays it.
//! Tests ask for words, and compare them with those of an earlier season.
//!
//! Spec: docs/bench.md

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::net::SocketAddr;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use tokio::sync::Notify;
use tracing::warn;

use crate::passed::{Outcome, Passed, Peer};

/// Names a folder; each node of a process writes a file of its own into it.
const VARIABLE: &str = "AGON_RECORD";
/// Set to anything, it asks for words. They hold every token, so the file is its owner's alone.
const WORDS_VARIABLE: &str = "AGON_RECORD_WORDS";

/// Writes down every call of a node.
pub(crate) struct Recorder {
    detail: Detail,
    pages: Mutex<Pages>,
    settled: Notify,
}

/// How much of a call is written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Detail {
    /// A line for each call that was answered: when it went out in microseconds, how many were
    /// under way then, the sizes of the request and of the answer, and the endpoint.
    Sizes,
    /// For each call, whatever became of it: a line with its number in the order in which calls
    /// went out, the endpoint, the size of the request, the status or why there is none, and the
    /// size of the answer; then the bytes of both, each with a line feed behind it.
    Words,
}

struct Pages {
    file: File,
    calls: u64,
    under_way: usize,
    lines: Vec<u8>,
}

/// The place of one call among those that are written down.
pub(crate) struct Numbered {
    number: u64,
    at_us: u128,
    abreast: usize,
}

impl Recorder {
    /// A recorder, if the environment asks for one.
    pub(crate) fn from_env(own: SocketAddr) -> Option<Self> {
        let folder = std::env::var_os(VARIABLE)?;
        let words = std::env::var_os(WORDS_VARIABLE).is_some();
        let path = Path::new(&folder).join(own.port().to_string());
        let opened = OpenOptions::new().create(true).append(true).mode(0o600).open(&path);
        match opened {
            Ok(file) => Some(Self::new(file, if words { Detail::Words } else { Detail::Sizes })),
            Err(error) => {
                warn!(path = %path.display(), %error, "no record of the calls");
                None
            }
        }
    }

    fn new(file: File, detail: Detail) -> Self {
        let pages = Pages { file, calls: 0, under_way: 0, lines: Vec::new() };
        Self { detail, pages: Mutex::new(pages), settled: Notify::new() }
    }

    fn pages(&self) -> MutexGuard<'_, Pages> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A call goes out.
    pub(crate) fn begin(&self) -> Numbered {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let mut pages = self.pages();
        pages.calls += 1;
        pages.under_way += 1;
        let at_us = now.unwrap_or_default().as_micros();
        Numbered { number: pages.calls, at_us, abreast: pages.under_way }
    }

    /// It is over. Sizes are written only while nothing is under way, so that they cost little
    /// where it matters; words at once, because the process may be killed.
    pub(crate) fn end(&self, numbered: Numbered, passed: &Passed) {
        let mut pages = self.pages();
        pages.under_way -= 1;
        match self.detail {
            Detail::Sizes => numbered.write_sizes(passed, &mut pages.lines),
            Detail::Words => numbered.write_words(passed, &mut pages.lines),
        }
        let now = pages.under_way == 0 || self.detail == Detail::Words;
        if now && !pages.lines.is_empty() {
            let lines = std::mem::take(&mut pages.lines);
            if let Err(error) = pages.file.write_all(&lines) {
                warn!(%error, "a piece of the record of the calls is lost");
            }
        }
        if pages.under_way == 0 {
            self.settled.notify_waiters();
        }
    }

    /// Waits until every call that went out is written down: the last answers may come when the
    /// node has ended already.
    pub(crate) async fn settle(&self) {
        loop {
            let settled = self.settled.notified();
            if self.pages().under_way == 0 {
                return;
            }
            settled.await;
        }
    }
}

impl Numbered {
    fn write_sizes(&self, passed: &Passed, lines: &mut Vec<u8>) {
        if let (Some(_), Peer::Endpoint(to)) = (passed.status, &passed.peer) {
            let Self { at_us, abreast, .. } = self;
            let (request, answer) = (passed.said.len(), passed.answer.len());
            lines.extend(format!("{at_us} {abreast} {request} {answer} {to}\n").into_bytes());
        }
    }

    fn write_words(&self, passed: &Passed, lines: &mut Vec<u8>) {
        let Peer::Endpoint(to) = &passed.peer else { return };
        let outcome = match (&passed.outcome, passed.status) {
            (_, Some(status)) => status.to_string(),
            (Outcome::TimedOut, None) => "timed-out".to_owned(),
            (Outcome::TooLarge, None) => "too-large".to_owned(),
            (Outcome::CutOff(_), None) => "broken".to_owned(),
            (Outcome::Forbidden, None) => "forbidden".to_owned(),
            (Outcome::NotSent, None) => "not-sent".to_owned(),
            (Outcome::Unreachable(_), None) => "unreachable".to_owned(),
            (Outcome::Answered | Outcome::Refused(_), None)
            | (Outcome::Taken | Outcome::NotTaken(_), None) => return, // No call ends so.
        };
        let (number, Passed { said, answer, .. }) = (self.number, passed);
        let (asked, answered) = (said.len(), answer.len());
        lines.extend(format!("{number} {to} {asked} {outcome} {answered}\n").into_bytes());
        for body in [said, answer] {
            lines.extend(body);
            lines.push(b'\n');
        }
    }
}

#[cfg(test)]
mod tests;
