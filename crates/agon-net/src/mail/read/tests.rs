//! Mails in the shapes that senders use, and worse.

use proptest::prelude::*;

use super::{Author, Contents, Cover, Folder, MailId, ReceivedMail, guarded, head, whole};
use crate::mail::{Authentication, Doubt};

const COVER: Cover = Cover {
    id: MailId { folder: Folder::Inbox, validity: 1, uid: 7 },
    delivered_at: 1_700_000_000_000_000,
    size: 1000,
};

fn received(raw: &str) -> ReceivedMail {
    whole(COVER, raw.replace('\n', "\r\n").as_bytes(), Some("mx.league.test"))
}

#[track_caller]
fn check_documents(raw: &str, expected: &[&str]) {
    let Contents::Documents(found) = received(raw).contents else { panic!("oversized") };
    let found: Vec<_> = found.iter().map(|one| String::from_utf8_lossy(one).into_owned()).collect();
    let found: Vec<_> = found.iter().map(|one| one.trim()).collect();
    assert_eq!(found, expected);
}

#[track_caller]
fn check_author(head: &str, expected: Author) {
    assert_eq!(received(&format!("{head}Subject: x\n\nbody\n")).from, expected, "{head}");
}

#[test]
fn an_attached_document_comes_before_the_text() {
    check_documents(
        "From: red@league.test\nMIME-Version: 1.0\n\
         Content-Type: multipart/mixed; boundary=b\n\n\
         --b\nContent-Type: text/plain\n\nSee the attachment.\n\
         --b\nContent-Type: application/json; name=payload.json\n\
         Content-Disposition: attachment; filename=payload.json\n\
         Content-Transfer-Encoding: base64\n\neyJhIjoxfQ==\n--b--\n",
        &["{\"a\":1}", "See the attachment."],
    );
}

#[test]
fn a_nested_document_is_found_by_its_name() {
    check_documents(
        "From: red@league.test\nMIME-Version: 1.0\n\
         Content-Type: multipart/mixed; boundary=outer\n\n\
         --outer\nContent-Type: multipart/alternative; boundary=inner\n\n\
         --inner\nContent-Type: text/html\n\n<b>no</b>\n\
         --inner\nContent-Type: application/octet-stream; name=\"Message.JSON\"\n\
         Content-Transfer-Encoding: quoted-printable\n\n{\"a\":\"=C3=A4 =\nb\"}\n--inner--\n\
         --outer--\n",
        &["{\"a\":\"ä b\"}"],
    );
}

#[test]
fn a_lone_document_is_the_mail_itself() {
    check_documents(
        "From: red@league.test\nContent-Type: application/json\n\n{\"a\":1}\n",
        &["{\"a\":1}"],
    );
    check_documents("From: red@league.test\nSubject: RE: x\n\n{\"a\":1}\n", &["{\"a\":1}"]);
}

#[test]
fn a_forwarded_mail_is_not_opened() {
    check_documents(
        "From: red@league.test\nMIME-Version: 1.0\n\
         Content-Type: multipart/mixed; boundary=b\n\n\
         --b\nContent-Type: message/rfc822\n\n\
         From: manager@league.test\nContent-Type: application/json\n\n{\"a\":1}\n--b--\n",
        &[],
    );
}

#[test]
fn a_subject_is_unfolded_decoded_and_trimmed() {
    let subject = |text: &str| received(&format!("From: red@league.test\n{text}\n\nx\n")).subject;
    assert_eq!(
        subject("Subject:\n  league.v2::PLAYER::red@league.test"),
        "league.v2::PLAYER::red@league.test"
    );
    assert_eq!(
        subject("Subject: =?utf-8?q?Q21G.v1=3A=3A?=\n =?utf-8?q?REFEREE?="),
        "Q21G.v1::REFEREE"
    );
    assert_eq!(subject("Subject: [a]\n\t[b]"), "[a] [b]");
    assert_eq!(subject("X-Nothing: at all"), "");
}

#[test]
fn the_author_is_one_or_nobody_is_believed() {
    let red = || Author::One("red@league.test".into());
    check_author("From: Red <RED@League.test>\n", red());
    check_author("From: \"manager@league.test\" <red@league.test>\n", red());
    check_author("From: manager@league.test <red@league.test>\n", red());
    check_author("From: red@league.test, blue@league.test\n", Author::Several);
    check_author("From: red@league.test\nFrom: blue@league.test\n", Author::Several);
    check_author("From: red@league.test\nFrom: red@league.test\n", Author::Several);
    check_author("From: team: red@league.test, blue@league.test;\n", Author::Several);
    check_author("From: nobody\n", Author::Nobody);
    check_author("To: red@league.test\n", Author::Nobody);
}

#[test]
fn only_the_topmost_results_count() {
    let good = "Authentication-Results: mx.league.test; auth=pass smtp.auth=red@league.test\n";
    let other = "Authentication-Results: elsewhere; auth=pass smtp.auth=red@league.test\n";
    let verdict =
        |head: &str| received(&format!("{head}From: red@league.test\n\nx\n")).authentication;
    assert_eq!(verdict(good), Authentication::Pass);
    let doubt = Doubt::OtherServer("elsewhere".into());
    assert_eq!(verdict(&format!("{other}{good}")), Authentication::Doubted(doubt));
    assert_eq!(verdict(&format!("{good}{other}")), Authentication::Pass);
    let raw = format!("{good}From: red@league.test\n\nx\n");
    assert_eq!(whole(COVER, raw.as_bytes(), None).authentication, Authentication::Unchecked);
    assert_eq!(verdict(""), Authentication::Doubted(Doubt::NoResults));
}

#[test]
fn of_a_mail_that_is_too_large_the_headers_are_known() {
    let mail =
        head(COVER, b"From: red@league.test\r\nSubject: big\r\nMessage-ID: <a@b>\r\n\r\n", None);
    assert_eq!(mail.from, Author::One("red@league.test".into()));
    assert_eq!((mail.subject.as_str(), mail.message_id.as_deref()), ("big", Some("a@b")));
    assert_eq!(mail.contents, Contents::Oversized);
}

proptest! {
    #[test]
    fn no_bytes_are_too_strange(raw in prop::collection::vec(any::<u8>(), 0..400)) {
        let mail = whole(COVER, &raw, Some("mx.league.test"));
        prop_assert_ne!(mail.authentication, Authentication::Pass);
    }

    #[test]
    fn no_structure_is_too_strange(lines in prop::collection::vec(
        prop::sample::select(vec![
            "From: a@b", "Content-Type: multipart/mixed; boundary=b", "--b", "--b--", "",
            "Content-Type: message/rfc822", "Content-Transfer-Encoding: base64", "e30=", "{}",
            "Content-Disposition: attachment; filename=\"a.json\"",
            "Content-Type: application/json",
        ]), 0..40)) {
        let Contents::Documents(found) = received(&lines.join("\n")).contents else { panic!() };
        prop_assert!(found.len() <= 8);
    }
}

#[test]
fn a_parser_that_trips_over_a_mail_stops_nobody() {
    assert_eq!(guarded(|| Some(7)), Some(7));
    assert_eq!(guarded(|| -> Option<u8> { panic!("over this mail") }), None);
}
