//! Tables of addresses, good and bad, and that printing one and reading it again changes nothing.

use proptest::prelude::*;

use super::{BadServerUrl, Protocol, Security, ServerUrl};

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
