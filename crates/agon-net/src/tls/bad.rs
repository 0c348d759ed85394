//! What can be wrong with PEM files, in words that repeat nothing of them.

/// Why certificates or a key cannot be used.
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
