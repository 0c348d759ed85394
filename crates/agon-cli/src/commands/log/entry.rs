//! One line of a message log, as it is read and as it is shown.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write;

use serde::Deserialize;
use serde_json::value::RawValue;

/// What the columns of a line take, so that it has 80 of them.
const PEER: usize = 15;
/// After these somebody has an id.
const REGISTER: [&str; 2] = ["LEAGUE_REGISTER_REQUEST", "REFEREE_REGISTER_REQUEST"];
/// Only the manager is called with these.
const TO_MANAGER: [&str; 5] =
    [REGISTER[0], REGISTER[1], "MATCH_RESULT_REPORT", "HEARTBEAT", "keep_messages"];
/// So much of a reason is shown in one line.
const REASON: usize = 76;

/// A line as it is kept. Everything but its time may be missing.
#[derive(Deserialize)]
pub(super) struct Entry<'a> {
    #[serde(borrow)]
    pub(super) at: Cow<'a, str>,
    #[serde(default)]
    took_us: u64,
    #[serde(borrow)]
    way: Option<Cow<'a, str>>,
    #[serde(borrow)]
    peer: Option<Cow<'a, str>>,
    #[serde(borrow)]
    agent: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(super) message: Option<Cow<'a, str>>,
    #[serde(borrow, rename = "match")]
    pub(super) match_id: Option<Cow<'a, str>>,
    #[serde(borrow)]
    outcome: Option<Cow<'a, str>>,
    status: Option<u16>,
    #[serde(borrow)]
    code: Option<Cow<'a, str>>,
    #[serde(borrow)]
    reason: Option<Cow<'a, str>>,
    #[serde(borrow)]
    request: Option<&'a RawValue>,
    #[serde(borrow)]
    request_text: Option<Cow<'a, str>>,
    #[serde(borrow)]
    letter: Option<&'a RawValue>,
    #[serde(borrow)]
    letter_text: Option<Cow<'a, str>>,
    #[serde(borrow)]
    answer: Option<&'a RawValue>,
    #[serde(borrow)]
    answer_text: Option<Cow<'a, str>>,
    request_bytes: Option<u64>,
    letter_bytes: Option<u64>,
    answer_bytes: Option<u64>,
    left_out: Option<u64>,
}

/// Whose an endpoint is, as far as the log says: who registers is given an id, and a match names
/// both players.
#[derive(Default)]
pub(super) struct Known(HashMap<String, String>);

impl Known {
    pub(super) fn learn(&mut self, entry: &Entry<'_>) {
        let calls = entry.way.as_deref() == Some("called");
        if calls && entry.message.as_deref().is_some_and(|name| TO_MANAGER.contains(&name)) {
            self.put(entry.peer.as_deref(), Some("manager"));
        }
        let learns = |name: &str| REGISTER.contains(&name) || name == "MATCH_ASSIGNMENT";
        if !entry.message.as_deref().is_some_and(learns) {
            return;
        }
        let text = |json: Option<&RawValue>| json.map_or("", RawValue::get).to_owned();
        let (said, answered) = (text(entry.request), text(entry.answer));
        let given = ["player_id", "referee_id"].map(|name| field(&answered, name));
        self.put(field(&said, "contact_endpoint"), given.into_iter().flatten().next());
        self.put(field(&said, "player_A_endpoint"), field(&said, "player_A_id"));
        self.put(field(&said, "player_B_endpoint"), field(&said, "player_B_id"));
    }

    fn put(&mut self, endpoint: Option<&str>, id: Option<&str>) {
        if let (Some(endpoint), Some(id)) = (endpoint, id) {
            self.0.insert(endpoint.to_owned(), id.to_owned());
        }
    }
}

/// The text of the first field of that name.
fn field<'a>(json: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = json.split_once(&format!("\"{name}\":\""))?;
    rest.split('"').next()
}

impl Entry<'_> {
    pub(super) fn outcome(&self) -> &str {
        if self.left_out.is_some() { "left-out" } else { self.outcome.as_deref().unwrap_or("ok") }
    }

    /// Who it is, if that is known.
    fn id<'b>(&'b self, known: &'b Known) -> Option<&'b str> {
        let known = || self.peer.as_deref().and_then(|peer| known.0.get(peer));
        let registers = self.way.as_deref() == Some("was-called");
        let registers =
            registers && self.message.as_deref().is_some_and(|it| REGISTER.contains(&it));
        let answer = self.answer.map(RawValue::get).filter(|_| registers);
        let given = || ["player_id", "referee_id"].into_iter().find_map(|it| field(answer?, it));
        self.agent.as_deref().or_else(|| known().map(String::as_str)).or_else(given)
    }

    /// Whether it is from or to whoever is meant: an id, or a part of an address.
    pub(super) fn is_with(&self, who: &str, known: &Known) -> bool {
        let is_id = self.id(known).is_some_and(|id| id.eq_ignore_ascii_case(who));
        let part = |peer: &str| who.contains([':', '.', '@', '/']) && peer.contains(who);
        is_id || self.peer.as_deref().is_some_and(part)
    }

    /// One line for people.
    pub(super) fn line(&self, known: &Known) -> String {
        let clock = self.at.split_once('T').map_or("", |(_, time)| time);
        let clock = clock.get(..12).unwrap_or(clock);
        if let Some(left_out) = self.left_out {
            return format!(
                "{clock} … {left_out} messages are missing: the disk was too slow, or full"
            );
        }
        let arrow = match self.way.as_deref() {
            Some("called" | "sent") => '→',
            _ => '←',
        };
        let peer = short(self.id(known).or(self.peer.as_deref()).unwrap_or("?"));
        let message = self.message.as_deref().unwrap_or("?");
        let (match_id, took) = (self.match_id.as_deref().unwrap_or(""), took(self.took_us));
        let how = match (self.outcome(), self.code.as_deref(), self.status) {
            (how, Some(code), _) if code.starts_with('E') => format!("{how} {code}"),
            (how @ "failed", None, Some(status)) => format!("{how} {status}"),
            (how, ..) => how.to_owned(),
        };
        format!("{clock} {arrow} {peer:PEER$} {message:24} {match_id:5} {how:12} {took:>5}")
    }

    /// What more there is to see.
    pub(super) fn more(&self, whole: bool) -> Vec<String> {
        let reason =
            self.reason.as_deref().map(|reason| format!("    {}", cut(&plain(reason), REASON)));
        let mut lines: Vec<String> = reason.into_iter().collect();
        let bodies = [
            ("request", self.request, &self.request_text, self.request_bytes),
            ("letter", self.letter, &self.letter_text, self.letter_bytes),
            ("answer", self.answer, &self.answer_text, self.answer_bytes),
        ];
        for (name, json, text, bytes) in bodies.into_iter().filter(|_| whole) {
            let Some(said) = json.map(RawValue::get).or(text.as_deref()) else { continue };
            let mut line =
                format!("    {name}: {}", plain(said.trim_end()).replace('\n', "\n    "));
            if let Some(bytes) = bytes {
                let _ = write!(line, " … (cut: {bytes} bytes in all)");
            }
            lines.push(line);
        }
        lines
    }
}

/// A peer in few letters.
fn short(peer: &str) -> String {
    let bare = peer.split_once("://").map_or(peer, |(_, rest)| rest);
    cut(bare.trim_end_matches("/mcp"), PEER)
}

/// Without what could harm a terminal, or turn its text around.
fn plain(text: &str) -> String {
    let harmless = |c: char| match c {
        '\n' => c,
        '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}'
        | '\u{feff}' => char::REPLACEMENT_CHARACTER,
        c if c.is_control() => char::REPLACEMENT_CHARACTER,
        c => c,
    };
    text.chars().map(harmless).collect()
}

fn cut(text: &str, length: usize) -> String {
    if text.chars().count() <= length {
        return text.to_owned();
    }
    text.chars().take(length - 1).chain(['…']).collect()
}

/// How long something took, in five letters.
fn took(micros: u64) -> String {
    match micros as f64 {
        us if us < 9_950.0 => format!("{:.1}ms", us / 1e3),
        us if us < 999_500.0 => format!("{:.0}ms", us / 1e3),
        us if us < 99_950_000.0 => format!("{:.1}s", us / 1e6),
        us => format!("{:.0}s", us / 1e6),
    }
}
