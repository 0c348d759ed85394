//! One connection to a submission server, and one mail at a time over it.
//!
//! Every recipient is asked for by itself, so one that is refused takes nothing from the others.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use lettre::Address;
use lettre::transport::smtp;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::{AsyncSmtpConnection, AsyncTokioStream};
use lettre::transport::smtp::commands::{Data, Mail, Rcpt, Rset};
use lettre::transport::smtp::extension::ClientId;

use super::dial::{dial, in_time, words};
use super::{Account, MailError, Refused, Secret, SendError, ServerUrl};
use crate::wire::Stream;

/// How long a server may take for an answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(60);
/// How long it may take to accept a whole mail; it may have to look for viruses first.
const TAKE_TIMEOUT: Duration = Duration::from_secs(180);
/// How a provider says in its words that the day's mails are spent, although by its number the
/// refusal is for ever.
const SPENT: &str = "5.4.5";
/// What a server says before it hangs up.
const CLOSING: u16 = 421;

/// A connection over which somebody has logged in.
pub(super) struct Link {
    connection: AsyncSmtpConnection,
    server: ServerUrl,
}

/// What became of one mail.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    /// Who did not get it.
    pub(super) short: SendError,
    /// Whether the mail itself was refused, and not single recipients of it.
    pub(super) is_mail_refused: bool,
}

/// Why nothing more can be said over a connection.
#[derive(Debug)]
pub(super) enum Lost {
    /// Nobody got the mail.
    Before(MailError),
    /// It was all said, and the answer is missing: they may have got it.
    InDoubt(MailError),
}

/// How a command ended when it did not succeed.
enum Setback {
    Temporary(MailError),
    Permanent(String),
    Lost(MailError),
}

impl Link {
    /// Connects and logs in.
    pub(super) async fn open(account: &Account) -> Result<Self, MailError> {
        let server = account.smtp.clone();
        let stream = Box::new(dial(&server, &account.trust).await?);
        let hello = ClientId::default();
        let greeting = AsyncSmtpConnection::connect_with_transport(stream, &hello);
        let greeted = in_time(&server, ANSWER_TIMEOUT, greeting).await?;
        let connection = greeted.map_err(|error| broken(&server, &error))?;
        let mut link = Self { connection, server };
        link.log_in(account).await?;
        Ok(link)
    }

    async fn log_in(&mut self, account: &Account) -> Result<(), MailError> {
        let (mechanisms, secret): (&[Mechanism], String) = match &account.secret {
            Secret::Password(password) => (&[Mechanism::Plain, Mechanism::Login], password.clone()),
            Secret::OAuth2(source) => (&[Mechanism::Xoauth2], source.token().await?),
        };
        let credentials = Credentials::new(account.user.clone(), secret);
        let server = self.server.clone();
        let asking = self.connection.auth(mechanisms, &credentials);
        let Err(error) = in_time(&server, ANSWER_TIMEOUT, asking).await? else {
            return Ok(());
        };
        if let Secret::OAuth2(source) = &account.secret {
            source.forget().await;
        }
        if error.is_permanent() {
            return Err(MailError::Login { server, said: said(&error) });
        }
        if error.is_client() || error.is_transient() {
            return Err(MailError::Refused { server, doing: "let us log in", said: said(&error) });
        }
        Err(broken(&server, &error))
    }

    /// Hands over one mail.
    pub(super) async fn deliver(
        &mut self,
        from: &Address,
        to: &[Address],
        content: &[u8],
    ) -> Result<Outcome, Lost> {
        let mut outcome = Outcome::default();
        if let Err(setback) = self.say(Mail::new(Some(from.clone()), vec![])).await {
            return self.give_up(setback, to, outcome).await;
        }
        let mut accepted = Vec::new();
        for recipient in to {
            match self.say(Rcpt::new(recipient.clone(), vec![])).await {
                Ok(()) => accepted.push(recipient.clone()),
                Err(setback) => {
                    let only = std::slice::from_ref(recipient);
                    outcome.short.note(setback, only).map_err(Lost::Before)?;
                }
            }
        }
        if accepted.is_empty() {
            self.reset().await?;
            return Ok(outcome);
        }
        if let Err(setback) = self.say(Data).await {
            return self.give_up(setback, &accepted, outcome).await;
        }
        let handing = self.connection.message(content);
        let answer = match in_time(&self.server, TAKE_TIMEOUT, handing).await {
            Ok(Ok(_taken)) => return Ok(outcome),
            Ok(Err(error)) => setback(&self.server, &error),
            Err(slow) => Setback::Lost(slow),
        };
        outcome.is_mail_refused = true;
        outcome.short.note(answer, &accepted).map_err(Lost::InDoubt)?;
        Ok(outcome)
    }

    /// Nobody of these gets this mail now; the connection is made ready for the next.
    async fn give_up(
        &mut self,
        setback: Setback,
        who: &[Address],
        mut outcome: Outcome,
    ) -> Result<Outcome, Lost> {
        outcome.is_mail_refused = true;
        outcome.short.note(setback, who).map_err(Lost::Before)?;
        self.reset().await?;
        Ok(outcome)
    }

    async fn reset(&mut self) -> Result<(), Lost> {
        match self.say(Rset).await {
            Ok(()) | Err(Setback::Permanent(_) | Setback::Temporary(_)) => Ok(()),
            Err(Setback::Lost(error)) => Err(Lost::Before(error)),
        }
    }

    async fn say(&mut self, command: impl std::fmt::Display) -> Result<(), Setback> {
        let asking = self.connection.command(command);
        let answer = in_time(&self.server, ANSWER_TIMEOUT, asking).await.map_err(Setback::Lost)?;
        answer.map(drop).map_err(|error| setback(&self.server, &error))
    }
}

impl SendError {
    /// Writes down what a setback means for these.
    fn note(&mut self, setback: Setback, who: &[Address]) -> Result<(), MailError> {
        match setback {
            Setback::Permanent(said) => {
                let refused = |recipient: &Address| Refused {
                    recipient: recipient.to_string(),
                    said: said.clone(),
                };
                self.refused.extend(who.iter().map(refused));
            }
            Setback::Temporary(error) => {
                self.later.extend(who.iter().map(Address::to_string));
                self.cause = Some(error);
            }
            Setback::Lost(error) => return Err(error),
        }
        Ok(())
    }
}

impl AsyncTokioStream for Stream {
    /// The library never asks.
    fn peer_addr(&self) -> io::Result<SocketAddr> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

fn setback(server: &ServerUrl, error: &smtp::Error) -> Setback {
    let said = said(error);
    let closing = error.status().is_some_and(|code| u16::from(code) == CLOSING);
    if error.is_permanent() && !said.contains(SPENT) {
        return Setback::Permanent(said);
    }
    if (error.is_permanent() || error.is_transient()) && !closing {
        let server = server.clone();
        return Setback::Temporary(MailError::Refused { server, doing: "take a mail now", said });
    }
    Setback::Lost(broken(server, error))
}

fn said(error: &smtp::Error) -> String {
    words(&std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string))
}

/// The library's error holds only what the server said.
fn broken(server: &ServerUrl, error: &smtp::Error) -> MailError {
    MailError::Broken {
        server: server.clone(),
        source: io::Error::other(words(&error.to_string())),
    }
}
