//! What is said about files that cannot be used, and what is not.

use rcgen::{CertificateParams, KeyPair};

use super::{BadPem, Identity, Trust};

/// A certificate that vouches for itself, and its key.
fn pair() -> (String, String) {
    let key = KeyPair::generate().unwrap();
    let params = CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
    (params.self_signed(&key).unwrap().pem(), key.serialize_pem())
}

#[track_caller]
fn check(chain: &str, key: &str, expected: BadPem) {
    let bad = Identity::from_pem(chain.as_bytes(), key.as_bytes()).unwrap_err();
    assert_eq!(bad, expected);
    for line in key.lines().filter(|line| line.len() > 40) {
        assert!(!format!("{bad} {bad:?}").contains(line), "{bad}");
    }
}

/// The same text with a hole in the middle.
fn damaged(pem: &str) -> String {
    let middle = pem.len() / 2;
    format!("{}!?{}", &pem[..middle], &pem[middle + 2..])
}

#[test]
fn a_bad_file_is_named_by_what_it_lacks() {
    let (chain, key) = pair();
    check("", &key, BadPem::NoCertificate);
    check(&key, &key, BadPem::NoCertificate);
    check(&damaged(&chain), &key, BadPem::BadCertificate);
    check(&chain, "", BadPem::NoKey);
    check(&chain, &chain, BadPem::NoKey);
    check(&chain, &damaged(&key), BadPem::BadKey);
    check(&chain, &key.replace("-----BEGIN PRIVATE KEY-----", "-----BEGIN "), BadPem::BadKey);
    check(&chain, &key.replace("PRIVATE", "ENCRYPTED PRIVATE"), BadPem::EncryptedKey);
    check(&chain, &pair().1, BadPem::OtherKey);
}

#[test]
fn one_file_may_hold_both() {
    let (chain, key) = pair();
    let both = chain + &key;
    let identity = Identity::from_pem(both.as_bytes(), both.as_bytes()).unwrap();
    assert_eq!(format!("{identity:?}"), "Identity(..)");
}

#[test]
fn trust_needs_somebody_to_trust() {
    let (chain, key) = pair();
    assert_eq!(Trust::only(key.as_bytes()).unwrap_err(), BadPem::NoCertificate);
    assert_eq!(Trust::only(damaged(&chain).as_bytes()).unwrap_err(), BadPem::BadCertificate);
    assert_eq!(format!("{:?}", Trust::only(chain.as_bytes()).unwrap()), "Trust(..)");
}
