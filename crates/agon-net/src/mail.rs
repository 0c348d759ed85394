//! Mail as a transport: bytes with an address, by SMTP and IMAP.
//!
//! - A [`Postman`] sends: paced, over one connection that is kept, and says of every recipient what
//!   became of it.
//! - [`run`] reads: one task owns the connection to the mailbox for ever, hands every unread mail
//!   over, and is told by commands which of them are dealt with. Nothing is marked as read before.
//! - [`check`] tries everything once and says in plain words what works.
//!
//! Everything that comes in is bounded: the size of a mail, the parts of it that are looked at, and
//! the time that a server may take for an answer.
//!
//! Spec: docs/q21.md

use std::io;
use std::time::Duration;

use crate::tls::TlsFault;

mod account;
mod dial;
mod imap;
mod mailbox;
mod oauth;
mod postman;
mod read;
mod smtp;
mod watch;

pub use account::{Account, BadAccount, BadServerUrl, Protocol, Secret, Security, ServerUrl};
pub use mailbox::{Folders, Junk, Mailbox};
pub use oauth::{OAuth2, OAuth2Settings, TokenError};
pub use postman::{BadMail, MailPace, OutgoingMail, Postman, Refused, SendError};
pub use read::{Authentication, Contents, Doubt, Folder, MailId, ReceivedMail, authenticate};
pub use watch::{MailCommand, MailEvent, WatchConfig, run};

/// Why something with a mail server did not work, in words that the owner of a mailbox can act on.
/// What a server said is repeated, cut to a line; what we said to it never is.
#[derive(Debug, thiserror::Error)]
pub enum MailError {
    #[error("the account cannot be used as it is written")]
    Account(#[from] BadAccount),
    #[error("the mail cannot be sent as it is written")]
    Mail(#[from] BadMail),
    #[error("could not connect to {server}")]
    Connect { server: ServerUrl, source: io::Error },
    #[error("{server} cannot be spoken to over TLS")]
    Tls { server: ServerUrl, source: TlsFault },
    #[error("{server} does not speak TLS from the first byte; try {instead}://, or another port")]
    NotTls { server: ServerUrl, instead: &'static str },
    #[error("{server} offers no STARTTLS; try {instead}://")]
    NoStartTls { server: ServerUrl, instead: &'static str },
    #[error("{server} did not answer in time")]
    Slow { server: ServerUrl },
    #[error("the connection to {server} broke off")]
    Broken { server: ServerUrl, source: io::Error },
    #[error(
        "{server} does not accept the user name and the password (it said: {said}); some providers \
         want an app password"
    )]
    Login { server: ServerUrl, said: String },
    #[error("no access token could be had")]
    Token(#[from] TokenError),
    /// The server understood and would not.
    #[error("{server} refused to {doing} (it said: {said})")]
    Refused { server: ServerUrl, doing: &'static str, said: String },
    #[error("{server} answered what makes no sense in {doing}")]
    Confused { server: ServerUrl, doing: &'static str },
    #[error("as many mails were sent today as are allowed; the next may go in {wait_s} s")]
    QuotaSpent { wait_s: u64 },
}

impl MailError {
    /// With all its causes, in one line.
    pub fn whole(&self) -> String {
        crate::whole(self)
    }
}

/// A mail server that could not be used is tried again after this, and then after twice as long.
pub const RETRY_FIRST: Duration = Duration::from_secs(1);
pub const RETRY_MAX: Duration = Duration::from_secs(60);

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
    let sending = smtp::Link::open(account).await;
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
