//! What is wrong with an account is said before anybody is called, and secrets stay hidden.

use super::{Account, BadAccount, Secret};
use crate::mail::ServerUrl;
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
