//! The way to a mail server: TCP, then TLS at once, or after STARTTLS, or not at all.

use std::io::{self, Cursor};
use std::sync::Arc;
use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::ClientConfig;
use tokio_rustls::rustls::pki_types::ServerName;

use super::account::Account;
use super::error::MailError;
use super::pipe::{Pipe, Prefaced, line};
use super::server_url::{Protocol, Security, ServerUrl};
use crate::tls::{TlsFault, Trust};

/// How long each of connecting, STARTTLS and the handshake may take.
pub(super) const DIAL_TIMEOUT: Duration = Duration::from_secs(20);
/// Longest answer, in lines, before encryption.
const LINES_MAX: usize = 64;
/// Who we say we are before that matters.
const EHLO: &str = "EHLO [127.0.0.1]\r\n";

/// Who speaks next on a connection to an IMAP server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Greeting {
    Due,
    Heard,
}

/// Connects to the IMAP server, encrypted as its address says.
pub(super) async fn imap(account: &Account) -> Result<(Pipe, Greeting), MailError> {
    let server = &account.imap;
    let tcp = connect(server).await?;
    match server.security {
        Security::Plain => Ok((Pipe::Plain(tcp), Greeting::Due)),
        Security::Tls => Ok((encrypt(tcp, server, &account.trust).await?, Greeting::Due)),
        Security::StartTls => {
            let tcp = in_time(server, ask_imap(tcp, server)).await?;
            Ok((encrypt(tcp, server, &account.trust).await?, Greeting::Heard))
        }
    }
}

/// Connects to the SMTP server. Whatever happened on the way, it greets now.
pub(super) async fn smtp(account: &Account) -> Result<Prefaced, MailError> {
    let server = &account.smtp;
    let tcp = connect(server).await?;
    let mut preface: &'static [u8] = b"";
    let pipe = match server.security {
        Security::Plain => Pipe::Plain(tcp),
        Security::Tls => encrypt(tcp, server, &account.trust).await?,
        Security::StartTls => {
            preface = b"220 encrypted now\r\n";
            let tcp = in_time(server, ask_smtp(tcp, server)).await?;
            encrypt(tcp, server, &account.trust).await?
        }
    };
    Ok(Prefaced { preface: Cursor::new(preface), pipe })
}

async fn connect(server: &ServerUrl) -> Result<TcpStream, MailError> {
    let connecting = TcpStream::connect((server.host.as_str(), server.port));
    let failed = |source| MailError::Connect { server: server.clone(), source };
    let stream = match timeout(DIAL_TIMEOUT, connecting).await {
        Ok(connected) => connected.map_err(failed)?,
        Err(_elapsed) => return Err(MailError::Slow { server: server.clone() }),
    };
    stream.set_nodelay(true).map_err(failed)?;
    Ok(stream)
}

async fn encrypt(tcp: TcpStream, server: &ServerUrl, trust: &Trust) -> Result<Pipe, MailError> {
    let fault = |source| MailError::Tls { server: server.clone(), source };
    let mut config = ClientConfig::clone(&*trust.config().await.map_err(fault)?);
    config.alpn_protocols.clear(); // Mail names no protocol inside.
    let name = ServerName::try_from(server.host.clone())
        .map_err(|_no_name| fault(TlsFault::WrongName { asked: server.host.clone() }))?;
    let handshake = TlsConnector::from(Arc::new(config)).connect(name, tcp);
    let shaken =
        timeout(DIAL_TIMEOUT, handshake).await.map_err(|_elapsed| fault(TlsFault::Slow))?;
    let error = match shaken {
        Ok(stream) => return Ok(Pipe::Tls(Box::new(stream))),
        Err(error) => TlsFault::of(&error, &server.host),
    };
    if matches!(error, TlsFault::NotTls) {
        return Err(MailError::NotTls { server: server.clone(), instead: instead(server) });
    }
    Err(fault(error))
}

/// The other way to begin encryption there.
fn instead(server: &ServerUrl) -> &'static str {
    match (server.protocol, server.security) {
        (Protocol::Imap, Security::StartTls) => "imaps",
        (Protocol::Imap, Security::Tls | Security::Plain) => "imap+starttls",
        (Protocol::Smtp, Security::StartTls) => "smtps",
        (Protocol::Smtp, Security::Tls | Security::Plain) => "smtp+starttls",
    }
}

async fn in_time(
    server: &ServerUrl,
    asking: impl Future<Output = Result<TcpStream, MailError>>,
) -> Result<TcpStream, MailError> {
    let late = Err(MailError::Slow { server: server.clone() });
    timeout(DIAL_TIMEOUT, asking).await.unwrap_or(late)
}

/// Asks an IMAP server for encryption.
async fn ask_imap(mut tcp: TcpStream, server: &ServerUrl) -> Result<TcpStream, MailError> {
    let broken = |source| MailError::Broken { server: server.clone(), source };
    let talk = async {
        line(&mut tcp).await?; // The greeting.
        tcp.write_all(b"s1 STARTTLS\r\n").await?;
        for _ in 0..LINES_MAX {
            if let Some(answer) = line(&mut tcp).await?.strip_prefix("s1 ") {
                return Ok(answer.starts_with("OK"));
            }
        }
        Err(io::Error::other("no answer among many lines"))
    };
    if talk.await.map_err(broken)? { Ok(tcp) } else { Err(no_starttls(server)) }
}

/// Asks an SMTP server for encryption.
async fn ask_smtp(mut tcp: TcpStream, server: &ServerUrl) -> Result<TcpStream, MailError> {
    let broken = |source| MailError::Broken { server: server.clone(), source };
    let talk = async {
        reply(&mut tcp).await?; // The greeting.
        tcp.write_all(EHLO.as_bytes()).await?;
        reply(&mut tcp).await?;
        tcp.write_all(b"STARTTLS\r\n").await?;
        Ok(reply(&mut tcp).await?.starts_with("220"))
    };
    if talk.await.map_err(broken)? { Ok(tcp) } else { Err(no_starttls(server)) }
}

fn no_starttls(server: &ServerUrl) -> MailError {
    MailError::NoStartTls { server: server.clone(), instead: instead(server) }
}

/// The last line of an SMTP answer; all others have a dash behind their number.
async fn reply(tcp: &mut TcpStream) -> io::Result<String> {
    for _ in 0..LINES_MAX {
        let line = line(tcp).await?;
        if line.as_bytes().get(3) != Some(&b'-') {
            return Ok(line);
        }
    }
    Err(io::Error::other("an answer without an end"))
}
