//! Mails that come in: what is found, what it says, and what changes in the mailbox.

use agon_net::mail::{Account, Authentication, Contents, Doubt, Folder, Folders, Junk};
use agon_net::mail::{Mailbox, ReceivedMail};

use super::sending::{SIZE_MAX, ids, postman, unread};
use super::server::{Way, mail, shared};

async fn open(account: &Account) -> Mailbox {
    Mailbox::open(account, Folders::default(), SIZE_MAX).await.unwrap()
}

/// A mail of few words.
fn short(id: &str) -> String {
    format!("From: stranger@league.test\nMessage-ID: <{id}@league.test>\nSubject: {id}\n\n{{}}\n")
}

/// What one raw mail is read as.
async fn received(raw: &str) -> ReceivedMail {
    let account = shared().account(Way::Plain);
    shared().deliver(&account.address, raw).await;
    let mut found = unread(&account).await;
    assert_eq!(found.len(), 1);
    found.remove(0)
}

#[tokio::test]
async fn reading_changes_nothing_and_marking_does() {
    let account = shared().account(Way::Tls);
    for id in ["a", "b", "c"] {
        shared().deliver(&account.address, &short(id)).await;
    }
    let mut mailbox = open(&account).await;
    for _ in 0..2 {
        assert_eq!(ids(&mailbox.scan().await.unwrap()), ["a", "b", "c"]);
    }
    let found = mailbox.scan().await.unwrap();
    mailbox.mark_seen(&[found[0].id, found[2].id]).await.unwrap();
    assert_eq!(ids(&mailbox.scan().await.unwrap()), ["b"]);
    assert_eq!(ids(&unread(&account).await), ["b"]);
}

#[tokio::test]
async fn an_open_mailbox_sees_what_arrived_since() {
    let account = shared().account(Way::Plain);
    let mut mailbox = open(&account).await;
    assert!(mailbox.scan().await.unwrap().is_empty());
    shared().deliver(&account.address, &short("late")).await;
    assert_eq!(ids(&mailbox.scan().await.unwrap()), ["late"]);
}

#[tokio::test]
async fn a_full_mailbox_is_read_in_order_page_by_page() {
    let account = shared().account(Way::Plain);
    let names: Vec<String> = (0..120).map(|number| format!("mail-{number:03}")).collect();
    for name in &names {
        shared().deliver(&account.address, &short(name)).await;
    }
    assert_eq!(ids(&unread(&account).await), names);
}

#[tokio::test]
async fn the_junk_folder_is_read_too_and_marked_apart() {
    let account = shared().account(Way::Plain);
    let junk = account.address.replace('@', "+Spam@");
    shared().deliver(&junk, &short("unwanted")).await;
    shared().deliver(&account.address, &short("wanted")).await;
    let mut mailbox = open(&account).await;
    let found = mailbox.scan().await.unwrap();
    assert_eq!(ids(&found), ["wanted", "unwanted"]);
    assert_eq!(found[1].id.folder, Folder::Junk);
    mailbox.mark_seen(&[found[1].id]).await.unwrap();
    assert_eq!(ids(&mailbox.scan().await.unwrap()), ["wanted"]);
}

#[tokio::test]
async fn junk_is_left_alone_by_whoever_says_so() {
    let account = shared().account(Way::Plain);
    shared().deliver(&account.address.replace('@', "+Spam@"), &short("unwanted")).await;
    let folders = Folders { junk: Junk::Nowhere, ..Folders::default() };
    let mut mailbox = Mailbox::open(&account, folders, SIZE_MAX).await.unwrap();
    assert!(mailbox.scan().await.unwrap().is_empty());
}

#[tokio::test]
async fn quarantine_takes_one_mail_and_no_other() {
    let account = shared().account(Way::Plain);
    for id in ["good", "bad", "fine"] {
        shared().deliver(&account.address, &short(id)).await;
    }
    let mut mailbox = open(&account).await;
    let found = mailbox.scan().await.unwrap();
    for _ in 0..2 {
        mailbox.quarantine(found[1].id).await.unwrap(); // The second time it is gone already.
    }
    assert_eq!(ids(&mailbox.scan().await.unwrap()), ["good", "fine"]);
    let aside = Folders { inbox: "Agon-Quarantine".into(), ..Folders::default() };
    let mut quarantine = Mailbox::open(&account, aside, SIZE_MAX).await.unwrap();
    assert_eq!(ids(&quarantine.scan().await.unwrap()), ["bad"]);
}

#[tokio::test]
async fn a_mail_with_a_name_of_an_older_folder_is_not_touched() {
    let account = shared().account(Way::Plain);
    shared().deliver(&account.address, &short("kept")).await;
    let mut mailbox = open(&account).await;
    let mut id = mailbox.scan().await.unwrap()[0].id;
    id.validity -= 1;
    mailbox.mark_seen(&[id]).await.unwrap();
    mailbox.quarantine(id).await.unwrap();
    assert!(mailbox.fetch(&[id]).await.unwrap().is_empty());
    assert_eq!(ids(&mailbox.scan().await.unwrap()), ["kept"]);
}

#[tokio::test]
async fn of_an_oversized_mail_only_the_headers_are_read() {
    let account = shared().account(Way::Plain);
    let huge = format!("{}{}", short("huge"), "x".repeat(70).repeat(1000));
    shared().deliver(&account.address, &short("small")).await;
    shared().deliver(&account.address, &huge).await;
    shared().deliver(&account.address, &short("other")).await;
    let found = unread(&account).await;
    assert_eq!(ids(&found), ["small", "huge", "other"]);
    assert_eq!(found[1].contents, Contents::Oversized);
    assert_eq!(found[1].from, Some("stranger@league.test".into()));
    assert!(found[1].size > SIZE_MAX);
    assert!(matches!(&found[2].contents, Contents::Documents(documents) if documents.len() == 1));
}

#[tokio::test]
async fn a_long_bracketed_subject_comes_back_whole() {
    let (red, blue) = (shared().account(Way::Plain), shared().account(Way::Plain));
    let id = format!("[lifecycle-SEASON_2026-02-17-{}]", "0123456789abcdef".repeat(12));
    let subject = format!("league.v2::LEAGUEMANAGER::{}::{id}::BROADCAST_NEW_ROUND", red.address);
    let mut long = mail(&[&blue.address], "long");
    long.subject.clone_from(&subject);
    postman(&red).send(&long).await.unwrap();
    assert_eq!(unread(&blue).await[0].subject, subject);
}

#[tokio::test]
async fn a_folded_subject_is_unfolded() {
    let raw = "From: red@league.test\nSubject:\n league.v2::PLAYER::red@league.test::tx-1::\n \
               Q21_WARMUP_RESPONSE\n\n{}\n";
    let subject = received(raw).await.subject;
    assert_eq!(subject, "league.v2::PLAYER::red@league.test::tx-1:: Q21_WARMUP_RESPONSE");
}

#[tokio::test]
async fn a_document_is_found_however_it_is_packed() {
    let raw = "From: Red <RED@league.test>\nMIME-Version: 1.0\n\
               Content-Type: multipart/mixed; boundary=outer\n\n\
               --outer\nContent-Type: multipart/related; boundary=inner\n\n\
               --inner\nContent-Type: text/plain; charset=iso-8859-1\n\
               Content-Transfer-Encoding: quoted-printable\n\nSch=F6n\n\
               --inner\nContent-Type: application/json\n\
               Content-Transfer-Encoding: quoted-printable\n\n\
               {\"text\":\"a=3Db =\nc\"}\n--inner--\n\
               --outer--\n";
    let mail = received(raw).await;
    assert_eq!(mail.from, Some("RED@league.test".into()));
    assert_eq!(mail.authentication, Authentication::Doubted(Doubt::NoResults));
    let Contents::Documents(documents) = mail.contents else { panic!("oversized") };
    assert_eq!(documents[0].trim_ascii(), b"{\"text\":\"a=b c\"}");
    assert_eq!(documents[1].trim_ascii(), "Schön".as_bytes());
}

#[tokio::test]
async fn a_mail_of_two_authors_is_of_none() {
    let raw = "From: red@league.test\nFrom: manager@league.test\nSubject: x\n\n{}\n";
    assert_eq!(received(raw).await.from, None);
}
