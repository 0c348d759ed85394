//! A mailbox file in use: the account that it describes, whether it works, and what would be done
//! with the mail in it.

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use agon_core::{Effect, Effects, Event, Machine, Proof, RequestId};
use agon_net::mail::{
    self, Account, Folders, MailPace, Mailbox, OAuth2, OAuth2Settings, Postman, Secret, ServerUrl,
    WatchConfig,
};
use agon_net::{AddressPolicy, Client, ClientConfig, EndpointUrl, Trust};
use agon_node::clock::Clock;
use agon_node::config::{self, Config};
use agon_node::{MailUse, open_mail};
use agon_store::Journal;
use anyhow::Context;
use serde_json::json;

use super::agent::AgentSetup;
use crate::args::{Common, exit};
use crate::output;

/// The mailbox that a file describes.
pub(super) struct Opened {
    pub(super) file: config::MailboxFile,
    pub(super) account: Account,
}

/// Reads a mailbox file, and checks what no server has to be asked for.
pub(super) fn open(path: &Path) -> anyhow::Result<Opened> {
    let (file, secret) = config::MailboxFile::load(path, |name| std::env::var(name).ok())?;
    let of = |key: &str| format!("`{key}` of the mailbox file {}", path.display());
    let trust = match &file.ca {
        None => Trust::system(),
        Some(ca) => {
            let pem = std::fs::read(ca);
            let pem = pem.with_context(|| format!("could not read {}", ca.display()))?;
            Trust::only(&pem).with_context(|| of("ca"))?
        }
    };
    let secret = match secret {
        config::MailboxSecret::Password(password) => Secret::Password(password),
        config::MailboxSecret::OAuth2(given) => {
            let token_url = EndpointUrl::parse(&given.token_url);
            let settings = OAuth2Settings {
                client_id: given.client_id,
                client_secret: given.client_secret,
                refresh_token: given.refresh_token,
                token_url: token_url.with_context(|| of("oauth2.token_url"))?,
            };
            Secret::OAuth2(OAuth2::new(settings, web()).into())
        }
    };
    let account = Account {
        address: file.address.to_string(),
        user: file.user(),
        secret,
        imap: ServerUrl::parse(&file.imap).with_context(|| of("imap"))?,
        smtp: ServerUrl::parse(&file.smtp).with_context(|| of("smtp"))?,
        trust,
        insecure: file.insecure,
        authserv_id: file.authserv_id.clone(),
    };
    account.check().with_context(|| format!("the mailbox file {}", path.display()))?;
    Ok(Opened { file, account })
}

/// How the configuration wants it used.
pub(super) fn used(account: Account, config: &Config) -> anyhow::Result<MailUse> {
    let said = &config.mail;
    let pace = MailPace { spacing: *said.spacing_s, per_day: said.per_day_max as usize };
    let postman = Postman::new(account.clone(), pace)?;
    let watch = WatchConfig {
        folders: Folders { quarantine: said.quarantine.clone(), ..Folders::default() },
        poll: *said.poll_s,
        size_max: said.size_max,
        retry_first: mail::RETRY_FIRST,
        retry_max: mail::RETRY_MAX,
    };
    Ok(MailUse { account, postman, watch })
}

/// What fetches access tokens: a public server, over TLS that the system trusts.
fn web() -> Client {
    const TIMEOUT: Duration = Duration::from_secs(10);
    Client::new(ClientConfig {
        answer_max: 64 * 1024,
        head_max: 16 * 1024,
        connect_timeout: TIMEOUT,
        idle_timeout: TIMEOUT,
        idle_per_host_max: 1,
        policy: AddressPolicy { loopback: true, private: true, public: true },
        trust: Trust::system(),
    })
}

/// `--test-connectivity`: every step, and whether it works.
pub(super) async fn test(common: &Common, account: &Account) -> anyhow::Result<ExitCode> {
    let tried = mail::check(account, Folders::default()).await;
    let step = |step: &mail::CheckStep| {
        let (found, problem) = (step.outcome.as_ref().ok(), step.outcome.as_ref().err());
        json!({ "step": step.name, "ok": found.is_some(), "found": found, "problem": problem })
    };
    let steps: Vec<_> = tried.iter().map(step).collect();
    let (address, ok) = (&account.address, tried.iter().all(|step| step.outcome.is_ok()));
    output::show(common, &json!({ "address": address, "ok": ok, "steps": steps }), || {
        let lines = tried.iter().map(|step| match &step.outcome {
            Ok(found) => format!("ok      {}: {found}", step.name),
            Err(problem) => format!("failed  {}: {problem}", step.name),
        });
        lines.collect::<Vec<_>>().join("\n")
    })?;
    Ok(exit(ok))
}

/// `--dry-run`: what that agent would do with the mail that lies in its box. Nothing is sent,
/// nothing is written down, nothing is marked as read, and no program is asked.
pub(super) async fn dry_run<M: Machine>(
    agent: &AgentSetup<'_>,
    mut role: M,
    opened: Opened,
) -> anyhow::Result<ExitCode> {
    let folder = agent.mail_folder(&opened);
    if folder.join("journal.sqlite3").exists() {
        Journal::read_only(&folder)?.replay(|fact| role.apply(&fact))?;
    }
    let used = used(opened.account, agent.config)?;
    let (folders, size_max) = (used.watch.folders, used.watch.size_max);
    let mut mailbox = Mailbox::open(&used.account, folders, size_max).await?;
    let clock = Clock::start();
    for (number, mail) in (1..).zip(mailbox.scan().await?) {
        let (from, letter) = match open_mail(&mail) {
            Ok(opened) => opened,
            Err(problem) => {
                output::line(format!("{}\n  would go to quarantine: {problem}", mail.subject));
                continue;
            }
        };
        output::line(format!("{} from {from}", letter.act.kind().name()));
        let (request, now) = (RequestId(number), clock.now());
        let (proof, caller, letter) = (Proof::Vouched(from), None, Box::new(letter));
        let event = Event::Posted { request, proof, caller, at: now, letter };
        let mut out = Effects::default();
        role.handle(event, now, &mut out);
        for effect in &out.effects {
            if let Some(line) = told(effect) {
                output::line(format!("  {line}"));
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// What an effect would do, in a line.
#[expect(clippy::wildcard_enum_match_arm, reason = "the others concern nobody outside")]
fn told(effect: &Effect) -> Option<String> {
    match effect {
        Effect::SendLetter(parcel) => {
            let to: Vec<_> = parcel.to.iter().map(|address| address.as_str()).collect();
            Some(format!("would send {} to {}", parcel.letter.kind.name(), to.join(", ")))
        }
        Effect::Think(asked) => Some(format!("would ask the program for {}", asked.kind)),
        Effect::Refuse { refusal, .. } => Some(format!("would refuse: {refusal}")),
        Effect::Finish(_) => Some("would leave: the league is complete".to_owned()),
        _ => None,
    }
}
