//! From configuration to what the roles need: the league's settings, an agent's profile.

use std::array;

use agon_core::format::FormatKind;
use agon_core::matches::PlayedOnce;
use agon_core::{
    AdmissionRules, Joins, LetterTimes, OutcomePoints, Pace, PlayerTimes, Profile, RefereeSettings,
    RosterEntry, SeasonSettings, Settings, ThinkingTime, Thresholds,
};
use agon_net::MCP_PATH;
use agon_proto::message::StepLimits;
use agon_proto::{Contact, DisplayName, Endpoint, GroupId, Score};

use crate::config::{Config, LettersSection, MailboxFile, NoShow, RoundPace, Seconds};

/// What a league plays by.
pub fn settings(config: &Config) -> Settings {
    let times = &config.times;
    let league = &config.league;
    let long = |time: Seconds| u64::from(millis(time));
    Settings {
        league_id: league.id.clone(),
        scoring: OutcomePoints {
            win: league.win_points,
            draw: league.draw_points,
            loss: league.loss_points,
            technical_loss: league.technical_loss_points,
        },
        tie_breakers: league.tie_breakers.clone(),
        limits: StepLimits {
            join_ms: millis(times.join_s),
            choice_ms: millis(times.choice_s),
            backoff_ms: array::from_fn(|place| millis(times.ask_backoff_s[place])),
            draw_min: league.draw_min,
            draw_max: league.draw_max,
            no_show_cancels: league.no_show == NoShow::Cancel,
        },
        attempts_max: league.attempts_max,
        players_max: league.players_max,
        referees_max: league.referees_max,
        capacity_max: league.capacity_max,
        broadcast_full_max: league.broadcast_full_max,
        standings_top: league.standings_top,
        match_time_max_ms: long(times.match_time_max_s),
        lease_ms: long(times.lease_s),
        heartbeat_ms: millis(times.heartbeat_s),
        lateness_max_ms: long(times.lateness_max_s),
        withdraw_after: league.withdraw_after,
        call_ms: long(times.report_s),
        notice_ms: long(times.notice_s),
        // Nothing is nothing, and not the shortest time.
        slow_budget_ms: times.slow_budget_s.as_millis().try_into().unwrap_or(u64::MAX),
        retry_ms: long(times.retry_backoff_s[0]),
        hints: league.hints,
        game: league.rules().expect("a configuration is checked when it is read"),
        format: league.format.unwrap_or_default(),
        seasons: SeasonSettings::default(),
    }
}

/// Who is let in by a manager that is called there.
pub fn admission_rules(config: &Config, own: &Endpoint) -> AdmissionRules {
    let said = &config.admission;
    let address = said.public_url.as_deref().map(manager_url);
    AdmissionRules {
        players: said.players.clone(),
        referees: said.referees.clone(),
        waiting_max: said.waiting_max,
        waiting: *said.waiting_s,
        per_address_max: said.per_address_max,
        address: address.unwrap_or_else(|| own.clone()),
        probe_after: said.probes.then_some(*said.probe_after_s),
    }
}

/// A manager's address, with its path.
fn manager_url(said: &str) -> Endpoint {
    let bare = said.trim_end_matches('/');
    let path = if bare.ends_with(MCP_PATH) { "" } else { MCP_PATH };
    Endpoint::new(&format!("{bare}{path}"))
}

/// What a manager's league plays by, and who is invited, if it is played by letters.
pub fn manager_settings(config: &Config, manager: Option<&MailboxFile>) -> Settings {
    if !config.league.is_by_letters() {
        return settings(config);
    }
    let letters = &config.letters;
    let millis = |time: Seconds| u64::from(millis(time));
    let teams = manager.map_or(&[][..], |mailbox| &mailbox.teams);
    let roster = teams.iter().filter_map(|team| {
        let name = team.name.clone().unwrap_or_else(|| DisplayName::new(team.group.as_str()));
        let player = team.player.clone()?;
        Some(RosterEntry { group: team.group.clone(), name, player, referee: team.referee.clone() })
    });
    let pace = match letters.pace {
        RoundPace::Completion => Pace::Completion,
        RoundPace::Clock => {
            Pace::Clock { every_ms: millis(letters.round_every_s), first_at_ms: None }
        }
    };
    let terms = SeasonSettings {
        season: letters.season.clone(),
        season_number: letters.season_number,
        name: letters.name(),
        address: manager.map(|mailbox| mailbox.address.clone()),
        roster: roster.collect(),
        open_registration: manager.is_none_or(MailboxFile::is_open),
        rounds: Some(letters.rounds).filter(|rounds| *rounds > 0),
        pace,
        round_time_max_ms: millis(letters.round_max_s),
        registration_ms: None,
        thresholds: thresholds(letters),
        referee_lost_points: letters.referee_lost_points,
        keep_alive_ms: if letters.keep_alive { millis(letters.keep_alive_s) } else { 0 },
    };
    let league_id = letters.league.clone();
    let usual = if letters.dedicated_referees { FormatKind::Refereed } else { FormatKind::Teams };
    let format = config.league.format.unwrap_or(usual);
    Settings { league_id, format, seasons: terms, ..settings(config) }
}

/// How a referee works whose matches stand in the season's table.
pub fn referee_settings(config: &Config) -> RefereeSettings {
    let letters = &config.letters;
    let played = PlayedOnce {
        game: config.league.rules().expect("a configuration is checked when it is read"),
        ask_ms: [letters.warmup_s, letters.questions_s, letters.guess_s].map(millis).into(),
        greetings: 1,
        thresholds: thresholds(letters),
        lost_points: letters.referee_lost_points,
    };
    RefereeSettings { played, callbacks: letters.referee_callbacks_s.map(|time| *time).into() }
}

fn thresholds(letters: &LettersSection) -> Thresholds {
    Thresholds(letters.points_from.map(Score::from_points))
}

/// What an agent says of itself. It has no team but its own, unless somebody says more.
pub fn profile(
    config: &Config,
    name: &str,
    contact: impl Into<Contact>,
    manager: impl Into<Contact>,
    capacity: Option<u32>,
    nonce: u64,
) -> Profile {
    let times = &config.times;
    // By letters an agent is told of a season; to a call it comes by itself.
    let invited = config.league.is_by_letters();
    Profile {
        name: DisplayName::new(name),
        games: vec![config.league.game_type()],
        contact: contact.into(),
        vouched: None,
        manager: manager.into(),
        group: GroupId::new(name),
        joins: if invited { Joins::WhenInvited } else { Joins::AtOnce },
        capacity,
        nonce,
        keeps_token: false,
        invitation_code: None,
        timeout: *times.registration_s,
        tries: times.registration_tries,
        wait: *times.manager_wait_s,
        backoff: *times.retry_backoff_s[0],
        lateness_max: *times.lateness_max_s,
    }
}

/// How long a player waits for news of a match, and thinks about a move.
pub fn player_times(config: &Config) -> PlayerTimes {
    let times = &config.times;
    let thinking = ThinkingTime { usual: *times.choice_s, margin: *config.player.margin_s };
    let letters = &config.letters;
    let letters = LetterTimes {
        grace: *letters.guess_s,
        leaving_max: *times.notice_s * 6,
        callbacks: letters.player_callbacks_s.map(|time| *time),
        margin: *config.mail.margin_s,
    };
    PlayerTimes { match_max: *times.match_time_max_s, thinking, letters }
}

fn millis(time: Seconds) -> u32 {
    u32::try_from(time.as_millis()).unwrap_or(u32::MAX).max(1)
}
