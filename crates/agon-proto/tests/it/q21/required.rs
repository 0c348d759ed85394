//! What we send has the fields that the documented protocol requires, each of its kind.

mod table;

use std::collections::BTreeSet;

use agon_proto::Timestamp;
use serde_json::Value;

use self::table::{ENVELOPE, Fields, MESSAGES, Must};
use super::ours::letters;

fn find<'a>(value: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(value, |value, name| value.get(name))
}

fn holds(value: &Value, must: &Must) -> bool {
    let text = value.as_str();
    match must {
        Must::Text => text.is_some_and(|text| !text.is_empty()),
        Must::Time => {
            let zone = |text: &str| text.ends_with("+00:00") && text.parse::<Timestamp>().is_ok();
            text.is_some_and(zone)
        }
        Must::Flag => value.is_boolean(),
        Must::TextOrNull => value.is_null() || text.is_some(),
        Must::Whole(least) => value.as_u64().is_some_and(|number| number >= *least),
        Must::Between(least, most) => {
            value.as_f64().is_some_and(|number| (*least..=*most).contains(&number))
        }
        Must::OneOf(words) => {
            text.is_some_and(|text| words.iter().any(|word| word.eq_ignore_ascii_case(text)))
        }
        Must::Words(least, most) => {
            let words = text.map_or(0, |text| text.split_whitespace().count());
            (*least..=*most).contains(&words)
        }
        Must::Object => value.is_object(),
        Must::List(fields) => value.as_array().is_some_and(|list| {
            !list.is_empty() && list.iter().all(|entry| flaws(entry, fields).is_empty())
        }),
    }
}

fn flaws(value: &Value, fields: Fields) -> Vec<&'static str> {
    let right = |path: &str, must| find(value, path).is_some_and(|value| holds(value, must));
    fields.iter().filter(|(path, must)| !right(path, must)).map(|(path, _)| *path).collect()
}

#[test]
fn what_we_send_has_the_fields_that_are_required() {
    let mut seen = BTreeSet::new();
    for (name, text) in letters() {
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(flaws(&value, ENVELOPE), Vec::<&str>::new(), "{name}");
        let of_game = name.starts_with("Q21");
        assert_eq!(value["protocol"], if of_game { "Q21G.v1" } else { "league.v2" }, "{name}");
        if let Some((known, fields)) = MESSAGES.iter().find(|(known, _)| *known == name) {
            assert_eq!(flaws(&value, fields), Vec::<&str>::new(), "{name}");
            seen.insert(*known);
        }
    }
    assert_eq!(seen.len(), MESSAGES.len(), "a line of the table speaks of no file");
}

#[test]
fn yes_is_read_by_all_three_readers_of_it() {
    let (_, text) = letters().find(|(name, _)| name == "SEASON_REGISTRATION_RESPONSE").unwrap();
    let value: Value = serde_json::from_str(&text).unwrap();
    let status = value["payload"]["status"].as_str().unwrap();
    assert_eq!(status.to_lowercase(), "accepted", "the reference referee compares so");
    assert_eq!(status.to_uppercase(), "ACCEPTED", "the earlier player compares so");
    assert!(["REGISTERED", "ACCEPTED", "OK"].contains(&status), "the later player compares so");
}
