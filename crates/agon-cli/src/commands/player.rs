//! `agon player`: runs one player or many until the league is complete or it is told to stop.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;

use agon_core::{Ending, Machine, Player as Role, PlayerFact};
use agon_node::config::Config;
use agon_node::{Role as Kind, TlsFiles, player_times, profile};
use agon_proto::tool::{Lifecycle, PlayerPhase};
use agon_proto::{Contact, Endpoint, ShortText};
use agon_store::Journal;
use anyhow::{Context, bail, ensure};
use tokio::task::JoinSet;
use tracing::field::display;
use tracing::{info, warn};

use super::agent::{self, AgentSetup, Invited, farewell, tell_scan};
use super::{mailbox, nth_address, programs};
use crate::args::{Common, Player};
use crate::{data, life};

pub(crate) async fn run(common: &Common, args: &Player) -> anyhow::Result<ExitCode> {
    let config = agent::configured(common, Kind::Player, &args.agent)?;
    let team = &args.agent.team;
    ensure!(!team.by_call_too, "--by-call-too is for referees: a player comes by mail or by call");
    if args.count != 1 && config.league.is_by_letters() {
        bail!("--count runs players that are called; by letters start each player by itself");
    }
    let mut mailbox = team.post.mail.as_deref().map(mailbox::open).transpose()?;
    if let Some(opened) = mailbox.take_if(|_| team.post.test_connectivity) {
        return mailbox::test(common, &opened.account).await;
    }
    if let Some(opened) = mailbox.take_if(|_| team.dry_run) {
        let agent = agent(common, args, &config, 0)?;
        let role = Role::new(agent.mail_profile(&opened)?, player_times(&config));
        return mailbox::dry_run(&agent, role, opened).await;
    }
    let stop = life::stop_on_signal()?;
    let tls_files = TlsFiles::load(&config.tls)?;
    programs::try_out(args, &config).await?;
    let mut places = BTreeSet::new();
    let mut players = JoinSet::new();
    let mut scan = None;
    for number in 0..args.count {
        let agent = agent(common, args, &config, number)?;
        let way = agent.way(&tls_files, mailbox.take()).await?;
        let contact = &way.profile.contact;
        if !places.insert(contact.clone()) {
            let shared = contact.as_str();
            bail!("several players cannot share {shared}; advertise a host without a port");
        }
        let role = Role::new(way.profile.clone(), player_times(&config));
        let mind = programs::of_player(args, &config).await?;
        scan = way.scan.clone();
        let mut node = agent.node((role, mind, Box::new(log)), way)?;
        if let Some(file) = &args.agent.token_file {
            node.role.show(data::agent_token(file)?);
        }
        let (config, stop) = (config.clone(), stop.clone());
        let own = agent.data.map(|dir| (dir, agent.name));
        players.spawn(async move {
            let ending = node.run(&config, stop).await?;
            let is_over = matches!(ending, Some(Ending::LeagueCompleted));
            own.map_or(Ok(()), |(dir, name)| keep_history(&dir, &name, &config, is_over))?;
            anyhow::Ok(ending)
        });
    }
    let mut code = ExitCode::SUCCESS;
    while let Some(ended) = players.join_next().await {
        let ending = ended.context("a player broke down")??;
        if matches!(ending, Some(Ending::NotAdmitted(_) | Ending::NoManager(_))) {
            code = farewell(ending);
        }
    }
    scan.map_or(Ok(()), |log| tell_scan(common, &log))?;
    Ok(code)
}

/// The `number`th player.
fn agent<'a>(
    common: &'a Common,
    args: &'a Player,
    config: &'a Config,
    number: u32,
) -> anyhow::Result<AgentSetup<'a>> {
    let said = &args.agent;
    let mut name = said.name.as_deref().unwrap_or(config.player.name.as_str()).to_owned();
    let mut data = said.data.clone();
    // Several players of one name are numbered.
    if args.count > 1 {
        name += &format!(" {}", number + 1);
        data = data.map(|dir| dir.join(format!("player-{}", number + 1)));
    }
    let listen = nth_address(said.listen.unwrap_or(config.player.listen), number);
    Ok(AgentSetup {
        common,
        config,
        args: said,
        role: Kind::Player,
        name,
        invited: Invited::of(said, config)?,
        listen: listen.context("there are not enough ports; listen on port 0")?,
        advertise: config.player.advertise.as_deref(),
        capacity: None,
        data,
    })
}

/// Writes what the journal holds where the player's author can read it. Once, at the end: the
/// journal is what must be safe after every match.
fn keep_history(dir: &Path, name: &str, config: &Config, is_over: bool) -> anyhow::Result<()> {
    let nowhere = Contact::Call(Endpoint::new(""));
    let profile = profile(config, name, nowhere.clone(), nowhere, None, 0);
    let mut memory = Role::new(profile, player_times(config));
    Journal::read_only(dir)?.replay(|fact| memory.apply(&fact))?;
    let mut state = memory.state();
    // That the league is complete a player that is called does not write down.
    if is_over {
        (state.state, state.lifecycle) = (PlayerPhase::WaitingForRound, Lifecycle::Shutdown);
    }
    let mut history = serde_json::to_value(&state)?;
    if config.league.is_by_letters() {
        history["standings"] = serde_json::to_value(memory.player_standings())?;
    }
    let history = serde_json::to_vec_pretty(&history)?;
    data::write_atomically(&dir.join("history.json"), &history)
}

/// So much of a choice is shown.
const CHOICE_MAX: usize = 30;

/// What a player learns, one line for each fact that its author cares about.
#[expect(clippy::wildcard_enum_match_arm, reason = "the others are told as letters")]
fn log(role: &Role, fact: &PlayerFact) {
    // What letters call a match, where a table of theirs has it.
    let game = |match_id| {
        let row = role.rounds().assignments().find(|row| row.match_id == match_id);
        row.map(|row| display(row.game.clone()))
    };
    match fact {
        PlayerFact::Agent(fact) => agent::log(Kind::Player, fact),
        PlayerFact::Assigned { games, .. } => info!(games = games.len(), "the table is here"),
        PlayerFact::RoundStarted { round, .. } => info!(round, "round started"),
        PlayerFact::Chosen { match_id, instead_of: Some(reason), .. } => {
            // The whole of it was told when it happened.
            let (game, reason) = (game(*match_id), reason.split(':').next());
            let what = "the program failed; something was sent in its place";
            warn!(%match_id, game, reason, "{what}");
        }
        PlayerFact::Chosen { match_id, attempt, choice, .. } => {
            // The log is the player's own; the choice is no secret from itself.
            let choice = ShortText::new(choice.as_str());
            let choice: String = choice.as_str().chars().take(CHOICE_MAX).collect();
            info!(%match_id, game = game(*match_id), attempt, choice, "chosen");
        }
        PlayerFact::Over(played) => {
            info!(match_id = %played.match_id, result = played.result.as_str(), "match over");
        }
        _ => {}
    }
}
