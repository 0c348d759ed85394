//! Tries a mailbox once, step by step, and says in plain words what works and what does not.

use super::account::Account;
use super::error::MailError;
use super::mailbox::{Folders, Mailbox};
use super::server_url::ServerUrl;
use super::smtp::Link;

/// One thing that must work, and whether it does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckStep {
    pub name: &'static str,
    /// What was found, or why it does not work.
    pub outcome: Result<String, String>,
}

/// What was tried, in order. Steps that make no sense after a failure are left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckReport {
    pub steps: Vec<CheckStep>,
}

impl CheckReport {
    /// Whether everything works.
    pub fn is_fine(&self) -> bool {
        self.steps.iter().all(|step| step.outcome.is_ok())
    }
}

/// How far somebody comes with a server.
const READING: [&str; 4] =
    ["reach the IMAP server", "encrypt what is said to it", "log in to read", "open the inbox"];
const SENDING: [&str; 4] =
    ["reach the SMTP server", "encrypt what is said to it", "log in to send", "be let in"];

/// Tries to read and to send with this account. No mail is read, and none is sent.
pub async fn check(account: &Account, folders: Folders) -> CheckReport {
    if let Err(bad) = account.check() {
        let outcome = Err(bad.to_string());
        return CheckReport { steps: vec![CheckStep { name: "understand the settings", outcome }] };
    }
    let mut steps = Vec::new();
    match Mailbox::open(account, folders, 0).await {
        Ok(mailbox) => {
            steps.extend(worked(&READING[..3], &account.imap));
            steps.push(CheckStep { name: READING[3], outcome: Ok("it is there".into()) });
            let news = if mailbox.tells_news() {
                "the server tells at once (IDLE)"
            } else {
                "the server does not tell (no IDLE), so we go and look"
            };
            steps.push(CheckStep { name: "hear of new mails", outcome: Ok(news.into()) });
            mailbox.close().await;
        }
        Err(error) => steps.extend(until(READING, &account.imap, &error)),
    }
    match Link::open(account).await {
        Ok(_link) => steps.extend(worked(&SENDING[..3], &account.smtp)),
        Err(error) => steps.extend(until(SENDING, &account.smtp, &error)),
    }
    CheckReport { steps }
}

fn worked(names: &[&'static str], server: &ServerUrl) -> impl Iterator<Item = CheckStep> {
    names.iter().map(|name| CheckStep { name, outcome: Ok(server.to_string()) })
}

/// The steps that worked, and the one that did not.
fn until(names: [&'static str; 4], server: &ServerUrl, error: &MailError) -> Vec<CheckStep> {
    let failed = match error {
        MailError::Connect { .. }
        | MailError::Slow { .. }
        | MailError::Broken { .. }
        | MailError::Account(_) => 0,
        MailError::Tls { .. } | MailError::NotTls { .. } | MailError::NoStartTls { .. } => 1,
        MailError::Login { .. } | MailError::Token(_) => 2,
        MailError::Refused { .. }
        | MailError::Confused { .. }
        | MailError::Mail(_)
        | MailError::QuotaSpent { .. } => 3,
    };
    let last = CheckStep { name: names[failed], outcome: Err(error.whole()) };
    worked(&names[..failed], server).chain([last]).collect()
}
