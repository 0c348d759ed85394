//! A connection's bytes, with an ear for what the HTTP library says by itself.
//!
//! What cannot be read as HTTP never becomes a request: the library answers 400 or 431 on its own.
//! Such an answer has to wait for its turn like any other refusal, or garbage would be the one kind
//! of flood that is not slowed down.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::listen::Session;
use super::pacer::TooMany;

/// Whose word it is on a connection.
#[derive(Debug, Default)]
pub(super) struct Floor(AtomicU8);

const LISTENING: u8 = 0;
const ANSWERING: u8 = 1;
const SPEAKING: u8 = 2;

impl Floor {
    /// A request is being answered. Reading goes on meanwhile.
    pub(super) fn answering(&self) {
        self.0.store(ANSWERING, Ordering::Relaxed);
    }

    /// The answer is on its way out.
    pub(super) fn speaking(&self) {
        self.0.store(SPEAKING, Ordering::Relaxed);
    }

    /// The next request has begun to come in.
    fn listening(&self) {
        let order = Ordering::Relaxed;
        let _answering = self.0.compare_exchange(SPEAKING, LISTENING, order, order);
    }

    /// Nobody was asked, and still something is being said.
    fn is_unasked(&self) -> bool {
        self.0.load(Ordering::Relaxed) == LISTENING
    }
}

type Turn = Pin<Box<dyn Future<Output = Result<(), TooMany>> + Send>>;

pub(super) struct PacedStream<S, D> {
    stream: S,
    session: Arc<Session<D>>,
    turn: Option<Turn>,
}

impl<S, D> PacedStream<S, D> {
    pub(super) fn new(stream: S, session: Arc<Session<D>>) -> Self {
        Self { stream, session, turn: None }
    }
}

impl<S, D: Send + Sync + 'static> PacedStream<S, D> {
    /// Ready when something may be said.
    fn poll_turn(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if !self.session.floor.is_unasked() {
            return Poll::Ready(Ok(()));
        }
        let turn = self.turn.get_or_insert_with(|| {
            let session = Arc::clone(&self.session);
            Box::pin(async move {
                let shared = &session.shared;
                shared.pacer.turn(session.from.ip(), &shared.counters).await
            })
        });
        let turn = ready!(turn.as_mut().poll(context));
        self.turn = None;
        self.session.floor.speaking();
        Poll::Ready(turn.map_err(|TooMany| io::ErrorKind::ConnectionAborted.into()))
    }
}

impl<S: AsyncRead + Unpin, D> AsyncRead for PacedStream<S, D> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = ready!(Pin::new(&mut self.stream).poll_read(context, buffer));
        if buffer.filled().len() > before {
            self.session.floor.listening();
        }
        Poll::Ready(read)
    }
}

impl<S: AsyncWrite + Unpin, D: Send + Sync + 'static> AsyncWrite for PacedStream<S, D> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        ready!(self.poll_turn(context))?;
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        ready!(self.poll_turn(context))?;
        Pin::new(&mut self.stream).poll_write_vectored(context, pieces)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
