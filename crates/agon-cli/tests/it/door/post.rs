//! A manager that reads its mailbox, into which a test puts mails as they come.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;

use serde_json::{Value, json};

use crate::http;
use crate::mail::office::Office;
use crate::process::Process;

/// The name that our own mail server signs with.
pub(super) const VOUCHER: &str = "practice.league.test";
const TEAMS: u32 = 3;
const QUARANTINED: &str = "a mail that cannot be read is put into quarantine";

/// What a server writes that has checked everything about a mail of this domain.
pub(super) fn vouched() -> String {
    format!(
        "{VOUCHER}; dmarc=pass header.from=league.test;\r\n\
         \tspf=pass smtp.mailfrom=league.test; dkim=pass header.d=league.test"
    )
}

/// A manager that believes its own mail server and nobody else, and the mailboxes of three teams.
/// Every mail comes straight from the test, with the headers that the test wants.
pub(super) struct Post {
    pub(super) office: Office,
    pub(super) manager: Process,
    pub(super) endpoint: String,
}

impl Post {
    pub(super) fn open() -> Self {
        let office = Office::open_with(TEAMS, &["--record"]);
        let own = format!("authserv_id = \"{}\"\nopen = true\n", VOUCHER.to_uppercase());
        office.write("strict", &office.mailbox("manager", &own));
        let season = ["manager", "--game", "q21", "--start-when", "3", "--data", "manager"];
        let place = ["--mail", "strict.toml", "--listen", "127.0.0.1:0", "--json"];
        let talk = ["--log", "info", "--log-format", "json"];
        let args = [&season[..], &place, &talk].concat();
        let mut manager = Process::agon_with(office.path(), &args, &Office::env());
        let endpoint = manager.endpoint();
        Self { office, manager, endpoint }
    }

    /// Puts a letter of that author into the manager's mailbox.
    pub(super) fn deliver(&self, from: &str, letter: &Value, results: Option<&str>) {
        let results = results.map(|text| format!("Authentication-Results: {text}\r\n"));
        let id = letter["message_id"].as_str().unwrap();
        let id = format!("Message-ID: <{id}@league.test>\r\n");
        self.put(from, letter, &(results.unwrap_or_default() + &id));
    }

    /// The same with exactly these header lines besides the usual ones.
    pub(super) fn put(&self, from: &str, letter: &Value, headers: &str) {
        put(&self.office, (from, "manager@league.test"), letter, headers);
    }

    /// The reason for which the next mail was put into quarantine.
    pub(super) fn quarantined(&mut self) -> String {
        self.manager.logs(QUARANTINED)["why"].as_str().unwrap().to_owned()
    }

    /// Everybody enrols, with a mail server that vouches for them; the season begins.
    pub(super) fn enrol(&mut self) {
        self.enrol_as(str::to_owned);
    }

    /// The same, with addresses in that spelling.
    pub(super) fn enrol_as(&mut self, spelled: fn(&str) -> String) {
        for team in 1..=TEAMS {
            for (role, letter) in [("PLAYER", 'p'), ("REFEREE", 'r')] {
                let from = spelled(&format!("{letter}{team}@league.test"));
                self.deliver(&from, &application(&from, role, team), Some(&vouched()));
                let registered = format!("{} registered", role.to_lowercase());
                assert_eq!(self.manager.logs(&registered)["address"], from.as_str());
            }
        }
        self.manager.logs("round announced");
    }

    /// The report of the first game, and the address of its referee.
    pub(super) fn report(&self) -> (String, Value) {
        let game = http::tool(&self.endpoint, "get_match_state", &json!({ "match_id": "R1M1" }));
        let number = |field: &str, prefix: &str| {
            game[field].as_str().unwrap().strip_prefix(prefix).unwrap().parse::<u32>().unwrap()
        };
        let referee = format!("r{}@league.test", number("referee_id", "REF"));
        let row = |field: &str, points: u32, score: f64| {
            let team = number(field, "P");
            json!({
                "participant_id": format!("team{team:04}"), "email": format!("p{team}@league.test"),
                "league_points": points, "private_score": score,
            })
        };
        let scores = json!([row("player_A_id", 3, 91.25), row("player_B_id", 1, 54.25)]);
        let payload = json!({
            "match_id": "0101001", "status": "completed", "scores": scores, "is_draw": false,
            "winner_id": scores[0]["participant_id"],
        });
        (referee.clone(), letter("MATCH_RESULT_REPORT", &referee, "REFEREE", payload))
    }

    /// The letters of that kind that the manager has mailed.
    pub(super) fn mailed(&self, kind: &str) -> Vec<Value> {
        mailed(&self.office, kind)
    }

    pub(super) fn results(&self) -> u64 {
        let state = http::tool(&self.endpoint, "get_league_state", &json!({}));
        state["matches_completed"].as_u64().unwrap()
    }
}

/// Puts a letter into somebody's mailbox, with these header lines besides the usual ones.
pub(super) fn put(office: &Office, (from, to): (&str, &str), letter: &Value, headers: &str) {
    let raw = format!(
        "{headers}From: {from}\r\nTo: {to}\r\nSubject: a letter\r\n\
         Content-Type: application/json\r\n\r\n{letter}\r\n",
    );
    let port = u16::try_from(office.port("lmtp")).unwrap();
    let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let mut answers = BufReader::new(&stream);
    assert_eq!(answer(&mut answers), "220");
    for line in ["LHLO test", "MAIL FROM:<x@evil.test>", &format!("RCPT TO:<{to}>")] {
        (&stream).write_all(format!("{line}\r\n").as_bytes()).unwrap();
        assert_eq!(answer(&mut answers), "250", "{line}");
    }
    (&stream).write_all(b"DATA\r\n").unwrap();
    assert_eq!(answer(&mut answers), "354");
    (&stream).write_all(format!("{raw}.\r\n").as_bytes()).unwrap();
    assert_eq!(answer(&mut answers), "250");
}

/// The letters of that kind that were mailed.
pub(super) fn mailed(office: &Office, kind: &str) -> Vec<Value> {
    let mails = std::fs::read_to_string(office.path().join("mail/mails.jsonl"));
    let mails = mails.unwrap_or_default();
    // The last line may still be on its way.
    let mails = mails.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let letters = mails.map(|mail| {
        let parts = mail["parts"].as_array().unwrap();
        serde_json::from_str::<Value>(parts[0]["text"].as_str().unwrap()).unwrap()
    });
    letters.filter(|letter| letter["message_type"] == kind).collect()
}

/// The code of the last line of an answer.
fn answer(reader: &mut impl BufRead) -> String {
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        if line.as_bytes().get(3) != Some(&b'-') {
            return line.chars().take(3).collect();
        }
    }
}

pub(super) fn letter(kind: &str, from: &str, role: &str, payload: Value) -> Value {
    json!({
        "protocol": "league.v2", "message_type": kind, "message_id": format!("{kind}-{from}"),
        "timestamp": "2026-01-15T10:00:00+00:00", "recipient_id": "LEAGUEMANAGER",
        "sender": { "email": from, "role": role }, "payload": payload,
    })
}

pub(super) fn application(from: &str, role: &str, team: u32) -> Value {
    let payload = json!({ "user_id": format!("team{team:04}"), "participant_role": role });
    letter("SEASON_REGISTRATION_REQUEST", from, role, payload)
}
