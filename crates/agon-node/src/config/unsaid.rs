//! Settings that may be left out: an empty text stands for nothing said.

use std::path::PathBuf;

use serde::de::{Deserialize, Deserializer};

/// `deserialize_with` for a text.
pub(super) fn text<'de, D: Deserializer<'de>>(source: D) -> Result<Option<String>, D::Error> {
    String::deserialize(source).map(|text| Some(text).filter(|text| !text.is_empty()))
}

/// `deserialize_with` for the name of a file.
pub(super) fn file<'de, D: Deserializer<'de>>(source: D) -> Result<Option<PathBuf>, D::Error> {
    text(source).map(|text| text.map(PathBuf::from))
}
