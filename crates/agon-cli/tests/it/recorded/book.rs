//! All conversations of a season, and how they are held up to those that are kept.
//!
//! A conversation is what one agent said to another about one thing, in order. Which of two
//! conversations went on first is nobody's business, so they stand in the order of their names.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use super::words::take_told;

/// Set to `write`, it accepts whatever is said now.
const VARIABLE: &str = "AGON_RECORDED";
/// How to accept a difference.
const ADVICE: &str = "If that is meant, say why in the commit, and write all of them anew:\n  \
    AGON_RECORDED=write cargo test -p agon-cli -p agon-sim --test it recorded";
/// How much of a line is shown around the first difference.
const SHOWN: usize = 160;

/// What one agent said to another, and what became of it.
pub(crate) struct Said {
    pub(crate) request: String,
    /// An HTTP status, or why there is none.
    pub(crate) outcome: String,
    pub(crate) answer: String,
}

/// A season's conversations, by who says what to whom.
#[derive(Debug, Default)]
pub(crate) struct Book {
    conversations: BTreeMap<(String, String, String), Vec<String>>,
    /// Matches whose end a referee has told, by referee.
    told: BTreeMap<String, BTreeSet<String>>,
}

/// How much of a conversation is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detail {
    Whole,
    /// What kind of message it was, and a hash of the rest.
    Hashed,
}

impl Book {
    /// A call and what became of it.
    pub(crate) fn add_call(&mut self, from: &str, to: &str, said: &Said) {
        let (mut request, told) = take_told(&said.request);
        if !told.is_empty() {
            self.told.entry(from.to_owned()).or_default().extend(told);
        }
        let answer = match (said.outcome.as_str(), said.answer.as_str()) {
            ("200", answer) => format!("\"answer\":{answer}"),
            (outcome, "") => format!("\"failed\":\"{outcome}\""),
            (outcome, answer) => format!("\"status\":{outcome},\"answer\":{answer}"),
        };
        // How often a referee says that it is there, and with how many matches, is the clock's.
        let is_heartbeat = value(&request, "message_type") == Some("HEARTBEAT");
        if is_heartbeat && let Some((head, tail)) = request.split_once(",\"matches_held\":") {
            request = format!("{head}{}", tail.trim_start_matches(|next: char| next.is_numeric()));
        }
        let line = format!("{{\"ask\":{request},{answer}}}");
        let conversation = self.conversation(from, to, &request);
        if !is_heartbeat || !conversation.contains(&line) {
            conversation.push(line);
        }
    }

    /// A letter that nobody answers at once, with more fields of its line.
    pub(crate) fn add_letter(&mut self, from: &str, to: &str, letter: &str, more: &str) {
        let line = format!("{{\"letter\":{letter},{more}}}");
        self.conversation(from, to, letter).push(line);
    }

    /// The conversation that a message belongs to: of a game, a dialogue, or else of the league.
    fn conversation(&mut self, from: &str, to: &str, message: &str) -> &mut Vec<String> {
        let envelope = message.split("\"payload\":").next().unwrap_or(message);
        let about = value(envelope, "game_id").or_else(|| value(envelope, "conversation_id"));
        let key = (from.to_owned(), to.to_owned(), about.unwrap_or("league").to_owned());
        self.conversations.entry(key).or_default()
    }

    /// The whole book as a text. What is said to several in the same words stands there once.
    fn text(&self, detail: Detail) -> String {
        let mut heard: BTreeMap<(&str, &str, &[String]), Vec<&str>> = BTreeMap::new();
        for ((from, to, about), lines) in &self.conversations {
            heard.entry((from, about, lines)).or_default().push(to);
        }
        let mut text = String::new();
        for ((from, about, lines), to) in heard {
            writeln!(text, "# {from} to {}: {about}", to.join(" ")).unwrap();
            for line in lines {
                match detail {
                    Detail::Whole => writeln!(text, "{line}").unwrap(),
                    Detail::Hashed => {
                        let kind = value(line, "message_type").unwrap_or("?");
                        writeln!(text, "{kind} {:016x}", hash(line)).unwrap();
                    }
                }
            }
        }
        for (from, matches) in &self.told {
            let matches: Vec<_> = matches.iter().map(String::as_str).collect();
            writeln!(text, "# {from} has told the end of: {}", matches.join(" ")).unwrap();
        }
        text
    }

    /// Compares the book with the one that is kept under that name, or keeps it.
    #[track_caller]
    pub(crate) fn check(&self, name: &str, detail: Detail) {
        let file = format!("{name}.txt");
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/recorded").join(&file);
        let text = self.text(detail);
        if std::env::var_os(VARIABLE).is_some_and(|it| it == "write") {
            return fs::write(&path, text).unwrap();
        }
        let kept = fs::read_to_string(&path).unwrap_or_default();
        if kept == text {
            return;
        }
        let now = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("recorded-{file}"));
        fs::write(&now, &text).unwrap();
        panic!(
            "{}\n\nAll of it, for a diff with tests/recorded/{file}: {}\n{ADVICE}",
            difference(&kept, &text),
            now.display()
        );
    }
}

/// The first line that differs, with those around it.
fn difference(kept: &str, now: &str) -> String {
    let (kept, now): (Vec<_>, Vec<_>) = (kept.lines().collect(), now.lines().collect());
    let same = kept.iter().zip(&now).take_while(|(kept, now)| kept == now).count();
    let about = kept[..same].iter().rev().find(|line| line.starts_with('#'));
    let (was, is) = (kept.get(same).copied(), now.get(same).copied());
    let common = was.unwrap_or("").bytes().zip(is.unwrap_or("").bytes());
    let common = common.take_while(|(one, other)| one == other).count();
    let cut = |line: Option<&str>| {
        let Some(line) = line else { return "(nothing)".to_owned() };
        let start = line.floor_char_boundary(common.saturating_sub(SHOWN / 2));
        let end = line.floor_char_boundary((start + SHOWN).min(line.len()));
        let (before, after) = (if start > 0 { "…" } else { "" }, line.len() > end);
        format!("{before}{}{}", &line[start..end], if after { "…" } else { "" })
    };
    let near = |lines: &[&str], place: Option<usize>| {
        let line = place.and_then(|place| lines.get(place));
        line.map(|line| format!("      {}\n", line.chars().take(SHOWN).collect::<String>()))
    };
    let before = near(&kept, same.checked_sub(1)).unwrap_or_default();
    let after = near(&now, Some(same + 1)).unwrap_or_default();
    format!(
        "the conversation differs in line {} ({})\n{before} was  {}\n  is  {}\n{after}",
        same + 1,
        about.unwrap_or(&"# the first one"),
        cut(was),
        cut(is)
    )
}

/// The first text field of that name.
fn value<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(&format!("\"{name}\":\""))?;
    rest.split('"').next()
}

/// Fowler, Noll and Vo's.
fn hash(text: &str) -> u64 {
    let step = |sum: u64, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, step)
}

#[test]
fn a_difference_is_shown_where_it_is() {
    let kept = "# a to b: c\n{\"ask\":1}\n{\"ask\":2}\n";
    let shown = difference(kept, &kept.replace("2", "3"));
    assert!(shown.contains("line 3 (# a to b: c)"), "{shown}");
    assert!(shown.contains("was  {\"ask\":2}\n  is  {\"ask\":3}"), "{shown}");
    assert!(difference(kept, "# a to b: c\n{\"ask\":1}\n").contains("is  (nothing)"));
}

#[test]
fn what_several_hear_stands_there_once_and_heartbeats_do_not_count() {
    let mut book = Book::default();
    let said = |request: &str| Said {
        request: request.into(),
        outcome: "200".into(),
        answer: "{}".into(),
    };
    for to in ["P01", "P02"] {
        book.add_call("manager", to, &said("{\"conversation_id\":\"conv-1\"}"));
    }
    for held in 0..3 {
        let beat = "\"message_type\":\"HEARTBEAT\",\"conversation_id\":\"conv-h\"";
        let beat =
            format!("{{\"params\":{{{beat},\"matches_held\":{held},\"told\":[\"R1M{held}\"]}}}}");
        book.add_call("REF01", "manager", &said(&beat));
    }
    let text = book.text(Detail::Whole);
    assert_eq!(text.lines().count(), 5, "{text}");
    assert!(text.starts_with("# REF01 to manager: conv-h\n"), "{text}");
    assert!(text.contains("# manager to P01 P02: conv-1\n"), "{text}");
    assert!(text.ends_with("# REF01 has told the end of: R1M0 R1M1 R1M2\n"), "{text}");
}
