//! The configuration file, and the variables of the environment on top of it.
//!
//! An input is a file; what follows a line of three dashes are variables, one a line.

use std::fs::File;
use std::io::{Seek, Write};
use std::os::fd::AsRawFd;
use std::path::PathBuf;
use std::sync::{LazyLock, Mutex};

use agon_node::config::{Config, ConfigError};
use agon_node::{player_times, settings};
use toml::Table;

const SEPARATOR: &str = "\n---\n";

/// A file without a name: nothing is left behind, however the process ends.
static FILE: LazyLock<Mutex<File>> =
    LazyLock::new(|| Mutex::new(tempfile::tempfile().expect("there is room for a file")));

/// What was loaded is within its bounds, and a file says the same as the flags would.
pub fn check(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let (file, lines) = text.split_once(SEPARATOR).unwrap_or((text, ""));
    let variables = || {
        let pairs = lines.lines().filter_map(|line| line.split_once('='));
        pairs.map(|(name, value)| (name.to_owned(), value.to_owned()))
    };
    let loaded = load(file, variables(), Table::new());
    match &loaded {
        Ok(config) => is_sound(config),
        Err(error) => says_what_to_do(error),
    }
    if lines.is_empty()
        && let Ok(flags) = file.parse::<Table>()
    {
        let by_flags = load("", variables(), flags);
        assert_eq!(by_flags.ok(), loaded.ok(), "a file and the flags");
    }
}

fn load(
    text: &str,
    variables: impl Iterator<Item = (String, String)>,
    flags: Table,
) -> Result<Config, ConfigError> {
    let mut file = FILE.lock().expect("a panic ends the process");
    file.set_len(0).and_then(|()| file.rewind()).expect("the file can be emptied");
    file.write_all(text.as_bytes()).and_then(|()| file.rewind()).expect("the file can be written");
    let path = PathBuf::from(format!("/dev/fd/{}", file.as_raw_fd()));
    Config::load(Some(&path), variables, flags)
}

fn is_sound(config: &Config) {
    let Config { league, server, client, .. } = config;
    assert!(league.players_max >= 2 && league.referees_max >= 1);
    assert!(league.draw_min <= league.draw_max);
    assert!(league.loss_points <= league.draw_points && league.draw_points <= league.win_points);
    assert!((1..=server.inbox_max).contains(&server.batch_max));
    assert!(server.depth_max >= 1 && client.answer_max >= 1);
    let times = &config.times;
    let waits = [times.join_s, times.choice_s, times.notice_s];
    assert!(waits.iter().all(|wait| !wait.is_zero()));
    // What is made of it must not fail either.
    let link = config.link();
    assert!(!link.notice_timeout.is_zero());
    assert_eq!(settings(config).league_id, league.id);
    assert!(!player_times(config).match_max.is_zero());
}

/// Every error names what is wrong: the file, the key, or both.
fn says_what_to_do(error: &ConfigError) {
    let text = error.to_string();
    let named = match error {
        ConfigError::Read { .. } => panic!("the file is there and is UTF-8: {error:?}"),
        ConfigError::NotToml { path, .. } => text.contains(&path.display().to_string()),
        ConfigError::UnknownKey { key, hint, .. } => text.contains(key) && !hint.is_empty(),
        ConfigError::BadValue { key, problem, .. } => text.contains(key) && !problem.is_empty(),
        ConfigError::OutOfBounds { key, .. } => text.contains(key),
    };
    assert!(named, "{error:?}");
}
