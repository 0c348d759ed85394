//! Mails in the shapes that senders use, and worse; `Authentication-Results` as different servers
//! write them, and what they are worth.

use proptest::prelude::*;

use super::{Authentication, Contents, Cover, Doubt, Folder, MailId, ReceivedMail};
use super::{authenticate, guarded, open};

const COVER: Cover = Cover {
    id: MailId { folder: Folder::Inbox, validity: 1, uid: 7 },
    delivered_at: 1_700_000_000_000_000,
    size: 1000,
};

fn received(raw: &str) -> ReceivedMail {
    open(COVER, raw.replace('\n', "\r\n").as_bytes(), false, Some("mx.league.test"))
}

#[track_caller]
fn check_documents(raw: &str, expected: &[&str]) {
    let Contents::Documents(found) = received(raw).contents else { panic!("oversized") };
    let found: Vec<_> = found.iter().map(|one| String::from_utf8_lossy(one).into_owned()).collect();
    let found: Vec<_> = found.iter().map(|one| one.trim()).collect();
    assert_eq!(found, expected);
}

#[track_caller]
fn check_author(head: &str, expected: Option<String>) {
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
    let red = || Some("red@league.test".into());
    check_author("From: Red <RED@League.test>\n", Some("RED@League.test".into()));
    check_author("From: \"manager@league.test\" <red@league.test>\n", red());
    check_author("From: manager@league.test <red@league.test>\n", red());
    check_author("From: red@league.test, blue@league.test\n", None);
    check_author("From: red@league.test\nFrom: blue@league.test\n", None);
    check_author("From: red@league.test\nFrom: red@league.test\n", None);
    check_author("From: team: red@league.test, blue@league.test;\n", None);
    check_author("From: nobody\n", None);
    check_author("To: red@league.test\n", None);
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
    assert_eq!(open(COVER, raw.as_bytes(), false, None).authentication, Authentication::Unchecked);
    assert_eq!(verdict(""), Authentication::Doubted(Doubt::NoResults));
}

#[test]
fn of_a_mail_that_is_too_large_the_headers_are_known() {
    let mail = open(
        COVER,
        b"From: red@league.test\r\nSubject: big\r\nMessage-ID: <a@b>\r\n\r\n",
        true,
        None,
    );
    assert_eq!(mail.from, Some("red@league.test".into()));
    assert_eq!((mail.subject.as_str(), mail.message_id.as_deref()), ("big", Some("a@b")));
    assert_eq!(mail.contents, Contents::Oversized);
}

proptest! {
    #[test]
    fn no_bytes_are_too_strange(raw in prop::collection::vec(any::<u8>(), 0..400)) {
        let mail = open(COVER, &raw, false, Some("mx.league.test"));
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

const AUTHOR: &str = "red@team.example";

fn found(header: &str) -> Authentication {
    authenticate(Some(header), "mx.league.test", AUTHOR)
}

#[track_caller]
fn check_pass(header: &str) {
    assert_eq!(found(header), Authentication::Pass, "{header}");
}

/// The words for which a header is not believed.
#[track_caller]
fn doubt(header: &str) -> String {
    match found(header) {
        Authentication::Doubted(doubt) => doubt.to_string(),
        other @ (Authentication::Pass | Authentication::Unchecked) => panic!("{header}: {other:?}"),
    }
}

#[test]
fn what_vouches_for_the_author_counts() {
    for header in [
        " mx.league.test; dmarc=pass (p=REJECT) header.from=team.example",
        " MX.League.Test 1;\r\n\tdkim=pass header.i=@team.example header.s=s1;\r\n\tspf=none",
        " mx.league.test; spf=pass smtp.mailfrom=red@team.example",
        " mx.league.test; spf=pass smtp.mailfrom=Team.Example.",
        " mx.league.test; dkim=fail header.d=other.example; dkim=pass header.d=team.example",
        " mx.league.test (a (nested) remark; spf=fail); auth=pass smtp.auth=Red@team.example",
    ] {
        check_pass(header);
    }
}

#[test]
fn a_domain_below_or_above_is_the_same_domain_at_a_label() {
    check_pass(" mx.league.test; dkim=pass header.d=mail.team.example");
    check_pass(" mx.league.test; spf=pass smtp.mailfrom=bounce@a.b.team.example");
    let below = |header: &str| authenticate(Some(header), "mx.league.test", "red@one.team.example");
    assert_eq!(below(" mx.league.test; dkim=pass header.d=team.example"), Authentication::Pass);
    for other in ["example", "am.example", "xteam.example", ".team.example", "other.example", ""] {
        let found = below(&format!(" mx.league.test; dkim=pass header.d={other}"));
        assert!(matches!(found, Authentication::Doubted(_)), "{other}: {found:?}");
    }
    // DMARC has compared it itself, with the domain that stands in `From:`.
    doubt(" mx.league.test; dmarc=pass header.from=mail.team.example");
}

#[test]
fn what_vouches_for_somebody_else_does_not() {
    for header in [
        " mx.league.test; spf=pass smtp.mailfrom=evil.test; dkim=pass header.d=evil.test",
        " mx.league.test; dkim=pass header.d=evil.example",
        " mx.league.test; dkim=pass header.d=evil.example header.i=@team.example",
        " mx.league.test; dkim=pass header.d=team.example header.d=evil.example",
        " mx.league.test; spf=pass smtp.mailfrom=red@evil.example",
        " mx.league.test; spf=pass smtp.mailfrom=red@team.example@evil.example",
        " mx.league.test; spf=pass",
        " mx.league.test; dkim=pass header.d=example",
        " mx.league.test; dkim=pass header.d=am.example",
        " mx.league.test; auth=pass smtp.auth=blue@team.example",
        " mx.league.test; dmarc=pass header.from=evil.example",
        " mx.league.test; said dmarc=pass header.from=team.example",
        " mx.league.test; none",
    ] {
        let found = found(header);
        let aligned = matches!(&found, Authentication::Doubted(Doubt::NotAligned { .. }));
        assert!(aligned, "{header}: {found:?}");
    }
}

#[test]
fn a_failure_is_a_failure() {
    for header in [
        " mx.league.test; dmarc=fail header.from=team.example",
        " mx.league.test; dkim=pass header.d=team.example; dmarc=fail",
        " mx.league.test; spf=fail smtp.mailfrom=red@team.example",
    ] {
        let found = found(header);
        assert!(matches!(&found, Authentication::Doubted(Doubt::Failed(_))), "{found:?}");
    }
}

#[test]
fn a_doubt_says_which_check_failed_and_what_was_found() {
    assert_eq!(
        doubt(" mx.league.test; spf=softfail\r\n smtp.mailfrom=team.example; dkim=none"),
        "our mail server says `spf=softfail smtp.mailfrom=team.example; dkim=none`, and that is no \
         pass for team.example"
    );
    let failed =
        " mx.league.test; spf=pass smtp.mailfrom=evil.test; dkim=fail header.d=team.example";
    assert_eq!(doubt(failed), "our mail server says `dkim=fail header.d=team.example`");
    let other = "its Authentication-Results are of `mx.evil.example`, not of our mail server";
    assert_eq!(doubt(" mx.evil.example; dmarc=pass header.from=team.example"), other);
    let long = doubt(&format!(" mx.league.test; x={}", "y".repeat(5_000)));
    assert!(long.len() < 400, "{long}");
    let nothing = authenticate(None, "mx.league.test", AUTHOR);
    assert_eq!(nothing, Authentication::Doubted(Doubt::NoResults));
}

#[test]
fn the_words_of_strangers_are_not_heard() {
    doubt(" mx.evil.example; dmarc=pass header.from=team.example");
    doubt(" mx.league.test.evil.example; dmarc=pass header.from=team.example");
    doubt(" mx.evil.example; dmarc=fail");
    doubt(" mx.league.test; x=\"; dmarc=pass header.from=team.example\"");
    doubt(" mx.league.test; spf=none (dmarc=pass header.from=team.example)");
    doubt("");
}

proptest! {
    #[test]
    fn no_header_is_too_strange_and_none_passes_by_chance(header in "[ -~\r\n\t]{0,300}") {
        let Authentication::Doubted(doubt) = found(&header) else {
            return Err(TestCaseError::fail("it was believed"));
        };
        prop_assert!(!doubt.to_string().chars().any(char::is_control));
    }

    #[test]
    fn nothing_in_a_comment_counts(comment in "[ -'*-\\[\\]-~]{0,80}") {
        let header = format!(" mx.league.test; spf=none ({comment})");
        prop_assert!(matches!(found(&header), Authentication::Doubted(_)));
    }

    #[test]
    fn another_end_is_another_domain(domain in "[a-z]{1,8}(\\.[a-z]{1,8}){0,3}") {
        let header = format!(" mx.league.test; dkim=pass header.d={domain}");
        let ours = domain == "team.example" || domain.ends_with(".team.example");
        prop_assert_eq!(found(&header) == Authentication::Pass, ours);
    }
}
