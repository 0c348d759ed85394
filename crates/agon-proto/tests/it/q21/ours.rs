//! What we send, byte by byte.

use std::collections::BTreeSet;

use agon_proto::Letter;
use agon_proto::act::Task;
use agon_proto::act::{Act, ActKind};
use agon_proto::dialect::q21::{open_json, write};
use agon_proto::dialect::{Mail, attachment_name};
use agon_proto::dialect::{open_mail, subject};
use agon_proto::{
    Address, AuthToken, Call, Role, RpcId, WrittenLetter, decode_request, encode_letter_request,
};

use crate::files::{LIMITS, golden, names, read};

/// Every letter of ours, by the name of its file.
pub(super) fn letters() -> impl Iterator<Item = (String, String)> {
    names("q21/agon").into_iter().map(|name| {
        let text = read(&golden(&format!("q21/agon/{name}.json")));
        let text = text.strip_suffix('\n').expect("one line").to_owned();
        (name, text)
    })
}

fn opened(name: &str, text: &str) -> Letter {
    open_json(text.as_bytes()).unwrap_or_else(|flaw| panic!("{name}: {flaw}"))
}

#[test]
fn what_we_send_keeps_its_bytes() {
    for (name, text) in letters() {
        let letter = opened(&name, &text);
        assert_eq!(write(&letter), text, "{name}");
        assert_eq!(name.split('.').next().unwrap(), letter.act.kind().name());
    }
}

#[test]
fn everything_that_we_can_say_has_a_golden_file() {
    let shown: BTreeSet<ActKind> =
        letters().map(|(name, text)| opened(&name, &text).act.kind()).collect();
    let tasks = [Task::KeepAlive, Task::Pause, Task::Continue, Task::Reset].map(ActKind::State);
    let all: BTreeSet<ActKind> = ActKind::NAMED.iter().copied().chain(tasks).collect();
    assert_eq!(shown, all);
}

#[test]
fn a_letter_of_ours_comes_back_from_a_mail_and_from_a_call() {
    for (name, text) in letters() {
        let letter = opened(&name, &text);
        let from = letter.head.from.address.clone().unwrap();
        let written = letter.written();
        assert_eq!(written.read().as_ref(), Some(&letter), "{name}");
        let subject = subject(&written, &from);
        let mail =
            Mail { subject: &subject, from: &from, header_id: None, documents: &[text.as_bytes()] };
        assert_eq!(open_mail(&mail).as_ref(), Ok(&letter), "{name}");
        let mut out = Vec::new();
        encode_letter_request(7, &written, &mut out);
        let request = decode_request(&out, LIMITS).unwrap();
        assert_eq!(request.id, Some(RpcId::Number(7)));
        assert_eq!(request.call, Call::Letter(Box::new(letter)), "{name}");
    }
}

#[test]
fn a_subject_has_five_parts_and_an_attachment_is_json() {
    let referee = Address::new("gamma.referee@league.test");
    let (_, text) = letters().find(|(name, _)| name == "Q21WARMUPCALL").unwrap();
    let mut letter = opened("Q21WARMUPCALL", &text);
    assert_eq!(
        subject(&letter.written(), &referee),
        "Q21G.v1::REFEREE::gamma.referee@league.test::warmup-0101001-alphateam::Q21WARMUPCALL"
    );
    assert_eq!(attachment_name(&letter.written()), "Q21WARMUPCALL.json");
    letter.head.from.role = Some(Role::Manager);
    letter.act = Act::Other("../odd name".into());
    assert!(subject(&letter.written(), &referee).starts_with("league.v2::LEAGUEMANAGER::"));
    assert_eq!(attachment_name(&letter.written()), "UNKNOWN.json");
}

#[test]
fn a_letter_that_is_written_down_keeps_its_words_and_shows_nobody_its_tokens() {
    for (name, text) in letters() {
        let mut letter = opened(&name, &text);
        letter.auth_token = Some(AuthToken::derived([7; 32]));
        let written = letter.written();
        let journal = serde_json::to_string(&written).unwrap();
        let again: WrittenLetter = serde_json::from_str(&journal).unwrap();
        assert_eq!(again, written, "{name}");
        assert_eq!(again.read(), Some(letter.clone()), "{name}");
        assert!(!format!("{again:?}").contains(&*letter.auth_token.unwrap().reveal()), "{name}");
    }
}
