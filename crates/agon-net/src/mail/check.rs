//! Tries a mailbox once, step by step, and says in plain words what works and what does not.

use super::account::Account;
use super::error::Error;
use super::mailbox::{Folders, Mailbox};
use super::smtp::Link;

/// One thing that must work, and whether it does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    pub name: &'static str,
    /// What was found, or why it does not work.
    pub outcome: Result<String, String>,
}

/// What was tried, in order. Steps that make no sense after a failure are left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    pub steps: Vec<Step>,
}

impl Report {
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
pub async fn check(account: &Account, folders: Folders) -> Report {
    let mut steps = Vec::new();
    if let Err(bad) = account.check() {
        let outcome = Err(bad.to_string());
        return Report { steps: vec![Step { name: "understand the settings", outcome }] };
    }
    let [reading, sending] = STAGES;
    match Mailbox::open(account, folders, 0).await {
        Ok(mailbox) => {
            steps.extend(reading.map(|name| Step { name, outcome: Ok(account.imap.to_string()) }));
            steps.push(Step { name: "open the inbox", outcome: Ok("it is there".into()) });
            let news = if mailbox.tells_news() {
                "the server tells at once (IDLE)"
            } else {
                "the server does not tell (no IDLE), so we go and look"
            };
            steps.push(Step { name: "hear of new mails", outcome: Ok(news.into()) });
            mailbox.close().await;
        }
        Err(error) => steps.extend(until(reading, "open the inbox", &account.imap, &error)),
    }
    match Link::open(account).await {
        Ok(_link) => {
            steps.extend(sending.map(|name| Step { name, outcome: Ok(account.smtp.to_string()) }));
        }
        Err(error) => steps.extend(until(sending, "be let in", &account.smtp, &error)),
    }
    Report { steps }
}

/// The steps that worked, and the one that did not.
fn until(
    stages: [&'static str; 3],
    afterwards: &'static str,
    server: &impl ToString,
    error: &Error,
) -> Vec<Step> {
    let [reach, encrypt, login] = stages;
    let all = [reach, encrypt, login, afterwards];
    let failed = match error {
        Error::Connect { .. } | Error::Slow { .. } | Error::Broken { .. } | Error::Account(_) => 0,
        Error::Tls { .. } | Error::NotTls { .. } | Error::NoStartTls { .. } => 1,
        Error::Login { .. } | Error::Token(_) => 2,
        Error::Refused { .. }
        | Error::Confused { .. }
        | Error::Mail(_)
        | Error::QuotaSpent { .. } => 3,
    };
    let step = |(at, name): (usize, &'static str)| Step {
        name,
        outcome: if at < failed { Ok(server.to_string()) } else { Err(error.whole()) },
    };
    all.into_iter().enumerate().take(failed + 1).map(step).collect()
}
