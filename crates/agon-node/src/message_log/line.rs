//! One line of a message log. What was JSON on one line stands in it as it is; anything else as a
//! text, and so does what is cut.

use std::io::Write;

use agon_proto::frame::Limits;
use agon_proto::{Sender, Timestamp, redact};
use serde::Serialize;
use serde::de::IgnoredAny;

use crate::clock::Clock;
use crate::passed::{Outcome, Passed, Peer, Way};

/// Writes one line for a message.
pub(super) fn write(
    passed: &Passed,
    body_max: usize,
    limits: Limits,
    out: &mut Vec<u8>,
    scratch: &mut Vec<u8>,
) {
    at(passed.at, out);
    let (took, way) = (passed.took.as_micros(), way(passed.way));
    put(out, format_args!(",\"took_us\":{took},\"way\":\"{way}\",\"peer\":"));
    match &passed.peer {
        Peer::Endpoint(endpoint) => text(&endpoint.shown(), out),
        Peer::Caller(address, sender) => {
            put(out, format_args!("\"{address}\""));
            field("agent", sender.as_ref().map(agent), out);
        }
        Peer::Mail(address) => text(address.as_str(), out),
    }
    put(out, format_args!(",\"message\":\"{}\"", passed.name));
    if let Some(match_id) = passed.of_match() {
        put(out, format_args!(",\"match\":\"{match_id}\""));
    }
    field("conversation", passed.conversation(), out);
    let code = passed.refusal(limits);
    let (word, reason) = outcome(passed, code);
    put(out, format_args!(",\"outcome\":\"{word}\""));
    if let Some(status) = passed.status {
        put(out, format_args!(",\"status\":{status}"));
    }
    field("code", code, out);
    field("reason", reason.filter(|reason| !reason.is_empty()), out);
    let said = match passed.way {
        Way::Called | Way::WasCalled => "request",
        Way::Sent | Way::Read => "letter",
    };
    body((said, &passed.said, passed.way == Way::Called), body_max, out, scratch);
    body(("answer", &passed.answer, passed.way == Way::WasCalled), body_max, out, scratch);
    out.extend_from_slice(b"}\n");
}

/// Writes a line that says how many are missing.
pub(super) fn write_left_out(left_out: u64, out: &mut Vec<u8>) {
    at(Clock::start().now(), out);
    put(out, format_args!(",\"left_out\":{left_out}}}\n"));
}

fn at(at: Timestamp, out: &mut Vec<u8>) {
    put(out, format_args!("{{\"at\":\"{at:?}\""));
}

const fn way(way: Way) -> &'static str {
    match way {
        Way::Called => "called",
        Way::WasCalled => "was-called",
        Way::Sent => "sent",
        Way::Read => "read",
    }
}

/// What became of it, in one word; and what more there is to say.
fn outcome<'a>(passed: &'a Passed, code: Option<&str>) -> (&'static str, Option<&'a str>) {
    let failed = passed.status.is_some_and(|status| status >= 400);
    match &passed.outcome {
        Outcome::Answered if code.is_some() => ("refused", None),
        Outcome::Answered if failed => ("failed", None),
        Outcome::Answered | Outcome::Taken => ("ok", None),
        Outcome::Refused(_) => ("refused", None),
        Outcome::TimedOut => ("late", None),
        Outcome::Unreachable(reason) => ("unreachable", Some(reason)),
        Outcome::TooLarge => ("too-large", None),
        Outcome::CutOff(reason) => ("cut-off", Some(reason)),
        Outcome::Forbidden => ("forbidden", None),
        Outcome::NotSent => ("not-sent", None),
        Outcome::NotTaken(reason) => ("not-taken", Some(reason)),
    }
}

fn agent(sender: &Sender) -> String {
    match sender {
        Sender::LeagueManager => "manager".to_owned(),
        Sender::Referee(id) => id.to_string(),
        Sender::Player(id) => id.to_string(),
        Sender::NewReferee(name) | Sender::NewPlayer(name) => name.to_string(),
    }
}

/// The words of a message, if there are any.
fn body(
    (name, said, ours): (&str, &[u8], bool),
    body_max: usize,
    out: &mut Vec<u8>,
    scratch: &mut Vec<u8>,
) {
    if said.is_empty() {
        return;
    }
    let cut = said.len() > body_max;
    scratch.clear();
    redact(&said[..said.len().min(body_max)], scratch);
    // Ours is JSON. What others send is looked at, because one odd body must not spoil its line.
    let is_json = || {
        let text = str::from_utf8(scratch);
        ours || text.is_ok_and(|text| serde_json::from_str::<IgnoredAny>(text).is_ok())
    };
    if !cut && is_json() {
        put(out, format_args!(",\"{name}\":"));
        // Outside of its texts, where alone they can stand, line breaks mean nothing.
        let one_line = |byte: &u8| if matches!(byte, b'\n' | b'\r') { b' ' } else { *byte };
        out.extend(scratch.iter().map(one_line));
        return;
    }
    put(out, format_args!(",\"{name}_text\":"));
    text(&String::from_utf8_lossy(scratch), out);
    if cut {
        put(out, format_args!(",\"{name}_bytes\":{}", said.len()));
    }
}

fn field(name: &str, value: Option<impl Serialize + AsRef<str>>, out: &mut Vec<u8>) {
    if let Some(value) = value {
        put(out, format_args!(",\"{name}\":"));
        text(value.as_ref(), out);
    }
}

fn text(text: &str, out: &mut Vec<u8>) {
    serde_json::to_writer(out, text).expect("a text can always be written to memory");
}

fn put(out: &mut Vec<u8>, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("memory can always be written to");
}
