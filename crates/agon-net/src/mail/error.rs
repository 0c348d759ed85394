//! What can go wrong with a mail server, in words that the owner of a mailbox can act on.
//!
//! What a server said is repeated, cut to a line; what we said to it never is.

use std::io;
use std::time::Duration;

use tokio::time::timeout;

use super::account::BadAccount;
use super::compose::BadMail;
use super::oauth::TokenError;
use super::server_url::ServerUrl;
use crate::causes;
use crate::tls::TlsFault;

/// Longest part of a server's words that is repeated.
const WORDS_MAX: usize = 300;

/// Why something with a mail server did not work.
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
        causes::whole(self)
    }
}

/// Waits for what a server does, but not for ever.
pub(super) async fn in_time<T>(
    server: &ServerUrl,
    at_most: Duration,
    work: impl Future<Output = T>,
) -> Result<T, MailError> {
    let late = |_elapsed| MailError::Slow { server: server.clone() };
    timeout(at_most, work).await.map_err(late)
}

/// What a server said, fit for one line of a log.
pub(super) fn words(said: &str) -> String {
    let calm = said.trim().chars().map(|c| if c.is_control() { ' ' } else { c });
    calm.take(WORDS_MAX).collect()
}
