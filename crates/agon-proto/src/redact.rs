//! Whole messages without their secrets, for logs and records: tokens, codes of invitations, and
//! the values of fields that are named like a secret. What was JSON is JSON afterwards.
//!
//! Unlike what is quoted to people, nothing is left out that only might be a secret: ids and hashes
//! stay whole.

/// What stands where a secret stood.
const REDACTED: &[u8] = "…".as_bytes();
/// What stands before a token of ours.
const TOKEN: &[u8] = b"tok-";
/// What stands before a code in an address.
const JOIN: &[u8] = b"/join/";
/// Longer names than this name no secret.
const NAME_MAX: usize = 40;
/// Shorter than this is no code of an invitation.
const CODE_MIN: usize = 8;

/// The bytes at which a secret may begin; all others are passed over quickly.
const MARKS: [bool; 256] = {
    let mut marks = [false; 256];
    let mut place = 0;
    while place < SEPARATORS.len() {
        marks[SEPARATORS[place] as usize] = true;
        place += 1;
    }
    marks
};
const SEPARATORS: &[u8] = b"-/:=";

/// Writes a message behind what is there, without its secrets.
pub fn redact(said: &[u8], out: &mut Vec<u8>) {
    let (mut done, mut at) = (0, 0);
    while let Some(next) = said[at..].iter().position(|byte| MARKS[usize::from(*byte)]) {
        at += next;
        let secret = match said[at] {
            b'-' if said[done..=at].ends_with(TOKEN) => token(said, at + 1),
            b'/' if said[done..=at].ends_with(JOIN) => (at + 1, word_end(said, at + 1)),
            b':' | b'=' => value(said, at),
            _ => (at, at),
        };
        let (from, to) = secret;
        if from < to {
            out.extend_from_slice(&said[done..from]);
            out.extend_from_slice(REDACTED);
            (done, at) = (to, to);
        } else {
            at += 1;
        }
    }
    out.extend_from_slice(&said[done..]);
}

/// Where the secret of a token stands: whose it says it is may be seen.
fn token(said: &[u8], start: usize) -> (usize, usize) {
    let end = word_end(said, start);
    let owner = said[start..end].iter().position(|byte| *byte == b'-').map(|it| it + start);
    let is_id = |id: &[u8]| {
        let digits = id.strip_prefix(b"p").or_else(|| id.strip_prefix(b"ref"));
        digits.is_some_and(|it| (2..=6).contains(&it.len()) && it.iter().all(u8::is_ascii_digit))
    };
    let known = owner.filter(|owner| is_id(&said[start..*owner]));
    (known.map_or(start, |owner| owner + 1), end)
}

/// Where the value stands of which `at` separates a name, if that names a secret.
fn value(said: &[u8], at: usize) -> (usize, usize) {
    // Nearly all values are numbers, lists and times, which are no secrets.
    let (before, after) = (said[..at].last(), said.get(at + 1));
    let starts_text = matches!(after, Some(b' ' | b'"' | b'\'' | b'\\'));
    let is_time = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
    if before == Some(&b'"') && !starts_text || is_time(before) && is_time(after) {
        return (at, at);
    }
    let blank = |byte: &u8| matches!(byte, b' ' | b'\\' | b'"' | b'\'');
    let name_end = said[..at].iter().rposition(|byte| !blank(byte)).map_or(0, |last| last + 1);
    let (mut start, mut hint) = (name_end, false);
    while start > 0 && name_end - start < NAME_MAX && in_name(&said[start - 1]) {
        start -= 1;
        hint |= matches!(said[start] | 0x20, b'c' | b'k' | b'w' | b'z');
    }
    if !hint {
        return (at, at); // Each name of a secret has one of these letters, and few others have.
    }
    let name = &said[start..name_end];
    let is_code = name.eq_ignore_ascii_case(b"code");
    if !is_code && !names_a_secret(name) {
        return (at, at);
    }
    let space = |from: usize| from + said[from..].iter().take_while(|it| **it == b' ').count();
    let mut start = space(at + 1);
    // How it is quoted, in a text within a text too.
    let slashes = said[start..].iter().take_while(|it| **it == b'\\').count();
    // Programs put a letter before some of their texts.
    let letters = said[start..].iter().take_while(|it| b"bBfFrRuU".contains(it)).count();
    start += letters * usize::from(letters <= 2 && said.get(start + letters) == Some(&b'\''));
    let mark = &said[start..(start + slashes + 1).min(said.len())];
    let quoted = mark.ends_with(b"\"") || mark.ends_with(b"'");
    let in_json = said[name_end..at].contains(&b'"');
    if in_json && !quoted {
        return (at, at); // A number, an object, nothing: no secret, or one with names of its own.
    }
    let end = if quoted {
        start += mark.len();
        closing(said, start, mark)
    } else {
        word_end(said, start)
    };
    for scheme in [&b"bearer "[..], b"basic "] {
        let said = &said[start..];
        start += said
            .get(..scheme.len())
            .map_or(0, |it| if it.eq_ignore_ascii_case(scheme) { scheme.len() } else { 0 });
    }
    let end = if quoted { end } else { end.max(word_end(said, start)) };
    let value = &said[start..end];
    if value.starts_with(TOKEN) {
        return token(said, start + TOKEN.len());
    }
    let spoken = |byte: &u8| byte.is_ascii_uppercase() || *byte == b'_';
    if is_code && (value.len() < CODE_MIN || value.iter().all(spoken)) {
        return (at, at);
    }
    (start, end)
}

/// Where a text that began with that mark ends.
fn closing(said: &[u8], start: usize, mark: &[u8]) -> usize {
    let slashes = mark.len() - 1;
    let quote = mark[slashes];
    let mut before = 0;
    for (place, byte) in said.iter().enumerate().skip(start) {
        match byte {
            b'\\' => before += 1,
            byte if *byte == quote && before <= slashes => return place - before,
            // It is not closed within the text of JSON in which it stands.
            b'"' if before % 2 == 0 && quote != b'"' && ends_text(said, place) => {
                return place - before;
            }
            _ => before = 0,
        }
    }
    said.len()
}

/// Whether what follows that place is what follows a text of JSON.
fn ends_text(said: &[u8], place: usize) -> bool {
    let next = said[place + 1..].iter().find(|byte| !byte.is_ascii_whitespace());
    next.is_none_or(|byte| b",:}]".contains(byte))
}

fn word_end(said: &[u8], start: usize) -> usize {
    let in_word = |byte: &&u8| in_name(byte) || matches!(byte, b'.' | b'+' | b'~');
    start + said[start..].iter().take_while(in_word).count()
}

fn in_name(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
}

/// Nearly every field of every message is asked this, so most letters are looked at once.
fn names_a_secret(name: &[u8]) -> bool {
    (0..name.len()).any(|at| {
        let words: &[&[u8]] = match name[at].to_ascii_lowercase() {
            b't' => &[b"token"],
            b's' => &[b"secret"],
            b'p' => &[b"password", b"passwd"],
            b'a' => &[b"api_key", b"api-key", b"apikey", b"authorization"],
            b'i' => &[b"invitation_code", b"invitation-code"],
            _ => return false,
        };
        let begins = |word: &&[u8]| {
            name[at..].get(..word.len()).is_some_and(|it| it.eq_ignore_ascii_case(word))
        };
        words.iter().any(begins)
    })
}

#[cfg(test)]
mod tests;
