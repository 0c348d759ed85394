//! The league that is rehearsed: the course's numbers, and an agent's papers.

use std::time::Duration;

use agon_core::format::FormatKind;
use agon_core::{
    Joins, LetterTimes, ManagerOptions, OutcomePoints, PlayerTimes, Profile, Rules, SeasonSettings,
    Secrets, Settings, ThinkingTime, TieBreaker, TokenHash,
};
use agon_link::{Backoff, BreakerLimits, LinkSettings};
use agon_proto::message::StepLimits;
use agon_proto::{AuthToken, Contact, DisplayName, Endpoint, GameType, GroupId, LeagueId};

use crate::plan::Plan;

/// The course's points.
pub(crate) const POINTS: OutcomePoints = OutcomePoints::COURSE;

/// How long a player of such a match waits to hear of it.
pub(crate) fn times(plan: &Plan) -> PlayerTimes {
    PlayerTimes { match_max: plan.match_max(), ..TIMES }
}

/// How long a player waits to hear of a match of one move, and how long it thinks.
pub(crate) const TIMES: PlayerTimes = PlayerTimes {
    match_max: Duration::from_secs(240),
    thinking: ThinkingTime { usual: Duration::from_secs(30), margin: Duration::from_secs(1) },
    letters: LetterTimes {
        grace: Duration::from_secs(60),
        leaving_max: Duration::from_secs(60),
        callbacks: [Duration::from_secs(60); 4],
        margin: Duration::from_secs(60),
    },
};

/// How long one try of a notice, a report or a registration may take.
pub(crate) const CALL: Duration = Duration::from_secs(10);

/// How long a peer is left alone that has failed too often.
pub(crate) const OPEN_FOR: Duration = Duration::from_secs(30);

pub(crate) fn settings() -> Settings {
    Settings {
        league_id: LeagueId::new("rehearsal"),
        scoring: POINTS,
        tie_breakers: vec![
            TieBreaker::Points,
            TieBreaker::Wins,
            TieBreaker::HeadToHead,
            TieBreaker::FewerTechnicalLosses,
        ],
        limits: StepLimits {
            join_ms: 5_000,
            choice_ms: 30_000,
            backoff_ms: [2_000, 4_000, 8_000],
            draw_min: 1,
            draw_max: 10,
            no_show_cancels: false,
        },
        attempts_max: 3,
        players_max: 100,
        referees_max: 100,
        capacity_max: 100,
        broadcast_full_max: 64,
        standings_top: 50,
        match_time_max_ms: 240_000,
        lease_ms: 15_000,
        heartbeat_ms: 5_000,
        lateness_max_ms: 1_000,
        withdraw_after: 2,
        call_ms: 10_000,
        notice_ms: 10_000,
        retry_ms: 2_000,
        game: Rules::default(),
        hints: false,
        format: FormatKind::RoundRobin,
        seasons: SeasonSettings::default(),
    }
}

/// Of the league that is planned.
pub(crate) fn planned(plan: &Plan) -> Settings {
    let usual = settings();
    Settings {
        match_time_max_ms: u64::try_from(plan.match_max().as_millis()).unwrap_or(u64::MAX),
        // What may be answered is asked for where it has to be told.
        hints: plan.game != usual.game,
        game: plan.game.clone(),
        format: plan.format,
        ..usual
    }
}

/// How every node delivers. Few places and short queues, so that calls have to wait.
pub(crate) fn link(plan: &Plan) -> LinkSettings {
    let waits = [2, 4, 8].map(Duration::from_secs).to_vec();
    LinkSettings {
        breaker: BreakerLimits { failures_max: plan.breaker_failures, open_for: OPEN_FOR },
        in_flight_max: plan.in_flight_max,
        shortage_pause: Duration::from_millis(250),
        notice_timeout: CALL,
        notice_backoff: Backoff::then_give_up(waits.clone()),
        notices_max: plan.notices_max,
        report_timeout: CALL,
        report_backoff: Backoff::then_repeat(waits),
    }
}

pub(crate) fn options(players: usize) -> ManagerOptions {
    ManagerOptions {
        secrets: Secrets::new([2; 32]),
        operator: TokenHash::of(&operator()).expect("a derived token is one of ours"),
        start_when: u32::try_from(players).ok(),
        referee_code: None,
    }
}

/// What proves the operator.
pub(crate) fn operator() -> AuthToken {
    AuthToken::derived([1; 32])
}

/// Where that node can be called.
pub(crate) fn endpoint(node: usize) -> Endpoint {
    Endpoint::new(&format!("http://127.0.0.1:{}/mcp", 8000 + node))
}

pub(crate) fn profile(game: &Rules, node: usize, capacity: Option<u32>, nonce: u64) -> Profile {
    Profile {
        name: DisplayName::new(&format!("node {node}")),
        games: vec![GameType::trusted(game.info().name)],
        contact: Contact::Call(endpoint(node)),
        mailbox: None,
        manager: Contact::Call(endpoint(0)),
        group: GroupId::new(&format!("node {node}")),
        joins: Joins::AtOnce,
        capacity,
        nonce,
        keeps_token: false,
        invitation_code: None,
        timeout: CALL,
        tries: 3,
        backoff: Duration::from_secs(2),
        lateness_max: Duration::from_secs(1),
    }
}
