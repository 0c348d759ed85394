//! Mails that go out, and what is said of those who did not get them.

use std::time::Duration;

use agon_net::mail::{Account, Authentication, Contents, Folders, MailError, Mailbox};
use agon_net::mail::{MailPace, Postman, ReceivedMail, Secret, ServerUrl};
use agon_net::{TlsFault, Trust};

use super::server::{Server, Way, mail, shared};
use crate::certificates::Authority;

pub(super) const AT_ONCE: MailPace = MailPace { spacing: Duration::ZERO, per_day: 1000 };
pub(super) const SIZE_MAX: u32 = 64 * 1024;

pub(super) fn postman(account: &Account) -> Postman {
    Postman::new(account.clone(), AT_ONCE).unwrap()
}

/// Everything that is unread in a mailbox.
pub(super) async fn unread(account: &Account) -> Vec<ReceivedMail> {
    let mut mailbox = Mailbox::open(account, Folders::default(), SIZE_MAX).await.unwrap();
    let found = mailbox.scan().await.unwrap();
    mailbox.close().await;
    found
}

/// The ids of mails, as [`mail`] names them.
pub(super) fn ids(mails: &[ReceivedMail]) -> Vec<&str> {
    let bare = |mail: &ReceivedMail| mail.message_id.as_deref().map(|id| id.len()).unwrap_or(0);
    let id = |mail| &mail_id(mail)[..bare(mail) - "@league.test".len()];
    mails.iter().map(id).collect()
}

fn mail_id(mail: &ReceivedMail) -> &str {
    mail.message_id.as_deref().unwrap()
}

#[tokio::test]
async fn a_mail_arrives_over_every_kind_of_connection() {
    for way in [Way::Plain, Way::StartTls, Way::Tls] {
        let (red, blue) = (shared().account(way), shared().account(way));
        postman(&red).send(&mail(&[&blue.address], "hello")).await.unwrap();
        let found = unread(&blue).await;
        let [received] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!(received.from, Some(red.address.clone()));
        assert_eq!(received.subject, mail(&[], "hello").subject);
        assert_eq!(received.message_id.as_deref(), Some("hello@league.test"));
        assert_eq!(received.authentication, Authentication::Pass);
        let Contents::Documents(documents) = &received.contents else { panic!("{received:?}") };
        assert_eq!(documents.len(), 2);
        assert_eq!(documents[0], "{\"id\":\"hello\"}");
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
        let age_s = now.as_secs().cast_signed() - received.delivered_at / 1_000_000;
        assert!((-2..600).contains(&age_s), "{age_s}");
    }
}

#[tokio::test]
async fn one_broadcast_is_one_mail_to_many() {
    let [red, blue, green] = [(); 3].map(|()| shared().account(Way::Plain));
    let broadcast = mail(&[&blue.address, &green.address, &blue.address], "news");
    postman(&red).send(&broadcast).await.unwrap();
    for account in [&blue, &green] {
        assert_eq!(ids(&unread(account).await), ["news"]);
    }
}

#[tokio::test]
async fn whoever_is_refused_takes_nothing_from_the_others() {
    let (red, blue) = (shared().account(Way::Tls), shared().account(Way::Tls));
    let to = ["nobody@league.test", &blue.address, "not an address"];
    let short = postman(&red).send(&mail(&to, "mixed")).await.unwrap_err();
    assert!(short.later.is_empty());
    let mut refused: Vec<_> = short.refused.iter().map(|one| one.recipient.as_str()).collect();
    refused.sort_unstable();
    assert_eq!(refused, ["nobody@league.test", "not an address"]);
    assert!(short.refused.iter().any(|one| one.said.contains("no such mailbox")));
    assert_eq!(ids(&unread(&blue).await), ["mixed"]);
}

#[tokio::test]
async fn whoever_cannot_have_it_now_is_named_to_be_tried_again() {
    let server = Server::start(&["--refuse", "overfull@league.test"]);
    let (red, blue) = (server.account(Way::Plain), server.account(Way::Plain));
    let to = ["overfull@league.test", "nobody@league.test", &blue.address];
    let short = postman(&red).send(&mail(&to, "later")).await.unwrap_err();
    assert!(!short.later.is_empty());
    assert_eq!(short.later, ["overfull@league.test"]);
    assert_eq!(short.refused.len(), 1);
    assert!(short.cause.unwrap().whole().contains("over quota"));
    assert_eq!(ids(&unread(&blue).await), ["later"]);
}

#[tokio::test]
async fn a_server_that_fails_halfway_makes_duplicates_and_loses_nobody() {
    let server = Server::start(&["--flaky", "2"]);
    let [red, blue, green] = [(); 3].map(|()| server.account(Way::Plain));
    let postman = postman(&red);
    let both = [blue.address.as_str(), green.address.as_str()];
    postman.send(&mail(&both, "first")).await.unwrap();
    let short = postman.send(&mail(&both, "second")).await.unwrap_err();
    assert_eq!(short.later, both);
    assert!(short.refused.is_empty());
    let again: Vec<&str> = short.later.iter().map(String::as_str).collect();
    postman.send(&mail(&again, "second")).await.unwrap();
    assert_eq!(ids(&unread(&blue).await), ["first", "second", "second"]);
    assert_eq!(ids(&unread(&green).await), ["first", "second"]);
}

#[tokio::test]
async fn many_recipients_become_several_mails() {
    let (red, blue) = (shared().account(Way::Plain), shared().account(Way::Plain));
    let (name, domain) = blue.address.split_once('@').unwrap();
    let to: Vec<String> = (0..70).map(|n| format!("{name}+{n}@{domain}")).collect();
    let to: Vec<&str> = to.iter().map(String::as_str).collect();
    let two_mails = MailPace { per_day: 2, ..AT_ONCE };
    Postman::new(red, two_mails).unwrap().send(&mail(&to, "crowd")).await.unwrap();
    assert_eq!(unread(&blue).await.len(), 70);
}

#[tokio::test]
async fn when_the_day_is_spent_the_rest_waits() {
    let (red, blue) = (shared().account(Way::Plain), shared().account(Way::Plain));
    let postman = Postman::new(red, MailPace { per_day: 1, ..AT_ONCE }).unwrap();
    postman.send(&mail(&[&blue.address], "one")).await.unwrap();
    let short = postman.send(&mail(&[&blue.address], "two")).await.unwrap_err();
    assert_eq!(short.later, [blue.address.as_str()]);
    assert!(matches!(short.cause, Some(MailError::QuotaSpent { wait_s: 86_000.. })), "{short:?}");
    assert_eq!(ids(&unread(&blue).await), ["one"]);
}

#[tokio::test]
async fn a_connection_that_was_closed_is_made_again() {
    let server = Server::start(&[]);
    let red = server.account(Way::StartTls);
    let postman = postman(&red);
    postman.send(&mail(&[&red.address], "before")).await.unwrap();
    let _server = server.restart();
    postman.send(&mail(&[&red.address], "after")).await.unwrap();
    assert_eq!(ids(&unread(&red).await), ["before", "after"]);
}

/// Why a mail of this account does not go out, nor its mailbox open.
async fn failures(account: &Account) -> [MailError; 2] {
    let short = postman(account).send(&mail(&[&account.address], "x")).await.unwrap_err();
    assert_eq!(short.later, [account.address.as_str()]);
    let opened = Mailbox::open(account, Folders::default(), SIZE_MAX).await;
    [short.cause.unwrap(), opened.err().expect("it must not open")]
}

#[tokio::test]
async fn a_wrong_password_is_called_that() {
    for way in [Way::Plain, Way::StartTls, Way::Tls] {
        let secret = Secret::Password("guess-wrong".into());
        let account = Account { secret, ..shared().account(way) };
        for error in failures(&account).await {
            assert!(matches!(error, MailError::Login { .. }), "{error:?}");
            assert!(error.whole().contains("does not accept the user name and the password"));
            assert!(!format!("{error:?}{}", error.whole()).contains("guess-wrong"));
        }
    }
}

#[tokio::test]
async fn a_server_that_cannot_prove_itself_is_not_told_the_password() {
    for way in [Way::StartTls, Way::Tls] {
        let trust = Authority::new().trust();
        let account = Account { trust, ..shared().account(way) };
        for error in failures(&account).await {
            let distrusted = matches!(
                &error,
                MailError::Tls { source: TlsFault::UnknownIssuer | TlsFault::BadSignature, .. }
            );
            assert!(distrusted, "{error:?}");
        }
    }
}

#[tokio::test]
async fn encryption_at_the_wrong_port_is_explained() {
    let account = shared().account(Way::Plain);
    let at = |scheme: &str, url: &ServerUrl| {
        ServerUrl::parse(&format!("{scheme}://localhost:{}", url.port)).unwrap()
    };
    let (imap, smtp) = (at("imaps", &account.imap), at("smtps", &account.smtp));
    for error in failures(&Account { imap, smtp, ..account }).await {
        assert!(matches!(error, MailError::NotTls { .. }), "{error:?}");
        assert!(error.whole().contains("+starttls://"));
    }
}

#[tokio::test]
async fn a_server_that_is_not_there_is_named() {
    let account = shared().account(Way::Plain);
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let at = |scheme: &str| ServerUrl::parse(&format!("{scheme}://127.0.0.1:{port}")).unwrap();
    let account = Account { imap: at("imap"), smtp: at("smtp"), ..account };
    for error in failures(&account).await {
        assert!(matches!(error, MailError::Connect { .. }), "{error:?}");
        assert!(error.whole().contains(&port.to_string()));
    }
}

#[tokio::test]
async fn a_system_that_trusts_others_does_not_trust_the_practice_server() {
    let account = Account { trust: Trust::system(), ..shared().account(Way::Tls) };
    for error in failures(&account).await {
        assert!(matches!(error, MailError::Tls { .. }), "{error:?}");
    }
}
