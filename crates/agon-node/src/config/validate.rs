//! The bounds of every setting, and what two settings ask of each other.

use std::fmt::Display;
use std::time::Duration;

use agon_core::format::FormatKind;
use agon_core::{AdmissionPolicy, BadRules};
use agon_proto::LeagueId;
use agon_proto::message::settings_in_limits;

use super::{Checked, Config, ConfigError, LeagueSection};

/// Longest name of a league; it becomes part of file names.
const ID_MAX: usize = 64;
/// Trying again faster than this would only take time from those who give ports and files back.
const SHORTAGE_PAUSE_MIN: Duration = Duration::from_millis(1);
/// Fastest rate that can still be told from none.
const RATE_MAX: u32 = 1_000_000;
/// Whoever wants to keep more lets each file grow larger.
const FILES_MAX: u32 = 1_000;
/// More for one match, and the sum of a long season would not fit the table.
const POINTS_MAX: u32 = 1_000;

pub(super) fn check(config: &Config) -> Checked {
    league(config)?;
    times(config)?;
    letters(config)?;
    let Config { server, client, tls, admission, referee, player, log, .. } = config;
    at_least("server.body_max", server.body_max, 1)?;
    at_most("server.body_max", server.body_max, "server.bodies_max", server.bodies_max)?;
    at_least("server.connections_max", server.connections_max, 1)?;
    let per_address = server.connections_per_address_max;
    at_least("server.connections_per_address_max", per_address, 1)?;
    at_least("server.inbox_max", server.inbox_max, 1)?;
    at_least("server.batch_max", server.batch_max, 1)?;
    at_most("server.batch_max", server.batch_max, "server.inbox_max", server.inbox_max)?;
    at_least("server.depth_max", server.depth_max, 1)?;
    for (key, rate) in [
        ("server.body_bytes_per_s", server.body_bytes_per_s),
        ("server.refusals_per_s", server.refusals_per_s),
        ("server.refusals_burst", server.refusals_burst),
        ("server.requests_per_s", server.requests_per_s),
        ("server.referee_requests_per_s", server.referee_requests_per_s),
        ("admission.registrations_per_s", admission.registrations_per_s),
    ] {
        at_least(key, rate, 1)?;
        within(key, rate, RATE_MAX)?;
    }
    ensure("admission.referees", admission.referees != AdmissionPolicy::Open, || {
        "must not be \"open\": a referee decides matches; say \"approved\" or invite it".into()
    })?;
    at_least("client.answer_max", client.answer_max, 1)?;
    at_least("client.notices_max", client.notices_max, 1)?;
    at_least("client.calls_in_flight_max", client.calls_in_flight_max, 2)?;
    ensure("client.shortage_pause_s", client.shortage_pause_s.0 >= SHORTAGE_PAUSE_MIN, || {
        let pause = *client.shortage_pause_s;
        format!("must be at least {SHORTAGE_PAUSE_MIN:?}, and is {pause:?}")
    })?;
    ensure("tls.key", tls.key.is_some() == tls.cert.is_some(), || {
        "and `tls.cert` belong together: name both files or neither".into()
    })?;
    at_least("referee.capacity", referee.capacity, 1)?;
    filled("referee.name", referee.name.as_str().trim())?;
    filled("player.name", player.name.as_str().trim())?;
    filled("player.strategy", &player.strategy)?;
    at_least("log.messages_bytes_max", log.messages_bytes_max, 1)?;
    at_least("log.messages_files", log.messages_files, 1)?;
    within("log.messages_files", log.messages_files, FILES_MAX)?;
    at_least("log.messages_body_max", log.messages_body_max, 1)?;
    filled("log.level", &log.level)
}

/// Letters tell everybody from the start who referees what; calls never do.
fn format(league: &LeagueSection) -> Checked {
    let by_letters = league.is_by_letters();
    let known = FormatKind::ALL.into_iter().filter(|it| it.settles_referees() == by_letters);
    let known: Vec<_> = known.map(FormatKind::name).collect();
    let said = league.format.filter(|format| format.settles_referees() != by_letters);
    ensure("league.format", said.is_none(), || {
        let name = said.map_or("", FormatKind::name);
        format!("is {name:?}; a league of {} knows {}", league.game, known.join(" and "))
    })
}

fn league(config: &Config) -> Checked {
    let league = &config.league;
    identified("league.id", &league.id)?;
    identified("letters.league", &config.letters.league)?;
    at_most("league.draw_min", league.draw_min, "league.draw_max", league.draw_max)?;
    match league.rules() {
        Ok(_) => {
            let is_unsaid = league.game_settings.is_empty() || !settings_in_limits(&league.game);
            ensure("league.game_settings", is_unsaid, || {
                format!("does not fit: {} is set by `draw_min` and `draw_max`", league.game)
            })?;
        }
        Err(BadRules::UnknownGame { given, known }) => {
            ensure("league.game", false, || format!("is {given:?}; the games are {known}"))?;
        }
        Err(unfit) => {
            ensure("league.game_settings", false, || format!("does not fit: {unfit}"))?;
        }
    }
    format(league)?;
    at_least("league.players_max", league.players_max, 2)?;
    at_least("league.referees_max", league.referees_max, 1)?;
    at_least("league.capacity_max", league.capacity_max, 1)?;
    within("league.win_points", league.win_points, POINTS_MAX)?;
    at_most("league.draw_points", league.draw_points, "league.win_points", league.win_points)?;
    at_most("league.loss_points", league.loss_points, "league.draw_points", league.draw_points)?;
    let unplayed = league.technical_loss_points;
    at_most("league.technical_loss_points", unplayed, "league.loss_points", league.loss_points)?;
    let rules = &league.tie_breakers;
    let twice = rules.iter().enumerate().any(|(place, rule)| rules[..place].contains(rule));
    ensure("league.tie_breakers", !twice, || "must name no rule twice".into())?;
    ensure("league.tie_breakers", !rules.is_empty(), || "must name at least one rule".into())?;
    at_least("league.attempts_max", league.attempts_max, 1)?;
    at_least("league.standings_top", league.standings_top, 1)
}

fn identified(key: &'static str, id: &LeagueId) -> Checked {
    let id = id.as_str();
    let plain = id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte));
    ensure(key, plain && (1..=ID_MAX).contains(&id.len()), || {
        format!("must be 1 to {ID_MAX} letters, digits, `_`, `-` or `.`, and is {id:?}")
    })
}

fn times(config: &Config) -> Checked {
    let times = &config.times;
    ensure("times.scale", (0.0001..=1000.0).contains(&times.scale), || {
        format!("must be between 0.0001 and 1000, and is {}", times.scale)
    })?;
    ensure("times.ask_backoff_s", times.ask_backoff_s.len() == 3, || {
        format!("must hold three waits, and holds {}", times.ask_backoff_s.len())
    })?;
    ensure("times.retry_backoff_s", !times.retry_backoff_s.is_empty(), || {
        "must hold at least one wait, because reports are sent until they arrive".into()
    })?;
    ensure("times.heartbeat_s", *times.heartbeat_s * 2 <= *times.lease_s, || {
        let (heartbeat, lease) = (*times.heartbeat_s, *times.lease_s);
        format!("is {heartbeat:?}, and times.lease_s must be twice that or more; it is {lease:?}")
    })?;
    at_least("times.registration_tries", times.registration_tries, 1)?;
    at_least("times.breaker_failures", times.breaker_failures, 1)
}

fn letters(config: &Config) -> Checked {
    let (letters, mail) = (&config.letters, &config.mail);
    filled("letters.season", letters.season.as_str())?;
    ensure("letters.season_number", (1..=99).contains(&letters.season_number), || {
        format!("must be between 1 and 99, and is {}", letters.season_number)
    })?;
    let (rounds, scores) = (letters.rounds, letters.points_from);
    ensure("letters.rounds", rounds <= 99, || {
        format!("must be at most 99, because a game id has two digits for it; it is {rounds}")
    })?;
    let falling = scores.is_sorted_by(|one, other| one >= other);
    ensure("letters.points_from", falling, || "must hold three scores, the highest first".into())?;
    let scores = scores.iter().all(|score| (0.0..=100.0).contains(score));
    ensure("letters.points_from", scores, || "must hold scores between 0 and 100".into())?;
    within("letters.referee_lost_points", letters.referee_lost_points, POINTS_MAX)?;
    at_least("mail.per_day_max", mail.per_day_max, 1)?;
    at_least("mail.size_max", mail.size_max, 1024)?;
    filled("mail.quarantine", mail.quarantine.trim())
}

fn filled(key: &'static str, text: &str) -> Checked {
    ensure(key, !text.is_empty(), || "must not be empty".into())
}

fn at_least<N: PartialOrd + Display>(key: &'static str, value: N, least: N) -> Checked {
    ensure(key, value >= least, || format!("must be at least {least}, and is {value}"))
}

fn within(key: &'static str, value: u32, most: u32) -> Checked {
    ensure(key, value <= most, || format!("must be at most {most}, and is {value}"))
}

fn at_most<N: PartialOrd + Display>(key: &'static str, value: N, other: &str, most: N) -> Checked {
    ensure(key, value <= most, || {
        format!("must not be above `{other}`: they are {value} and {most}")
    })
}

fn ensure(key: &'static str, holds: bool, problem: impl FnOnce() -> String) -> Checked {
    if holds { Ok(()) } else { Err(ConfigError::OutOfBounds { key, problem: problem() }) }
}
