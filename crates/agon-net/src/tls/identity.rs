//! Who a server says it is: its certificate with the chain above it, and the key to prove it.

use std::fmt;
use std::sync::Arc;

use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::pki_types::pem::{self, PemObject};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{self, ServerConfig};

use super::{BadPem, HTTP_1_1, provider};

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
pub(super) fn certificates(pem: &[u8]) -> Result<Vec<CertificateDer<'static>>, BadPem> {
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

#[cfg(test)]
mod tests;
