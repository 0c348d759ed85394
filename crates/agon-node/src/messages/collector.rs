//! What a referee's node keeps of the messages of its matches until they are handed in.
//!
//! It sees every message when it is over. Those of one attempt stand together, numbered; when both
//! players know how the match ended the attempt is closed and waits to be handed in. All of it is
//! bounded: what is too much is left out, and the numbers show it.
//!
//! Spec: docs/protocol/match.md

mod note;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use agon_proto::act::ActKind;
use agon_proto::piece::{ATTEMPT_MAX, BODY_MAX, PIECE_FULL, PIECE_MAX, PieceText};
use agon_proto::tool::{MessagePiece, PieceId, PieceOf};
use agon_proto::{ConversationId, MatchId, MessageType};
use rustc_hash::FxHashMap;
use tracing::warn;

use crate::passed::{Outcome, Passed, Watcher, Way};
use note::{attempt_in, write};

/// What is closed waits so long for others, at most.
const WAIT_MAX: Duration = Duration::from_secs(1);
/// And so long where nothing else is being played.
const WAIT_ALONE: Duration = Duration::from_millis(10);
/// An attempt of which nothing was heard for so long is handed in as it is.
const QUIET_MAX: Duration = Duration::from_secs(60);
/// One of which nothing was heard for so long is over, whoever was told.
const GONE_MAX: Duration = Duration::from_secs(60 * 60);
/// So much waits at most, in bytes; a manager that is away for long gets no more than that.
const WAITING_MAX: usize = 8 * 1024 * 1024;
/// Attempts that are being played; a referee has far fewer.
const OPEN_MAX: usize = 16 * 1024;
/// The line about a message is shorter, in bytes.
const HEAD_ABOUT: usize = 4 * 1024;

/// What a referee and a player write to each other in a match.
const IN_LETTERS: [ActKind; 11] = [
    ActKind::Ask(0),
    ActKind::Ask(1),
    ActKind::Ask(2),
    ActKind::Move(0),
    ActKind::Move(1),
    ActKind::Move(2),
    ActKind::Worth,
    ActKind::Rejection,
    ActKind::AlreadyRejected,
    ActKind::Extension,
    ActKind::ExtensionDecision,
];

/// Sees messages, and keeps those of matches.
pub(crate) struct Collector(Mutex<Collected>);

#[derive(Default)]
struct Collected {
    /// Nobody takes them.
    stopped: bool,
    /// By match: there is one attempt at a time.
    open: FxHashMap<MatchId, Attempt>,
    closed: Vec<(PieceOf, PieceText)>,
    /// How much waits, closed or not, in bytes.
    waiting: usize,
    closed_bytes: usize,
    closed_since: Option<Instant>,
    /// There was no room for another match, and that was said.
    full: bool,
    /// When somebody looked last for attempts of which nothing is heard.
    looked: Option<Instant>,
    scratch: [Vec<u8>; 2],
}

/// One attempt that is being played.
struct Attempt {
    number: u32,
    /// We saw it begin.
    whole: bool,
    text: PieceText,
    messages: u32,
    /// So many of them were set aside, or counted where they were lost.
    set_aside: u32,
    /// Of all its messages, in bytes.
    size: usize,
    /// How many players know how it ended.
    told: u8,
    /// Somebody was called to be told how it ended.
    ended: bool,
    heard: Instant,
}

impl Attempt {
    fn new(number: u32, whole: bool, heard: Instant) -> Self {
        let text = PieceText::default();
        Self {
            number,
            whole,
            text,
            messages: 0,
            set_aside: 0,
            size: 0,
            told: 0,
            ended: false,
            heard,
        }
    }
}

impl Watcher for Arc<Collector> {
    fn see(&self, passed: &Arc<Passed>) {
        if let Some(match_id) = passed.match_id {
            self.collected().see(match_id, passed);
        }
    }
}

impl Collector {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self(Mutex::default()))
    }

    fn collected(&self) -> MutexGuard<'_, Collected> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Nobody takes what is collected: nothing is, from now on.
    pub(super) fn stop(&self) {
        *self.collected() = Collected { stopped: true, ..Collected::default() };
    }

    /// Nobody takes what was collected so far.
    pub(super) fn forget(&self) {
        let stopped = self.collected().stopped;
        *self.collected() = Collected { stopped, ..Collected::default() };
    }

    /// When something is to be handed in; never, while nothing waits.
    pub(super) fn due(&self) -> Option<Instant> {
        self.collected().due()
    }

    /// What is to be handed in now; whatever there is, if this is the `end`.
    pub(super) fn take(&self, now: Instant, end: bool) -> Option<MessagePiece> {
        let mut collected = self.collected();
        if end {
            collected.flush_all(|_| true);
        } else if collected.due().is_none_or(|due| due > now) {
            return None;
        }
        if collected.quiet().is_some_and(|due| due <= now) {
            collected.looked = Some(now);
            let quiet = |attempt: &Attempt| now.duration_since(attempt.heard);
            collected.flush_all(|attempt| quiet(attempt) >= QUIET_MAX);
            // Nobody is told any more, or it went to somebody else.
            let over = |it: &Attempt| it.ended && quiet(it) >= QUIET_MAX || quiet(it) >= GONE_MAX;
            collected.open.retain(|_, attempt| !over(attempt));
        }
        collected.pack()
    }

    /// Whether anything waits.
    pub(super) fn is_empty(&self) -> bool {
        self.collected().waiting == 0
    }
}

impl Collected {
    fn see(&mut self, match_id: MatchId, passed: &Passed) {
        if self.stopped {
            return;
        }
        let now = Instant::now();
        if passed.name == MessageType::MatchAssignment.name() {
            if passed.way == Way::WasCalled && passed.outcome == Outcome::Answered {
                self.begin(match_id, attempt_in(&passed.said), now);
            }
            return;
        }
        let in_call = MessageType::from_name(passed.name).is_some_and(MessageType::is_to_player);
        if !in_call && !IN_LETTERS.iter().any(|kind| kind.name() == passed.name) {
            return;
        }
        if self.open.len() >= OPEN_MAX && !self.open.contains_key(&match_id) {
            return self.turn_away(match_id);
        }
        // By letter nobody gives a match out: its first letter begins it. After a restart of ours
        // its conversation alone tells which attempt this is.
        let begins = passed.name == ActKind::Ask(0).name();
        let number = || match passed.conversation().map(ConversationId::new) {
            Some(ConversationId::Match { attempt, .. }) => attempt,
            Some(_) | None => 1,
        };
        let attempt =
            self.open.entry(match_id).or_insert_with(|| Attempt::new(number(), begins, now));
        self.looked.get_or_insert(now);
        attempt.heard = now;
        attempt.messages += 1;
        if attempt.size < ATTEMPT_MAX && self.waiting < WAITING_MAX {
            let size = passed.said.len().min(BODY_MAX) + passed.answer.len().min(BODY_MAX);
            // A piece has a bound: what would not fit into one is two.
            if attempt.text.len() + size + HEAD_ABOUT > PIECE_MAX {
                let of = of_attempt(match_id, attempt);
                self.closed_bytes += attempt.text.len();
                self.closed_since.get_or_insert(now);
                self.closed.push((of, std::mem::take(&mut attempt.text)));
            }
            let before = attempt.text.len();
            write(match_id, attempt, passed, &mut self.scratch);
            let written = attempt.text.len() - before;
            attempt.size += written;
            self.waiting += written;
        }
        let tells =
            passed.name == MessageType::GameOver.name() || passed.name == ActKind::Worth.name();
        attempt.ended |= tells;
        if tells && matches!(passed.outcome, Outcome::Answered | Outcome::Taken) {
            attempt.told += 1;
        }
        if attempt.told == 2 {
            self.flush(match_id, now);
            self.open.remove(&match_id);
        }
    }

    /// A match was given to us. A repeat changes nothing.
    fn begin(&mut self, match_id: MatchId, number: u32, now: Instant) {
        if self.open.get(&match_id).is_some_and(|attempt| attempt.number == number) {
            return;
        }
        self.flush(match_id, now);
        self.open.remove(&match_id);
        if self.open.len() < OPEN_MAX {
            self.open.insert(match_id, Attempt::new(number, true, now));
        }
    }

    /// Its messages are not kept: says so, once for many.
    fn turn_away(&mut self, match_id: MatchId) {
        if !std::mem::replace(&mut self.full, true) {
            warn!(%match_id, "too many matches are open: the messages of further ones are lost");
        }
    }

    /// Sets aside what there is of an attempt, which may go on.
    fn flush(&mut self, match_id: MatchId, now: Instant) {
        let attempt = self.open.get_mut(&match_id);
        if let Some(attempt) = attempt.filter(|it| it.messages > it.set_aside) {
            attempt.set_aside = attempt.messages;
            let (of, text) = (of_attempt(match_id, attempt), std::mem::take(&mut attempt.text));
            self.set_aside(of, text, now);
        }
    }

    fn flush_all(&mut self, which: impl Fn(&Attempt) -> bool) {
        let which = self.open.iter().filter(|(_, attempt)| which(attempt));
        let which: Vec<MatchId> = which.map(|(match_id, _)| *match_id).collect();
        let now = Instant::now();
        which.into_iter().for_each(|match_id| self.flush(match_id, now));
    }

    fn set_aside(&mut self, of: PieceOf, text: PieceText, now: Instant) {
        if text.is_empty() && self.closed.len() >= OPEN_MAX {
            return; // Nobody has taken anything for long.
        }
        self.closed_bytes += text.len();
        self.closed_since.get_or_insert(now);
        self.closed.push((of, text));
    }

    fn due(&self) -> Option<Instant> {
        match self.closed_since {
            Some(since) if self.closed_bytes >= PIECE_FULL => Some(since),
            Some(since) if self.open.is_empty() => Some(since + WAIT_ALONE),
            Some(since) => Some(since + WAIT_MAX),
            None => self.quiet(),
        }
    }

    /// When to look for attempts of which nothing is heard.
    fn quiet(&self) -> Option<Instant> {
        self.looked.filter(|_| !self.open.is_empty()).map(|looked| looked + QUIET_MAX)
    }

    /// One piece of what is closed.
    fn pack(&mut self) -> Option<MessagePiece> {
        let (mut text, mut matches) = (PieceText::default(), Vec::<PieceOf>::new());
        let mut taken = 0;
        for (of, more) in &self.closed {
            let full = text.len() >= PIECE_FULL || text.len() + more.len() > PIECE_MAX;
            if full && !matches.is_empty() {
                break;
            }
            text.append(more);
            taken += 1;
            let same = matches.iter_mut().find(|it| key(it) == key(of));
            match same {
                Some(known) => (known.messages, known.last) = (of.messages, of.last),
                None => matches.push(*of),
            }
        }
        self.closed.drain(..taken);
        (self.closed_bytes, self.waiting) =
            (self.closed_bytes - text.len(), self.waiting - text.len());
        self.closed_since = self.closed_since.filter(|_| !self.closed.is_empty());
        matches.sort_by_key(key);
        let named = !matches.is_empty();
        let piece_id = PieceId(crate::random_nonce().to_le_bytes());
        named.then(|| MessagePiece { piece_id, matches, body: text.pack() })
    }
}

fn key(of: &PieceOf) -> (MatchId, u32) {
    (of.match_id, of.attempt)
}

fn of_attempt(match_id: MatchId, attempt: &Attempt) -> PieceOf {
    let Attempt { number, messages, whole, told, .. } = *attempt;
    PieceOf { match_id, attempt: number, messages, last: whole && told == 2 }
}

#[cfg(test)]
mod tests;
