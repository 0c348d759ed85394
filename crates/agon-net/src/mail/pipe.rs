//! A connection to a mail server, encrypted or not, behind one type.

use std::io::{self, Cursor};
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};

use lettre::transport::smtp::client::AsyncTokioStream;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::client::TlsStream;

/// Longest line of a conversation before encryption.
const LINE_MAX: usize = 4 * 1024;

#[derive(Debug)]
pub(super) enum Pipe {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

impl AsyncRead for Pipe {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_read(context, buffer),
            Self::Tls(stream) => Pin::new(stream).poll_read(context, buffer),
        }
    }
}

impl AsyncWrite for Pipe {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_write(context, bytes),
            Self::Tls(stream) => Pin::new(stream).poll_write(context, bytes),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_flush(context),
            Self::Tls(stream) => Pin::new(stream).poll_flush(context),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_shutdown(context),
            Self::Tls(stream) => Pin::new(stream).poll_shutdown(context),
        }
    }
}

/// A pipe that first reads as something that was read off it before, or that the other side need
/// not repeat: after STARTTLS an SMTP server does not greet again, and its client waits for that.
#[derive(Debug)]
pub(super) struct Prefaced {
    pub(super) preface: Cursor<&'static [u8]>,
    pub(super) pipe: Pipe,
}

impl AsyncRead for Prefaced {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let Self { preface, pipe } = self.get_mut();
        if preface.position() < preface.get_ref().len() as u64 {
            return Pin::new(preface).poll_read(context, buffer);
        }
        Pin::new(pipe).poll_read(context, buffer)
    }
}

impl AsyncWrite for Prefaced {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.pipe).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.pipe).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.pipe).poll_shutdown(context)
    }
}

impl AsyncTokioStream for Prefaced {
    fn peer_addr(&self) -> io::Result<SocketAddr> {
        match &self.pipe {
            Pipe::Plain(stream) => stream.peer_addr(),
            Pipe::Tls(stream) => stream.get_ref().0.peer_addr(),
        }
    }
}

/// Reads a line without its end. Byte by byte, so that nothing behind it is taken along: what came
/// unencrypted must never count as said inside the encryption.
pub(super) async fn line(stream: &mut TcpStream) -> io::Result<String> {
    let mut line = Vec::new();
    loop {
        match stream.read_u8().await? {
            b'\n' => break,
            byte if line.len() < LINE_MAX => line.push(byte),
            _one_too_many => return Err(io::Error::other("a line without an end")),
        }
    }
    Ok(String::from_utf8_lossy(&line).trim_end().to_owned())
}
