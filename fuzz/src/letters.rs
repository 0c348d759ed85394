//! Letters of a Q21 league, as anybody may mail or deliver them.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::Address;
use agon_proto::Letter;
use agon_proto::dialect::q21::{open_json, write};
use agon_proto::dialect::{Mail, Unreadable, attachment_name, claimed, open_mail, subject};

/// Longest letter that is read.
const DOCUMENT_MAX: usize = 256 * 1024;

/// The first line is the subject, the rest the JSON. Opened, by mail or by call, it is written and
/// opened again as the same letter; not opened, the flaw is named in harmless words.
pub fn check(bytes: &[u8]) {
    let end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(0);
    let (line, document) = bytes.split_at(end);
    let line = String::from_utf8_lossy(line);
    let from = sender(&line);
    let documents = &[document];
    let mail = Mail { subject: &line, from: &from, header_id: Some("<1@league.test>"), documents };
    let claim = claimed(&mail);
    match open_mail(&mail) {
        Ok(letter) => {
            let claim = claim.expect("what was opened says what it is");
            assert_eq!(claim.kind, letter.act.kind());
            assert!(letter.head.from.address.as_ref().is_none_or(|claimed| *claimed == from));
            comes_back(&letter, &from);
        }
        Err(flaw) => is_named(&flaw),
    }
    match open_json(document) {
        Ok(letter) => comes_back(&letter, &from),
        Err(flaw) => is_named(&flaw),
    }
}

/// Whoever the subject names, so that more than a mismatch is found.
fn sender(subject: &str) -> Address {
    let named = subject.split("::").nth(2).filter(|named| !named.trim().is_empty());
    Address::new(named.unwrap_or("ada@league.test"))
}

fn comes_back(letter: &Letter, from: &Address) {
    let written = write(letter);
    // Under all its names a letter is longer than it came, and may be too long to come again.
    if written.len() > DOCUMENT_MAX {
        return;
    }
    let again = open_json(written.as_bytes()).expect("what we write can be read");
    assert_eq!(again, *letter, "what was opened is the same when it comes again");
    let kept = letter.written();
    assert_eq!(kept.read().as_ref(), Some(letter), "and when it was kept");
    assert!(!subject(&kept, from).chars().any(char::is_control));
    assert!(attachment_name(&kept).ends_with(".json"));
}

fn is_named(flaw: &Unreadable) {
    let text = flaw.to_string();
    assert!(!text.is_empty() && !text.chars().any(char::is_control), "{text:?}");
}
