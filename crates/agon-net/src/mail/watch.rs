//! The one task that owns the connection to a mailbox, for as long as anybody wants its mails.
//!
//! - Every unread mail is handed over once per connection, until it is marked as read.
//! - Whatever the task is waiting for, it takes commands at once and keeps them until they are
//!   carried out: nobody who sends one waits for a server.
//! - When the connection breaks it is made again, more patiently each time.
//! - When the commands end, what is left to mark is marked, and the task ends.

use std::collections::{BTreeSet, HashSet};
use std::convert::Infallible;
use std::time::{Duration, Instant};

use tokio::sync::mpsc::{Receiver, Sender};
use tokio::time::{sleep, sleep_until};
use tracing::{debug, warn};

use super::mailbox::PAGE;
use super::{Account, Folder, Folders, MailError, MailId, Mailbox, ReceivedMail};

/// Between two looks at the mailbox. A server that tells news without end is not asked without end.
const LOOK_PAUSE: Duration = Duration::from_millis(100);
/// So many mails are marked with one command.
const TOGETHER_MAX: usize = 100;

/// How a mailbox is watched.
#[derive(Debug, Clone)]
pub struct WatchConfig {
    pub folders: Folders,
    /// Larger mails are handed over without their documents, in bytes.
    pub size_max: u32,
    /// How often to go and look, also when the server tells news: it tells none of the junk folder.
    pub poll: Duration,
    /// The pause after a connection that failed, usually [`RETRY_FIRST`](super::RETRY_FIRST);
    /// doubled each time, up to `retry_max`.
    pub retry_first: Duration,
    pub retry_max: Duration,
}

/// What the task is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailCommand {
    /// Look for mails now.
    ScanNow,
    /// This mail is dealt with: mark it as read.
    Seen(MailId),
    /// Nobody can handle this mail: set it aside.
    Quarantine(MailId),
}

/// What the task tells.
#[derive(Debug)]
pub enum MailEvent {
    Mail(Box<ReceivedMail>),
    /// Every mail that was in the mailbox at that moment has been handed over.
    Scanned {
        started_at: Instant,
    },
    /// Something did not work; it is tried again.
    Trouble(MailError),
}

/// Watches a mailbox until `commands` end or nobody takes `events` any more.
pub async fn run(
    account: Account,
    config: WatchConfig,
    commands: Receiver<MailCommand>,
    events: Sender<MailEvent>,
) {
    let mut watcher = Watcher { commands, events, chores: Chores::default(), ending: false };
    let mut pause = config.retry_first;
    loop {
        let begun = Instant::now();
        let Err(stop) = watcher.connection(&account, &config).await;
        let Some(error) = stop else { return };
        if watcher.ending {
            let unread = watcher.chores.unmarked();
            warn!(unread, reason = error.whole(), "the mailbox is left with mails still unread");
            return;
        }
        // A connection that lasted a while says nothing bad about the next one.
        if begun.elapsed() > config.retry_max {
            pause = config.retry_first;
        }
        if watcher.tell(MailEvent::Trouble(error)).await.is_err()
            || watcher.rest(pause).await.is_err()
        {
            return;
        }
        pause = (pause * 2).min(config.retry_max);
    }
}

/// Why nothing more is done on a connection: it broke, or else nobody wants anything any more.
type Stop = Option<MailError>;

const OVER: Stop = None;

struct Watcher {
    commands: Receiver<MailCommand>,
    events: Sender<MailEvent>,
    chores: Chores,
    /// There will be no more commands.
    ending: bool,
}

impl Watcher {
    /// Serves one connection for as long as it lasts. There is nothing to return but a reason to
    /// stop.
    async fn connection(
        &mut self,
        account: &Account,
        config: &WatchConfig,
    ) -> Result<Infallible, Stop> {
        if self.ending && self.chores.unmarked() == 0 {
            return Err(OVER);
        }
        let opening = Mailbox::open(account, config.folders.clone(), config.size_max);
        let mut mailbox = self.during(opening).await?;
        let mut handed = HashSet::new();
        let mut due = true;
        let mut looked = Instant::now();
        loop {
            self.do_chores(&mut mailbox).await?;
            if self.ending {
                mailbox.close().await;
                return Err(OVER);
            }
            if self.chores.take_scan() || due {
                looked = self.scan(&mut mailbox, &mut handed).await?;
                due = false;
                self.during(sleep(LOOK_PAUSE)).await;
                continue; // Commands have come meanwhile, as likely as not.
            }
            let is_news = self.during(mailbox.begin_listening()).await?;
            let left = config.poll.saturating_sub(looked.elapsed());
            due = is_news || self.listen(&mut mailbox, left).await?;
        }
    }

    /// Listens until there is news, the time is up or somebody wants something. True if it is time
    /// to look for mails.
    async fn listen(&mut self, mailbox: &mut Mailbox, at_most: Duration) -> Result<bool, Stop> {
        if !self.chores.is_empty() || self.ending {
            return Ok(false);
        }
        tokio::select! {
            command = self.commands.recv() => {
                self.note(command);
                Ok(false)
            }
            listened = mailbox.imap.listen(at_most) => {
                listened?;
                Ok(true)
            }
            () = self.events.closed() => Err(OVER),
        }
    }

    /// Hands over everything that is unread and was not handed over yet. Returns when it began.
    async fn scan(
        &mut self,
        mailbox: &mut Mailbox,
        handed: &mut HashSet<MailId>,
    ) -> Result<Instant, Stop> {
        let started_at = Instant::now();
        for folder in mailbox.folders() {
            let unread = match self.during(mailbox.unread(folder)).await {
                Ok(unread) => unread,
                // Somebody may have removed that folder; the inbox is what matters.
                Err(error @ MailError::Refused { .. }) if folder == Folder::Junk => {
                    self.tell(MailEvent::Trouble(error)).await?;
                    continue;
                }
                Err(error) => return Err(error.into()),
            };
            let there: HashSet<MailId> = unread.iter().copied().collect();
            handed.retain(|mail| mail.folder != folder || there.contains(mail));
            let new: Vec<MailId> = unread
                .into_iter()
                .filter(|mail| !handed.contains(mail) && !self.chores.covers(mail))
                .collect();
            for page in new.chunks(PAGE) {
                for mail in self.during(mailbox.fetch(page)).await? {
                    handed.insert(mail.id);
                    self.tell(MailEvent::Mail(Box::new(mail))).await?;
                }
            }
        }
        self.tell(MailEvent::Scanned { started_at }).await?;
        Ok(started_at)
    }

    /// Marks and sets aside what is to be marked and set aside.
    async fn do_chores(&mut self, mailbox: &mut Mailbox) -> Result<(), Stop> {
        while let Some(chore) = self.chores.next() {
            let done = match &chore {
                Chore::Mark(mails) => self.during(mailbox.mark_seen(mails)).await,
                Chore::SetAside(mail) => self.during(mailbox.quarantine(*mail)).await,
            };
            match done {
                Ok(()) => {}
                Err(error @ MailError::Refused { .. }) => {
                    // A mail that cannot be moved must not stand in the way for ever.
                    if let Chore::SetAside(mail) = chore {
                        self.chores.note(MailCommand::Seen(mail));
                    }
                    self.tell(MailEvent::Trouble(error)).await?;
                }
                Err(error) => return Err(error.into()),
            }
            self.chores.done(&chore);
        }
        Ok(())
    }

    /// Does something to its end, and takes commands meanwhile.
    async fn during<T>(&mut self, work: impl Future<Output = T>) -> T {
        tokio::pin!(work);
        loop {
            tokio::select! {
                done = &mut work => return done,
                command = self.commands.recv(), if !self.ending => self.note(command),
            }
        }
    }

    /// Tells something when there is room for it, and takes commands meanwhile.
    async fn tell(&mut self, event: MailEvent) -> Result<(), Stop> {
        let events = self.events.clone();
        let place = self.during(events.reserve()).await.map_err(|_nobody_listens| OVER)?;
        place.send(event);
        Ok(())
    }

    /// Waits, and takes commands meanwhile; ends early when there will be no more.
    async fn rest(&mut self, pause: Duration) -> Result<(), Stop> {
        let end = tokio::time::Instant::now() + pause;
        // When it ends early, there is one more connection, for what is left to mark.
        while !self.ending {
            tokio::select! {
                () = sleep_until(end) => break,
                command = self.commands.recv() => self.note(command),
                () = self.events.closed() => return Err(OVER),
            }
        }
        Ok(())
    }

    fn note(&mut self, command: Option<MailCommand>) {
        match command {
            Some(command) => self.chores.note(command),
            None => {
                debug!(chores = self.chores.unmarked(), "no more commands for the mailbox");
                self.ending = true;
            }
        }
    }
}

/// What is still to be done in the mailbox: mails to mark as read, to set aside, and to look for.
///
/// A chore is forgotten only when it is done, so it survives a connection that broke. Asking for
/// the same thing twice is asking once, so there are never more chores than mails.
#[derive(Debug, Default)]
struct Chores {
    seen: BTreeSet<MailId>,
    aside: BTreeSet<MailId>,
    scan: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Chore {
    /// Marks these as read; they are of one folder.
    Mark(Vec<MailId>),
    SetAside(MailId),
}

impl Chores {
    fn note(&mut self, command: MailCommand) {
        match command {
            MailCommand::ScanNow => self.scan = true,
            MailCommand::Seen(mail) => {
                self.seen.insert(mail);
            }
            MailCommand::Quarantine(mail) => {
                self.aside.insert(mail);
            }
        }
    }

    /// What to do next.
    fn next(&self) -> Option<Chore> {
        if let Some(first) = self.seen.first() {
            let same =
                |mail: &&MailId| (mail.folder, mail.validity) == (first.folder, first.validity);
            let mails = self.seen.iter().take_while(same).take(TOGETHER_MAX);
            return Some(Chore::Mark(mails.copied().collect()));
        }
        self.aside.first().map(|mail| Chore::SetAside(*mail))
    }

    fn done(&mut self, chore: &Chore) {
        match chore {
            Chore::Mark(mails) => mails.iter().for_each(|mail| {
                self.seen.remove(mail);
            }),
            Chore::SetAside(mail) => {
                self.aside.remove(mail);
            }
        }
    }

    /// Whether somebody wants to know now what is new. Asked once.
    fn take_scan(&mut self) -> bool {
        std::mem::take(&mut self.scan)
    }

    /// Whether nothing is left to do in the mailbox, and nobody wants to know what is new.
    fn is_empty(&self) -> bool {
        self.seen.is_empty() && self.aside.is_empty() && !self.scan
    }

    /// Mails that are dealt with, although the mailbox does not show it yet.
    fn covers(&self, mail: &MailId) -> bool {
        self.seen.contains(mail) || self.aside.contains(mail)
    }

    /// How many mails wait for their mark.
    fn unmarked(&self) -> usize {
        self.seen.len() + self.aside.len()
    }
}

#[cfg(test)]
mod tests;
