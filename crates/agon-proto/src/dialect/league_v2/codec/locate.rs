//! Finding one's way in a piece of JSON: its members, and the field at a certain byte.
//!
//! This is how an error of the parser, which knows only a line and a column, gets the name of a
//! field without anybody reading the error's text.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

/// A text that is borrowed where it can be.
#[derive(Deserialize, PartialEq, Eq, PartialOrd, Ord)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

/// An object's members; of two with one name the last.
pub(super) struct Members<'a>(BTreeMap<Name<'a>, &'a str>);

impl<'a> Members<'a> {
    pub(super) fn get(&self, name: &str) -> Option<&'a str> {
        self.0.get(&Name(name.into())).copied()
    }
}

/// The members of an object, or nothing if it is none.
pub(super) fn members(json: &str) -> Option<Members<'_>> {
    let raw: BTreeMap<Name<'_>, &RawValue> = serde_json::from_str(json).ok()?;
    let members = raw.into_iter().map(|(name, value)| (name, value.get()));
    Some(Members(members.collect()))
}

/// The names of an object's members, or nothing if it is none.
pub(crate) fn member_names(json: &str) -> Option<Vec<String>> {
    Some(members(json)?.0.into_keys().map(|name| name.0.into_owned()).collect())
}

/// The elements of a list, or nothing if it is none.
pub(super) fn elements(json: &str) -> Option<Vec<&str>> {
    let raw: Vec<&RawValue> = serde_json::from_str(json).ok()?;
    Some(raw.into_iter().map(RawValue::get).collect())
}

/// Which field the parser was at: `context.opponent_id`; nothing if it was between fields.
pub(super) fn field_at(json: &str, error: &serde_json::Error) -> Option<String> {
    let lines = json.split_inclusive('\n');
    let before: usize = lines.take(error.line().saturating_sub(1)).map(str::len).sum();
    path_at(json, before + error.column().saturating_sub(1))
}

fn path_at(json: &str, offset: usize) -> Option<String> {
    if let Some(members) = members(json) {
        let named = members.0.iter().map(|(name, value)| (&*name.0, *value));
        let (name, value) = nearest(json, offset, named)?;
        return Some(match inner(json, value, offset) {
            Some(path) if path.starts_with('[') => format!("{name}{path}"),
            Some(path) => format!("{name}.{path}"),
            None => name.to_owned(),
        });
    }
    let numbered = elements(json)?.into_iter().enumerate();
    let (index, value) = nearest(json, offset, numbered)?;
    Some(match inner(json, value, offset) {
        Some(path) if path.starts_with('[') => format!("[{index}]{path}"),
        Some(path) => format!("[{index}].{path}"),
        None => format!("[{index}]"),
    })
}

/// The first value that ends behind the offset: the one it lies in, or whose key it lies in.
fn nearest<'a, K>(
    json: &str,
    offset: usize,
    values: impl Iterator<Item = (K, &'a str)>,
) -> Option<(K, &'a str)> {
    values
        .filter(|(_, value)| offset <= start(json, value) + value.len())
        .min_by_key(|(_, value)| start(json, value))
}

fn inner(json: &str, value: &str, offset: usize) -> Option<String> {
    path_at(value, offset.checked_sub(start(json, value))?)
}

/// Where in `json` its part `value` begins.
fn start(json: &str, value: &str) -> usize {
    value.as_ptr() as usize - json.as_ptr() as usize
}
