//! The messages of a match, for people: a line for each, and what it says if that is wanted; and
//! what was said in a game that is played by letters.

use std::fmt::Write;

use agon_proto::dialect::{GameProse, letter_in};
use agon_proto::tool::{AttemptMessages, Direction, KeptMessage, MatchState, WireText};
use agon_proto::{Limits, PlayerId, ShortText};
use serde::de::IgnoredAny;

/// As wide as a terminal is, in characters.
const WIDTH: usize = 80;
/// What is read here was within its bounds when it passed.
const LIMITS: Limits = Limits { depth_max: 64 };

/// Every message of every attempt, one after the other.
pub(super) fn all(state: &MatchState, whole: bool) -> String {
    let mut text = String::new();
    for attempt in &state.messages {
        text += &head(attempt, state.messages.len() > 1);
        for message in &attempt.messages {
            text += &cut(&line(message));
            if whole {
                text += &body("asked", message.request.as_ref(), message);
                text += &body("answered", message.answer.as_ref(), message);
            }
        }
    }
    text
}

/// What is there of an attempt, and what is not.
fn head(attempt: &AttemptMessages, several: bool) -> String {
    let AttemptMessages { attempt: number, referee_id, messages_sent, complete, messages } =
        attempt;
    let of = if several { format!(" of attempt {number}") } else { String::new() };
    let referee = referee_id.map_or("its referee".to_owned(), |id| id.to_string());
    let kept = u32::try_from(messages.len()).unwrap_or(u32::MAX);
    let missing = messages_sent.saturating_sub(kept);
    match (*messages_sent, missing, complete) {
        (0, ..) => {
            format!("\nmessages{of}: {referee} has handed in none; its `agon log` may have them")
        }
        (_, 0, true) => format!("\nmessages{of}:"),
        (_, 0, false) => format!("\nmessages{of}, as far as {referee} has handed them in:"),
        (_, missing, _) => {
            format!("\nmessages{of}; {missing} of {messages_sent} are missing, lost or too long:")
        }
    }
}

fn line(message: &KeptMessage) -> String {
    let KeptMessage { timestamp, direction, player_id, message_type, latency_us, outcome, .. } =
        message;
    let at = format!("{timestamp:?}");
    let time = at.split_once('T').map_or(at.as_str(), |(_, time)| time.trim_end_matches('Z'));
    let arrow = match direction {
        Direction::Sent => "→",
        Direction::Received => "←",
    };
    let player = player_id.map_or("?".to_owned(), |id| id.to_string());
    let took = latency_us.map_or(String::new(), latency);
    let mut line = format!("{time} {arrow} {player:<4} {message_type:<22} {took:>8}  {outcome}");
    if message.cut {
        line += ", cut";
    }
    line
}

fn latency(us: u64) -> String {
    match us {
        0..10_000 => format!("{us} µs"),
        10_000..10_000_000 => format!("{} ms", us / 1_000),
        _ => format!("{} s", us / 1_000_000),
    }
}

/// A line that is not too long, on a line of its own.
fn cut(line: &str) -> String {
    if line.chars().count() <= WIDTH {
        return format!("\n{line}");
    }
    let short: String = line.chars().take(WIDTH - 1).collect();
    format!("\n{short}…")
}

fn body(what: &str, said: Option<&WireText>, message: &KeptMessage) -> String {
    let Some(said) = said else {
        let hidden = message.withheld && (what == "asked" || message.request.is_some());
        let line = hidden.then(|| format!("\n  {what}: only its author and the operator see it"));
        return line.unwrap_or_default();
    };
    let is_json = serde_json::from_str::<IgnoredAny>(said.as_str()).is_ok();
    let shown = if is_json { spread(said.as_str()) } else { format!("{:?}", said.as_str()) };
    format!("\n  {what}: {}", shown.replace('\n', "\n  "))
}

/// JSON with a line for each part of it, in the order in which it was said.
fn spread(json: &str) -> String {
    let (mut text, mut depth, mut quoted, mut escaped) = (String::new(), 0_usize, false, false);
    let end = |text: &mut String, depth: usize| *text += &format!("\n{:1$}", "", 2 * depth);
    for c in json.chars() {
        if quoted {
            match c.is_control() {
                true => text.extend(c.escape_debug()),
                false => text.push(c),
            }
            quoted = c != '"' || escaped;
            escaped = c == '\\' && !escaped;
            continue;
        }
        match c {
            '{' | '[' => {
                depth += 1;
                text.push(c);
                end(&mut text, depth);
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                end(&mut text, depth);
                text.push(c);
            }
            ',' => {
                text.push(c);
                end(&mut text, depth);
            }
            ':' => text += ": ",
            space if space.is_ascii_whitespace() => {}
            other => {
                quoted = other == '"';
                text.push(other);
            }
        }
    }
    text
}

/// What was said in a game that is played by letters, player by player.
pub(super) fn played(state: &MatchState) -> String {
    let Some(attempt) = state.messages.last() else { return String::new() };
    let mut text = String::new();
    for player in [state.player_a_id, state.player_b_id] {
        let lines = said(attempt, player);
        if !lines.is_empty() {
            let _ = write!(text, "\n\n{player}:");
            lines.iter().for_each(|line| text += &wrapped(line));
        }
    }
    if text.is_empty() { text } else { text + "\n" }
}

fn said(attempt: &AttemptMessages, player: PlayerId) -> Vec<String> {
    let mut prose = GameProse::default();
    for message in attempt.messages.iter().filter(|it| it.player_id == Some(player)) {
        let letter = message.request.as_ref();
        let letter = letter.and_then(|said| letter_in(said.as_str().as_bytes(), LIMITS));
        letter.iter().for_each(|letter| prose.take(&letter.act));
    }
    prose.lines()
}

/// A line on lines of its own, all of them a little to the right.
fn wrapped(line: &str) -> String {
    let indent = line.len() - line.trim_start().len() + 2;
    let (mut text, mut width) = (String::new(), WIDTH);
    for word in line.split_whitespace() {
        let word = ShortText::new(word);
        let length = word.as_str().chars().count();
        if width + 1 + length > WIDTH {
            let deeper = if text.is_empty() { indent } else { indent + 2 };
            let _ = write!(text, "\n{:deeper$}{word}", "");
            width = deeper + length;
        } else {
            let _ = write!(text, " {word}");
            width += 1 + length;
        }
    }
    text
}
