//! Scripts of moments at which a turn is asked for. What we send, read with another's eyes; and
//! that no header can be smuggled in.

use std::time::{Duration, Instant};

use bytes::Bytes;
use lettre::Address;
use mail_parser::{MessageParser, MimeHeaders};
use proptest::prelude::*;

use super::{BadMail, DAY, MailPace, MailPacer, MailTurn, OutgoingMail, compose};

const GO: MailTurn = MailTurn::Go { left: None };

fn ms(count: u64) -> Duration {
    Duration::from_millis(count)
}

/// Asks at these moments and compares what is answered.
#[track_caller]
fn check(pace: MailPace, script: &[(Duration, MailTurn)]) {
    let (mut pacer, start) = (MailPacer { pace, sent: [].into() }, Instant::now());
    for (at, expected) in script {
        assert_eq!(pacer.take(start + *at), *expected, "at {at:?}");
    }
}

#[test]
fn two_mails_keep_their_distance() {
    let pace = MailPace { spacing: ms(200), per_day: 400 };
    check(pace, &[(ms(0), GO), (ms(50), MailTurn::Wait(ms(150))), (ms(200), GO), (ms(900), GO)]);
}

#[test]
fn without_spacing_they_follow_at_once() {
    check(MailPace { spacing: ms(0), per_day: 400 }, &[(ms(0), GO), (ms(0), GO), (ms(0), GO)]);
}

#[test]
fn a_day_has_so_many_mails_and_somebody_is_told_before() {
    let pace = MailPace { spacing: ms(0), per_day: 5 };
    let script = [
        (ms(0), GO),
        (ms(1), GO),
        (ms(2), GO),
        (ms(3), MailTurn::Go { left: Some(1) }),
        (ms(4), GO),
        (ms(5), MailTurn::Spent(DAY - ms(5))),
        (DAY, MailTurn::Go { left: None }),
        (DAY, MailTurn::Spent(ms(1))),
    ];
    check(pace, &script);
}

#[test]
fn no_mails_a_day_are_none() {
    check(MailPace { spacing: ms(0), per_day: 0 }, &[(ms(0), MailTurn::Spent(DAY))]);
}

proptest! {
    #[test]
    fn whoever_waits_as_told_is_never_told_to_wait_again(
        spacing in 0_u64..500, gaps in prop::collection::vec(0_u64..1000, 1..50)
    ) {
        let pace = MailPace { spacing: ms(spacing), per_day: 1000 };
        let mut pacer = MailPacer { pace, sent: [].into() };
        let mut now = Instant::now();
        let mut last = None;
        for gap in gaps {
            now += ms(gap);
            if let MailTurn::Wait(wait) = pacer.take(now) {
                now += wait;
                prop_assert_eq!(pacer.take(now), GO);
            }
            if let Some(last) = last {
                prop_assert!(now - last >= ms(spacing));
            }
            last = Some(now);
        }
    }
}

fn mail(subject: &str) -> OutgoingMail {
    OutgoingMail {
        to: vec![],
        subject: subject.into(),
        text: "See the attached document.".into(),
        attachment: ("payload.json".into(), Bytes::from_static(b"{\"a\":1}")),
        message_id: "warmup-0101001@league.test".into(),
    }
}

fn composed(mail: &OutgoingMail) -> Result<String, BadMail> {
    let address = |text: &str| text.parse::<Address>().unwrap();
    let to = [address("blue@league.test"), address("green@league.test")];
    let bytes = compose(&address("red@league.test"), &to, mail)?;
    Ok(String::from_utf8(bytes).unwrap())
}

/// The header names of a composed mail, in lower case.
fn headers(text: &str) -> Vec<String> {
    let head = text.split("\r\n\r\n").next().unwrap();
    let names = head.lines().filter(|line| !line.starts_with([' ', '\t']));
    names.map(|line| line.split(':').next().unwrap().to_ascii_lowercase()).collect()
}

#[test]
fn a_mail_has_a_text_and_a_document_at_its_top_level() {
    let text = composed(&mail("Hello")).unwrap();
    assert!(text.contains("Content-Type: multipart/mixed"));
    assert!(text.contains("Auto-Submitted: auto-generated\r\n"));
    assert!(text.contains("Content-Transfer-Encoding: base64\r\n\r\neyJhIjoxfQ=="), "{text}");
    let message = MessageParser::default().parse(&text).unwrap();
    assert_eq!(message.message_id(), Some("warmup-0101001@league.test"));
    assert_eq!(message.body_text(0).unwrap().trim_end(), "See the attached document.");
    assert!(message.date().is_some());
    assert_eq!(message.to().unwrap().iter().count(), 2);
    let document = message.attachment(0).unwrap();
    assert_eq!(document.attachment_name(), Some("payload.json"));
    assert_eq!(document.contents(), b"{\"a\":1}");
    assert_eq!(message.root_part().sub_parts().unwrap().len(), 2);
}

#[test]
fn a_subject_may_be_as_long_as_a_line_and_no_longer() {
    let long = format!("Q21G.v1::PLAYER::{}", "x".repeat(933));
    let text = composed(&mail(&long)).unwrap();
    check_lines(&text);
    let message = MessageParser::default().parse(&text).unwrap();
    assert_eq!(message.subject().unwrap().trim(), long);
    let longer = composed(&mail(&format!("{long}x")));
    assert_eq!(longer.unwrap_err(), BadMail::Subject { characters: 951 });
}

/// No line is longer than servers take.
#[track_caller]
fn check_lines(text: &str) {
    let longest = text.split("\r\n").map(str::len).max();
    assert!(longest <= Some(998), "{longest:?}");
}

#[test]
fn many_recipients_do_not_make_a_long_line() {
    let to: Vec<Address> = (0..50)
        .map(|number| format!("team-with-a-long-name-{number}@league.test").parse().unwrap())
        .collect();
    let bytes = compose(&to[0], &to, &mail("Hello")).unwrap();
    check_lines(std::str::from_utf8(&bytes).unwrap());
    let message = MessageParser::default().parse(&bytes).unwrap();
    let names = message.to().unwrap().iter().map(|one| one.address().unwrap());
    assert_eq!(names.collect::<Vec<_>>(), to.iter().map(AsRef::<str>::as_ref).collect::<Vec<_>>());
}

#[test]
fn an_id_must_be_one() {
    for id in ["", "<>", "no-at", "@", "a@", "@b", "a b@c", "a@b>\r\nBcc: x@y", "ä@b"] {
        let bad = OutgoingMail { message_id: id.into(), ..mail("Hello") };
        assert_eq!(composed(&bad).unwrap_err(), BadMail::Id { id: id.into() });
    }
}

proptest! {
    #[test]
    fn whatever_the_subject_and_the_name_are_the_headers_stay_ours(
        subject in "(?s).{0,200}", name in "(?s).{0,40}",
        text in "(?s).{0,100}", times in 1_usize..50
    ) {
        let plain = headers(&composed(&mail("Hello")).unwrap());
        let mut strange = mail(&subject);
        strange.attachment.0 = name;
        strange.text = text.repeat(times);
        let text = composed(&strange).unwrap();
        prop_assert_eq!(headers(&text), plain);
        check_lines(&text);
        let message = MessageParser::default().parse(&text).unwrap();
        prop_assert_eq!(message.attachment(0).unwrap().contents(), b"{\"a\":1}");
    }
}
