//! The first request of a connection, until it is there: its bytes wait with the system.
//!
//! A conversation takes two buffers and more, for half a head as for a whole one. So nobody gets
//! them for a request of which little has come: what has come is looked at, and stays where it is.
//! Nothing is decided here about what it means; whatever looks strange is handed on at once.

use std::io;
use std::mem::MaybeUninit;
use std::time::Duration;

use memchr::{memchr, memchr_iter};
use rustix::net::{RecvFlags, recv};
use tokio::io::Interest;
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout_at};

use super::ServerConfig;
use super::places::Presence;

/// So much is looked at. A request that is longer is handed on when so much of it has come.
pub(super) const LOOK_MAX: usize = 16 * 1024;

/// Longer than any method that there is.
const METHOD_MAX: usize = 16;

/// What became of a request.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Arrival {
    /// It is there, or whoever goes on with it will see what is wrong.
    Ready,
    Gone,
    /// There was no whole head in time.
    SlowHead,
    SlowBody,
}

/// How fast a body must come.
#[derive(Debug, Clone, Copy)]
pub struct BodyPace {
    /// So long nothing is asked of it.
    pub grace: Duration,
    /// Then so many bytes must have come for each second, from its beginning on.
    pub per_s: u32,
    /// How long it may take in any case.
    pub at_most: Duration,
}

impl BodyPace {
    /// When more must have come of a body that began then.
    pub(super) fn due(&self, began: Instant, got: usize) -> Instant {
        let paid = Duration::from_secs_f64(got as f64 / f64::from(self.per_s.max(1)));
        began + paid.saturating_add(self.grace).min(self.at_most)
    }
}

/// Waits for a first request, whole or as far as it is looked at.
pub(super) async fn arrival(
    stream: &TcpStream,
    config: &ServerConfig,
    presence: &Presence,
) -> Arrival {
    let mut request = Request { body_max: config.body_max, seen: 0, whole: None };
    let mut due = Instant::now() + config.header_timeout;
    // When its body began, once there is one.
    let mut body: Option<Instant> = None;
    loop {
        let late = if body.is_some() { Arrival::SlowBody } else { Arrival::SlowHead };
        let Ok(ready) = timeout_at(due, stream.ready(Interest::READABLE)).await else {
            return late;
        };
        if ready.is_ok_and(|ready| ready.is_read_closed()) {
            return Arrival::Ready; // There will be no more of it.
        }
        let before = request.seen;
        let found = match stream.try_io(Interest::READABLE, || request.look(stream)) {
            Ok(found) => found,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => continue,
            Err(_gone) => return Arrival::Gone,
        };
        let now = Instant::now();
        if before == 0 {
            due = now + config.header_timeout;
        }
        presence.seen(request.seen - before);
        match found {
            Found::Enough => return Arrival::Ready,
            Found::Head => {}
            Found::Body(got) => {
                due = config.body_pace.due(*body.get_or_insert(now), got);
            }
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Found {
    /// A part of a head.
    Head,
    /// A head, and so many bytes of a body of which there is more to come.
    Body(usize),
    Enough,
}

/// What is known of a request so far.
#[derive(Debug)]
struct Request {
    body_max: usize,
    /// So many bytes of it were there at the last look.
    seen: usize,
    /// Where its head ends, and where its body will, once that has been seen.
    whole: Option<(usize, usize)>,
}

impl Request {
    /// Looks at what has come, and leaves it there.
    fn look(&mut self, stream: &TcpStream) -> io::Result<Found> {
        let mut room = [MaybeUninit::uninit(); LOOK_MAX];
        let ((bytes, _), _) = recv(stream, &mut room, RecvFlags::PEEK)?;
        if bytes.len() == self.seen && !bytes.is_empty() {
            return Err(io::ErrorKind::WouldBlock.into()); // Nothing new to wake up for.
        }
        Ok(self.find(bytes))
    }

    /// What is there of it.
    fn find(&mut self, bytes: &[u8]) -> Found {
        // The end of a head may have begun with what was there before.
        let from = self.seen.saturating_sub(3);
        self.seen = bytes.len();
        if bytes.len() >= LOOK_MAX {
            return Found::Enough;
        }
        if self.whole.is_none() {
            let method = &bytes[..memchr(b' ', bytes).unwrap_or(bytes.len()).min(METHOD_MAX)];
            if bytes.is_empty() || !method.iter().all(u8::is_ascii_uppercase) {
                return Found::Enough;
            }
            let Some(end) = head_end(&bytes[from..]) else { return Found::Head };
            let end = from + end;
            match announced(&bytes[..end]) {
                Some(length) if length <= self.body_max => self.whole = Some((end, end + length)),
                Some(_) | None => return Found::Enough,
            }
        }
        match self.whole {
            Some((head, whole)) if bytes.len() < whole => Found::Body(bytes.len() - head),
            Some(_) | None => Found::Enough,
        }
    }
}

/// Where a head ends: behind a line without anything.
fn head_end(bytes: &[u8]) -> Option<usize> {
    memchr_iter(b'\n', bytes).find_map(|end| match bytes[end + 1..] {
        [b'\n', ..] => Some(end + 2),
        [b'\r', b'\n', ..] => Some(end + 3),
        _ => None,
    })
}

/// How long a body is said to be. `None`: that is not for us to say, or its sender waits for us.
fn announced(head: &[u8]) -> Option<usize> {
    let (mut lengths, mut begin) = (None, 0);
    for end in memchr_iter(b'\n', head) {
        let line = &head[begin..end];
        begin = end + 1;
        let Some(colon) = memchr(b':', line) else { continue };
        let (name, value) = (&line[..colon], &line[colon + 1..]);
        if name.eq_ignore_ascii_case(b"expect") || name.eq_ignore_ascii_case(b"transfer-encoding") {
            return None;
        }
        if name.eq_ignore_ascii_case(b"content-length") {
            let value = str::from_utf8(value.trim_ascii()).ok()?.parse().ok()?;
            if lengths.replace(value).is_some() {
                return None;
            }
        }
    }
    lengths
}

#[cfg(test)]
mod tests;
