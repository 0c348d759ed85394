//! One request, from its head to its answer: the checks in order, then the door.
//!
//! A web page in the operator's browser must not reach an agent on the same machine. By DNS
//! rebinding a page's own *name* may point at us, so names are refused unless they are listed; an
//! address cannot be rebound. A page may also post across sites, and then its `Origin` tells.

use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use bytes::{Bytes, BytesMut};
use http_body_util::Full as FullBody;
use hyper::body::{self, Body};
use hyper::header::{
    ALLOW, CONNECTION, CONTENT_TYPE, EXPECT, HOST, HeaderMap, HeaderName, HeaderValue, ORIGIN,
    RETRY_AFTER,
};
use hyper::{Method, Request, Response, StatusCode};
use tokio::sync::oneshot;
use tokio::time::{timeout, timeout_at};

use super::connection::Session;
use super::pacer::TooMany;
use super::places::Full;
use super::proxies::CallerAddress;
use super::serve::Shared;
use super::{Busy, CODE_MAX, Incoming, JOIN_PATH, MCP_PATH, Page, PathCode};
use super::{Reply, ReplyTo, bump};
use crate::http_client::split_authority;
use crate::wire::{ReadError, beyond, discard, next_piece};

type Answer = Response<FullBody<Bytes>>;

const JSON: HeaderValue = HeaderValue::from_static("application/json");
const TEXT: HeaderValue = HeaderValue::from_static("text/plain; charset=utf-8");
const CLOSE: HeaderValue = HeaderValue::from_static("close");
const POST: HeaderValue = HeaderValue::from_static("POST");

/// What somebody can do who asked for a path that is not there, or in another way than agents do.
const NOTHING: &str = "there is nothing here: agents POST their messages to /mcp, \
    or to /join/CODE/mcp with an invitation\n";
const ONLY_POST: &str = "this is for agents: POST a request here, as JSON\n";

/// Answers one request. Never fails: whatever is wrong with a request has a status.
pub(super) async fn answer(
    session: Arc<Session>,
    request: Request<body::Incoming>,
) -> Result<Answer, Infallible> {
    session.served.store(true, Ordering::Relaxed);
    session.floor.answering();
    let mut caller = session.shared.config.proxies.caller(session.from.address, request.headers());
    caller.is_veiled |= session.from.is_veiled;
    let answer = match attend(&session, caller, request).await {
        Ok(answer) => answer,
        Err(refusal) => in_turn(&session, caller, refusal).await,
    };
    session.presence.end();
    session.floor.speaking();
    Ok(answer)
}

/// What is said to a request; `Err` if it refuses somebody who has proved nothing.
async fn attend(
    session: &Session,
    caller: CallerAddress,
    request: Request<body::Incoming>,
) -> Result<Answer, Answer> {
    let shared = &session.shared;
    if !shared.config.hosts.accept(&request) {
        bump(&shared.counters.bad_host, "bad_host");
        return Err(refusal(StatusCode::FORBIDDEN, "this Host or Origin may not call here\n"));
    }
    let Some(code) = code_of(request.uri().path()) else {
        return page(session, &request).ok_or_else(|| {
            bump(&shared.counters.not_found, "not_found");
            refusal(StatusCode::NOT_FOUND, NOTHING)
        });
    };
    if request.method() != Method::POST {
        let answer = refusal(StatusCode::METHOD_NOT_ALLOWED, ONLY_POST);
        return Err(with(answer, ALLOW, POST));
    }
    // What is held of it counts until it was answered.
    let _held = Held(session);
    let body = whole_body(session, request).await?;
    if !session.presence.begin() {
        // Somebody else has this place now; nobody will read the answer.
        return Ok(busy(&session.shared));
    }
    let reply = ask(session, body, code, caller).await;
    session.presence.end();
    reply
}

/// Bytes of a body, as long as they count.
struct Held<'a>(&'a Session);

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.0.shared.places.release(&self.0.presence);
    }
}

/// The code in a path on which messages arrive, if one stands there; nothing on any other path.
fn code_of(path: &str) -> Option<Option<PathCode>> {
    if path == MCP_PATH {
        return Some(None);
    }
    let code = path.strip_prefix(JOIN_PATH)?.strip_suffix(MCP_PATH)?;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let fits = (1..=CODE_MAX).contains(&code.len()) && code.bytes().all(plain);
    fits.then(|| Some(PathCode(code.into())))
}

/// Hands a body to the door, and waits for what it says.
async fn ask(
    session: &Session,
    body: Bytes,
    code: Option<PathCode>,
    caller: CallerAddress,
) -> Result<Answer, Answer> {
    let shared = &session.shared;
    let (reply, replied) = oneshot::channel();
    let at = Instant::now();
    let CallerAddress { address: from, is_veiled: is_forwarded } = caller;
    let incoming = Incoming { body, from, code, is_forwarded, at, reply: ReplyTo(reply) };
    if let Err(Busy) = shared.door.handle(incoming) {
        bump(&shared.counters.busy, "busy");
        return Ok(busy(shared));
    }
    let Ok(reply) = replied.await else {
        bump(&shared.counters.unanswered, "unanswered");
        let text = "the request was left unanswered\n";
        return Ok(refusal(StatusCode::INTERNAL_SERVER_ERROR, text));
    };
    let is_paced = reply.is_paced;
    let mut answer = spoken(reply);
    if answer.status() == StatusCode::TOO_MANY_REQUESTS {
        answer = with(answer, RETRY_AFTER, shared.retry_after.clone());
    }
    if is_paced { Err(answer) } else { Ok(answer) }
}

/// A refusal, when its turn has come; another one, if that is too far away.
async fn in_turn(session: &Session, caller: CallerAddress, refusal: Answer) -> Answer {
    let Shared { pacer, counters, retry_after, .. } = &*session.shared;
    match pacer.turn(caller.address.ip(), counters).await {
        Ok(()) => refusal,
        Err(TooMany) => {
            let answer = spoken(Reply::too_many(pacer.pacing.words.clone()));
            with(with(answer, RETRY_AFTER, retry_after.clone()), CONNECTION, CLOSE)
        }
    }
}

/// Reads the body within its bounds, or says what to answer instead.
async fn whole_body(session: &Session, request: Request<body::Incoming>) -> Result<Bytes, Answer> {
    let config = &session.shared.config;
    let counters = &session.shared.counters;
    let invited = !request.headers().contains_key(EXPECT);
    let mut body = request.into_body();
    let (status, text) = match read_held(session, &mut body).await {
        Ok(body) => return Ok(body),
        Err(Unread::TooLarge) => {
            bump(&counters.too_large, "too_large");
            // A caller that waits for our `100 Continue` has sent nothing that could be discarded.
            if invited && !beyond(&body, config.body_max) {
                let rest = discard(&mut body, config.body_max);
                let _in_vain = timeout(config.body_pace.at_most, rest).await;
            }
            (StatusCode::PAYLOAD_TOO_LARGE, "the body is too large\n")
        }
        Err(Unread::Broken) => (StatusCode::BAD_REQUEST, "the body is broken\n"),
        Err(Unread::Slow) => {
            bump(&counters.timeout, "timeout");
            (StatusCode::REQUEST_TIMEOUT, "the body took too long\n")
        }
        Err(Unread::NoRoom) => {
            bump(&counters.bodies, "bodies");
            return Err(with(busy(&session.shared), CONNECTION, CLOSE));
        }
    };
    // What is left of the body would be read as the next request.
    Err(with(refusal(status, text), CONNECTION, CLOSE))
}

/// Why a body was not read to its end.
enum Unread {
    TooLarge,
    Broken,
    Slow,
    NoRoom,
}

impl From<ReadError> for Unread {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::TooLarge => Self::TooLarge,
            ReadError::Broken(_) => Self::Broken,
        }
    }
}

/// Reads a body at its pace, and counts what it takes.
async fn read_held(session: &Session, body: &mut body::Incoming) -> Result<Bytes, Unread> {
    let config = &session.shared.config;
    if beyond(body, config.body_max) {
        return Err(Unread::TooLarge);
    }
    let began = Instant::now();
    // No room by the announced length: a peer shall not make us set memory aside by a header.
    let mut whole = BytesMut::new();
    loop {
        let due = config.body_pace.due(began.into(), whole.len());
        let piece = timeout_at(due, next_piece(body, config.body_max - whole.len())).await;
        let Some(piece) = piece.map_err(|_elapsed| Unread::Slow)?? else {
            return Ok(whole.freeze());
        };
        let before = whole.capacity();
        if before == 0 && body.is_end_stream() {
            hold(session, piece.len())?;
            return Ok(piece);
        }
        // A piece keeps all of the buffer that it came in, however small it is.
        whole.extend_from_slice(&piece);
        let more = whole.capacity().saturating_sub(before);
        hold(session, more)?;
    }
}

/// Counts what a body takes, and those that were sent away for it.
fn hold(session: &Session, more: usize) -> Result<(), Unread> {
    let Shared { places, counters, .. } = &*session.shared;
    let sent_away = places.hold(&session.presence, more).map_err(|Full| Unread::NoRoom)?;
    (0..sent_away).for_each(|_| bump(&counters.bodies, "bodies"));
    Ok(())
}

/// Everything beside `/mcp`: the door's pages, to be read only.
fn page(session: &Session, request: &Request<body::Incoming>) -> Option<Answer> {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return None;
    }
    let Page { content_type, body } = session.shared.door.get(request.uri().path())?;
    Some(with(
        Response::new(FullBody::new(body)),
        CONTENT_TYPE,
        HeaderValue::from_static(content_type),
    ))
}

/// The door's own reply.
fn spoken(reply: Reply) -> Answer {
    let is_empty = reply.body.is_empty();
    let mut answer = Response::new(FullBody::new(reply.body));
    *answer.status_mut() =
        StatusCode::from_u16(reply.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    if is_empty { answer } else { with(answer, CONTENT_TYPE, JSON) }
}

/// It did nothing wrong, and may come again.
fn busy(shared: &Shared) -> Answer {
    let answer = refusal(StatusCode::SERVICE_UNAVAILABLE, "busy, try again later\n");
    with(answer, RETRY_AFTER, shared.retry_after.clone())
}

/// An answer of the server itself, with a line for the person who debugs the caller.
fn refusal(status: StatusCode, text: &'static str) -> Answer {
    let mut answer = Response::new(FullBody::new(Bytes::from_static(text.as_bytes())));
    *answer.status_mut() = status;
    with(answer, CONTENT_TYPE, TEXT)
}

fn with(mut answer: Answer, name: HeaderName, value: HeaderValue) -> Answer {
    answer.headers_mut().insert(name, value);
    answer
}

/// The names under which this server may be called, beside `localhost` and every IP address.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hosts {
    /// Host names without a port, such as `league.example.org`.
    pub listed: Vec<String>,
}

impl Hosts {
    /// Whether this request was meant for us and not sent by a foreign web page.
    pub(super) fn accept<B>(&self, request: &Request<B>) -> bool {
        let Ok(Some(host)) = only(request.headers(), &HOST) else {
            return false;
        };
        // An absolute request target overrules the `Host` header, so it must pass as well.
        let target = request.uri().authority();
        self.is_ours(host)
            && target.is_none_or(|target| self.is_ours(target.as_str()))
            && self.is_our_page(request, host)
    }

    /// No browser at all, a page of this very server, or of a listed name. A page of some other
    /// address or port is foreign, on this machine too: only as a `Host` does one prove anything.
    fn is_our_page<B>(&self, request: &Request<B>, host: &str) -> bool {
        let origin = match only(request.headers(), &ORIGIN) {
            Ok(None) => return true,
            Ok(Some(origin)) => origin,
            Err(Unclear) => return false,
        };
        let site = origin.strip_prefix("http://").or(origin.strip_prefix("https://"));
        site.is_some_and(|site| {
            site.eq_ignore_ascii_case(host)
                || host_of(site).is_some_and(|(host, _)| self.lists(host))
        })
    }

    fn is_ours(&self, authority: &str) -> bool {
        let is_known = |host: &str| host.eq_ignore_ascii_case("localhost") || self.lists(host);
        host_of(authority).is_some_and(|(host, address)| address.is_some() || is_known(host))
    }

    fn lists(&self, name: &str) -> bool {
        self.listed.iter().any(|listed| listed.eq_ignore_ascii_case(name))
    }
}

/// A header that must be read one way only was sent twice, or is no text.
struct Unclear;

/// The value of a header that may occur once.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, Unclear> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => value.to_str().map(Some).map_err(|_no_text| Unclear),
        (Some(_), Some(_)) => Err(Unclear),
    }
}

/// The host of an authority whose port is sound, and its address if it is one.
fn host_of(authority: &str) -> Option<(&str, Option<IpAddr>)> {
    let (host, address, port) = split_authority(authority)?;
    port.is_none_or(|port| port.parse::<u16>().is_ok()).then_some((host, address))
}

#[cfg(test)]
mod tests;
