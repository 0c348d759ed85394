//! One message as it is kept: what is known of it, and its bytes without secrets.
//!
//! Spec: docs/protocol/match.md

use agon_proto::piece::{BODY_MAX, MessageHead};
use agon_proto::tool::Direction;
use agon_proto::{MatchId, ShortText, redact};
use memchr::memmem::find_iter;

use super::Attempt;
use crate::passed::{Outcome, Passed, Peer, Way};

/// Which attempt an assignment is about. It was understood, so that stands there if it matters.
pub(super) fn attempt_in(said: &[u8]) -> u32 {
    const KEY: &[u8] = b"\"attempt\":";
    let place = said.windows(KEY.len()).position(|it| it == KEY).map(|it| it + KEY.len());
    let rest = place.and_then(|place| str::from_utf8(&said[place..]).ok()).unwrap_or_default();
    let rest = rest.trim_start();
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    rest[..end].parse().unwrap_or(1)
}

/// Writes one message down, without secrets.
pub(super) fn write(
    match_id: MatchId,
    attempt: &mut Attempt,
    passed: &Passed,
    [request, answer]: &mut [Vec<u8>; 2],
) {
    let ours = matches!(passed.way, Way::Called | Way::Sent);
    let cut = clean((&passed.said, ours), request) + clean((&passed.answer, !ours), answer);
    let direction = match passed.way {
        Way::Called | Way::Sent => Direction::Sent,
        Way::WasCalled | Way::Read => Direction::Received,
    };
    let peer = match &passed.peer {
        Peer::Endpoint(endpoint) => ShortText::new(&endpoint.shown()),
        Peer::Caller(_, Some(sender)) => ShortText::new(&sender.to_string()),
        Peer::Caller(from, None) => ShortText::new(&from.to_string()),
        Peer::Mail(address) => ShortText::new(&address.shown()),
    };
    let size = |body: &Vec<u8>| u32::try_from(body.len()).unwrap_or(u32::MAX);
    let head = MessageHead {
        match_id,
        attempt: attempt.number,
        number: attempt.messages,
        at: passed.at,
        direction,
        peer,
        name: ShortText::new(passed.name),
        took_us: Some(u64::try_from(passed.took.as_micros()).unwrap_or(u64::MAX)),
        outcome: outcome(passed),
        request: size(request),
        answer: size(answer),
        cut,
    };
    attempt.text.add(&head, request, answer);
}

/// The body without its secrets, and how much of it was cut.
pub(super) fn clean((said, ours): (&[u8], bool), out: &mut Vec<u8>) -> u64 {
    out.clear();
    if !ours || !without_tokens(said, out) {
        out.clear();
        redact(said, out);
    }
    let cut = out.len().saturating_sub(BODY_MAX);
    out.truncate(BODY_MAX);
    cut as u64
}

/// Writes what we have said ourselves, without its tokens: it holds no other secrets, and most of
/// what is kept is ours, so it is not searched for any. Says no if a token is none of the league's.
fn without_tokens(said: &[u8], out: &mut Vec<u8>) -> bool {
    const FIELD: &[u8] = b"token\":\"";
    const TOKEN: &[u8] = b"tok-";
    if find_iter(said, FIELD).any(|place| !said[place + FIELD.len()..].starts_with(TOKEN)) {
        return false;
    }
    let mut done = 0;
    for place in find_iter(said, TOKEN).map(|place| place + TOKEN.len()) {
        if place < done {
            continue; // Within one that was cut out.
        }
        out.extend_from_slice(&said[done..place]);
        out.extend_from_slice("…".as_bytes());
        let in_word = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        done = place + said[place..].iter().take_while(in_word).count();
    }
    out.extend_from_slice(&said[done..]);
    true
}

/// What became of it, for people.
fn outcome(passed: &Passed) -> ShortText {
    match (&passed.outcome, passed.status) {
        (Outcome::Answered, None | Some(200)) => ShortText::new("answered"),
        (Outcome::Answered, Some(status)) => ShortText::new(&format!("HTTP {status}")),
        (Outcome::Refused(code), _) => ShortText::new(&format!("refused: {code}")),
        (Outcome::TimedOut, _) => ShortText::new("no answer in time"),
        (Outcome::Unreachable(why), _) => ShortText::new(&format!("unreachable: {why}")),
        (Outcome::TooLarge, _) => ShortText::new("the answer was too large"),
        (Outcome::CutOff(_), _) => ShortText::new("the answer broke off"),
        (Outcome::Forbidden, _) => ShortText::new("may not be called there"),
        (Outcome::NotSent, _) => ShortText::new("not sent: our own host could not"),
        (Outcome::Taken, _) => ShortText::new("taken"),
        (Outcome::NotTaken(why), _) => ShortText::new(&format!("not taken: {why}")),
    }
}
