//! Who is connected, what each is doing and how much of its body is held; and who has to go when
//! room is needed: for a connection, for one more of an address, or for bytes of bodies.
//!
//! A connection whose request is with the door is never sent away. Of all others the least useful
//! goes first: whoever has begun a request and sends it more slowly than the pace that is asked
//! for, then whoever has not said anything yet, both from the address that has most of them first;
//! then whoever rests after a request; and only then whoever came a moment ago or keeps the pace.
//! For bytes it is the same, but the address that holds most of them loses its bodies first, also
//! those that keep the pace. So neither silent nor slow strangers can keep an honest caller out, at
//! its own address either.

use std::cmp::Reverse;
use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::task::{AbortHandle, Id};

/// So many are chosen in one look at everybody, so that a look is paid for by many departures.
const CHOSEN: usize = 256;
/// Whoever came or began a request so long ago could have done something useful by now.
const FRESH: Duration = Duration::from_secs(1);

/// What there is room for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    pub(super) connections_max: usize,
    pub(super) per_address_max: usize,
    /// Bytes of all bodies together, from their first piece until they are answered.
    pub(super) bytes_max: usize,
    /// Bytes a second of a request that is not slow.
    pub(super) pace: u32,
}

/// There is no room, and nobody is less useful.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Full;

/// What a connection is doing, and since when.
#[derive(Debug)]
pub(super) struct Presence(Mutex<Doing>);

#[derive(Debug)]
struct Doing {
    state: State,
    since: Instant,
    /// Bytes of its body that are counted.
    held: usize,
    /// Bytes that have been looked at, and are still to be read.
    seen: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Silent,
    Resting,
    /// A request has begun, and so many bytes of it have come.
    Reading(u64),
    Busy,
    Gone,
}

impl Presence {
    pub(super) fn new() -> Arc<Self> {
        let doing = Doing { state: State::Silent, since: Instant::now(), held: 0, seen: 0 };
        Arc::new(Self(Mutex::new(doing)))
    }

    /// More of a request has come in, and waits where it is: it is received later.
    pub(super) fn seen(&self, bytes: usize) {
        let mut doing = self.doing();
        doing.count(bytes);
        doing.seen += bytes;
    }

    /// More of a request has come in.
    pub(super) fn received(&self, bytes: usize) {
        let mut doing = self.doing();
        let fresh = bytes.saturating_sub(doing.seen);
        doing.seen -= bytes - fresh;
        doing.count(fresh);
    }

    /// Its request goes to the door. Not if it was sent away at this very moment.
    pub(super) fn begin(&self) -> bool {
        self.turn_to(State::Busy)
    }

    /// Its request was answered.
    pub(super) fn end(&self) {
        self.turn_to(State::Resting);
    }

    fn turn_to(&self, state: State) -> bool {
        let mut doing = self.doing();
        let is_here = doing.state != State::Gone;
        if is_here {
            *doing = Doing { state, since: Instant::now(), ..*doing };
        }
        is_here
    }

    /// Sends it away, if it has done nothing else since then. Says how much it held.
    fn dismiss(&self, since: Instant) -> Option<usize> {
        let mut doing = self.doing();
        if doing.since != since || matches!(doing.state, State::Busy | State::Gone) {
            return None;
        }
        doing.state = State::Gone;
        Some(std::mem::take(&mut doing.held))
    }

    fn doing(&self) -> MutexGuard<'_, Doing> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Doing {
    /// So many more bytes of a request are there.
    fn count(&mut self, bytes: usize) {
        match &mut self.state {
            State::Reading(got) => *got += bytes as u64,
            State::Silent | State::Resting if bytes > 0 => {
                (self.state, self.since) = (State::Reading(bytes as u64), Instant::now());
            }
            State::Silent | State::Resting | State::Busy | State::Gone => {}
        }
    }

    /// How useful it is; `None` if it must not be sent away.
    fn usefulness(&self, now: Instant, pace: u32) -> Option<Usefulness> {
        let length = now.saturating_duration_since(self.since);
        Some(match self.state {
            State::Busy | State::Gone => return None,
            State::Resting => Usefulness::Resting,
            State::Silent if length >= FRESH => Usefulness::Silent,
            State::Reading(_) if length >= FRESH && self.pace(now) < u64::from(pace) => {
                Usefulness::Slow
            }
            State::Silent | State::Reading(_) => Usefulness::Useful,
        })
    }

    /// Bytes a second of its request.
    fn pace(&self, now: Instant) -> u64 {
        let State::Reading(got) = self.state else { return 0 };
        let micros = now.saturating_duration_since(self.since).as_micros();
        let micros = u64::try_from(micros).unwrap_or(u64::MAX);
        got.saturating_mul(1_000_000) / micros.max(1)
    }
}

/// The least useful first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Usefulness {
    Slow,
    Silent,
    Resting,
    Useful,
}

/// Who goes before whom: the least useful, then those of the address that has most of what room is
/// needed for, then the slowest.
type Worth = (Usefulness, Reverse<usize>, u64, Instant);

/// For what room is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Need {
    Connection,
    ConnectionOf(IpAddr),
    Bytes,
}

/// Everybody who is connected.
#[derive(Debug)]
pub(super) struct Places {
    bounds: Bounds,
    /// Bytes of bodies that are held now.
    held: AtomicUsize,
    table: Mutex<Table>,
}

#[derive(Debug, Default)]
struct Table {
    guests: HashMap<Id, Guest>,
    of_address: HashMap<IpAddr, usize>,
    /// Who goes next, and since when it had done the same when it was chosen.
    next: HashMap<Need, VecDeque<(Instant, Id)>>,
}

#[derive(Debug)]
struct Guest {
    presence: Arc<Presence>,
    task: AbortHandle,
    /// `None`: one of a proxy, which brings many callers.
    address: Option<IpAddr>,
}

impl Places {
    pub(super) fn new(bounds: Bounds) -> Self {
        Self { bounds, held: AtomicUsize::new(0), table: Mutex::default() }
    }

    /// Whether one more fits, from that address; `None` if nobody had to go for it.
    pub(super) fn make_room(
        &self,
        address: Option<IpAddr>,
        is_short: bool,
    ) -> Option<Result<(), Full>> {
        let table = &mut *self.table();
        let of = |address| table.of_address.get(&address).copied().unwrap_or(0);
        let need = match address {
            Some(address) if of(address) >= self.bounds.per_address_max => {
                Need::ConnectionOf(address)
            }
            _ if is_short || table.guests.len() >= self.bounds.connections_max => Need::Connection,
            _ => return None,
        };
        Some(self.send_away(table, need, None))
    }

    pub(super) fn add(&self, presence: Arc<Presence>, task: AbortHandle, from: Option<IpAddr>) {
        let table = &mut *self.table();
        let id = task.id();
        table.guests.insert(id, Guest { presence, task, address: None });
        table.place(id, from);
    }

    /// Whoever that is calls from there, as its proxy says.
    pub(super) fn move_to(&self, id: Id, address: IpAddr) -> Result<(), Full> {
        let table = &mut *self.table();
        let count = table.of_address.get(&address).copied().unwrap_or(0);
        if count >= self.bounds.per_address_max {
            self.send_away(table, Need::ConnectionOf(address), None)?;
        }
        table.place(id, Some(address));
        Ok(())
    }

    pub(super) fn remove(&self, id: Id) {
        self.table().remove(id);
    }

    /// Counts more bytes of a body that is held. At the bound, less useful bodies make room: says
    /// how many were sent away.
    pub(super) fn hold(&self, presence: &Presence, more: usize) -> Result<u64, Full> {
        let held = {
            let mut doing = presence.doing();
            if doing.state == State::Gone {
                return Err(Full);
            }
            doing.held += more;
            // As long as nobody can send it away, who would take off what is not counted yet.
            self.held.fetch_add(more, Ordering::Relaxed) + more
        };
        let bytes_max = self.bounds.bytes_max;
        let mut sent_away = 0;
        if held <= bytes_max {
            return Ok(sent_away);
        }
        let table = &mut *self.table();
        while self.held.load(Ordering::Relaxed) > bytes_max {
            self.send_away(table, Need::Bytes, Some(presence))?;
            sent_away += 1;
        }
        Ok(sent_away)
    }

    /// The body was answered, or dropped.
    pub(super) fn release(&self, presence: &Presence) {
        let held = std::mem::take(&mut presence.doing().held);
        self.held.fetch_sub(held, Ordering::Relaxed);
    }

    /// Sends the least useful one away, unless that is the one who needs the room.
    fn send_away(&self, table: &mut Table, need: Need, who: Option<&Presence>) -> Result<(), Full> {
        let mut next = table.next.remove(&need).unwrap_or_default();
        for _ in 0..2 {
            while let Some((since, id)) = next.pop_front() {
                let Some(guest) = table.guests.get(&id) else { continue };
                if who.is_some_and(|who| std::ptr::eq(who, &*guest.presence)) {
                    // The others are still the next to go: nobody has to be looked at again.
                    table.next.insert(need, next);
                    return Err(Full);
                }
                // Whoever was chosen and has not moved since then is still the next to go.
                let Some(held) = guest.presence.dismiss(since) else { continue };
                self.held.fetch_sub(held, Ordering::Relaxed);
                guest.task.abort();
                if !next.is_empty() {
                    table.next.insert(need, next);
                }
                table.remove(id);
                return Ok(());
            }
            next = table.choose(need, self.bounds.pace);
        }
        Err(Full)
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Table {
    fn place(&mut self, id: Id, address: Option<IpAddr>) {
        let Some(guest) = self.guests.get_mut(&id) else { return };
        let before = std::mem::replace(&mut guest.address, address);
        self.leave(before);
        if let Some(address) = address {
            *self.of_address.entry(address).or_default() += 1;
        }
    }

    fn remove(&mut self, id: Id) -> Option<Guest> {
        let guest = self.guests.remove(&id)?;
        self.leave(guest.address);
        Some(guest)
    }

    fn leave(&mut self, address: Option<IpAddr>) {
        let Some(address) = address else { return };
        if let Some(count) = self.of_address.get_mut(&address) {
            *count -= 1;
            if *count == 0 {
                self.of_address.remove(&address);
                // Whoever had to go next has gone.
                self.next.remove(&Need::ConnectionOf(address));
            }
        }
    }

    /// Those who have to go next, in order.
    fn choose(&self, need: Need, pace: u32) -> VecDeque<(Instant, Id)> {
        let now = Instant::now();
        let mut crowds: HashMap<(Usefulness, Option<IpAddr>), usize> = HashMap::new();
        let mut found = Vec::new();
        for (id, guest) in &self.guests {
            let doing = guest.presence.doing();
            let is_meant = match need {
                Need::Connection => true,
                Need::ConnectionOf(address) => guest.address == Some(address),
                Need::Bytes => doing.held > 0 && matches!(doing.state, State::Reading(_)),
            };
            let Some(useful) = doing.usefulness(now, pace).filter(|_| is_meant) else { continue };
            let weight = match (need, useful) {
                (Need::Bytes, _) => doing.held,
                (_, Usefulness::Slow | Usefulness::Silent) => 1,
                (_, Usefulness::Resting | Usefulness::Useful) => 0,
            };
            *crowds.entry((useful, guest.address)).or_default() += weight;
            found.push((useful, guest.address, doing.pace(now), doing.since, *id));
        }
        let worth = |&(useful, address, pace, since, _): &(_, _, _, _, Id)| -> Worth {
            let crowd = crowds.get(&(useful, address)).copied().unwrap_or(0);
            (useful, Reverse(crowd), pace, since)
        };
        if found.len() > CHOSEN {
            found.select_nth_unstable_by_key(CHOSEN, worth);
            found.truncate(CHOSEN);
        }
        found.sort_unstable_by_key(worth);
        found.into_iter().map(|(_, _, _, since, id)| (since, id)).collect()
    }
}

#[cfg(test)]
mod tests;
