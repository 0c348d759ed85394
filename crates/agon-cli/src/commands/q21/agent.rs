//! One agent of a Q21 league at work: a player or a referee, by call or by mail.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;

use agon_core::{Joins, Machine, Player, Profile, Referee};
use agon_node::config::Config;
use agon_node::{
    Dice, LetterUse, MailUse, Mind, Node, Role, Street, Until, Witness, letter_profile,
    player_times, random_nonce, referee_settings,
};
use agon_proto::{Address, GroupId};
use anyhow::Context;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::mailbox::{self, Opened};
use super::{dry_run, facts, programs};
use crate::args::{Common, Team};
use crate::commands::referee::farewell;
use crate::commands::{announce, announce_mail};
use crate::protocol_log::{self, ProtocolLog};
use crate::{life, output};

/// What an agent is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Player,
    Referee,
}

impl Kind {
    pub(super) const fn role(self) -> Role {
        match self {
            Self::Player => Role::Player,
            Self::Referee => Role::Referee,
        }
    }

    /// Only calls say how many games at once; by letters the season's table does.
    pub(super) const fn capacity(self) -> Option<u32> {
        match self {
            Self::Player => None,
            Self::Referee => Some(1),
        }
    }

    const fn spoken(self) -> agon_proto::Role {
        match self {
            Self::Player => agon_proto::Role::Player,
            Self::Referee => agon_proto::Role::Referee,
        }
    }
}

/// Everything that was said about an agent.
pub(super) struct Agent<'a> {
    pub(super) common: &'a Common,
    pub(super) config: &'a Config,
    pub(super) kind: Kind,
    pub(super) team: &'a Team,
    pub(super) manager: &'a str,
    pub(super) listen: SocketAddr,
    pub(super) advertise: Option<&'a str>,
    pub(super) insecure: bool,
    pub(super) name: &'a str,
    pub(super) data: Option<&'a Path>,
    pub(super) stay: bool,
}

/// How it takes part.
struct Way {
    profile: Profile,
    street: Option<Street>,
    mail: Option<MailUse>,
    /// Who works by mail always keeps a journal.
    data: Option<PathBuf>,
}

impl Agent<'_> {
    pub(super) async fn run(&self) -> anyhow::Result<ExitCode> {
        let by = &self.team.mail;
        let Some(file) = &by.mail else {
            let way = self.by_call().await?;
            return self.live(way, Until::Done).await;
        };
        let opened = mailbox::open(file)?;
        if by.test_connectivity {
            return mailbox::test(self.common, &opened.account).await;
        }
        if by.dry_run {
            return dry_run::run(self, opened).await;
        }
        let way = if by.by_call_too {
            self.by_call_and_mail(opened).await?
        } else {
            self.by_mail(opened)?
        };
        let until = if by.scan { Until::MailRead } else { Until::Done };
        self.live(way, until).await
    }

    async fn by_call(&self) -> anyhow::Result<Way> {
        let street = Street::open(self.listen, self.config, self.insecure).await?;
        let street = street.advertised(self.advertise)?;
        let address = Address::new(street.endpoint().as_str());
        let profile = self.profile(&address, &Address::new(self.manager), None);
        Ok(Way { profile, street: Some(street), mail: None, data: self.data.map(Into::into) })
    }

    /// It is known by its endpoint, and has a mailbox besides.
    async fn by_call_and_mail(&self, opened: Opened) -> anyhow::Result<Way> {
        let mut way = self.by_call().await?;
        way.profile.mailbox = Some(opened.file.address.clone());
        if self.team.group.is_none()
            && let Some(group) = &opened.file.group
        {
            way.profile.group = group.clone();
        }
        way.data = Some(self.mail_folder(&opened));
        way.mail = Some(mailbox::used(opened.account, self.config)?);
        Ok(way)
    }

    fn by_mail(&self, opened: Opened) -> anyhow::Result<Way> {
        let profile = self.mail_profile(&opened)?;
        let data = self.mail_folder(&opened);
        let mail = Some(mailbox::used(opened.account, self.config)?);
        Ok(Way { profile, street: None, mail, data: Some(data) })
    }

    pub(super) fn mail_profile(&self, opened: &Opened) -> anyhow::Result<Profile> {
        let file = &opened.file;
        let manager = file.manager.as_ref();
        let manager =
            manager.context("the mailbox file must say `manager`, whose letters count")?;
        Ok(self.profile(&file.address, manager, file.group.clone()))
    }

    pub(super) fn mail_folder(&self, opened: &Opened) -> PathBuf {
        let own = || PathBuf::from(format!("agon-{}", opened.file.address));
        self.data.map_or_else(own, Into::into)
    }

    fn profile(&self, address: &Address, manager: &Address, group: Option<GroupId>) -> Profile {
        let said = self.team.group.as_deref().map(GroupId::new);
        let group = said.or(group).unwrap_or_else(|| GroupId::new(self.name));
        let capacity = self.kind.capacity();
        let (named, reached) = ((self.name, group), (address, manager));
        let profile = letter_profile(self.config, named, reached, capacity, random_nonce());
        let joins = if self.team.mail.introduce { Joins::Introducing } else { profile.joins };
        Profile { joins, ..profile }
    }

    async fn live(&self, way: Way, until: Until) -> anyhow::Result<ExitCode> {
        match self.kind {
            Kind::Player => {
                let role = Player::new(way.profile.clone(), player_times(self.config));
                let mind = programs::mind(self.kind, self.team, self.config).await?;
                self.run_node((role, mind, Box::new(facts::player)), way, until).await
            }
            Kind::Referee => {
                let role = Referee::by_letter(way.profile.clone(), referee_settings(self.config));
                let mind = programs::mind(self.kind, self.team, self.config).await?;
                self.run_node((role, mind, Box::new(facts::referee)), way, until).await
            }
        }
    }

    async fn run_node<M>(
        &self,
        (mut role, mind, witness): (M, Box<dyn Mind>, Witness<M>),
        way: Way,
        until: Until,
    ) -> anyhow::Result<ExitCode>
    where
        M: Machine + Send,
        M::Fact: Clone + Serialize + DeserializeOwned + Send + 'static,
    {
        let stop = life::stop_on_signal()?;
        let ledger = life::ledger(&mut role, way.data.as_deref())?;
        let address = way.profile.contact.address();
        let (log, herald) =
            protocol_log::herald(self.kind.spoken(), address.clone(), self.common.json);
        let role_name = self.kind.role().name();
        match &way.street {
            None => announce_mail(self.common, role_name, &address)?,
            Some(_) => announce(self.common, role_name, address.as_str())?,
        }
        let node = Node {
            role,
            kind: self.kind.role(),
            street: way.street,
            ledger,
            mind,
            dice: Dice::Fair,
            witness: Some(witness),
            stay: self.stay,
            metrics: Some(life::meters()),
            letters: LetterUse { mail: way.mail, herald: Some(herald), until },
        };
        let ended = node.run(self.config, stop).await?;
        if until == Until::MailRead {
            self.done(&log)?;
        }
        Ok(farewell(ended))
    }

    /// What a scan came to.
    fn done(&self, log: &Mutex<ProtocolLog>) -> anyhow::Result<()> {
        let counts = log.lock().map(|log| log.counts()).unwrap_or_default();
        let (found, sent, errors) = (counts.received, counts.sent, counts.errors);
        if self.common.json {
            return output::json(&serde_json::json!({
                "found": found, "processed": found, "sent": sent, "errors": errors,
            }));
        }
        output::line(format!(
            "Done: {found} found, {found} processed, {sent} sent, {errors} errors"
        ));
        Ok(())
    }
}
