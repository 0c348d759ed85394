//! The way to a mail server: TCP, then TLS at once, or after STARTTLS, or not at all. And how long
//! it is listened to, whatever it does.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt, join, split};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::MailError;
use super::account::{Protocol, Security, ServerUrl};
use crate::tls::{TlsFault, Trust};
use crate::wire::{Stream, stream};

/// How long each of connecting, STARTTLS and the handshake may take.
const DIAL_TIMEOUT: Duration = Duration::from_secs(20);
/// Longest answer, in lines, before encryption.
const LINES_MAX: usize = 64;
/// Longest line of a conversation before encryption.
const LINE_MAX: usize = 4 * 1024;
/// Who we say we are before that matters.
const EHLO: &str = "EHLO [127.0.0.1]\r\n";
/// Longest part of a server's words that is repeated.
const WORDS_MAX: usize = 300;

/// Connects to a server, encrypted as its address says. Whatever happened on the way, it greets
/// now: after STARTTLS no server does so again, and every client waits for that.
pub(super) async fn dial(server: &ServerUrl, trust: &Trust) -> Result<Stream, MailError> {
    let failed = |source| MailError::Connect { server: server.clone(), source };
    let connecting = TcpStream::connect((server.host.as_str(), server.port));
    let mut tcp = in_time(server, DIAL_TIMEOUT, connecting).await?.map_err(failed)?;
    tcp.set_nodelay(true).map_err(failed)?;
    match server.security {
        Security::Plain => Ok(stream(tcp)),
        Security::Tls => encrypt(tcp, server, trust).await,
        Security::StartTls => {
            let asking = async {
                match server.protocol {
                    Protocol::Imap => ask_imap(&mut tcp).await,
                    Protocol::Smtp => ask_smtp(&mut tcp).await,
                }
            };
            let broken = |source| MailError::Broken { server: server.clone(), source };
            if !in_time(server, DIAL_TIMEOUT, asking).await?.map_err(broken)? {
                let (server, instead) = (server.clone(), instead(server));
                return Err(MailError::NoStartTls { server, instead });
            }
            let (reading, writing) = split(encrypt(tcp, server, trust).await?);
            let greeting: &[u8] = match server.protocol {
                Protocol::Imap => b"* OK encrypted now\r\n",
                Protocol::Smtp => b"220 encrypted now\r\n",
            };
            Ok(stream(join(greeting.chain(reading), writing)))
        }
    }
}

async fn encrypt(tcp: TcpStream, server: &ServerUrl, trust: &Trust) -> Result<Stream, MailError> {
    let fault = |source| MailError::Tls { server: server.clone(), source };
    let mut handshake = trust.handshake(&server.host).await.map_err(fault)?;
    // Mail names no protocol inside.
    Arc::make_mut(&mut handshake.config).alpn_protocols.clear();
    handshake.shake(tcp, DIAL_TIMEOUT).await.map_err(|error| {
        if matches!(error, TlsFault::NotTls) {
            return MailError::NotTls { server: server.clone(), instead: instead(server) };
        }
        fault(error)
    })
}

/// The other way to begin encryption there.
fn instead(server: &ServerUrl) -> &'static str {
    server.scheme(match server.security {
        Security::StartTls => Security::Tls,
        Security::Tls | Security::Plain => Security::StartTls,
    })
}

/// Asks for encryption: whether it is granted.
async fn ask_imap(tcp: &mut TcpStream) -> io::Result<bool> {
    line(tcp).await?; // The greeting.
    tcp.write_all(b"s1 STARTTLS\r\n").await?;
    for _ in 0..LINES_MAX {
        if let Some(answer) = line(tcp).await?.strip_prefix("s1 ") {
            return Ok(answer.starts_with("OK"));
        }
    }
    Err(io::Error::other("no answer among many lines"))
}

async fn ask_smtp(tcp: &mut TcpStream) -> io::Result<bool> {
    reply(tcp).await?; // The greeting.
    tcp.write_all(EHLO.as_bytes()).await?;
    reply(tcp).await?;
    tcp.write_all(b"STARTTLS\r\n").await?;
    Ok(reply(tcp).await?.starts_with("220"))
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

/// Reads a line without its end. Byte by byte, so that nothing behind it is taken along: what came
/// unencrypted must never count as said inside the encryption.
async fn line(tcp: &mut TcpStream) -> io::Result<String> {
    let mut line = Vec::new();
    loop {
        match tcp.read_u8().await? {
            b'\n' => break,
            byte if line.len() < LINE_MAX => line.push(byte),
            _one_too_many => return Err(io::Error::other("a line without an end")),
        }
    }
    Ok(String::from_utf8_lossy(&line).trim_end().to_owned())
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
