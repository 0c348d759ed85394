//! A record of the calls that a node made: to whom, how large, how many at once.
//!
//! Only `agon bench` asks for one, in a season that it does not time: a bare HTTP stack replays it.
//!
//! Spec: docs/bench.md

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::net::SocketAddr;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use agon_proto::Endpoint;
use tracing::warn;

/// Names a folder; each node of a process writes a file of its own into it.
const VARIABLE: &str = "AGON_RECORD";

/// Writes one line for each call that was answered: when it went out in microseconds, how many were
/// under way then, the sizes of the request and of the answer, and the endpoint.
pub(crate) struct Recorder {
    file: File,
    under_way: HashMap<u64, Started>,
    lines: Vec<u8>,
}

struct Started {
    at_us: u128,
    abreast: usize,
    to: Endpoint,
    size: usize,
}

impl Recorder {
    /// A recorder, if the environment asks for one.
    pub(crate) fn from_env(own: SocketAddr) -> Option<Self> {
        let folder = std::env::var_os(VARIABLE)?;
        let path = Path::new(&folder).join(own.port().to_string());
        let opened = OpenOptions::new().create(true).append(true).open(&path);
        match opened {
            Ok(file) => Some(Self::new(file)),
            Err(error) => {
                warn!(path = %path.display(), %error, "no record of the calls");
                None
            }
        }
    }

    fn new(file: File) -> Self {
        let (under_way, lines) = (HashMap::new(), Vec::new());
        Self { file, under_way, lines }
    }

    pub(crate) fn started(&mut self, call: u64, to: &Endpoint, size: usize) {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let started = Started {
            at_us: now.unwrap_or_default().as_micros(),
            abreast: self.under_way.len() + 1,
            to: to.clone(),
            size,
        };
        self.under_way.insert(call, started);
    }

    /// Writes only while nothing is under way, so that the record costs little where it matters.
    pub(crate) fn finished(&mut self, call: u64, answer_size: Option<usize>) {
        let started = self.under_way.remove(&call);
        if let (Some(started), Some(answer)) = (started, answer_size) {
            let Started { at_us, abreast, to, size } = started;
            self.lines.extend(format!("{at_us} {abreast} {size} {answer} {to}\n").into_bytes());
        }
        if self.under_way.is_empty() && !self.lines.is_empty() {
            if let Err(error) = self.file.write_all(&self.lines) {
                warn!(%error, "a piece of the record of the calls is lost");
            }
            self.lines.clear();
        }
    }
}

#[cfg(test)]
mod tests;
