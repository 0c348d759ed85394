//! Where an agent can be called: a URL, kept as text. Whether it may be is the edge's business.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

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
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
