//! What stands behind a flag: read from its word, and put among the settings.

use std::net::{Ipv4Addr, SocketAddr};

use agon_proto::{GameId, MatchId};
use clap_complete::Shell;
use toml::{Table, Value};

/// A shell that can complete words.
pub(super) fn shell(name: &str) -> Result<Shell, &'static str> {
    let known = [Shell::Bash, Shell::Zsh, Shell::Fish];
    known.into_iter().find(|it| it.to_string() == name).ok_or("neither bash nor zsh nor fish")
}

/// A match, as either league calls it.
pub(super) fn match_id(text: &str) -> Result<MatchId, String> {
    let id = GameId::new(&text.to_ascii_uppercase()).match_id();
    id.ok_or_else(|| "not a match id such as R1M1 or 0101001".to_owned())
}

/// An address to listen on; a port alone is one of loopback.
pub(super) fn address(text: &str) -> Result<SocketAddr, &'static str> {
    let here = |port| SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let address = text.parse().or_else(|_| text.parse().map(here));
    address.map_err(|_| "neither a port such as 8101 nor an address such as 127.0.0.1:8101")
}

/// A number between the two, both included.
pub(super) fn between(min: u32, max: u32) -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(i64::from(min)..=i64::from(max))
}

/// Sets a key of a section, if something was said.
pub(crate) fn put<V: Into<Value>>(flags: &mut Table, section: &str, key: &str, value: Option<V>) {
    let Some(value) = value else { return };
    if let Value::Table(section) = flags.entry(section).or_insert_with(|| Table::new().into()) {
        section.insert(key.into(), value.into());
    }
}
