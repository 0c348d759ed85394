//! `agon manager`: runs a league manager until it is told to stop.
//!
//! When the disk fails, memory is thrown away and the league is only read until it works again;
//! then the manager starts anew from its journal, as after any other crash.

mod finished;
mod log;
mod renewal;
mod starved;

use std::path::Path;
use std::process::ExitCode;

use agon_core::{CodeHash, LeagueFact, Manager as Role, ManagerOptions};
use agon_node::config::Config;
use agon_node::{LetterUse, Listener, Node, Role as Kind, Until, manager_settings};
use agon_proto::{Address, Contact, LeagueId};
use agon_store::Journal;
use anyhow::{bail, ensure};
use serde_json::Map;

use self::finished::Finished;
use self::renewal::Before;
use super::agent::only_by_letters;
use super::announce;
use super::mailbox::{self, Opened};
use crate::args::{Common, Manager, put};
use crate::{code, data, life, logs, output, protocol_log};

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
        // Only now: whoever cannot listen leaves the old season where it is.
        let before = if args.new { renewal::make_room(&args.data, &config)? } else { None };
        let start = |journal| -> anyhow::Result<Node<Role>> {
            let about = (referee_code, before.as_ref(), mailbox.as_ref());
            let role = role(&config, args, about, &journal)?;
            Ok(Node {
                ledger: journal.into(),
                stay: true,
                witness: Some(Box::new(log::log)),
                metrics: true,
                letters: letters(common, &config, args, mailbox.as_ref())?,
                ..Node::new(role, Kind::Manager, listener.twin()?)
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
            let written = starved::wait(place, error, &config, stop.clone());
            let Some(journal) = written.await? else { break };
            node = start(journal)?;
        }
        Ok(ExitCode::SUCCESS)
    })
}

/// The manager of that journal, up to date with it.
fn role(
    config: &Config,
    args: &Manager,
    (referee_code, before, mailbox): (Option<CodeHash>, Option<&Before>, Option<&Opened>),
    journal: &Journal<LeagueFact>,
) -> anyhow::Result<Role> {
    let (dir, start_when) = (args.data.display(), args.start_when);
    let options = ManagerOptions { start_when, referee_code, ..data::manager_options(&args.data)? };
    let mut settings = manager_settings(config, mailbox.map(|opened| &opened.file));
    let asked = args.league.as_deref().map(LeagueId::new);
    if let Some(asked) = &asked {
        settings.league_id = asked.clone();
    }
    if let Some(Before { settings: last, .. }) = before {
        settings = settings.after(last);
    }
    let mut role = Role::new(settings, options);
    life::catch_up(&mut role, journal, &args.data)?;
    let kept = role.league().settings();
    let (game, meant) = (kept.game_type(), config.league.game_type());
    ensure!(
        game == meant,
        "{dir} holds a league of {game}, not of {meant}; say --game {game}, or another --data"
    );
    if let Some(asked) = asked {
        let kept = &kept.league_id;
        ensure!(*kept == asked, "{dir} holds league {kept}, not {asked}; say another --data");
    }
    Ok(role)
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
