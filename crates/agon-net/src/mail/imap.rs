//! One connection to an IMAP server: logging in, one command at a time, and listening for news.
//!
//! A command that is dropped, or that the server does not answer in time, leaves the connection in
//! a state that nobody knows: it is then given up, and every later command says so.

use std::io;
use std::mem;
use std::time::Duration;

use async_imap::extensions::idle::{Handle, IdleResponse};
use async_imap::types::{Capabilities, UnsolicitedResponse};
use async_imap::{Authenticator, Client, error};
use tokio::time::{sleep, timeout};

use super::dial::{dial, in_time, words};
use super::oauth::xoauth2;
use super::{Account, MailError, Secret, ServerUrl};
use crate::wire::Stream;

/// How long a server may take for an answer, be it a few mails long.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(60);
/// Servers hang up on whoever listens for half an hour.
const LISTEN_MAX: Duration = Duration::from_secs(25 * 60);
/// What a server does while we listen.
const TELL: &str = "tell us about new mails";

pub(super) type Session = async_imap::Session<Stream>;

pub(super) struct Imap {
    state: State,
    server: ServerUrl,
    /// What the server says it can do.
    pub(super) can: Capabilities,
}

enum State {
    Ready(Box<Session>),
    Listening(Box<Handle<Stream>>),
    /// Cannot be used any more.
    Lost,
}

impl Imap {
    /// Connects and logs in.
    pub(super) async fn open(account: &Account) -> Result<Self, MailError> {
        account.check()?;
        let server = account.imap.clone();
        let mut client = Client::new(dial(&server, &account.trust).await?);
        let greeting = async { client.read_response().await?.ok_or(error::Error::ConnectionLost) };
        answer(&server, "greet us", greeting).await?;
        let mut session = log_in(client, account).await?;
        let can = answer(&server, "say what it can do", session.capabilities()).await?;
        Ok(Self { state: State::Ready(Box::new(session)), server, can })
    }

    /// Carries out one command. It may take its time, but not for ever.
    pub(super) async fn command<T>(
        &mut self,
        doing: &'static str,
        command: impl AsyncFnOnce(&mut Session) -> error::Result<T>,
    ) -> Result<T, MailError> {
        let mut session = self.take().await?;
        let done = answer(&self.server, doing, command(&mut session)).await;
        if matches!(done, Ok(_) | Err(MailError::Refused { .. })) {
            self.state = State::Ready(session); // It heard us, and will hear the next.
        }
        done
    }

    /// The session, after listening has ended. It is gone until somebody puts it back.
    async fn take(&mut self) -> Result<Box<Session>, MailError> {
        match mem::replace(&mut self.state, State::Lost) {
            State::Ready(session) => Ok(session),
            State::Listening(handle) => {
                answer(&self.server, "stop listening", handle.done()).await.map(Box::new)
            }
            State::Lost => {
                let source = io::Error::other("it was given up before");
                Err(MailError::Broken { server: self.server.clone(), source })
            }
        }
    }

    /// Begins to listen to the folder that was opened last. Whether there is news already.
    pub(super) async fn begin_listening(&mut self) -> Result<bool, MailError> {
        let session = self.take().await?;
        let aside = session.unsolicited_responses.clone();
        while aside.try_recv().is_ok() {} // From earlier commands, whose results are newer.
        let mut handle = session.idle();
        answer(&self.server, TELL, handle.init()).await?;
        self.state = State::Listening(Box::new(handle));
        // What came between the last command and this one was said before listening began.
        let mut is_news = false;
        while let Ok(said) = aside.try_recv() {
            is_news |= matches!(said, UnsolicitedResponse::Exists(_));
        }
        Ok(is_news)
    }

    /// Listens until there is news or the time is up. May be dropped and begun again at any time.
    pub(super) async fn listen(&mut self, at_most: Duration) -> Result<(), MailError> {
        let at_most = at_most.min(LISTEN_MAX);
        let State::Listening(handle) = &mut self.state else {
            sleep(at_most).await; // Without IDLE somebody has to go and look.
            return Ok(());
        };
        let (waiting, _interrupt) = handle.wait_with_timeout(LISTEN_MAX);
        let lost = match timeout(at_most, waiting).await {
            Err(_) | Ok(Ok(IdleResponse::NewData(_) | IdleResponse::Timeout)) => return Ok(()),
            Ok(Ok(IdleResponse::ManualInterrupt)) => {
                self.state = State::Lost;
                error::Error::ConnectionLost
            }
            Ok(Err(cause)) => cause,
        };
        Err(failed(&self.server, TELL, lost))
    }
}

/// Waits for the answer to a command, but not for ever.
async fn answer<T>(
    server: &ServerUrl,
    doing: &'static str,
    asking: impl Future<Output = error::Result<T>>,
) -> Result<T, MailError> {
    let answer = in_time(server, ANSWER_TIMEOUT, asking).await?;
    answer.map_err(|cause| failed(server, doing, cause))
}

async fn log_in(client: Client<Stream>, account: &Account) -> Result<Session, MailError> {
    let server = &account.imap;
    let outcome = match &account.secret {
        Secret::Password(password) => {
            in_time(server, ANSWER_TIMEOUT, client.login(&account.user, password)).await?
        }
        Secret::OAuth2(source) => {
            let proof = Bearer(Some(xoauth2(&account.user, &source.token().await?)));
            let outcome =
                in_time(server, ANSWER_TIMEOUT, client.authenticate("XOAUTH2", proof)).await?;
            if outcome.is_err() {
                source.forget().await;
            }
            outcome
        }
    };
    outcome.map_err(|(cause, _client)| {
        let error = failed(server, "let us log in", cause);
        if let MailError::Refused { server, said, .. } = error {
            return MailError::Login { server, said };
        }
        error
    })
}

/// Shows a token once. A server that does not like it asks again, and wants to hear nothing then.
struct Bearer(Option<String>);

impl Authenticator for Bearer {
    type Response = String;

    fn process(&mut self, _challenge: &[u8]) -> String {
        self.0.take().unwrap_or_default()
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the library may add more kinds")]
fn failed(server: &ServerUrl, doing: &'static str, cause: error::Error) -> MailError {
    let server = server.clone();
    match cause {
        error::Error::No(said) | error::Error::Bad(said) => {
            MailError::Refused { server, doing, said: words(information(&said)) }
        }
        error::Error::Io(source) => MailError::Broken { server, source },
        error::Error::ConnectionLost => {
            MailError::Broken { server, source: io::ErrorKind::UnexpectedEof.into() }
        }
        // Their texts quote what was read, or what we said.
        _unreadable => MailError::Confused { server, doing },
    }
}

/// What the server said, of what the library makes of it.
fn information(said: &str) -> &str {
    let quoted = said.split_once("info: Some(\"").and_then(|(_, rest)| rest.strip_suffix("\")"));
    quoted.unwrap_or(if said.ends_with("info: None") { "no" } else { said })
}
