//! One agent, a player or a referee: how it takes part, by call, by mail or by both, and the node
//! in which it does.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};

use agon_core::{AgentFact, Credentials, Ending, Joins, Machine, Profile};
use agon_node::config::{self, Config};
use agon_node::{LetterUse, Listener, Mind, Node, Role, TlsFiles, Until, Witness};
use agon_node::{profile, random_nonce};
use agon_player::games::games;
use agon_proto::{Contact, Endpoint, GroupId, InvitationCode};
use anyhow::{Context, bail};
use serde_json::{Map, json};
use tracing::{info, warn};

use super::announce;
use super::mailbox::{self, Opened};
use crate::args::{self, Common, EXIT_FAILED, EXIT_REFUSED, put};
use crate::protocol_log::{self, Counts, ProtocolLog};
use crate::{data, life, output};

/// Everything that was said about one agent.
pub(super) struct AgentSetup<'a> {
    pub(super) common: &'a Common,
    pub(super) config: &'a Config,
    pub(super) args: &'a args::AgentArgs,
    pub(super) role: Role,
    pub(super) name: String,
    pub(super) invited: Invited,
    pub(super) listen: SocketAddr,
    pub(super) advertise: Option<&'a str>,
    /// How many matches at once, of a referee.
    pub(super) capacity: Option<u32>,
    pub(super) data: Option<PathBuf>,
}

/// How the manager is called, and by whose leave.
pub(super) struct Invited {
    manager: Endpoint,
    code: Option<InvitationCode>,
}

impl Invited {
    /// Letters have no field for a code, so the address carries it.
    pub(super) fn of(args: &args::AgentArgs, config: &Config) -> anyhow::Result<Self> {
        let code = data::invitation(args.invitation.as_deref())?;
        if !config.league.is_by_letters() {
            return Ok(Self { manager: data::manager_endpoint(&args.manager)?, code });
        }
        let joining = code.map(|code| code.in_address(&args.manager));
        let manager = data::manager_endpoint(joining.as_deref().unwrap_or(&args.manager))?;
        Ok(Self { manager, code: None })
    }
}

/// How it takes part.
pub(super) struct Way {
    pub(super) profile: Profile,
    pub(super) listener: Option<Listener>,
    pub(super) letters: LetterUse,
    /// Who works by mail always keeps a journal.
    pub(super) data: Option<PathBuf>,
    /// What a scan came to, if it is one.
    pub(super) scan: Option<Arc<Mutex<ProtocolLog>>>,
}

/// The configuration of an agent. What belongs to leagues by letters makes no sense in another one:
/// somebody forgot to say which game is played.
pub(super) fn configured(
    common: &Common,
    role: Role,
    args: &args::AgentArgs,
) -> anyhow::Result<Config> {
    let mut flags = args.reach.flags(role.word());
    args.played.put(&mut flags);
    put(&mut flags, "times", "manager_wait_s", args.wait);
    let config = common.load(flags)?;
    let team = &args.team;
    if team.post.mail.is_some() || team.ai.is_some() || team.group.is_some() {
        only_by_letters(&config, "--mail, --ai and --group belong")?;
    }
    life::start_logs(&config)?;
    Ok(config)
}

/// Refuses what belongs to leagues by letters only, in any other.
pub(super) fn only_by_letters(config: &Config, what: &str) -> anyhow::Result<()> {
    if config.league.is_by_letters() {
        return Ok(());
    }
    let judged = games().iter().filter(|info| info.is_judged());
    let names: Vec<String> = judged.map(|info| format!("--game {}", info.name)).collect();
    bail!("{what} to leagues by letters: say {} too", names.join(" or "))
}

impl AgentSetup<'_> {
    /// Its way into the league; with a mailbox by mail, unless it was asked to come by call too.
    pub(super) async fn way(
        &self,
        tls_files: &TlsFiles,
        mailbox: Option<Opened>,
    ) -> anyhow::Result<Way> {
        let (args, config) = (self.args, self.config);
        let only_mail = mailbox.as_ref().filter(|_| !args.team.by_call_too);
        let (profile, listener) = if let Some(opened) = only_mail {
            (self.mail_profile(opened)?, None)
        } else {
            let (listen, insecure) = (self.listen, args.reach.insecure);
            let listener = Listener::open_with(tls_files, listen, config, insecure).await?;
            let listener = listener.advertised(self.advertise)?;
            let Invited { manager, code } = &self.invited;
            let listener = listener.towards(manager, *config.times.manager_wait_s).await?;
            let contact = (listener.endpoint(), manager.clone());
            let profile = self.profile(contact, mailbox.as_ref());
            let profile = Profile { invitation_code: code.clone(), ..profile };
            // It is known by its endpoint, whatever mailbox it has besides.
            let vouched = mailbox.as_ref().map(|opened| opened.file.address.clone());
            (Profile { vouched, ..profile }, Some(listener))
        };
        let (mut letters, mut scan) = (LetterUse::default(), None);
        if config.league.is_by_letters() {
            let address = profile.contact.address();
            let (log, letter_log) = protocol_log::letter_log(self.role, address, self.common.json);
            letters.letter_log = Some(letter_log);
            if args.team.post.scan {
                letters.until = Until::MailRead;
                scan = Some(log);
            }
        }
        let mut data = self.data.clone();
        if let Some(opened) = mailbox {
            data = Some(self.mail_folder(&opened));
            letters.mail = Some(mailbox::used(opened.account, config)?);
        }
        Ok(Way { profile, listener, letters, data, scan })
    }

    pub(super) fn mail_profile(&self, opened: &Opened) -> anyhow::Result<Profile> {
        let config::MailboxFile { address, manager, .. } = &opened.file;
        let manager = manager.as_ref();
        let manager =
            manager.context("the mailbox file must say `manager`, whose letters count")?;
        Ok(self.profile((Contact::of(address), Contact::of(manager)), Some(opened)))
    }

    pub(super) fn mail_folder(&self, opened: &Opened) -> PathBuf {
        let own = || PathBuf::from(format!("agon-{}", opened.file.address));
        self.data.clone().unwrap_or_else(own)
    }

    /// Its team is the one that was said; else that of its mailbox, or one of its own.
    fn profile(
        &self,
        (contact, manager): (impl Into<Contact>, impl Into<Contact>),
        mailbox: Option<&Opened>,
    ) -> Profile {
        let Self { config, name, capacity, .. } = self;
        let profile = profile(config, name, contact, manager, *capacity, random_nonce());
        let team = &self.args.team;
        let said = team.group.as_deref().map(GroupId::new);
        let group = said.or_else(|| mailbox?.file.group.clone()).unwrap_or(profile.group);
        let joins = if team.introduce { Joins::Introducing } else { profile.joins };
        Profile { group, joins, keeps_token: self.data.is_some(), ..profile }
    }

    /// The node of that role, up to date with its journal; and says that it is there.
    pub(super) fn node<M: Machine>(
        &self,
        (mut role, mind, witness): (M, Box<dyn Mind>, Witness<M>),
        way: Way,
    ) -> anyhow::Result<Node<M>> {
        let ledger = life::ledger(&mut role, way.data.as_deref())?;
        announce(self.common, self.role.word(), &way.profile.contact, Map::new())?;
        Ok(Node {
            ledger,
            mind,
            witness: Some(witness),
            stay: self.args.stay,
            metrics: true,
            messages: way.data,
            letters: way.letters,
            ..Node::new(role, self.role, way.listener)
        })
    }
}

/// Says what a scan came to.
pub(super) fn tell_scan(common: &Common, log: &Mutex<ProtocolLog>) -> anyhow::Result<()> {
    let counts = log.lock().map(|log| log.counts).unwrap_or_default();
    let Counts { received: found, sent, errors } = counts;
    let said = json!({ "found": found, "processed": found, "sent": sent, "errors": errors });
    output::show(common, &said, || {
        format!("Done: {found} found, {found} processed, {sent} sent, {errors} errors")
    })
    .map(drop)
}

/// What the end of an agent means to whoever started it.
pub(super) fn farewell(ending: Option<Ending>) -> ExitCode {
    match ending {
        None | Some(Ending::LeagueCompleted) => ExitCode::SUCCESS,
        Some(Ending::NotAdmitted(why)) => {
            eprintln!("agon: not admitted: {why}");
            ExitCode::from(EXIT_REFUSED)
        }
        Some(Ending::NoManager(why)) => {
            eprintln!("agon: {why}: is it running, and is --manager its address?");
            ExitCode::from(EXIT_FAILED)
        }
    }
}

/// What every agent learns, one line for each fact that its owner cares about.
#[expect(clippy::wildcard_enum_match_arm, reason = "the others are news of single matches")]
pub(super) fn log(role: Role, fact: &AgentFact) {
    match fact {
        AgentFact::SeasonOpened { season, .. } => info!(%season, "a season is open"),
        AgentFact::Admitted { given: Some(Credentials { agent, league, .. }), .. } => {
            let id = agent.map(|id| id.to_string()).unwrap_or_default();
            match role {
                Role::Player => info!(player = id, %league, "registered"),
                Role::Referee | Role::Manager => info!(referee = id, %league, "registered"),
            }
        }
        AgentFact::Admitted { given: None, .. } => info!("registered"),
        AgentFact::Rejected { reason } => warn!(reason, "not admitted to the season"),
        AgentFact::Reset => info!("the season is forgotten; another one opens"),
        AgentFact::Completed { .. } => info!("the league is complete"),
        _ => {}
    }
}
