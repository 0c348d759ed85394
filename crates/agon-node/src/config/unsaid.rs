//! Settings that may be left out: an empty text stands for nothing said.

use std::path::PathBuf;

use agon_core::format::FormatKind;
use serde::de::{Deserialize, Deserializer, Error};

/// `deserialize_with` for a text.
pub(super) fn text<'de, D: Deserializer<'de>>(source: D) -> Result<Option<String>, D::Error> {
    String::deserialize(source).map(|text| Some(text).filter(|text| !text.is_empty()))
}

/// `deserialize_with` for a format, with `-` or `_`.
pub(super) fn format<'de, D: Deserializer<'de>>(source: D) -> Result<Option<FormatKind>, D::Error> {
    let Some(said) = text(source)? else { return Ok(None) };
    let name = said.replace('_', "-");
    let known = FormatKind::ALL.into_iter().find(|format| format.name() == name);
    known.map(Some).ok_or_else(|| {
        let names = FormatKind::ALL.map(FormatKind::name).join(", ");
        D::Error::custom(format!("there is no format {said:?}; the formats are {names}"))
    })
}

/// `deserialize_with` for the name of a file.
pub(super) fn file<'de, D: Deserializer<'de>>(source: D) -> Result<Option<PathBuf>, D::Error> {
    text(source).map(|text| text.map(PathBuf::from))
}
