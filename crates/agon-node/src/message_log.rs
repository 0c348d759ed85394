//! The message log of a node: every message that passed, whole and without its secrets, as lines of
//! JSON in the data folder.
//!
//! A thread of its own writes it, and the node's loop never waits for that: what it cannot keep up
//! with is left out, and a line says how much. A disk that takes nothing more costs lines and
//! nothing else. Files are their owner's alone, and only so many of only that size.
//!
//! Spec: docs/operate.md

mod files;
mod line;

use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use agon_proto::Timestamp;
use agon_proto::frame::Limits;
use agon_proto::tool::Tool;
use tokio::sync::oneshot;
use tracing::{info, warn};

use crate::config::Log;
use crate::passed::{Outcome, Passed, Peer, Watcher};
use files::Files;
pub use files::message_log_files;

/// So much waits to be written at most; the rest is left out.
const WAITING_MAX: usize = 8 * 1024 * 1024;
/// What waiting costs besides the words.
const OVERHEAD: usize = 256;
/// So long messages gather before they are written: a thread that is woken for each costs the node
/// more than the log does.
const GATHER: Duration = Duration::from_millis(50);
/// Of calls of strangers so much is kept at once, and so much a second from then on, in bytes.
const STRANGERS_MAX: usize = 1024 * 1024;
const STRANGERS_PER_S: usize = 4 * 1024;
/// So much is written at once.
const PIECE: usize = 256 * 1024;
/// A node that ends waits so long for a slow disk.
const CLOSE_MAX: Duration = Duration::from_secs(2);

/// Where a node's messages are kept.
pub(crate) struct MessageLog {
    shared: Arc<Shared>,
    written: oneshot::Receiver<()>,
}

/// Hands what passed to the thread that writes it.
struct Collector(Arc<Shared>);

#[derive(Default)]
struct Shared {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    messages: Vec<Arc<Passed>>,
    bytes: usize,
    left_out: u64,
    strangers: Strangers,
    closed: bool,
}

/// Calls of those who have proved nothing: anybody can make them, and they must not make old files
/// go that hold what agents said.
#[derive(Default)]
struct Strangers {
    /// What was kept of late, in bytes; it is forgotten with time.
    bytes: usize,
    since: Option<Timestamp>,
    left_out: u64,
}

impl Strangers {
    /// Whether one more is kept.
    fn admit(&mut self, bytes: usize, now: Timestamp) -> bool {
        let since = *self.since.get_or_insert(now);
        let forgotten = now.since(since).as_millis() * STRANGERS_PER_S as u128 / 1_000;
        if forgotten > 0 {
            let forgotten = usize::try_from(forgotten).unwrap_or(usize::MAX);
            (self.bytes, self.since) = (self.bytes.saturating_sub(forgotten), Some(now));
        }
        let fits = self.bytes + bytes <= STRANGERS_MAX;
        if fits {
            self.bytes += bytes;
        } else {
            self.left_out += 1;
        }
        fits
    }
}

/// Whether whoever called us proved nothing by that: it shows no token, and was refused or could be
/// anybody.
fn is_strange(passed: &Passed) -> bool {
    let asks = |tool: &Tool| {
        let proves = matches!(tool, Tool::Command(_) | Tool::KeepMessages);
        !proves && tool.method() == passed.name
    };
    matches!(passed.peer, Peer::Caller(_, None))
        && (passed.outcome != Outcome::Answered || passed.name == "?" || Tool::ALL.iter().any(asks))
}

impl Shared {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watcher for Collector {
    fn see(&self, passed: &Arc<Passed>) {
        let mut waiting = self.0.waiting();
        let bytes = passed.said.len() + passed.answer.len() + OVERHEAD;
        if is_strange(passed) {
            if !waiting.strangers.admit(bytes, passed.at) {
                return;
            }
            waiting.left_out += std::mem::take(&mut waiting.strangers.left_out);
        }
        if waiting.bytes + bytes > WAITING_MAX {
            waiting.left_out += 1;
            return;
        }
        waiting.bytes += bytes;
        waiting.messages.push(passed.clone());
        if waiting.messages.len() == 1 {
            self.0.changed.notify_one();
        }
    }
}

impl MessageLog {
    /// Begins to write into that folder, behind what stands there; and who sees what passes.
    /// Nothing, if the system gives no thread for it.
    pub(crate) fn open(
        dir: &Path,
        settings: &Log,
        limits: Limits,
    ) -> Option<(Self, Box<dyn Watcher>)> {
        let shared = Arc::new(Shared::default());
        let (done, written) = oneshot::channel();
        let files = Files::new(dir, settings.messages_bytes_max, settings.messages_files);
        let writer = Writer {
            shared: shared.clone(),
            files,
            body_max: settings.messages_body_max,
            limits,
            lines: Vec::new(),
            scratch: Vec::new(),
            left_out: 0,
            failing: false,
        };
        let thread = thread::Builder::new().name("message log".into()).spawn(move || {
            writer.run();
            let _ = done.send(());
        });
        match thread {
            Ok(_) => Some((Self { shared: shared.clone(), written }, Box::new(Collector(shared)))),
            Err(error) => {
                warn!(%error, "no message log: the system gives no thread for it");
                None
            }
        }
    }

    /// Writes what waits, and ends.
    pub(crate) async fn close(self) {
        self.shared.waiting().closed = true;
        self.shared.changed.notify_one();
        if tokio::time::timeout(CLOSE_MAX, self.written).await.is_err() {
            warn!("the message log is not whole: the disk is too slow");
        }
    }
}

/// What the thread has.
struct Writer {
    shared: Arc<Shared>,
    files: Files,
    body_max: usize,
    limits: Limits,
    lines: Vec<u8>,
    scratch: Vec<u8>,
    /// Since the last line that said how many.
    left_out: u64,
    /// The last piece could not be written.
    failing: bool,
}

impl Writer {
    fn run(mut self) {
        let mut batch = Vec::new();
        while self.gather(&mut batch) {
            let mut in_piece = 0;
            for passed in batch.drain(..) {
                line::write(
                    &passed,
                    self.body_max,
                    self.limits,
                    &mut self.lines,
                    &mut self.scratch,
                );
                in_piece += 1;
                if self.lines.len() >= PIECE {
                    self.flush(std::mem::take(&mut in_piece));
                }
            }
            self.flush(in_piece);
        }
        self.flush(0); // What was left out last is said, too.
    }

    /// Waits for messages, and takes all that came. Says no when there will be none any more.
    fn gather(&mut self, batch: &mut Vec<Arc<Passed>>) -> bool {
        let mut waiting = self.shared.waiting();
        while waiting.messages.is_empty() && !waiting.closed {
            let woken = self.shared.changed.wait(waiting);
            waiting = woken.unwrap_or_else(PoisonError::into_inner);
        }
        let gathered = self.shared.changed.wait_timeout_while(waiting, GATHER, |it| !it.closed);
        let (mut waiting, _) = gathered.unwrap_or_else(PoisonError::into_inner);
        std::mem::swap(&mut waiting.messages, batch);
        waiting.bytes = 0;
        self.left_out += std::mem::take(&mut waiting.left_out);
        if waiting.closed {
            self.left_out += std::mem::take(&mut waiting.strangers.left_out);
        }
        !(batch.is_empty() && waiting.closed)
    }

    /// Writes a piece of so many lines; if that fails they are left out.
    fn flush(&mut self, count: u64) {
        if self.left_out > 0 {
            line::write_left_out(self.left_out, &mut self.lines);
        }
        if self.lines.is_empty() {
            return;
        }
        match self.files.write(&self.lines) {
            Ok(()) => {
                let left_out = std::mem::take(&mut self.left_out);
                if std::mem::take(&mut self.failing) {
                    info!(left_out, "the message log is written again");
                }
            }
            Err(error) => {
                self.left_out += count;
                if !std::mem::replace(&mut self.failing, true) {
                    let file = self.files.current();
                    let file = file.display();
                    warn!(%file, %error, "the message log cannot be written; the league goes on");
                }
            }
        }
        self.lines.clear();
    }
}

#[cfg(test)]
mod tests;
