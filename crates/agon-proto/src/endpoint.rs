//! Where an agent can be called: a URL, kept as text. Whether it may be is the edge's business.
//!
//! It may hold a code, which is shown nowhere: only [`Endpoint::as_str`] is the whole of it.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::without_code;

/// `http://host:port/mcp`. Cheap to clone.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Endpoint(Arc<str>);

impl Endpoint {
    /// Takes the text as it is.
    pub fn new(url: &str) -> Self {
        Self(url.into())
    }

    /// The URL.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The URL for logs and exports: without a user, a query or a fragment, in which an author may
    /// keep a secret, and without a code. Nothing, if it is no URL.
    pub fn shown(&self) -> String {
        let url = without_code(&self.0);
        let url = url.split(['?', '#']).next().unwrap_or_default();
        let Some((scheme, rest)) = url.split_once("://") else {
            return String::new();
        };
        let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let host = host.rsplit('@').next().unwrap_or_default();
        format!("{scheme}://{host}{path}")
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&without_code(&self.0))
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&without_code(&self.0))
    }
}

#[cfg(test)]
mod tests;
