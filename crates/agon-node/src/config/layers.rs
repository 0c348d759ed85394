//! Layers of settings on top of each other, checked key by key so that errors can name the key.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use agon_core::Rules;
use serde::de::DeserializeOwned;
use toml::{Table, Value};

use super::{Checked, Config, ConfigError, DEFAULT_FILE, validate};

/// What is read when no file is named.
const USUAL_FILE: &str = "agon.toml";
const ENV_PREFIX: &str = "AGON_";
/// Stands between section and key. Variables without it, such as AGON_TOKEN, are not settings.
const ENV_SEPARATOR: &str = "__";
/// The setting whose values may be keys and passwords.
const SECRETS: &str = "player.env";
/// The section of leagues by letters.
const LETTERS: &str = "letters";
/// Names that differ by at most so many letters are taken for slips of the pen.
const SLIPS_MAX: usize = 3;

/// Where a setting stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Layer {
    File(PathBuf),
    Variable(String),
    Flags,
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "the file {}", path.display()),
            Self::Variable(name) => write!(f, "the environment variable {name}"),
            Self::Flags => f.write_str("the command line"),
        }
    }
}

/// One setting: what it is, and where that was said if it is not simply the default.
#[derive(Debug, Clone, PartialEq)]
pub struct SettingInForce {
    pub section: String,
    pub key: String,
    pub value: Value,
    pub from: Option<Layer>,
}

pub(super) fn parse<T: DeserializeOwned>(path: &Path, text: &str) -> Result<T, ConfigError> {
    toml::from_str(text)
        .map_err(|source| ConfigError::NotToml { path: path.to_owned(), source: Box::new(source) })
}

/// The layers so far, as a table and as what it means.
pub(super) struct Merged {
    /// Holds every key there is, because the default file does.
    table: Table,
    pub(super) config: Config,
    /// Where each setting was last said, by its path.
    said: BTreeMap<String, Layer>,
}

impl Merged {
    /// All layers, and what they come to is within its bounds.
    pub(super) fn of(
        file: Option<&Path>,
        env: impl Iterator<Item = (String, String)>,
        overrides: Table,
    ) -> Result<Self, ConfigError> {
        let mut merged = Self::new()?;
        let path = file.unwrap_or(Path::new(USUAL_FILE));
        match fs::read_to_string(path) {
            Ok(text) => merged.add(&Layer::File(path.to_owned()), parse(path, &text)?)?,
            Err(error) if file.is_none() && error.kind() == ErrorKind::NotFound => {}
            Err(source) => return Err(ConfigError::Read { path: path.to_owned(), source }),
        }
        merged.add_env(env)?;
        merged.add(&Layer::Flags, overrides)?;
        validate::check(&merged.config)?;
        Ok(merged)
    }

    /// Every setting, in the order of the default file. What may be a secret is not told.
    pub(super) fn settings(mut self) -> Vec<SettingInForce> {
        let mut section = "";
        let mut settings = Vec::new();
        for line in DEFAULT_FILE.lines() {
            if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                section = name;
                continue;
            }
            let keys = self.table.get_mut(section).and_then(Value::as_table_mut);
            let named = line.split_once(" = ").map(|(key, _)| key);
            let Some((key, mut value)) = keys.zip(named).and_then(|(it, key)| it.remove_entry(key))
            else {
                continue;
            };
            let path = format!("{section}.{key}");
            if path == SECRETS {
                value.as_array_mut().into_iter().flatten().for_each(conceal);
            }
            let (section, from) = (section.to_owned(), self.said.remove(&path));
            settings.push(SettingInForce { section, key, value, from });
        }
        settings
    }

    /// The default file alone.
    fn new() -> Result<Self, ConfigError> {
        let path = Path::new("agon.default.toml");
        let (table, config) = (parse(path, DEFAULT_FILE)?, parse(path, DEFAULT_FILE)?);
        Ok(Self { table, config, said: BTreeMap::new() })
    }

    /// Takes `AGON_<SECTION>__<KEY>`; leaves all other variables alone.
    fn add_env(&mut self, variables: impl Iterator<Item = (String, String)>) -> Checked {
        for (name, text) in variables {
            let path =
                name.strip_prefix(ENV_PREFIX).and_then(|rest| rest.split_once(ENV_SEPARATOR));
            let Some((section, key)) = path else { continue };
            let (section, key) = (meant(section.to_lowercase()), key.to_lowercase());
            let (from, value) = (Layer::Variable(name), self.value_of(&section, &key, &text));
            // Who is let in is a word or a list.
            let list = read(&text).filter(|list| list.is_array() && value.is_str());
            match (self.set(&from, &section, key.clone(), value), list) {
                (Err(_), Some(list)) => self.set(&from, &section, key, list)?,
                (set, _) => set?,
            }
        }
        Ok(())
    }

    /// Puts a whole layer on top.
    fn add(&mut self, from: &Layer, layer: Table) -> Checked {
        for (section, value) in layer {
            let section = meant(section);
            if !self.table.contains_key(&section) {
                let hint = self.hint(&section, None);
                return Err(ConfigError::UnknownKey { from: from.clone(), key: section, hint });
            }
            if let Value::Table(keys) = value {
                for (key, value) in keys {
                    self.set(from, &section, key, value)?;
                }
            } else {
                // A section that is no table cannot be understood, and that is the error we want.
                self.table.insert(section.clone(), value);
                self.understand(from, section)?;
            }
        }
        Ok(())
    }

    fn set(&mut self, from: &Layer, section: &str, key: String, value: Value) -> Checked {
        let path = format!("{section}.{key}");
        let known = self.table.get_mut(section).and_then(Value::as_table_mut);
        let Some(place) = known.and_then(|keys| keys.get_mut(&key)) else {
            let hint = self.hint(section, Some(&key));
            return Err(ConfigError::UnknownKey { from: from.clone(), key: path, hint });
        };
        *place = value;
        self.said.insert(path.clone(), from.clone());
        self.understand(from, path)
    }

    /// Reads the table anew. If that fails, the key that was set last is to blame.
    fn understand(&mut self, from: &Layer, key: String) -> Checked {
        let config = self.table.clone().try_into();
        self.config = config.map_err(|error: toml::de::Error| ConfigError::BadValue {
            from: from.clone(),
            key,
            problem: error.message().to_owned(),
        })?;
        Ok(())
    }

    /// A variable's text as a value. Where a text is wanted it is taken as it stands; elsewhere it
    /// is written as in a file, and what is no value there stays a text that will not fit.
    fn value_of(&self, section: &str, key: &str, text: &str) -> Value {
        let default = self.table.get(section).and_then(|keys| keys.get(key));
        let read = if default.is_some_and(Value::is_str) { None } else { read(text) };
        read.unwrap_or_else(|| Value::String(text.to_owned()))
    }

    /// What may have been meant: names that look alike, anywhere, or else all that would be valid.
    fn hint(&self, section: &str, key: Option<&str>) -> String {
        let Some(key) = key.filter(|_| self.table.contains_key(section)) else {
            let slips = |name: &&String| slips(section.as_bytes(), name.as_bytes());
            return match self.table.keys().min_by_key(slips) {
                Some(near) if slips(&near) <= SLIPS_MAX.min(section.len() / 2) => {
                    format!("did you mean `{near}`?")
                }
                _ => format!("the sections are {}", list(self.table.keys().map(String::as_str))),
            };
        };
        let mut near: Vec<(usize, String)> = vec![];
        for (other, keys) in &self.table {
            let names = keys.as_table().into_iter().flat_map(Table::keys);
            // In another section only the very same name can have been meant.
            let slips_max = if other == section { SLIPS_MAX.min(key.len() / 2) } else { 0 };
            near.extend(names.filter_map(|name| {
                let slips = slips(key.as_bytes(), name.as_bytes());
                (slips <= slips_max).then(|| (slips, format!("{other}.{name}")))
            }));
        }
        near.sort();
        if !near.is_empty() {
            return format!("did you mean {}?", list(near.iter().map(|(_, name)| name.as_str())));
        }
        let valid = self.table.get(section).and_then(Value::as_table).into_iter();
        format!("[{section}] has {}", list(valid.flat_map(Table::keys).map(String::as_str)))
    }
}

/// Leaves of `NAME=VALUE` the name.
fn conceal(variable: &mut Value) {
    if let Some((name, _)) = variable.as_str().and_then(|text| text.split_once('=')) {
        *variable = Value::String(format!("{name}=…"));
    }
}

/// The section that is meant: the one of leagues by letters may also have the name of a game that
/// is played by them.
fn meant(section: String) -> String {
    let game = Rules::new(&section, "{}");
    if game.is_ok_and(|rules| rules.info().is_judged()) { LETTERS.to_owned() } else { section }
}

/// A value as it is written in a file, if it is one.
fn read(text: &str) -> Option<Value> {
    format!("value = {text}").parse::<Table>().ok()?.remove("value")
}

fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// How many letters must be added, removed or changed to turn one text into the other: one row of
/// the table at a time.
pub fn slips<T: PartialEq>(one: &[T], other: &[T]) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.iter().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, b) in other.iter().enumerate() {
            let changed = corner + usize::from(a != b);
            corner = row[j + 1];
            row[j + 1] = changed.min(corner + 1).min(row[j] + 1);
        }
    }
    row[other.len()]
}
