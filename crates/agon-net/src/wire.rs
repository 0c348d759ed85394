//! What comes over the wire: one HTTP body, read into memory, never more of it than allowed; and a
//! connection behind one type, plain or encrypted.
//!
//! A body that arrives in one piece, as nearly all of ours do, is handed on without a copy.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::pin::Pin;

use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt;
use hyper::body::{Body, Incoming};
use tokio::io::{AsyncRead, AsyncWrite};

/// The least that hyper agrees to buffer for a connection.
pub(crate) const BUFFER_MIN: usize = 8 * 1024;

/// Why a body could not be read to its end.
pub(crate) enum ReadError {
    TooLarge,
    Broken(hyper::Error),
}

/// Reads the whole body, or stops at the first byte beyond `bytes_max`.
pub(crate) async fn read(body: &mut Incoming, bytes_max: usize) -> Result<Bytes, ReadError> {
    if beyond(body, bytes_max) {
        return Err(ReadError::TooLarge);
    }
    let Some(first) = next_piece(body, bytes_max).await? else {
        return Ok(Bytes::new());
    };
    let Some(second) = next_piece(body, bytes_max - first.len()).await? else {
        return Ok(first);
    };
    // No reserve by the announced length: a peer shall not make us set memory aside by a header.
    let mut whole = BytesMut::with_capacity(first.len() + second.len());
    whole.extend_from_slice(&first);
    whole.extend_from_slice(&second);
    while let Some(piece) = next_piece(body, bytes_max - whole.len()).await? {
        whole.extend_from_slice(&piece);
    }
    Ok(whole.freeze())
}

/// Throws away what is left of the body, up to `bytes_max`, and does not care how it ends.
///
/// Closing a socket with unread bytes resets it, and the reset can overtake the answer. Reading a
/// little further lets an honest peer see why it was refused.
pub(crate) async fn discard(body: &mut Incoming, bytes_max: usize) {
    let mut left = bytes_max;
    while let Ok(Some(piece)) = next_piece(body, left).await {
        left -= piece.len();
    }
}

/// Whether more than `bytes_max` bytes are announced to be still on their way.
pub(crate) fn beyond(body: &Incoming, bytes_max: usize) -> bool {
    body.size_hint().lower() > bytes_max as u64
}

/// The next piece of data, `None` at the end. Trailers are skipped.
pub(crate) async fn next_piece(
    body: &mut Incoming,
    bytes_max: usize,
) -> Result<Option<Bytes>, ReadError> {
    while !body.is_end_stream() {
        let Some(frame) = body.frame().await else {
            return Ok(None);
        };
        match frame.map_err(ReadError::Broken)?.into_data() {
            Ok(piece) if piece.len() > bytes_max => return Err(ReadError::TooLarge),
            Ok(piece) => return Ok(Some(piece)),
            Err(_trailers) => {}
        }
    }
    Ok(None)
}

/// A connection, plain or encrypted: whoever speaks over it need not know which. The library reads
/// and writes through whatever is pinned.
pub(crate) type Stream = Pin<AnyCarrier>;

/// Any carrier. A type of its own, because a bare box would name a lifetime that async closures
/// cannot be general about.
#[derive(Debug)]
pub(crate) struct AnyCarrier(Box<dyn Carrier>);

/// Whatever carries bytes both ways.
pub(crate) trait Carrier: AsyncRead + AsyncWrite + fmt::Debug + Send + Sync + Unpin {}

impl<C: AsyncRead + AsyncWrite + fmt::Debug + Send + Sync + Unpin> Carrier for C {}

impl Deref for AnyCarrier {
    type Target = dyn Carrier;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl DerefMut for AnyCarrier {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut *self.0
    }
}

pub(crate) fn stream(carrier: impl Carrier + 'static) -> Stream {
    Pin::new(AnyCarrier(Box::new(carrier)))
}
