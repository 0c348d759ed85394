//! `agon manager`: runs a league manager until it is told to stop.

use std::process::ExitCode;

use agon_core::LeagueFact;
use agon_node::Street;
use agon_proto::LeagueId;
use toml::Table;
use tracing::info;

use super::announce;
use crate::args::{Common, Manager, put, section};
use crate::life::{self, ManagerStart};
use crate::logs;

pub(crate) fn run(common: &Common, args: Manager) -> anyhow::Result<ExitCode> {
    let mut league = Table::new();
    put(&mut league, "id", args.league.clone());
    let mut flags = section("league", league);
    flags.extend(args.reach.flags("manager"));
    let config = common.load(flags)?;
    logs::start(&config)?;
    life::runtime()?.block_on(async {
        let stop = life::stop_on_signal()?;
        let listen = args.listen.unwrap_or(config.manager.listen);
        let street = Street::open(listen, &config, args.reach.insecure).await?;
        let street = street.advertised(config.manager.advertise.as_deref())?;
        let endpoint = street.endpoint();
        let node = life::manager(
            &config,
            ManagerStart {
                data: &args.data,
                league: args.league.as_deref().map(LeagueId::new),
                start_when: args.start_when,
                street,
                witness: Some(Box::new(log)),
                metrics: Some(life::meters()?),
            },
        )?;
        announce(common, "manager", endpoint.as_str())?;
        node.run(&config, stop).await?;
        Ok(ExitCode::SUCCESS)
    })
}

/// The season in the log, one line for each fact.
fn log(role: &agon_core::Manager, fact: &LeagueFact) {
    let league = role.settings().league_id.as_str();
    match fact {
        LeagueFact::Opened { .. } => info!(league, "league opened"),
        LeagueFact::PlayerRegistered { player, name, endpoint, .. } => {
            info!(league, %player, %name, %endpoint, "player registered");
        }
        LeagueFact::RefereeRegistered { referee, name, endpoint, capacity, .. } => {
            info!(league, %referee, %name, %endpoint, capacity, "referee registered");
        }
        LeagueFact::SeasonStarted { players, .. } => info!(league, players, "season started"),
        LeagueFact::RoundAnnounced { round, .. } => info!(league, round, "round announced"),
        LeagueFact::MatchReassigned { match_id, attempt, referee, cause, .. } => {
            let cause = cause.as_str();
            let round = match_id.round;
            info!(league, round, %match_id, attempt, %referee, cause, "reassigned");
        }
        LeagueFact::ResultAccepted { match_id, attempt, referee, verdict, .. } => {
            let (status, cause) = (verdict.status().as_str(), verdict.cause.as_str());
            info!(
                league, round = match_id.round, %match_id, attempt, %referee, status, cause,
                "result accepted"
            );
        }
        LeagueFact::ResultDisputed { match_id, referee, .. } => {
            info!(league, round = match_id.round, %match_id, %referee, "result disputed");
        }
        LeagueFact::RoundCompleted { round, .. } => info!(league, round, "round completed"),
        LeagueFact::LeagueCompleted { champion, .. } => {
            info!(league, %champion, "league completed");
        }
        LeagueFact::PlayerWithdrawn { player, order, .. } => {
            let by = order.as_ref().map_or("the league", |order| order.by.as_str());
            let reason = order.as_ref().map_or("absent", |order| order.reason.as_str());
            info!(league, %player, by, reason, "player withdrawn");
        }
        LeagueFact::MatchVoided { match_id, order, .. } => {
            let (by, reason) = (order.by.as_str(), order.reason.as_str());
            info!(league, round = match_id.round, %match_id, by, reason, "match voided");
        }
        LeagueFact::Paused { .. } => info!(league, "paused"),
        LeagueFact::Resumed { .. } => info!(league, "resumed"),
    }
}
