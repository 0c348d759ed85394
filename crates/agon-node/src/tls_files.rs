//! The files of `[tls]`, read. Who it says it is, and whom it believes.
//!
//! Keys come from files and from nowhere else. Errors name the file, and repeat nothing of it.

use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use agon_net::{BadPem, Identity, Trust};
use tracing::warn;

use crate::config;

/// What a node needs for TLS. A clone shares it.
#[derive(Debug, Clone)]
pub struct TlsFiles {
    /// `None`: it speaks plain HTTP.
    pub(crate) identity: Option<Identity>,
    pub(crate) trust: Trust,
}

/// Why a file of `[tls]` cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TlsFilesError {
    #[error("could not read {}, named by `{setting}`", path.display())]
    Read { setting: &'static str, path: PathBuf, source: io::Error },
    #[error("could not use {}, named by `{setting}`", path.display())]
    Unusable { setting: &'static str, path: PathBuf, source: BadPem },
}

const CERT: &str = "tls.cert";
const KEY: &str = "tls.key";
const CA: &str = "tls.ca";

impl TlsFiles {
    /// Reads the files that are named.
    ///
    /// # Errors
    /// When one of them cannot be read or used.
    pub fn load(files: &config::Tls) -> Result<Self, TlsFilesError> {
        let identity = match (&files.cert, &files.key) {
            (Some(cert), Some(key)) => Some(identity(cert, key)?),
            (None, _) | (_, None) => None, // The configuration knows only both or neither.
        };
        Ok(Self { identity, trust: trust(files)? })
    }
}

/// Whom to believe: the issuers of the named file, or those that this system trusts.
///
/// # Errors
/// When the file cannot be read or used.
pub fn trust(files: &config::Tls) -> Result<Trust, TlsFilesError> {
    let Some(path) = &files.ca else {
        return Ok(Trust::system());
    };
    let pem = fs::read(path).map_err(unread(CA, path))?;
    Trust::only(&pem).map_err(unusable(CA, path))
}

fn identity(cert: &Path, key: &Path) -> Result<Identity, TlsFilesError> {
    let chain = fs::read(cert).map_err(unread(CERT, cert))?;
    let secret = read_key(key).map_err(unread(KEY, key))?;
    Identity::from_pem(&chain, &secret).map_err(|bad| match bad {
        BadPem::NoCertificate | BadPem::BadCertificate => unusable(CERT, cert)(bad),
        BadPem::NoKey | BadPem::EncryptedKey | BadPem::BadKey | BadPem::OtherKey => {
            unusable(KEY, key)(bad)
        }
    })
}

/// Reads the key, and looks at the very file that was read for who else could.
fn read_key(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    if file.metadata()?.mode() & 0o044 != 0 {
        warn!(path = %path.display(), "the private key can be read by others; give it mode 0600");
    }
    let mut pem = Vec::new();
    file.read_to_end(&mut pem)?;
    Ok(pem)
}

fn unread(setting: &'static str, path: &Path) -> impl FnOnce(io::Error) -> TlsFilesError {
    move |source| TlsFilesError::Read { setting, path: path.to_owned(), source }
}

fn unusable(setting: &'static str, path: &Path) -> impl FnOnce(BadPem) -> TlsFilesError {
    move |source| TlsFilesError::Unusable { setting, path: path.to_owned(), source }
}
