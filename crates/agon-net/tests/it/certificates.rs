//! Certificates made for one test: an authority, and what it vouches for.

use agon_net::{Identity, Trust};
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, date_time_ymd};

/// Somebody who signs certificates.
pub(crate) struct Authority {
    issuer: Issuer<'static, KeyPair>,
    pem: String,
}

/// When a certificate is valid, in years.
#[derive(Clone, Copy)]
pub(crate) struct Years(pub(crate) i32, pub(crate) i32);

/// A life longer than that of this test.
pub(crate) const LONG: Years = Years(1990, 2999);

impl Authority {
    pub(crate) fn new() -> Self {
        Self::named("Authority")
    }

    pub(crate) fn named(name: &str) -> Self {
        let key = KeyPair::generate().unwrap();
        let params = signer(name);
        let pem = params.self_signed(&key).unwrap().pem();
        Self { issuer: Issuer::new(params, key), pem }
    }

    /// Another authority for which this one vouches.
    pub(crate) fn deputy(&self) -> Self {
        let key = KeyPair::generate().unwrap();
        let params = signer("Deputy");
        let pem = params.signed_by(&key, &self.issuer).unwrap().pem();
        Self { issuer: Issuer::new(params, key), pem }
    }

    /// A server by these names.
    pub(crate) fn identity(&self, names: &[&str]) -> Identity {
        self.identity_in(LONG, names)
    }

    pub(crate) fn identity_in(&self, Years(from, to): Years, names: &[&str]) -> Identity {
        let key = KeyPair::generate().unwrap();
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let mut params = CertificateParams::new(names).unwrap();
        params.not_before = date_time_ymd(from, 1, 1);
        params.not_after = date_time_ymd(to, 1, 1);
        let own = params.signed_by(&key, &self.issuer).unwrap().pem();
        let chain = format!("{own}{}", self.pem);
        Identity::from_pem(chain.as_bytes(), key.serialize_pem().as_bytes()).unwrap()
    }

    /// Belief in this authority alone.
    pub(crate) fn trust(&self) -> Trust {
        Trust::only(self.pem.as_bytes()).unwrap()
    }
}

fn signer(name: &str) -> CertificateParams {
    let mut params = CertificateParams::default();
    params.distinguished_name.push(DnType::CommonName, name);
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params
}
