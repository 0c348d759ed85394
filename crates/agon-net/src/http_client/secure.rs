//! The way to an `https://` endpoint: TCP as for any other, then the handshake, within its time.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::Uri;
use hyper_util::client::legacy::connect::{Connected, Connection, HttpConnector};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::pki_types::ServerName;
use tower_service::Service;

use super::Source;
use super::resolve::Resolver;
use crate::tls::{TlsFault, Trust};

/// Connects and shakes hands. A clone is cheap.
#[derive(Debug, Clone)]
pub(super) struct Secure {
    tcp: HttpConnector<Resolver>,
    trust: Trust,
    patience: Duration,
}

impl Secure {
    /// On top of a connector that also takes `https`.
    pub(super) fn new(tcp: HttpConnector<Resolver>, trust: Trust, patience: Duration) -> Self {
        Self { tcp, trust, patience }
    }
}

impl Service<Uri> for Secure {
    type Response = TokioIo<Wire>;
    type Error = Source;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Source>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Source>> {
        self.tcp.poll_ready(context).map_err(Into::into)
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let (trust, patience) = (self.trust.clone(), self.patience);
        let host = uri.host().unwrap_or_default().trim_matches(['[', ']']).to_owned();
        let tcp = self.tcp.call(uri);
        Box::pin(async move {
            // First, so that a peer does not wait while we read the system's issuers.
            let config = trust.config().await?;
            let name = ServerName::try_from(host.clone())
                .map_err(|_no_name| TlsFault::WrongName { asked: host.clone() })?;
            let stream = tcp.await?.into_inner();
            let handshake = TlsConnector::from(config).connect(name, stream);
            let shaken = timeout(patience, handshake).await.map_err(|_elapsed| TlsFault::Slow)?;
            let stream = shaken.map_err(|error| TlsFault::of(&error, &host))?;
            Ok(TokioIo::new(Wire(stream)))
        })
    }
}

/// An encrypted connection, as the pool wants it.
pub(super) struct Wire(TlsStream<TcpStream>);

impl Connection for Wire {
    fn connected(&self) -> Connected {
        Connected::new()
    }
}

impl AsyncRead for Wire {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl AsyncWrite for Wire {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write_vectored(context, pieces)
    }

    fn is_write_vectored(&self) -> bool {
        self.0.is_write_vectored()
    }
}
