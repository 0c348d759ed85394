//! Why a handshake with a peer failed, in words that somebody can act on.

use std::io;

use tokio_rustls::rustls::{self, CertificateError, InvalidMessage};

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
