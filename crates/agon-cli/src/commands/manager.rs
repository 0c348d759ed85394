//! `agon manager`: runs a league manager until it is told to stop.
//!
//! When the disk fails, memory is thrown away and the league is only read until it works again;
//! then the manager starts anew from its journal, as after any other crash.

mod finished;
mod renewal;
mod starved;

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use agon_core::{CodeHash, LeagueFact, Manager as Role, Order, Registration, SeasonFact};
use agon_node::config::Config;
use agon_node::{LetterUse, Listener, Node, Render, Until, rendered_meters};
use agon_proto::{Address, AgentId, Contact, LeagueId};
use anyhow::bail;
use serde_json::Map;
use tracing::{info, warn};

use self::finished::Finished;
use self::renewal::Before;
use super::agent::only_by_letters;
use super::announce;
use super::mailbox::{self, Opened};
use crate::args::{Common, Manager, put};
use crate::life::{self, ManagerStart};
use crate::{code, logs, output, protocol_log};

pub(crate) fn run(common: &Common, args: &Manager) -> anyhow::Result<ExitCode> {
    let mut flags = args.reach.flags("manager");
    args.season.put(&mut flags);
    put(&mut flags, "league", "id", args.league.clone());
    let config = common.load(flags)?;
    logs::start(&config)?;
    if args.post.mail.is_some() {
        only_by_letters(&config, "--mail belongs")?;
    }
    let code = code::chosen(args.referee_code.as_deref())?;
    let referee_code = code.map(|code| CodeHash::of(code.reveal()));
    let mailbox = args.post.mail.as_deref().map(mailbox::open).transpose()?;
    life::runtime()?.block_on(async {
        if let Some(opened) = mailbox.as_ref().filter(|_| args.post.test_connectivity) {
            return mailbox::test(common, &opened.account).await;
        }
        let stop = life::stop_on_signal()?;
        let listen = args.listen.unwrap_or(config.manager.listen);
        let listener = Listener::open(listen, &config, args.reach.insecure).await?;
        let listener = listener.advertised(config.manager.advertise.as_deref())?;
        let metrics: Render = Arc::new(rendered_meters);
        // Only now: whoever cannot listen leaves the old season where it is.
        let before = if args.new { renewal::make_room(&args.data, &config)? } else { None };
        let start = |journal| -> anyhow::Result<Node<Role>> {
            let node = life::manager(
                &config,
                ManagerStart {
                    data: &args.data,
                    journal,
                    league: args.league.as_deref().map(LeagueId::new),
                    start_when: args.start_when,
                    after: before.as_ref().map(|before| &before.settings),
                    referee_code,
                    listener: listener.twin()?,
                    mailbox: mailbox.as_ref().map(|opened| &opened.file),
                },
            )?;
            Ok(Node {
                witness: Some(Box::new(log)),
                metrics: Some(metrics.clone()),
                letters: letters(common, &config, args, mailbox.as_ref())?,
                ..node
            })
        };
        let journal = life::open(&args.data)?;
        let died = journal.is_orphaned();
        let _anchor = journal.anchor()?;
        let mut node = start(journal)?;
        let finished = Finished::of(node.role.league());
        if let Some(finished) = finished.as_ref().filter(|_| args.start_when.is_some())
            && !(died && finished.is_news(&config))
        {
            bail!(finished.told(&args.data));
        }
        tell(common, &args.data, &listener.endpoint().into(), finished, before.as_ref())?;
        if let Some(opened) = &mailbox {
            announce(common, "manager", &Contact::of(&opened.file.address), Map::new())?;
        }
        while let Err(error) = node.run(&config, stop.clone()).await {
            if !error.may_pass() {
                return Err(error.into());
            }
            let place = (args.data.as_path(), listener.twin()?);
            let written = starved::wait(place, error, &config, metrics.clone(), stop.clone());
            let Some(journal) = written.await? else { break };
            node = start(journal)?;
        }
        Ok(ExitCode::SUCCESS)
    })
}

/// Says that the manager listens, and what it found in its folder.
fn tell(
    common: &Common,
    data: &Path,
    contact: &Contact,
    finished: Option<Finished>,
    before: Option<&Before>,
) -> anyhow::Result<()> {
    let mut more = Map::new();
    if let Some(Before { kept, .. }) = before {
        more.insert("kept".to_owned(), kept.to_string_lossy().into());
    }
    if let Some(finished) = &finished {
        finished.log(data);
        more.insert("finished".to_owned(), finished.json(data));
    }
    announce(common, "manager", contact, more)?;
    if common.json {
        return Ok(());
    }
    if let Some(Before { kept, .. }) = before {
        output::line(format!("the season before is kept in {}", kept.display()));
    }
    if let Some(finished) = finished {
        output::line(format!("{}. Until then its table is shown", finished.told(data)));
    }
    Ok(())
}

/// What a manager has to do with letters.
fn letters(
    common: &Common,
    config: &Config,
    args: &Manager,
    mailbox: Option<&Opened>,
) -> anyhow::Result<LetterUse> {
    if !config.league.is_by_letters() {
        return Ok(LetterUse::default());
    }
    let address = mailbox.map_or_else(|| Address::new(""), |opened| opened.file.address.clone());
    let used = mailbox.map(|opened| mailbox::used(opened.account.clone(), config));
    Ok(LetterUse {
        mail: used.transpose()?,
        letter_log: Some(
            protocol_log::letter_log(agon_proto::Role::Manager, address, common.json).1,
        ),
        until: if args.post.scan { Until::MailRead } else { Until::Done },
    })
}

/// The season in the log, one line for each fact.
fn log(role: &Role, fact: &LeagueFact) {
    let league = role.league().settings().league_id.as_str();
    match fact {
        LeagueFact::Opened { .. } => info!(league, "league opened"),
        LeagueFact::Registered(it) => log_registration(league, it),
        LeagueFact::SeasonStarted { lineup, order, .. } => {
            let (by, reason) = signature(order.as_ref(), "enough are in");
            let players = lineup.players();
            info!(league, players, by, reason, "season started");
        }
        LeagueFact::RoundAnnounced { round, .. } => info!(league, round, "round announced"),
        LeagueFact::MatchReassigned { match_id, attempt, referee, cause, .. } => {
            let cause = cause.as_str();
            let round = match_id.round;
            info!(league, round, %match_id, attempt, %referee, cause, "reassigned");
        }
        LeagueFact::ResultAccepted { .. } | LeagueFact::ResultDisputed { .. } => {
            log_report(league, fact);
        }
        LeagueFact::RoundCompleted { round, .. } => info!(league, round, "round completed"),
        LeagueFact::LeagueCompleted { champion, .. } => {
            info!(league, %champion, "league completed");
        }
        LeagueFact::PlayerWithdrawn { player, order, .. } => {
            let (by, reason) = signature(order.as_ref(), "absent");
            info!(league, %player, by, reason, "player withdrawn");
        }
        LeagueFact::MatchVoided { match_id, order, .. } => {
            let (by, reason) = signed(order);
            info!(league, round = match_id.round, %match_id, by, reason, "match voided");
        }
        LeagueFact::MatchRerun { match_id, attempt, referee, order, .. } => {
            let (by, reason) = signed(order);
            let round = match_id.round;
            info!(league, round, %match_id, attempt, %referee, by, reason, "match played again");
        }
        LeagueFact::PlayerReset { player, order, .. } => {
            let (by, reason) = signed(order);
            info!(league, %player, by, reason, "player reset");
        }
        LeagueFact::RefereeReset { referee, order, .. } => {
            let (by, reason) = signed(order);
            info!(league, %referee, by, reason, "referee reset");
        }
        LeagueFact::Paused { order, .. } => {
            let (by, reason) = signature(order.as_ref(), "");
            info!(league, by, reason, "paused");
        }
        LeagueFact::Resumed { order, .. } => {
            let (by, reason) = signature(order.as_ref(), "");
            info!(league, by, reason, "resumed");
        }
        LeagueFact::Letterbox(_) => {}
        LeagueFact::Season(fact) => log_letters(league, fact),
    }
}

/// A report that counted, or did not.
fn log_report(league: &str, fact: &LeagueFact) {
    if let LeagueFact::ResultAccepted { match_id, attempt, referee, verdict, unverified, .. } = fact
    {
        let (status, cause) = (verdict.status().as_str(), verdict.cause.as_str());
        let verified = !unverified;
        info!(
            league, round = match_id.round, %match_id, attempt, %referee, status, cause, verified,
            "result accepted"
        );
    }
    if let LeagueFact::ResultDisputed { match_id, referee, contradiction, .. } = fact {
        let contradiction = contradiction.as_deref();
        let round = match_id.round;
        warn!(league, round, %match_id, %referee, contradiction, "result disputed");
    }
}

/// Who is in, where it is reached, and for which team.
fn log_registration(league: &str, it: &Registration) {
    let Registration { name, capacity, .. } = it;
    let group = it.group.as_ref().map(tracing::field::display);
    let (at, address) = match &it.contact {
        Contact::Call(endpoint) => (Some(endpoint.shown()), None),
        Contact::Mail(address) => (None, Some(address.as_str())),
    };
    match it.agent {
        AgentId::Player(player) => {
            info!(league, %player, %name, endpoint = at, address, group, "player registered");
        }
        AgentId::Referee(referee) => {
            let endpoint = at;
            info!(league, %referee, %name, endpoint, address, group, capacity,
                "referee registered");
        }
    }
}

/// What happens in a Q21 season only.
fn log_letters(league: &str, fact: &SeasonFact) {
    match fact {
        SeasonFact::SeasonAnnounced { season, .. } => info!(league, %season, "season announced"),
        SeasonFact::TurnedAway { address, .. } => info!(league, %address, "turned away"),
        SeasonFact::Introduced { address, .. } => info!(league, %address, "introduced"),
        SeasonFact::Acknowledged { address, received, .. } => {
            info!(league, %address, received, "table acknowledged");
        }
        SeasonFact::CheckInOpened { round, .. } => info!(league, round, "check-in opened"),
        SeasonFact::CheckedIn { round, address, .. } => {
            info!(league, round, %address, "checked in")
        }
        SeasonFact::Evidence { match_id, player, .. } => {
            info!(league, round = match_id.round, %match_id, %player, "player's report kept");
        }
        SeasonFact::SeasonReset { season, order, .. } => {
            let (by, reason) = signed(order);
            info!(league, %season, by, reason, "season reset");
        }
        SeasonFact::Contradicted { match_id, player, .. } => {
            info!(league, round = match_id.round, %match_id, %player, "result contradicted");
        }
    }
}

/// Who ordered something and why; without an order the league did it by itself.
fn signature<'a>(order: Option<&'a Order>, why: &'a str) -> (&'a str, &'a str) {
    order.map_or(("the league", why), signed)
}

fn signed(order: &Order) -> (&str, &str) {
    (order.by.as_str(), order.reason.as_str())
}
