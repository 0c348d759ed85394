//! A season by mail, word by word: every mail that the server was given is what it was before.

use serde_json::Value;

use super::crowd::Crowd;
use super::office::Office;
use super::programs::wait_for;
use crate::recorded::book::{Book, Detail};
use crate::recorded::words::Names;

/// Headers that say when and not what.
const CLOCKWORK: [&str; 1] = ["Date"];

#[test]
fn recorded_season_of_three_teams_by_mail() {
    let office = Office::open_with(3, &["--record"]);
    let mut crowd = Crowd::with_manager(&office, "3");
    // One after the other, so that they are numbered as they were before.
    for team in 1..=3 {
        for (role, seed) in [("player", "7"), ("referee", "8")] {
            crowd.agent(role, team, &["--seed", seed]);
            wait_for(&mut crowd, ["SENT", "SIGNUP-RESPONSE"]);
        }
    }
    crowd.see_home();
    let mails = std::fs::read_to_string(office.path().join("mail/mails.jsonl")).unwrap();
    let mut book = Book::default();
    for line in mails.lines() {
        add(&mut book, &serde_json::from_str(line).unwrap());
    }
    book.check("q21_by_mail", Detail::Whole);
}

/// A mail is what it says, and how; its second part is its first one again.
fn add(book: &mut Book, mail: &Value) {
    // The roster writes some addresses with capitals, their owners do not.
    let name =
        |address: &Value| address.as_str().unwrap().split('@').next().unwrap().to_ascii_lowercase();
    let to: Vec<_> = mail["to"].as_array().unwrap().iter().map(name).collect();
    let mut headers = mail["headers"].clone();
    for header in CLOCKWORK {
        headers[header] = "<time>".into();
    }
    headers["To"] = headers["To"].as_str().unwrap().to_ascii_lowercase().into();
    // Its parts are divided by a line that is chance.
    let kind = headers["Content-Type"].as_str().unwrap().split(';').next().unwrap().to_owned();
    headers["Content-Type"] = kind.into();
    let parts = mail["parts"].as_array().unwrap();
    let letter = parts.last().unwrap()["text"].as_str().unwrap();
    let parsed: Value = serde_json::from_str(letter).unwrap();
    let text = parts[0]["text"].as_str().unwrap();
    let same = serde_json::from_str::<Value>(text).is_ok_and(|text| text == parsed);
    assert!(same, "the text of a mail is its letter: {mail}");
    let file = &parts.last().unwrap()["Content-Disposition"];
    let names = Names::default();
    let letter = names.normalise(&letter.replace('\n', " "));
    let more = names.normalise(&format!("\"headers\":{headers},\"file\":{file}"));
    book.add_letter(&name(&mail["from"]), &to.join(" "), &letter, &more);
}
