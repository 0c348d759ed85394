//! The task that watches a mailbox: hands over once, wakes, marks, comes back.

use std::time::{Duration, Instant};

use agon_net::mail::{
    Account, Folders, MailCommand, MailError, MailEvent, MailId, Mailbox, ReceivedMail,
};
use agon_net::mail::{WatchConfig, run};
use tokio::sync::mpsc::{self, Receiver, Sender};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::sending::{ids, postman, unread};
use super::server::{Server, Way, mail, shared};
use crate::support::PATIENT;

/// A mailbox under watch.
struct Watch {
    commands: Sender<MailCommand>,
    events: Receiver<MailEvent>,
    task: JoinHandle<()>,
}

/// Goes and looks so seldom that only news can be the reason.
fn lazy() -> WatchConfig {
    let retry = Duration::from_millis(20);
    WatchConfig {
        folders: Folders::default(),
        size_max: 1024 * 1024,
        poll: PATIENT * 10,
        retry_first: retry,
        retry_max: retry,
    }
}

impl Watch {
    fn start(account: &Account, config: WatchConfig, room: usize) -> Self {
        let (commands, orders) = mpsc::channel(4);
        let (tell, events) = mpsc::channel(room);
        let task = tokio::spawn(run(account.clone(), config, orders, tell));
        Self { commands, events, task }
    }

    async fn event(&mut self) -> MailEvent {
        timeout(PATIENT, self.events.recv()).await.expect("an event in time").expect("an event")
    }

    async fn mail(&mut self) -> ReceivedMail {
        match self.event().await {
            MailEvent::Mail(mail) => *mail,
            other @ (MailEvent::Scanned { .. } | MailEvent::Trouble(_)) => panic!("{other:?}"),
        }
    }

    async fn scanned(&mut self) -> Instant {
        match self.event().await {
            MailEvent::Scanned { started_at } => started_at,
            other @ (MailEvent::Mail(_) | MailEvent::Trouble(_)) => panic!("{other:?}"),
        }
    }

    async fn say(&self, command: MailCommand) {
        timeout(PATIENT, self.commands.send(command)).await.expect("taken in time").unwrap();
    }

    /// Ends the commands and waits for the task.
    async fn end(self) {
        drop(self.commands);
        timeout(PATIENT, self.task).await.expect("an end in time").unwrap();
    }
}

#[tokio::test]
async fn news_wakes_whoever_listens_and_each_mail_comes_once() {
    let (red, blue) = (shared().account(Way::Tls), shared().account(Way::Tls));
    let mut watch = Watch::start(&blue, lazy(), 16);
    watch.scanned().await;
    let postman = postman(&red);
    for id in ["one", "two", "three"] {
        let before = Instant::now();
        postman.send(&mail(&[&blue.address], id)).await.unwrap();
        assert_eq!(ids(&[watch.mail().await]), [id]); // The earlier ones are unread, and not again.
        assert!(watch.scanned().await >= before);
    }
    watch.end().await;
    assert_eq!(unread(&blue).await.len(), 3);
}

#[tokio::test]
async fn a_command_is_heard_while_listening() {
    let account = shared().account(Way::Plain);
    let mut watch = Watch::start(&account, lazy(), 16);
    watch.scanned().await;
    // Of the junk folder the server tells nothing by itself.
    let junk = account.address.replace('@', "+Spam@");
    shared().deliver(&junk, "From: a@league.test\nMessage-ID: <j@league.test>\n\n{}\n").await;
    watch.say(MailCommand::ScanNow).await;
    assert_eq!(ids(&[watch.mail().await]), ["j"]);
    watch.scanned().await;
    watch.end().await;
}

#[tokio::test]
async fn without_any_news_somebody_goes_and_looks() {
    let account = shared().account(Way::Plain);
    let config = WatchConfig { poll: Duration::from_millis(50), ..lazy() };
    let mut watch = Watch::start(&account, config, 16);
    watch.scanned().await;
    let junk = account.address.replace('@', "+Spam@");
    shared().deliver(&junk, "From: a@league.test\nMessage-ID: <j@league.test>\n\n{}\n").await;
    let found = loop {
        match watch.event().await {
            MailEvent::Mail(mail) => break *mail,
            MailEvent::Scanned { .. } => {}
            MailEvent::Trouble(error) => panic!("{error:?}"),
        }
    };
    assert_eq!(ids(&[found]), ["j"]);
    watch.end().await;
}

#[tokio::test]
async fn an_old_server_is_asked_again_and_again() {
    let server = Server::start(&["--old"]);
    let account = server.account(Way::Plain);
    let config = WatchConfig { poll: Duration::from_millis(50), ..lazy() };
    let mut watch = Watch::start(&account, config, 64);
    watch.scanned().await;
    let postman = postman(&account);
    for id in ["good", "bad"] {
        postman.send(&mail(&[&account.address], id)).await.unwrap();
    }
    let mut found = Vec::new();
    while found.len() < 2 {
        match watch.event().await {
            MailEvent::Mail(mail) => found.push(*mail),
            MailEvent::Scanned { .. } => {}
            MailEvent::Trouble(error) => panic!("{error:?}"),
        }
    }
    assert_eq!(ids(&found), ["good", "bad"]);
    watch.say(MailCommand::Quarantine(found[1].id)).await;
    watch.end().await;
    assert_eq!(ids(&unread(&account).await), ["good"]);
    let inbox = Folders { inbox: "Agon-Quarantine".into(), ..Folders::default() };
    let mut aside = Mailbox::open(&account, inbox, 1000).await.unwrap();
    assert!(!aside.tells_news());
    assert_eq!(ids(&aside.scan().await.unwrap()[..1]), ["bad"]);
}

#[tokio::test]
async fn what_is_dealt_with_is_marked_even_when_the_end_comes_first() {
    let account = shared().account(Way::Plain);
    let postman = postman(&account);
    for id in ["done", "open", "broken"] {
        postman.send(&mail(&[&account.address], id)).await.unwrap();
    }
    let mut watch = Watch::start(&account, lazy(), 16);
    let [done, _open, broken] = [watch.mail().await, watch.mail().await, watch.mail().await];
    watch.say(MailCommand::Seen(done.id)).await;
    watch.say(MailCommand::Quarantine(broken.id)).await;
    watch.end().await;
    assert_eq!(ids(&unread(&account).await), ["open"]);
}

#[tokio::test]
async fn a_new_watch_hands_over_what_was_not_marked() {
    let account = shared().account(Way::Plain);
    postman(&account).send(&mail(&[&account.address], "again")).await.unwrap();
    let mut ids_seen = Vec::new();
    for _ in 0..2 {
        let mut watch = Watch::start(&account, lazy(), 16);
        ids_seen.push(watch.mail().await.id);
        watch.end().await;
    }
    assert_eq!(ids_seen[0], ids_seen[1]);
}

#[tokio::test]
async fn commands_are_taken_although_nobody_takes_the_events() {
    let account = shared().account(Way::Plain);
    let postman = postman(&account);
    for id in ["a", "b", "c", "d"] {
        postman.send(&mail(&[&account.address], id)).await.unwrap();
    }
    let mut watch = Watch::start(&account, lazy(), 1); // Full with the first mail.
    let first = watch.mail().await.id;
    for uid in 0..100 {
        watch.say(MailCommand::Seen(MailId { uid: first.uid + uid % 4, ..first })).await;
        watch.say(MailCommand::ScanNow).await;
    }
    drop(watch.commands);
    while timeout(PATIENT, watch.events.recv()).await.expect("an end in time").is_some() {}
    assert!(unread(&account).await.is_empty());
}

#[tokio::test]
async fn when_nobody_listens_any_more_the_task_ends() {
    let account = shared().account(Way::Plain);
    let mut watch = Watch::start(&account, lazy(), 16);
    watch.scanned().await;
    drop(watch.events);
    timeout(PATIENT, watch.task).await.expect("an end in time").unwrap();
}

#[tokio::test]
async fn a_server_that_comes_back_finds_us_there() {
    let server = Server::start(&[]);
    let account = server.account(Way::StartTls);
    let mut watch = Watch::start(&account, lazy(), 64);
    postman(&account).send(&mail(&[&account.address], "before")).await.unwrap();
    let before = loop {
        if let MailEvent::Mail(mail) = watch.event().await {
            break mail.id;
        }
    };
    let server = server.restart();
    // Told while there may be no connection, and carried out on the next.
    watch.say(MailCommand::Seen(before)).await;
    postman(&account).send(&mail(&[&account.address], "after")).await.unwrap();
    let mut trouble = 0;
    let after = loop {
        match watch.event().await {
            MailEvent::Mail(mail) if mail.id == before => {} // Of a new connection, once more.
            MailEvent::Mail(mail) => break mail,
            MailEvent::Scanned { .. } => {}
            MailEvent::Trouble(error) => {
                assert!(
                    matches!(error, MailError::Broken { .. } | MailError::Connect { .. }),
                    "{error:?}"
                );
                trouble += 1;
            }
        }
    };
    assert!(trouble > 0);
    assert_eq!(ids(&[*after]), ["after"]);
    watch.end().await;
    assert_eq!(ids(&unread(&account).await), ["after"]);
    drop(server);
}

#[tokio::test]
async fn a_wrong_password_is_told_again_and_again_and_ends_with_the_commands() {
    let secret = agon_net::mail::Secret::Password("guess-wrong".into());
    let account = Account { secret, ..shared().account(Way::Plain) };
    let mut watch = Watch::start(&account, lazy(), 16);
    for _ in 0..2 {
        let event = watch.event().await;
        assert!(matches!(event, MailEvent::Trouble(MailError::Login { .. })), "{event:?}");
    }
    watch.end().await;
}
