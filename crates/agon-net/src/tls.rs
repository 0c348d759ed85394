//! TLS: who we say we are, whom we believe, and what can go wrong between the two.
//!
//! Keys and certificates come in as PEM bytes; which file they were in is the caller's business. No
//! error, log line or `Debug` here repeats anything of a key.

use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::sync::OnceCell;
use tokio::task::spawn_blocking;
use tokio::time::timeout;
use tokio_rustls::rustls::crypto::{CryptoProvider, ring};
use tokio_rustls::rustls::pki_types::pem::{self, PemObject};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use tokio_rustls::rustls::{
    self, CertificateError, ClientConfig, InvalidMessage, RootCertStore, ServerConfig,
};
use tokio_rustls::{TlsAcceptor, TlsConnector};
use tracing::debug;

use crate::wire::{Stream, stream};

/// A certificate and its key, checked to belong together. A clone shares them.
#[derive(Clone)]
pub struct Identity(pub(crate) TlsAcceptor);

impl Identity {
    /// Reads the server's own certificate followed by those of its issuers, and the key.
    ///
    /// # Errors
    /// When either is missing or damaged, or they do not belong together.
    pub fn from_pem(chain: &[u8], key: &[u8]) -> Result<Self, BadPem> {
        let chain = certificates(chain)?;
        let key = private_key(key)?;
        let builder = ServerConfig::builder_with_provider(provider())
            .with_safe_default_protocol_versions()
            .expect("the provider knows the default versions")
            .with_no_client_auth();
        let mut config = builder.with_single_cert(chain, key).map_err(unusable)?;
        config.alpn_protocols = vec![HTTP_1_1.to_vec()];
        Ok(Self(Arc::new(config).into()))
    }
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Identity(..)")
    }
}

/// All certificates of a file, and at least one.
fn certificates(pem: &[u8]) -> Result<Vec<CertificateDer<'static>>, BadPem> {
    let found: Result<Vec<_>, pem::Error> = CertificateDer::pem_slice_iter(pem).collect();
    match found {
        Ok(found) if found.is_empty() => Err(BadPem::NoCertificate),
        Ok(found) => Ok(found),
        Err(_quotes_the_file) => Err(BadPem::BadCertificate),
    }
}

/// The parser's own errors quote the line that they stumbled over, so they go no further.
fn private_key(pem: &[u8]) -> Result<PrivateKeyDer<'static>, BadPem> {
    PrivateKeyDer::from_pem_slice(pem).map_err(|error| {
        let encrypted = b"ENCRYPTED PRIVATE KEY";
        if pem.windows(encrypted.len()).any(|part| part == encrypted) {
            BadPem::EncryptedKey
        } else if matches!(error, pem::Error::NoItemsFound) {
            BadPem::NoKey
        } else {
            BadPem::BadKey
        }
    })
}

fn unusable(error: rustls::Error) -> BadPem {
    if matches!(error, rustls::Error::InconsistentKeys(_)) {
        BadPem::OtherKey
    } else if matches!(error, rustls::Error::InvalidCertificate(_)) {
        BadPem::BadCertificate
    } else {
        BadPem::BadKey
    }
}

/// The issuers whose certificates are accepted. A clone shares them, and what was loaded. Those of
/// the system are not there before the first call to an `https://` endpoint: reading them takes a
/// while.
#[derive(Clone)]
pub struct Trust(Arc<OnceCell<Arc<ClientConfig>>>);

impl Trust {
    /// Whatever this system trusts.
    pub fn system() -> Self {
        Self(Arc::default())
    }

    /// The issuers of a PEM file, and nobody else.
    ///
    /// # Errors
    /// When there is no certificate in it, or a damaged one.
    pub fn only(pem: &[u8]) -> Result<Self, BadPem> {
        let mut roots = RootCertStore::empty();
        for certificate in certificates(pem)? {
            roots.add(certificate).map_err(|_damaged| BadPem::BadCertificate)?;
        }
        Ok(Self(Arc::new(OnceCell::new_with(Some(believing(roots))))))
    }

    /// Prepares a handshake with the peer that is called `host`.
    pub(crate) async fn handshake(&self, host: &str) -> Result<Handshake, TlsFault> {
        let config = self.0.get_or_try_init(load).await.map(Arc::clone)?;
        let name = ServerName::try_from(host.to_owned())
            .map_err(|_no_name| TlsFault::WrongName { asked: host.to_owned() })?;
        Ok(Handshake { config, name, asked: host.to_owned() })
    }
}

/// All that a handshake needs, besides a connection.
pub(crate) struct Handshake {
    pub(crate) config: Arc<ClientConfig>,
    name: ServerName<'static>,
    asked: String,
}

impl Handshake {
    /// Shakes hands, within this time.
    pub(crate) async fn shake(
        self,
        tcp: TcpStream,
        patience: Duration,
    ) -> Result<Stream, TlsFault> {
        let shaking = TlsConnector::from(self.config).connect(self.name, tcp);
        match timeout(patience, shaking).await {
            Ok(Ok(encrypted)) => Ok(stream(encrypted)),
            Ok(Err(error)) => Err(TlsFault::of(&error, &self.asked)),
            Err(_elapsed) => Err(TlsFault::Slow),
        }
    }
}

impl fmt::Debug for Trust {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Trust(..)")
    }
}

/// Reads the system's issuers, on a thread of its own so that no call in progress waits for it.
async fn load() -> Result<Arc<ClientConfig>, TlsFault> {
    let read = spawn_blocking(|| {
        let found = rustls_native_certs::load_native_certs();
        let mut roots = RootCertStore::empty();
        let (trusted, strange) = roots.add_parsable_certificates(found.certs);
        debug!(trusted, strange, errors = ?found.errors, "read the system's issuers");
        roots
    });
    match read.await {
        Ok(roots) if !roots.is_empty() => Ok(believing(roots)),
        Ok(_) | Err(_) => Err(TlsFault::NoRoots),
    }
}

fn believing(roots: RootCertStore) -> Arc<ClientConfig> {
    let mut config = ClientConfig::builder_with_provider(provider())
        .with_safe_default_protocol_versions()
        .expect("the provider knows the default versions")
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![HTTP_1_1.to_vec()];
    Arc::new(config)
}

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

/// Why a peer that was reached could not be spoken to over TLS. Nothing was sent to it.
#[derive(Debug, Clone, thiserror::Error)]
pub enum TlsFault {
    #[error("its certificate has expired; its owner must renew it")]
    Expired,
    #[error("its certificate is not valid yet; one of the two clocks may be wrong")]
    NotYetValid,
    #[error("its certificate comes from an issuer that is not trusted here; name that issuer's CA")]
    UnknownIssuer,
    #[error("its certificate is not signed by the CA of that name; has one been made anew?")]
    BadSignature,
    #[error("its certificate is not for {asked}; call it by a name that the certificate holds")]
    WrongName { asked: String },
    #[error("its certificate cannot be accepted")]
    BadCertificate(#[source] rustls::Error),
    #[error("it does not speak TLS there; its endpoint may begin with http://")]
    NotTls,
    #[error("the TLS handshake failed")]
    Handshake(#[source] rustls::Error),
    #[error("it hung up during the TLS handshake")]
    HungUp,
    #[error("the TLS handshake took too long")]
    Slow,
    #[error("this system has no list of trusted issuers; name a CA")]
    NoRoots,
}

impl TlsFault {
    /// Reads it off the error of a handshake with the peer that was called `asked`.
    pub(crate) fn of(error: &io::Error, asked: &str) -> Self {
        match cause(error) {
            None => Self::HungUp,
            Some(rustls::Error::InvalidCertificate(wrong)) => Self::of_certificate(wrong, asked),
            Some(error) if is_not_tls(error) => Self::NotTls,
            Some(error) => Self::Handshake(error.clone()),
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "the others need no advice of their own")]
    fn of_certificate(wrong: &CertificateError, asked: &str) -> Self {
        match wrong {
            CertificateError::Expired | CertificateError::ExpiredContext { .. } => Self::Expired,
            CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
                Self::NotYetValid
            }
            CertificateError::UnknownIssuer => Self::UnknownIssuer,
            CertificateError::BadSignature => Self::BadSignature,
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
                Self::WrongName { asked: asked.to_owned() }
            }
            other => Self::BadCertificate(rustls::Error::InvalidCertificate(other.clone())),
        }
    }
}

/// What TLS itself found wrong, if the connection did not simply break.
pub(crate) fn cause(error: &io::Error) -> Option<&rustls::Error> {
    error.get_ref().and_then(|cause| cause.downcast_ref())
}

/// Whether the first bytes from the other side were no TLS at all.
pub(crate) fn is_not_tls(error: &rustls::Error) -> bool {
    matches!(error, rustls::Error::InvalidMessage(InvalidMessage::InvalidContentType))
}

#[cfg(test)]
mod tests;
