//! What is wrong with an account is said before anybody is called, and secrets stay hidden. Tables
//! of servers, good and bad, and that printing one and reading it again changes nothing.

use proptest::prelude::*;

use super::{Account, BadAccount, BadServerUrl, Protocol, Secret, Security, ServerUrl};
use crate::tls::Trust;

fn account(imap: &str, smtp: &str) -> Account {
    Account {
        address: "red@league.test".into(),
        user: "red@league.test".into(),
        secret: Secret::Password("open sesame".into()),
        imap: ServerUrl::parse(imap).unwrap(),
        smtp: ServerUrl::parse(smtp).unwrap(),
        trust: Trust::system(),
        insecure: false,
        authserv_id: None,
    }
}

#[test]
fn encrypted_servers_may_be_anywhere_and_plain_ones_only_here() {
    for (imap, smtp) in [
        ("imaps://mail.example.org", "smtps://mail.example.org"),
        ("imap+starttls://mail.example.org", "smtp+starttls://mail.example.org"),
        ("imap://localhost", "smtp://127.0.0.1"),
    ] {
        assert_eq!(account(imap, smtp).check(), Ok(()));
    }
    let open = account("imap://mail.example.org", "smtps://mail.example.org");
    assert!(matches!(open.check(), Err(BadAccount::Exposed(_, "imaps"))));
    let open = account("imaps://mail.example.org", "smtp://mail.example.org");
    assert!(matches!(open.check(), Err(BadAccount::Exposed(_, "smtps"))));
    assert_eq!(Account { insecure: true, ..open }.check(), Ok(()));
}

#[test]
fn servers_that_were_mixed_up_are_noticed() {
    let swapped = account("smtps://mail.example.org", "imaps://mail.example.org");
    assert!(matches!(swapped.check(), Err(BadAccount::NotImap(_))));
    let twice = account("imaps://mail.example.org", "imaps://mail.example.org");
    assert!(matches!(twice.check(), Err(BadAccount::NotSmtp(_))));
}

#[test]
fn an_address_must_be_one() {
    let mut account = account("imaps://mail.example.org", "smtps://mail.example.org");
    for text in ["", "red", "red@", "a@b\r\nBcc: c@d", "a@b, c@d"] {
        account.address = text.into();
        assert_eq!(account.check(), Err(BadAccount::Address(text.into())));
    }
}

#[test]
fn a_secret_does_not_show_itself() {
    let account = account("imaps://mail.example.org", "smtps://mail.example.org");
    assert!(!format!("{account:?}").contains("sesame"));
}

#[track_caller]
fn check(text: &str, printed: &str, security: Security) {
    let url = ServerUrl::parse(text).unwrap();
    assert_eq!((url.to_string().as_str(), url.security), (printed, security));
}

#[test]
fn every_scheme_has_its_usual_port() {
    check("imaps://mail.example.org", "imaps://mail.example.org:993", Security::Tls);
    check("imap+starttls://mail", "imap+starttls://mail:143", Security::StartTls);
    check("imap://127.0.0.1/", "imap://127.0.0.1:143", Security::Plain);
    check("smtps://mail.example.org", "smtps://mail.example.org:465", Security::Tls);
    check("SMTP+StartTLS://Mail", "smtp+starttls://mail:587", Security::StartTls);
    check("smtp://[::1]", "smtp://[::1]:25", Security::Plain);
    check(" smtp://localhost:2525 ", "smtp://localhost:2525", Security::Plain);
}

#[test]
fn bad_ones_say_what_to_write_instead() {
    let bad = |text| ServerUrl::parse(text).unwrap_err();
    for text in ["", "mail.example.org", "http://mail", "imaps:/mail", "pop3://mail"] {
        assert_eq!(bad(text), BadServerUrl::Scheme, "{text}");
    }
    for text in ["imaps://", "imaps://:993", "imaps://a b", "imaps://[::1", "imap://[x]:1"] {
        assert_eq!(bad(text), BadServerUrl::Host, "{text}");
    }
    for text in ["imaps://mail:", "imaps://mail:0", "imaps://mail:65536", "imaps://mail:+99"] {
        assert_eq!(bad(text), BadServerUrl::Port, "{text}");
    }
    assert_eq!(bad("imaps://me:secret@mail"), BadServerUrl::UserInfo);
    assert_eq!(bad("imaps://mail/INBOX"), BadServerUrl::Path);
}

#[test]
fn a_server_on_this_machine_is_known_as_such() {
    let loopback = |text| ServerUrl::parse(text).unwrap().is_loopback();
    for text in
        ["imap://localhost", "imap://127.0.0.9", "imap://[::1]", "imap://[::ffff:127.0.0.1]"]
    {
        assert!(loopback(text), "{text}");
    }
    for text in ["imap://mail.example.org", "imap://10.0.0.1", "imap://localhost.example.org"] {
        assert!(!loopback(text), "{text}");
    }
}

proptest! {
    #[test]
    fn what_is_printed_reads_the_same(
        text in "(imaps?|smtp|smtp\\+starttls)://[a-zA-Z0-9.-]{1,20}(:[0-9]{1,6})?"
    ) {
        if let Ok(url) = ServerUrl::parse(&text) {
            prop_assert_eq!(ServerUrl::parse(&url.to_string()), Ok(url));
        }
    }

    #[test]
    fn no_text_is_too_strange(text in ".*") {
        if let Ok(url) = ServerUrl::parse(&text) {
            prop_assert!(url.port != 0 && matches!(url.protocol, Protocol::Imap | Protocol::Smtp));
        }
    }
}
