//! What was said, without what differs from one season to the next.
//!
//! Times, secrets, addresses, request ids and our version are replaced; nothing else. Two more
//! things follow the clock and not the season, and are put into an order of their own: the entries
//! of a transcript, which stand here for each player in turn, and the matches that a referee says
//! it has told, which stand in whatever it sends next.

use std::collections::BTreeMap;

/// Who is at which address: `127.0.0.1:8101` is `P01`.
#[derive(Debug, Default)]
pub(crate) struct Names(BTreeMap<String, String>);

impl Names {
    pub(crate) fn add(&mut self, address: &str, name: &str) {
        self.0.insert(address.to_owned(), name.to_owned());
    }

    /// Who is there.
    #[track_caller]
    pub(crate) fn of(&self, address: &str) -> &str {
        self.0.get(address).unwrap_or_else(|| panic!("nobody is at {address}: {:?}", self.0))
    }

    /// The text that is the same in every season that goes the same way.
    pub(crate) fn normalise(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (address, name) in &self.0 {
            text = text.replace(address, name);
        }
        without_numbers(&by_player(&plain(&text)))
    }
}

/// Replaces every time and every secret.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut before = ' ';
    while let Some(next) = rest.chars().next() {
        let found = time(rest).map(|length| (length, "<time>"));
        let found = found.or_else(|| secret(rest).map(|length| (length, "<secret>")));
        let found = found.filter(|_| !before.is_ascii_alphanumeric());
        let (length, shown) = found.unwrap_or((next.len_utf8(), &rest[..next.len_utf8()]));
        out.push_str(shown);
        before = rest[..length].chars().last().unwrap_or(' ');
        rest = &rest[length..];
    }
    out
}

/// The length of a time such as `2026-01-15T10:05:00.25Z` at the start.
fn time(text: &str) -> Option<usize> {
    const SHAPE: &[u8] = b"0000-00-00T00:00:00";
    let bytes = text.as_bytes();
    let fits = |(byte, shape): (&u8, &u8)| match shape {
        b'0' => byte.is_ascii_digit(),
        other => byte == other,
    };
    if bytes.len() < SHAPE.len() || !bytes.iter().zip(SHAPE).all(fits) {
        return None;
    }
    let mut end = SHAPE.len();
    let digits =
        |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    if bytes.get(end) == Some(&b'.') {
        end += 1 + digits(end + 1);
    }
    match bytes.get(end) {
        Some(b'Z') => end += 1,
        Some(b'+' | b'-') => end += "+00:00".len(),
        _ => {}
    }
    Some(end)
}

/// The length of sixteen hexadecimal digits or more: a token, or what a registration is known by.
/// The tokens of a game by mail are shorter, and say what they are.
fn secret(text: &str) -> Option<usize> {
    let is_digit = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let short = text.strip_prefix("tok_");
    let digits = short.unwrap_or(text);
    let count = digits.bytes().take_while(is_digit).count();
    let ends = digits[count..].chars().next().is_none_or(|next| !next.is_ascii_alphanumeric());
    let least = if short.is_some() { 8 } else { 16 };
    (count >= least && ends).then_some(text.len() - digits.len() + count)
}

/// Without the id of the request, which stands last, and our version.
fn without_numbers(text: &str) -> String {
    let mut text = text.to_owned();
    if let Some((rest, id)) = text.rsplit_once(",\"id\":")
        && id.strip_suffix('}').is_some_and(|id| id.bytes().all(|byte| byte.is_ascii_digit()))
    {
        text = format!("{rest}}}");
    }
    let version = format!("\"version\":\"{}\"", env!("CARGO_PKG_VERSION"));
    text.replace(&version, "\"version\":\"<version>\"")
}

/// The entries of a transcript: those of one player, of the other, and of the referee alone.
fn by_player(text: &str) -> String {
    let Some((before, entries, after)) = list(text, "transcript") else {
        return text.to_owned();
    };
    let mut entries = entries;
    entries.sort_by_key(|entry| {
        let parties = ["PLAYER_A", "PLAYER_B"];
        parties.iter().position(|party| entry.contains(party)).unwrap_or(parties.len())
    });
    format!("{before}{}{after}", entries.join(","))
}

/// Takes the matches out of a message whose players were told of their end.
pub(crate) fn take_told(text: &str) -> (String, Vec<String>) {
    let Some((before, told, after)) = list(text, "told") else {
        return (text.to_owned(), Vec::new());
    };
    let before = before.strip_suffix(",\"told\":[").expect("a list begins with its name");
    let after = after.strip_prefix(']').expect("a list ends");
    (format!("{before}{after}"), told.iter().map(|id| id.trim_matches('"').to_owned()).collect())
}

/// Splits a text at the list of that name: what stands before its first entry, the entries, and
/// what stands after its last one.
fn list<'a>(text: &'a str, name: &str) -> Option<(&'a str, Vec<&'a str>, &'a str)> {
    let opening = format!(",\"{name}\":[");
    let start = text.find(&opening)? + opening.len();
    let (mut depth, mut quoted, mut escaped) = (0_u32, false, false);
    let mut entries = Vec::new();
    let mut entry = start;
    for (place, byte) in text.bytes().enumerate().skip(start) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'[' | b'{' => depth += 1,
            b']' if depth == 0 => {
                entries.push(&text[entry..place]);
                return Some((&text[..start], entries, &text[place..]));
            }
            b']' | b'}' => depth -= 1,
            b',' if depth == 0 => {
                entries.push(&text[entry..place]);
                entry = place + 1;
            }
            _ => {}
        }
    }
    None
}

#[test]
fn only_what_differs_between_equal_seasons_is_replaced() {
    let mut names = Names::default();
    names.add("127.0.0.1:12345", "P01");
    let token = format!("tok-p01-{}", "0123456789abcdef".repeat(4));
    let said = format!(
        r#"{{"at":"2026-01-15T10:05:00.25Z","by":"2026-01-15T10:05:00+00:00","token":"{token}","#
    );
    let rest = r#""to":"http://127.0.0.1:12345/mcp","day":"2026-01","game_id":"0101001","#;
    let said = format!(r#"{said}{rest}"short":"tok_0123abcd","id":17}}"#);
    let shown = r#"{"at":"<time>","by":"<time>","token":"tok-p01-<secret>","#;
    let rest = r#""to":"http://P01/mcp","day":"2026-01","game_id":"0101001","#;
    assert_eq!(names.normalise(&said), format!(r#"{shown}{rest}"short":"<secret>"}}"#));
}

#[test]
fn a_transcript_is_told_player_by_player() {
    let [a, b] = ["PLAYER_A", "PLAYER_B"].map(|to| format!(r#"{{"to":"{to}","n":1}}"#));
    let (later, alone) = (r#"{"to":"PLAYER_B","n":4}"#, r#"{"to":"REFEREE"}"#);
    let said = format!(r#"{{"m":1,"transcript":[{b},{a},{alone},{later}]}}"#);
    let shown = format!(r#"{{"m":1,"transcript":[{a},{b},{later},{alone}]}}"#);
    assert_eq!(Names::default().normalise(&said), shown);
    let (rest, told) = take_told("{\"m\":1,\"told\":[\"R1M1\",\"R1M2\"],\"n\":2}");
    assert_eq!((rest.as_str(), told.len()), ("{\"m\":1,\"n\":2}", 2));
}
