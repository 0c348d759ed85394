//! The way to an `https://` endpoint: TCP as for any other, then the handshake, within its time.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::Uri;
use hyper_util::client::legacy::connect::{Connected, Connection, HttpConnector};
use hyper_util::rt::TokioIo;
use tower_service::Service;

use super::Source;
use super::resolve::Resolver;
use crate::stream::Stream;
use crate::tls::Trust;

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
    type Response = TokioIo<Stream>;
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
            let handshake = trust.handshake(&host).await?;
            let stream = handshake.shake(tcp.await?.into_inner(), patience).await?;
            Ok(TokioIo::new(stream))
        })
    }
}

impl Connection for Stream {
    fn connected(&self) -> Connected {
        Connected::new()
    }
}
