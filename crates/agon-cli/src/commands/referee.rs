//! `agon referee`: runs a referee until the league is complete or it is told to stop.

use std::process::ExitCode;

use agon_core::{Referee as Role, RefereeFact};
use agon_node::{Mind, Mindless, Role as Kind, TlsFiles, referee_settings};
use tracing::info;

use super::agent::{self, AgentSetup, Invited, farewell, tell_scan};
use super::{mailbox, programs};
use crate::args::{Common, Referee};
use crate::{data, life};

pub(crate) async fn run(common: &Common, args: &Referee) -> anyhow::Result<ExitCode> {
    let config = &agent::configured(common, Kind::Referee, &args.agent)?;
    let (said, by_letters) = (&args.agent, config.league.is_by_letters());
    let capacity = args.capacity.unwrap_or(config.referee.capacity);
    let agent = AgentSetup {
        common,
        config,
        args: said,
        role: Kind::Referee,
        name: said.name.as_deref().unwrap_or(config.referee.name.as_str()).to_owned(),
        invited: Invited::of(said, config)?,
        listen: said.listen.unwrap_or(config.referee.listen),
        advertise: config.referee.advertise.as_deref(),
        // By letters the season's table says how many games at once.
        capacity: Some(if by_letters { 1 } else { capacity }),
        data: said.data.clone(),
    };
    let mut mailbox = said.team.post.mail.as_deref().map(mailbox::open).transpose()?;
    if let Some(opened) = mailbox.take_if(|_| said.team.post.test_connectivity) {
        return mailbox::test(common, &opened.account).await;
    }
    if let Some(opened) = mailbox.take_if(|_| said.team.dry_run) {
        let profile = agent.mail_profile(&opened)?;
        let role = Role::by_letter(profile, referee_settings(config));
        return mailbox::dry_run(&agent, role, opened).await;
    }
    let way = agent.way(&TlsFiles::load(&config.tls)?, mailbox).await?;
    let (profile, scan) = (way.profile.clone(), way.scan.clone());
    let (role, mind): (_, Box<dyn Mind>) = if by_letters {
        let role = Role::by_letter(profile, referee_settings(config));
        (role, programs::of_referee(&said.team).await?)
    } else {
        (Role::new(profile), Box::new(Mindless))
    };
    let mut node = agent.node((role, mind, Box::new(log)), way)?;
    if let Some(file) = &said.token_file {
        node.role.show(data::agent_token(file)?);
    }
    let ending = node.run(config, life::stop_on_signal()?).await?;
    scan.map_or(Ok(()), |log| tell_scan(common, &log))?;
    Ok(farewell(ending))
}

/// What a referee learns, one line for each fact that its owner cares about.
#[expect(clippy::wildcard_enum_match_arm, reason = "the others are told as letters")]
fn log(_: &Role, fact: &RefereeFact) {
    match fact {
        RefereeFact::Agent(fact) => agent::log(Kind::Referee, fact),
        RefereeFact::Assigned(given) => {
            let (a, b) = (given.player_a_id, given.player_b_id);
            let (round, attempt) = (given.round_id, given.attempt);
            let (league, match_id) = (&given.league_id, given.match_id);
            info!(%league, round, %match_id, attempt, %a, %b, "match taken");
        }
        RefereeFact::Started(start) => info!(game = %start.fixture.game, "game started"),
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
