//! TLS: who we say we are, whom we believe, and what can go wrong between the two.
//!
//! Keys and certificates come in as PEM bytes; which file they were in is the caller's business. No
//! error, log line or `Debug` here repeats anything of a key.

use std::sync::Arc;

use tokio_rustls::rustls::crypto::{CryptoProvider, ring};

mod bad;
mod fault;
mod identity;
mod trust;

pub use bad::BadPem;
pub use fault::TlsFault;
pub use identity::Identity;
pub use trust::Trust;

pub(crate) use fault::{cause, is_not_tls};

/// The one protocol that is spoken inside.
const HTTP_1_1: &[u8] = b"http/1.1";

/// The cryptography, named wherever it is needed, so that no process-wide choice can be forgotten.
fn provider() -> Arc<CryptoProvider> {
    Arc::new(ring::default_provider())
}
