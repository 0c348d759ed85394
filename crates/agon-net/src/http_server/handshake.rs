//! The TLS handshake: within the time of a head, and with a count of what goes wrong.

use std::io;
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::server::TlsStream;
use tracing::debug;

use super::ServerCounters;
use super::counters::bump;
use crate::tls::{Identity, cause, is_not_tls};

/// Shakes hands. `None` when the connection is not worth going on with.
pub(super) async fn shake_hands(
    stream: TcpStream,
    identity: &Identity,
    patience: Duration,
    counters: &ServerCounters,
) -> Option<TlsStream<TcpStream>> {
    match timeout(patience, identity.acceptor().accept(stream)).await {
        Ok(Ok(stream)) => Some(stream),
        Ok(Err(error)) => {
            note(&error, counters);
            None
        }
        Err(_elapsed) => {
            bump(&counters.timeout, "timeout");
            None
        }
    }
}

/// Whoever just leaves, as probes of a port do, is nobody's trouble and not counted.
fn note(error: &io::Error, counters: &ServerCounters) {
    match cause(error) {
        None => {}
        Some(error) if is_not_tls(error) => bump(&counters.not_tls, "not_tls"),
        Some(error) => {
            debug!(%error, "a TLS handshake failed");
            bump(&counters.handshake, "handshake");
        }
    }
}
