//! `agon referee`: runs a referee until the league is complete or it is told to stop.

use std::process::ExitCode;

use agon_core::{AgentFact, Credentials, Ending, Profile, Referee as Role, RefereeFact};
use agon_node::{Node, Role as Kind, Street, profile, random_nonce};
use tracing::info;

use super::{announce, q21};
use crate::args::{Common, EXIT_REFUSED, Referee};
use crate::{code, data, life, logs, output};

pub(crate) fn run(common: &Common, args: Referee) -> anyhow::Result<ExitCode> {
    let mut flags = args.reach.flags("referee");
    flags.extend(args.played.flags());
    let config = common.load(flags)?;
    if q21::is_played(&config) {
        return q21::referee(common, &args, &config);
    }
    q21::is_not_meant(&args.team)?;
    logs::start(&config)?;
    life::runtime()?.block_on(async {
        let stop = life::stop_on_signal()?;
        let listen = args.listen.unwrap_or(config.referee.listen);
        let street = Street::open(listen, &config, args.reach.insecure).await?;
        let street = street.advertised(config.referee.advertise.as_deref())?;
        let endpoint = street.endpoint();
        let name = args.name.as_deref().unwrap_or(config.referee.name.as_str());
        let capacity = Some(args.capacity.unwrap_or(config.referee.capacity));
        let code = code::chosen(args.referee_code.as_deref())?;
        let manager = code::manager(&args.manager)?;
        let profile = profile(&config, name, endpoint.clone(), manager, capacity, random_nonce());
        let keeps_token = args.data.is_some();
        let profile = Profile { keeps_token, invitation_code: code, ..profile };
        let mut role = Role::new(profile);
        let ledger = life::ledger(&mut role, args.data.as_deref())?;
        if let Some(file) = &args.token_file {
            role.show(data::agent_token(file)?);
        }
        announce(common, "referee", endpoint.as_str())?;
        let (stay, witness) = (args.stay, Some(Box::new(log) as _));
        let metrics = Some(life::meters());
        let node = life::node(role, Kind::Referee, street);
        let node = Node { ledger, witness, stay, metrics, ..node };
        Ok(farewell(node.run(&config, stop).await?))
    })
}

/// What the end of an agent means to whoever started it.
pub(super) fn farewell(ending: Option<Ending>) -> ExitCode {
    match ending {
        None | Some(Ending::LeagueCompleted) => ExitCode::SUCCESS,
        Some(Ending::NotAdmitted(why)) => {
            output::talk(format!("agon: not admitted: {why}"));
            ExitCode::from(EXIT_REFUSED)
        }
    }
}

/// Says that an agent is in, and as whom.
pub(super) fn log_admission(role: &str, fact: &AgentFact) {
    if let AgentFact::Admitted { given: Some(Credentials { agent, league, .. }), .. } = fact {
        let id = agent.map(|id| id.to_string()).unwrap_or_default();
        match role {
            "player" => info!(player = id, %league, "registered"),
            _ => info!(referee = id, %league, "registered"),
        }
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the others are about letters")]
fn log(_: &Role, fact: &RefereeFact) {
    match fact {
        RefereeFact::Agent(fact) => log_admission("referee", fact),
        RefereeFact::Assigned(given) => {
            let (a, b) = (given.player_a_id, given.player_b_id);
            let (round, attempt) = (given.round_id, given.attempt);
            let (league, match_id) = (&given.league_id, given.match_id);
            info!(%league, round, %match_id, attempt, %a, %b, "match taken");
        }
        RefereeFact::Judged { match_id, attempt, verdict, .. } => {
            let (status, cause) = (verdict.status().as_str(), verdict.cause.as_str());
            info!(round = match_id.round, %match_id, attempt, status, cause, "judged");
        }
        RefereeFact::Recorded { match_id, attempt } => {
            info!(%match_id, attempt, "report answered");
        }
        RefereeFact::Settled { match_id, attempt } => info!(%match_id, attempt, "settled"),
        _ => {}
    }
}
