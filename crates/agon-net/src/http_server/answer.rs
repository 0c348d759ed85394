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

use bytes::Bytes;
use http_body_util::Full;
use hyper::body;
use hyper::header::{
    ALLOW, CONNECTION, CONTENT_TYPE, EXPECT, FORWARDED, HOST, HeaderMap, HeaderName, HeaderValue,
    ORIGIN, RETRY_AFTER,
};
use hyper::{Method, Request, Response, StatusCode};
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::connection::Session;
use super::pacer::TooMany;
use super::serve::Shared;
use super::{Busy, CODE_MAX, Incoming, JOIN_PATH, MCP_PATH, Page, PathCode};
use super::{Reply, ReplyTo, bump};
use crate::http_client::split_authority;
use crate::wire::{ReadError, beyond, discard, read};

type Answer = Response<Full<Bytes>>;

const JSON: HeaderValue = HeaderValue::from_static("application/json");
const TEXT: HeaderValue = HeaderValue::from_static("text/plain; charset=utf-8");
const CLOSE: HeaderValue = HeaderValue::from_static("close");
const POST: HeaderValue = HeaderValue::from_static("POST");
/// What proxies put into the requests of others, if not `Forwarded`.
const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// Answers one request. Never fails: whatever is wrong with a request has a status.
pub(super) async fn answer(
    session: Arc<Session>,
    request: Request<body::Incoming>,
) -> Result<Answer, Infallible> {
    session.served.store(true, Ordering::Relaxed);
    session.floor.answering();
    let answer = match attend(&session, request).await {
        Ok(answer) => answer,
        Err(refusal) => in_turn(&session, refusal).await,
    };
    session.floor.speaking();
    Ok(answer)
}

/// What is said to a request; `Err` if it refuses somebody who has proved nothing.
async fn attend(session: &Session, request: Request<body::Incoming>) -> Result<Answer, Answer> {
    let shared = &session.shared;
    if !shared.config.hosts.accept(&request) {
        bump(&shared.counters.bad_host, "bad_host");
        return Err(refusal(StatusCode::FORBIDDEN, "this Host or Origin may not call here\n"));
    }
    let Some(code) = code_of(request.uri().path()) else {
        return page(session, &request).ok_or_else(|| {
            bump(&shared.counters.not_found, "not_found");
            refusal(StatusCode::NOT_FOUND, "there is nothing here\n")
        });
    };
    if request.method() != Method::POST {
        let answer = refusal(StatusCode::METHOD_NOT_ALLOWED, "only POST is understood here\n");
        return Err(with(answer, ALLOW, POST));
    }
    let headers = request.headers();
    let is_forwarded = headers.contains_key(FORWARDED) || headers.contains_key(X_FORWARDED_FOR);
    let body = whole_body(session, request).await?;
    if !session.presence.begin() {
        // Somebody else has this place now; nobody will read the answer.
        return Ok(refusal(StatusCode::SERVICE_UNAVAILABLE, "busy, try again later\n"));
    }
    let reply = ask(session, body, code, is_forwarded).await;
    session.presence.end();
    reply
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
    is_forwarded: bool,
) -> Result<Answer, Answer> {
    let shared = &session.shared;
    let (reply, replied) = oneshot::channel();
    let at = Instant::now();
    let (from, reply) = (session.from, ReplyTo(reply));
    let incoming = Incoming { body, from, code, is_forwarded, at, reply };
    if let Err(Busy) = shared.door.handle(incoming) {
        bump(&shared.counters.busy, "busy");
        let answer = refusal(StatusCode::SERVICE_UNAVAILABLE, "busy, try again later\n");
        return Ok(with(answer, RETRY_AFTER, shared.retry_after.clone()));
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
async fn in_turn(session: &Session, refusal: Answer) -> Answer {
    let Shared { pacer, counters, retry_after, .. } = &*session.shared;
    match pacer.turn(session.from.ip(), counters).await {
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
    let (status, text) = match timeout(config.body_timeout, read(&mut body, config.body_max)).await
    {
        Ok(Ok(body)) => return Ok(body),
        Ok(Err(ReadError::TooLarge)) => {
            bump(&counters.too_large, "too_large");
            // A caller that waits for our `100 Continue` has sent nothing that could be discarded.
            if invited && !beyond(&body, config.body_max) {
                let rest = discard(&mut body, config.body_max);
                let _in_vain = timeout(config.body_timeout, rest).await;
            }
            (StatusCode::PAYLOAD_TOO_LARGE, "the body is too large\n")
        }
        Ok(Err(ReadError::Broken(_))) => (StatusCode::BAD_REQUEST, "the body is broken\n"),
        Err(_elapsed) => {
            bump(&counters.timeout, "timeout");
            (StatusCode::REQUEST_TIMEOUT, "the body took too long\n")
        }
    };
    // What is left of the body would be read as the next request.
    Err(with(refusal(status, text), CONNECTION, CLOSE))
}

/// Everything beside `/mcp`: the door's pages, to be read only.
fn page(session: &Session, request: &Request<body::Incoming>) -> Option<Answer> {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return None;
    }
    let Page { content_type, body } = session.shared.door.get(request.uri().path())?;
    Some(with(Response::new(Full::new(body)), CONTENT_TYPE, HeaderValue::from_static(content_type)))
}

/// The door's own reply.
fn spoken(reply: Reply) -> Answer {
    let is_empty = reply.body.is_empty();
    let mut answer = Response::new(Full::new(reply.body));
    *answer.status_mut() =
        StatusCode::from_u16(reply.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    if is_empty { answer } else { with(answer, CONTENT_TYPE, JSON) }
}

/// An answer of the server itself, with a line for the person who debugs the caller.
fn refusal(status: StatusCode, text: &'static str) -> Answer {
    let mut answer = Response::new(Full::new(Bytes::from_static(text.as_bytes())));
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
