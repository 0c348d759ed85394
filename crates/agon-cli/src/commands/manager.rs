//! `agon manager`: runs a league manager until it is told to stop.
//!
//! When the disk fails, memory is thrown away and the league is only read until it works again;
//! then the manager starts anew from its journal, as after any other crash.

pub(super) mod finished;
mod log;

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use agon_core::{LeagueFact, Manager as Role, ManagerOptions, SeasonSettings};
use agon_node::config::Config;
use agon_node::{
    LetterUse, Listener, Node, NodeError, ReadOnlyNode, Role as Kind, Until, admission_rules,
    manager_settings,
};
use agon_proto::{Address, Contact, LeagueId};
use agon_store::Journal;
use anyhow::{Context, bail, ensure};
use serde_json::Map;
use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tokio::time::sleep;
use toml::Table;
use tracing::{error, info, warn};

use self::finished::{Before, Finished};
use super::agent::only_by_letters;
use super::announce;
use super::mailbox::{self, Opened};
use super::season;
use crate::archive::Archive;
use crate::args::{Common, Manager, put};
use crate::{data, life, output, protocol_log};

/// However times are scaled, a disk is left alone for so long.
const PAUSE_MIN: Duration = Duration::from_millis(20);

pub(crate) async fn run(common: &Common, args: &Manager) -> anyhow::Result<ExitCode> {
    let mut flags = args.reach.flags("manager");
    args.season.put(&mut flags);
    put(&mut flags, "league", "id", args.league.clone());
    put(&mut flags, "admission", "players", args.admit.clone());
    put(&mut flags, "admission", "referees", args.admit_referees.clone());
    let config = common.load(flags)?;
    life::start_logs(&config)?;
    if args.post.mail.is_some() {
        only_by_letters(&config, "--mail belongs")?;
    }
    let mailbox = args.post.mail.as_deref().map(mailbox::open).transpose()?;
    if let Some(opened) = mailbox.as_ref().filter(|_| args.post.test_connectivity) {
        return mailbox::test(common, &opened.account).await;
    }
    let stop = life::stop_on_signal()?;
    let listen = args.listen.unwrap_or(config.manager.listen);
    let listener = Listener::reserve(listen, &config, args.reach.insecure).await?;
    let listener = listener.advertised(config.manager.advertise.as_deref())?;
    // Only now: whoever cannot listen leaves the old season where it is.
    if season::complete(&args.data)? {
        let data = args.data.display();
        warn!(%data, "the next season takes its place: its opening had died before that step");
    }
    let before = if args.new { finished::make_room(&args.data, &config)? } else { None };
    // Nobody makes secrets for a folder that is another's.
    let journal = life::open(&args.data)?;
    // Whoever finds somebody at the port finds the operator's token too.
    data::manager_options(&args.data)?;
    listener.listen()?;
    let setup = Setup { common, args, config: &config, mailbox, before, listener };
    let died = journal.is_orphaned();
    let _anchor = journal.anchor()?;
    let mut node = setup.node(journal)?;
    let finished = Finished::of(node.role.league());
    if let Some(finished) = finished.as_ref().filter(|_| args.start_when.is_some())
        && !(died && finished.is_news(&config))
    {
        bail!(finished.told(&args.data));
    }
    setup.tell(finished)?;
    while let Err(error) = node.run(&config, stop.clone()).await {
        if !error.may_pass() {
            return Err(error.into());
        }
        let Some(journal) = setup.only_read(error, stop.clone()).await? else { break };
        node = setup.node(journal)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What a manager is started with, also after its disk has failed.
struct Setup<'a> {
    common: &'a Common,
    args: &'a Manager,
    config: &'a Config,
    mailbox: Option<Opened>,
    /// The season that made room for this one.
    before: Option<Before>,
    listener: Listener,
}

impl Setup<'_> {
    fn node(&self, journal: Journal<LeagueFact>) -> anyhow::Result<Node<Role>> {
        let role = self.role(&journal)?;
        Ok(Node {
            ledger: journal.into(),
            stay: true,
            witness: Some(Box::new(log::log)),
            metrics: true,
            messages: Some(self.args.data.clone()),
            letters: self.letters()?,
            ..Node::new(role, Kind::Manager, self.listener.twin()?)
        })
    }

    /// The manager of that journal, up to date with it.
    fn role(&self, journal: &Journal<LeagueFact>) -> anyhow::Result<Role> {
        let &Self { args, config, .. } = self;
        let (dir, start_when) = (args.data.display(), args.start_when);
        let options = data::manager_options(&args.data)?;
        let admission = admission_rules(config, &self.listener.endpoint());
        let options = ManagerOptions { start_when, admission, ..options };
        let mut settings = manager_settings(config, self.mailbox.as_ref().map(|it| &it.file));
        if let Some(asked) = &args.league {
            settings.league_id = LeagueId::new(asked);
        }
        if let Some(Before { settings: last, .. }) = &self.before {
            settings = settings.after(last);
        }
        let mut role = Role::new(settings.clone(), options);
        life::catch_up(&mut role, journal, &args.data)?;
        let kept = role.league().settings();
        // Which season it is, a journal knows better: there may have been several.
        let SeasonSettings { season, season_number, .. } = &kept.seasons;
        settings.seasons = settings.seasons.called(season.clone(), *season_number);
        // Where nothing is said of it, nothing else is meant.
        settings.format = config.league.format.unwrap_or(kept.format);
        let (game, said) = (kept.game_type(), config.league.game_type());
        ensure!(
            game == said,
            "{dir} holds a league of {game}, not of {said}; say --game {game}, or another --data"
        );
        let meant = Table::try_from(&settings)?;
        for (rule, kept) in Table::try_from(kept)? {
            if let Some(said) = meant.get(&rule).filter(|said| **said != kept) {
                warn!(%dir, rule, %kept, %said, "a rule was changed; the league keeps the old one");
            }
        }
        let (league, asked) = (&kept.league_id, &settings.league_id);
        ensure!(
            args.league.is_none() || league == asked,
            "{dir} holds league {league}, not {asked}; say another --data"
        );
        Ok(role)
    }

    /// What it has to do with letters.
    fn letters(&self) -> anyhow::Result<LetterUse> {
        if !self.config.league.is_by_letters() {
            return Ok(LetterUse::default());
        }
        let opened = self.mailbox.as_ref();
        let address = opened.map_or_else(|| Address::new(""), |it| it.file.address.clone());
        let (_, letter_log) = protocol_log::letter_log(Kind::Manager, address, self.common.json);
        let used = opened.map(|it| mailbox::used(it.account.clone(), self.config));
        Ok(LetterUse {
            mail: used.transpose()?,
            letter_log: Some(letter_log),
            until: if self.args.post.scan { Until::MailRead } else { Until::Done },
        })
    }

    /// Says that the manager listens, and what it found in its folder.
    fn tell(&self, finished: Option<Finished>) -> anyhow::Result<()> {
        let (data, mut more) = (&self.args.data, Map::new());
        let kept = self.before.as_ref().map(|before| before.kept.display());
        if let Some(kept) = &kept {
            more.insert("kept".to_owned(), kept.to_string().into());
        }
        if let Some(finished) = &finished {
            finished.log(data);
            more.insert("finished".to_owned(), finished.json(data));
        }
        announce(self.common, "manager", &self.listener.endpoint().into(), more)?;
        if !self.common.json {
            kept.iter()
                .for_each(|kept| output::line(format!("the season before is kept in {kept}")));
            finished.iter().for_each(|finished| {
                output::line(format!("{}. Until then its table is shown", finished.told(data)));
            });
        }
        let Some(it) = &self.mailbox else { return Ok(()) };
        announce(self.common, "manager", &Contact::of(&it.file.address), Map::new())
    }

    /// Serves reads of a manager that could not write until its journal can be written, and returns
    /// that; `None` if it is told to stop meanwhile.
    ///
    /// # Errors
    /// When the journal cannot even be read, or is damaged: then somebody has to look at it.
    async fn only_read(
        &self,
        error: NodeError,
        mut stop: watch::Receiver<bool>,
    ) -> anyhow::Result<Option<Journal<LeagueFact>>> {
        let (data, config) = (&self.args.data, self.config);
        let folder = data.display();
        let why = format!("{:#}", anyhow::Error::from(error));
        error!(data = %folder, why, "the journal cannot be written, so the league is only read");
        let league = Archive::open(data, config)?.league;
        let room = ReadOnlyNode {
            role: Role::reader(league, data::manager_options(data)?),
            listener: self.listener.twin()?,
            data: data.clone(),
        };
        let until = async {
            tokio::select! {
                journal = writable(data, config) => journal.map(Some),
                _ = stop.changed() => Ok(None),
            }
        };
        let journal = room.run(config, until).await?;
        if journal.is_some() {
            info!(data = %folder, "the journal can be written again");
        }
        Ok(journal)
    }
}

/// Tries to open the journal, with the waits of a failed report, until it takes something.
async fn writable(data: &Path, config: &Config) -> anyhow::Result<Journal<LeagueFact>> {
    let mut waits = config.times.retry_backoff_s.iter().map(|wait| wait.0);
    let mut wait = PAUSE_MIN;
    loop {
        wait = waits.next().unwrap_or(wait).max(PAUSE_MIN);
        sleep(wait).await;
        let data = data.to_owned();
        let opened = spawn_blocking(move || Journal::open(&data)).await;
        match opened.context("the thread that opens the journal panicked")? {
            Ok(journal) => return Ok(journal),
            Err(error) if error.may_pass() => {}
            Err(error) => return Err(error).context("could not open the journal again"),
        }
    }
}
