//! TLS: who we say we are, whom we believe, and what can go wrong between the two.
//!
//! Keys and certificates come in as PEM bytes; which file they were in is the caller's business. No
//! error, log line or `Debug` here repeats anything of a key.

use std::sync::Arc;

use tokio_rustls::rustls::crypto::{CryptoProvider, ring};

mod fault;
mod identity;
mod trust;

pub use fault::TlsFault;
pub use identity::Identity;
pub use trust::Trust;

pub(crate) use fault::{cause, is_not_tls};

/// Why certificates or a key cannot be used, in words that repeat nothing of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadPem {
    #[error("it holds no certificate; a PEM file with BEGIN CERTIFICATE is needed")]
    NoCertificate,
    #[error("a certificate in it is damaged")]
    BadCertificate,
    #[error("it holds no private key; a PEM file with BEGIN PRIVATE KEY is needed")]
    NoKey,
    #[error("its private key is encrypted; a file that only its owner can read is needed instead")]
    EncryptedKey,
    #[error("its private key is damaged, or of a kind that is not supported")]
    BadKey,
    #[error("its private key does not belong to the certificate")]
    OtherKey,
}

/// The one protocol that is spoken inside.
const HTTP_1_1: &[u8] = b"http/1.1";

/// The cryptography, named wherever it is needed, so that no process-wide choice can be forgotten.
fn provider() -> Arc<CryptoProvider> {
    Arc::new(ring::default_provider())
}
