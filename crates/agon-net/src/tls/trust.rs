//! Whom a client believes: the issuers that this system trusts, or those of one file instead.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::sync::OnceCell;
use tokio::task::spawn_blocking;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};
use tracing::debug;

use super::identity::certificates;
use super::{BadPem, HTTP_1_1, TlsFault, provider};
use crate::stream::Stream;

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
            Ok(Ok(stream)) => Ok(Stream::new(stream)),
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
