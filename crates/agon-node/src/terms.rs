//! From configuration to what the roles need: the league's settings, an agent's profile.

use std::time::Duration;

use agon_core::{GameKind, Profile, Q21Terms, Scoring, Settings, TieBreaker};
use agon_proto::message::StepLimits;
use agon_proto::{DisplayName, Endpoint};

use crate::config::{self, Config, NoShow};

/// What a league plays by.
pub fn settings(config: &Config) -> Settings {
    let times = config.times();
    let league = &config.league;
    let mut backoff_ms = [0; 3];
    for (place, wait) in backoff_ms.iter_mut().zip(&times.ask_backoff) {
        *place = millis(*wait);
    }
    Settings {
        league_id: league.id.clone(),
        scoring: Scoring {
            win: league.win_points,
            draw: league.draw_points,
            loss: league.loss_points,
            technical_loss: league.technical_loss_points,
        },
        tie_breakers: league.tie_breakers.iter().map(tie_breaker).collect(),
        limits: StepLimits {
            join_ms: millis(times.join),
            choice_ms: millis(times.choice),
            backoff_ms,
            draw_min: league.draw_min,
            draw_max: league.draw_max,
            no_show_cancels: league.no_show == NoShow::Cancel,
        },
        attempts_max: league.attempts_max,
        players_max: league.players_max,
        referees_max: league.referees_max,
        broadcast_full_max: league.broadcast_full_max,
        standings_top: league.standings_top,
        match_time_max_ms: u64::from(millis(times.match_time_max)),
        lease_ms: u64::from(millis(times.lease)),
        heartbeat_ms: millis(times.heartbeat),
        lateness_max_ms: u64::from(millis(times.lateness_max)),
        withdraw_after: league.withdraw_after,
        call_ms: u64::from(millis(times.report)),
        retry_ms: u64::from(millis(first_wait(config))),
        game: GameKind::EvenOdd,
        q21: Q21Terms::default(),
    }
}

/// What an agent says of itself.
pub fn profile(
    config: &Config,
    name: &str,
    endpoint: Endpoint,
    manager: Endpoint,
    capacity: Option<u32>,
    nonce: u64,
) -> Profile {
    let times = config.times();
    Profile {
        name: DisplayName::new(name),
        endpoint,
        manager,
        capacity,
        nonce,
        timeout: times.registration,
        tries: times.registration_tries,
        backoff: first_wait(config),
        lateness_max: times.lateness_max,
    }
}

/// How long a player waits for news of a match.
pub fn player_patience(config: &Config) -> Duration {
    config.times().match_time_max
}

fn first_wait(config: &Config) -> Duration {
    config.times().retry_backoff.first().copied().unwrap_or(Duration::from_secs(2))
}

fn millis(time: Duration) -> u32 {
    u32::try_from(time.as_millis()).unwrap_or(u32::MAX).max(1)
}

fn tie_breaker(rule: &config::TieBreaker) -> TieBreaker {
    match rule {
        config::TieBreaker::Points => TieBreaker::Points,
        config::TieBreaker::Wins => TieBreaker::Wins,
        config::TieBreaker::HeadToHead => TieBreaker::HeadToHead,
        config::TieBreaker::FewerTechnicalLosses => TieBreaker::FewerTechnicalLosses,
    }
}

/// 256 bits from the operating system.
pub fn random_secret() -> [u8; 32] {
    let mut secret = [0; 32];
    getrandom::fill(&mut secret).expect("the operating system has a source of randomness");
    secret
}

/// 64 bits from the operating system.
pub fn random_nonce() -> u64 {
    getrandom::u64().expect("the operating system has a source of randomness")
}
