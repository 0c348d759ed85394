//! A host that runs out of ports or files: said once, with what to do, and once when it is over.
//!
//! Every call and every connection meets the same shortage, so a line for each would bury the log.
//! It is over when something works again and nothing has failed for a while: at the edge of a
//! shortage some connections are made and others are not.

use std::error::Error;
use std::io::ErrorKind;
use std::net::{SocketAddr, UdpSocket};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::io::Errno;
use tracing::{info, warn};

use crate::causes;

/// What this host has too few of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Shortage {
    /// No local port is left for another connection to that address.
    #[error("local port")]
    Ports,
    /// No file descriptor is left for another connection.
    #[error("file")]
    Files,
}

impl Shortage {
    /// The shortage that made something fail, if it was one.
    pub(crate) fn of(error: &(dyn Error + 'static)) -> Option<Self> {
        causes(error).find_map(|error| match Errno::from_io_error(error.downcast_ref()?)? {
            Errno::ADDRNOTAVAIL => Some(Self::Ports),
            Errno::MFILE | Errno::NFILE => Some(Self::Files),
            _ => None,
        })
    }

    const fn hint(self) -> &'static str {
        match self {
            Self::Ports => {
                "widen net.ipv4.ip_local_port_range, or let referees have fewer --capacity"
            }
            Self::Files => {
                "raise the limit of open files (ulimit -n), run fewer players in one process, or \
                 let referees have fewer --capacity"
            }
        }
    }
}

/// Whether there is a way from here to one of these addresses. Where there is none the system
/// reports what it reports when ports run out; connecting a datagram socket tells the two apart,
/// and sends nothing.
pub(crate) fn is_there_a_way(addresses: impl IntoIterator<Item = SocketAddr>) -> bool {
    addresses.into_iter().any(|address| {
        let from = if address.is_ipv4() { "0.0.0.0:0" } else { "[::]:0" };
        // Without a file or a port even for this, it is a shortage for certain.
        UdpSocket::bind(from).map_or_else(
            |error| Shortage::of(&error).is_some() || error.kind() == ErrorKind::AddrInUse,
            |socket| socket.connect(address).is_ok(),
        )
    })
}

/// Something could not be done for want of that.
pub(crate) fn met(shortage: Shortage) {
    if spell(shortage).met(Instant::now()) {
        let hint = shortage.hint();
        warn!(what = %shortage, hint, "this host cannot make another connection");
    }
    MET.store(true, Ordering::Relaxed);
}

/// Something was done for which a port or a file is needed.
pub(crate) fn passed() {
    // Nearly always all is well, and then this costs nothing.
    if !MET.load(Ordering::Relaxed) {
        return;
    }
    let mut any = false;
    for shortage in [Shortage::Ports, Shortage::Files] {
        let mut spell = spell(shortage);
        if let Some((times, time)) = spell.passed(Instant::now()) {
            let seconds = time.as_secs();
            info!(what = %shortage, times, seconds, "this host can make connections again");
        }
        any |= spell.last.is_some();
    }
    MET.store(any, Ordering::Relaxed);
}

/// Nothing fails for so long before a shortage counts as over.
const QUIET: Duration = Duration::from_secs(5);

static MET: AtomicBool = AtomicBool::new(false);
static SPELLS: [Mutex<Spell>; 2] = [const { Mutex::new(Spell::NONE) }; 2];

fn spell(shortage: Shortage) -> MutexGuard<'static, Spell> {
    SPELLS[shortage as usize].lock().unwrap_or_else(PoisonError::into_inner)
}

/// One stretch of time in which something is short.
#[derive(Debug)]
struct Spell {
    /// When it began and when it was last met.
    last: Option<(Instant, Instant)>,
    times: u64,
}

impl Spell {
    const NONE: Self = Self { last: None, times: 0 };

    /// Says whether this is the beginning.
    fn met(&mut self, now: Instant) -> bool {
        let begins = self.last.is_none();
        let (began, _) = self.last.unwrap_or((now, now));
        self.last = Some((began, now));
        self.times += 1;
        begins
    }

    /// Ends it, if nothing has failed for a while: how often it was met, and how long it was.
    fn passed(&mut self, now: Instant) -> Option<(u64, Duration)> {
        let (began, _) = self.last.filter(|(_, last)| now.duration_since(*last) >= QUIET)?;
        let times = self.times;
        *self = Self::NONE;
        Some((times, now.duration_since(began)))
    }
}

#[cfg(test)]
mod tests;
