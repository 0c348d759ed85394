//! Tries a mailbox once, step by step, and says in plain words what works and what does not.

use super::account::Account;
use super::error::MailError;
use super::mailbox::{Folders, Mailbox};
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

/// How far somebody came with a server.
const STAGES: [[&str; 3]; 2] = [
    ["reach the IMAP server", "encrypt what is said to it", "log in to read"],
    ["reach the SMTP server", "encrypt what is said to it", "log in to send"],
];

/// Tries to read and to send with this account. No mail is read, and none is sent.
pub async fn check(account: &Account, folders: Folders) -> CheckReport {
    let mut steps = Vec::new();
    if let Err(bad) = account.check() {
        let outcome = Err(bad.to_string());
        return CheckReport { steps: vec![CheckStep { name: "understand the settings", outcome }] };
    }
    let [reading, sending] = STAGES;
    match Mailbox::open(account, folders, 0).await {
        Ok(mailbox) => {
            steps.extend(
                reading.map(|name| CheckStep { name, outcome: Ok(account.imap.to_string()) }),
            );
            steps.push(CheckStep { name: "open the inbox", outcome: Ok("it is there".into()) });
            let news = if mailbox.tells_news() {
                "the server tells at once (IDLE)"
            } else {
                "the server does not tell (no IDLE), so we go and look"
            };
            steps.push(CheckStep { name: "hear of new mails", outcome: Ok(news.into()) });
            mailbox.close().await;
        }
        Err(error) => steps.extend(until(reading, "open the inbox", &account.imap, &error)),
    }
    match Link::open(account).await {
        Ok(_link) => {
            steps.extend(
                sending.map(|name| CheckStep { name, outcome: Ok(account.smtp.to_string()) }),
            );
        }
        Err(error) => steps.extend(until(sending, "be let in", &account.smtp, &error)),
    }
    CheckReport { steps }
}

/// The steps that worked, and the one that did not.
fn until(
    stages: [&'static str; 3],
    afterwards: &'static str,
    server: &impl ToString,
    error: &MailError,
) -> Vec<CheckStep> {
    let [reach, encrypt, login] = stages;
    let all = [reach, encrypt, login, afterwards];
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
    let step = |(at, name): (usize, &'static str)| CheckStep {
        name,
        outcome: if at < failed { Ok(server.to_string()) } else { Err(error.whole()) },
    };
    all.into_iter().enumerate().take(failed + 1).map(step).collect()
}
