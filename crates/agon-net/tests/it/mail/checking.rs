//! What `check` says of mailboxes that work and of some that do not.

use agon_net::mail::{Account, CheckStep, Folders, Secret, ServerUrl, check};

use super::server::{Way, shared};
use crate::certificates::Authority;

/// The names of the steps that worked, and the reason of the first that did not.
fn summary(report: &[CheckStep]) -> (Vec<&str>, Option<&str>) {
    let fine = report.iter().filter(|step| step.outcome.is_ok()).map(|step| step.name);
    let failed = report.iter().find_map(|step| step.outcome.as_ref().err());
    (fine.collect(), failed.map(String::as_str))
}

#[tokio::test]
async fn a_mailbox_that_works_is_called_fine() {
    for way in [Way::Plain, Way::StartTls, Way::Tls] {
        let report = check(&shared().account(way), Folders::default()).await;
        assert!(report.iter().all(|step| step.outcome.is_ok()), "{report:?}");
        assert_eq!(report.len(), 8);
        assert!(report.iter().any(|step| step.outcome.as_ref().unwrap().contains("IDLE")));
    }
}

#[tokio::test]
async fn a_wrong_password_fails_at_logging_in() {
    let secret = Secret::Password("guess-wrong".into());
    let report = check(&Account { secret, ..shared().account(Way::Tls) }, Folders::default()).await;
    let (fine, reason) = summary(&report);
    let expected = [
        "reach the IMAP server",
        "encrypt what is said to it",
        "reach the SMTP server",
        "encrypt what is said to it",
    ];
    assert_eq!(fine, expected);
    assert!(reason.unwrap().contains("does not accept the user name and the password"));
}

#[tokio::test]
async fn an_unknown_issuer_fails_at_encryption() {
    let trust = Authority::new().trust();
    let account = Account { trust, ..shared().account(Way::Tls) };
    let report = check(&account, Folders::default()).await;
    let (fine, reason) = summary(&report);
    assert_eq!(fine, ["reach the IMAP server", "reach the SMTP server"]);
    assert!(reason.unwrap().contains("certificate"), "{reason:?}");
}

#[tokio::test]
async fn a_missing_inbox_is_named_and_sending_is_tried_all_the_same() {
    let folders = Folders { inbox: "Nowhere".into(), ..Folders::default() };
    let report = check(&shared().account(Way::Plain), folders).await;
    let (fine, reason) = summary(&report);
    assert_eq!(fine.len(), 6, "{report:?}");
    assert!(reason.unwrap().contains("refused to open a folder"), "{reason:?}");
}

#[tokio::test]
async fn settings_that_make_no_sense_are_not_tried() {
    let imap = ServerUrl::parse("imap://mail.example.org").unwrap();
    let account = Account { imap, ..shared().account(Way::Plain) };
    assert!(!account.insecure);
    let report = check(&account, Folders::default()).await;
    assert_eq!(report.len(), 1);
    assert!(summary(&report).1.unwrap().contains("imaps://"));
}
