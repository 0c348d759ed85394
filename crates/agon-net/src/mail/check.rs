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

/// How far somebody comes with a server.
const READING: [&str; 4] =
    ["reach the IMAP server", "encrypt what is said to it", "log in to read", "open the inbox"];
const SENDING: [&str; 4] =
    ["reach the SMTP server", "encrypt what is said to it", "log in to send", "be let in"];

/// Tries to read and to send with this account. No mail is read, and none is sent. Says what was
/// tried, in order; steps that make no sense after a failure are left out.
pub async fn check(account: &Account, folders: Folders) -> Vec<CheckStep> {
    if let Err(bad) = account.check() {
        let outcome = Err(bad.to_string());
        return vec![CheckStep { name: "understand the settings", outcome }];
    }
    let reading = Mailbox::open(account, folders, 0).await;
    let mut steps = tried(READING, &account.imap, reading.as_ref().err());
    if let Ok(mailbox) = reading {
        steps.push(CheckStep { name: READING[3], outcome: Ok("it is there".into()) });
        let news = if mailbox.tells_news() {
            "the server tells at once (IDLE)"
        } else {
            "the server does not tell (no IDLE), so we go and look"
        };
        steps.push(CheckStep { name: "hear of new mails", outcome: Ok(news.into()) });
        mailbox.close().await;
    }
    let sending = Link::open(account).await;
    steps.extend(tried(SENDING, &account.smtp, sending.as_ref().err()));
    steps
}

/// The steps up to being logged in that worked, and the one that did not.
fn tried(
    names: [&'static str; 4],
    server: &ServerUrl,
    error: Option<&MailError>,
) -> Vec<CheckStep> {
    let worked = match error {
        Some(
            MailError::Connect { .. }
            | MailError::Slow { .. }
            | MailError::Broken { .. }
            | MailError::Account(_),
        ) => 0,
        Some(MailError::Tls { .. } | MailError::NotTls { .. } | MailError::NoStartTls { .. }) => 1,
        Some(MailError::Login { .. } | MailError::Token(_)) => 2,
        None
        | Some(
            MailError::Refused { .. }
            | MailError::Confused { .. }
            | MailError::Mail(_)
            | MailError::QuotaSpent { .. },
        ) => 3,
    };
    let fine = |name: &&'static str| CheckStep { name, outcome: Ok(server.to_string()) };
    let failed = |error: &MailError| CheckStep { name: names[worked], outcome: Err(error.whole()) };
    names[..worked].iter().map(fine).chain(error.map(failed)).collect()
}
