//! A mailbox: which mails in it are unread, what they say, and marking them.
//!
//! Reading changes nothing: a mail stays unread until somebody marks it.

use std::collections::HashMap;

use async_imap::imap_proto::NameAttribute;
use async_imap::types::Fetch;
use futures_util::TryStreamExt;
use tracing::debug;

use super::imap::{Imap, Session};
use super::read::{Cover, Folder, MailId, ReceivedMail, open};
use super::{Account, MailError};

/// So many mails are asked for together.
pub(super) const PAGE: usize = 50;
/// And so many bytes of them, so that a full mailbox does not fill the memory.
const TOGETHER_BYTES_MAX: u32 = 4 * 1024 * 1024;
/// Longest part of the headers that is read of a mail that is too large.
const HEAD_MAX: u32 = 64 * 1024;

/// Which folders of the mailbox are what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folders {
    pub inbox: String,
    pub junk: Junk,
    /// Where mails go that nobody could handle; made when it is first needed.
    pub quarantine: String,
}

/// Where unwanted mails are looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Junk {
    /// In the folder that the server names as such, if it does.
    Auto,
    Named(String),
    Nowhere,
}

impl Default for Folders {
    fn default() -> Self {
        Self { inbox: "INBOX".into(), junk: Junk::Auto, quarantine: "Agon-Quarantine".into() }
    }
}

/// An open mailbox.
pub struct Mailbox {
    pub(super) imap: Imap,
    /// With what the server said of its junk folder, if it was asked.
    folders: Folders,
    size_max: u32,
    authserv_id: Option<String>,
    /// The folder that is open on the connection, and what its ids are worth.
    open: Option<(Folder, u32)>,
    /// What the next mail in the inbox would have been called when it was last looked through.
    next_uid: Option<u32>,
}

impl Mailbox {
    /// Connects, logs in and opens the inbox. Mails larger than `size_max` are not read whole.
    ///
    /// # Errors
    /// Says what did not work, in words for the owner of the mailbox.
    pub async fn open(
        account: &Account,
        folders: Folders,
        size_max: u32,
    ) -> Result<Self, MailError> {
        let imap = Imap::open(account).await?;
        let authserv_id = account.authserv_id.clone();
        let (open, next_uid) = (None, None);
        let mut mailbox = Self { imap, folders, size_max, authserv_id, open, next_uid };
        if mailbox.folders.junk == Junk::Auto {
            mailbox.folders.junk = mailbox.find_junk().await?;
        }
        mailbox.select(Folder::Inbox).await?;
        Ok(mailbox)
    }

    /// Whether the server tells us by itself when a mail arrives.
    pub fn tells_news(&self) -> bool {
        self.imap.can.has_str("IDLE")
    }

    /// The folders that there are.
    pub fn folders(&self) -> Vec<Folder> {
        match self.folders.junk {
            Junk::Named(_) => vec![Folder::Inbox, Folder::Junk],
            Junk::Auto | Junk::Nowhere => vec![Folder::Inbox],
        }
    }

    /// Everything that is unread, oldest first: the inbox, then the junk folder.
    ///
    /// # Errors
    /// When the server refuses or the connection breaks.
    pub async fn scan(&mut self) -> Result<Vec<ReceivedMail>, MailError> {
        let mut found = Vec::new();
        for folder in self.folders() {
            let unread = self.unread(folder).await?;
            for page in unread.chunks(PAGE) {
                found.extend(self.fetch(page).await?);
            }
        }
        Ok(found)
    }

    /// The unread mails of a folder, oldest first.
    ///
    /// # Errors
    /// As above.
    pub async fn unread(&mut self, folder: Folder) -> Result<Vec<MailId>, MailError> {
        // Opened anew each time: a session sees new mails only after such a command.
        let (validity, next_uid) = self.select(folder).await?;
        if folder == Folder::Inbox {
            self.next_uid = next_uid;
        }
        let doing = "look for unread mails";
        let search = async |session: &mut Session| session.uid_search("UNSEEN UNDELETED").await;
        let uids = self.imap.command(doing, search).await?;
        let mut mails: Vec<_> =
            uids.into_iter().map(|uid| MailId { folder, validity, uid }).collect();
        mails.sort_unstable();
        Ok(mails)
    }

    /// Reads these mails of one folder, at most a page of them. Those that are gone are left out.
    ///
    /// # Errors
    /// As above.
    pub async fn fetch(&mut self, mails: &[MailId]) -> Result<Vec<ReceivedMail>, MailError> {
        if !self.enter(mails).await? {
            return Ok(Vec::new());
        }
        let covers = self.covers(mails).await?;
        let mut found = Vec::with_capacity(covers.len());
        let mut rest = covers.as_slice();
        while !rest.is_empty() {
            let mut bytes = 0_u32;
            let fits = rest.iter().take_while(|cover| {
                bytes = bytes.saturating_add(cover.size);
                !self.is_oversized(cover) && bytes <= TOGETHER_BYTES_MAX
            });
            // What is too large for company is read alone.
            let (together, behind) = rest.split_at(fits.count().max(1));
            found.extend(self.read(together).await?);
            rest = behind;
        }
        Ok(found)
    }

    /// Marks these mails of one folder as read.
    ///
    /// # Errors
    /// As above.
    pub async fn mark_seen(&mut self, mails: &[MailId]) -> Result<(), MailError> {
        if !self.enter(mails).await? {
            return Ok(());
        }
        self.store(&set(mails), "+FLAGS.SILENT (\\Seen)").await
    }

    /// Moves a mail to the quarantine folder. Of all others none is touched.
    ///
    /// # Errors
    /// As above.
    pub async fn quarantine(&mut self, mail: MailId) -> Result<(), MailError> {
        if !self.enter(&[mail]).await? {
            return Ok(());
        }
        let (uid, place) = (mail.uid.to_string(), self.folders.quarantine.clone());
        let creating =
            self.imap.command("make a folder", async |session| session.create(&place).await);
        match creating.await {
            // It is there already, or moving will tell.
            Ok(()) | Err(MailError::Refused { .. }) => {}
            Err(error) => return Err(error),
        }
        if self.imap.can.has_str("MOVE") {
            let moving = async |session: &mut Session| session.uid_mv(&uid, &place).await;
            return self.imap.command("move a mail", moving).await;
        }
        let copying = async |session: &mut Session| session.uid_copy(&uid, &place).await;
        self.imap.command("copy a mail", copying).await?;
        self.store(&uid, "+FLAGS.SILENT (\\Seen \\Deleted)").await?;
        if self.imap.can.has_str("UIDPLUS") {
            let removing = async |session: &mut Session| {
                session.uid_expunge(&uid).await?.try_for_each(async |_gone| Ok(())).await
            };
            self.imap.command("remove a mail", removing).await?;
        }
        Ok(())
    }

    /// Begins to listen to the inbox. Whether there is news already.
    pub(super) async fn begin_listening(&mut self) -> Result<bool, MailError> {
        if !self.tells_news() {
            return Ok(false);
        }
        let (_, next_uid) = self.select(Folder::Inbox).await?;
        if next_uid != self.next_uid {
            return Ok(true); // Came after the inbox was looked through.
        }
        self.imap.begin_listening().await
    }

    /// Says good-bye, if there is anybody to say it to.
    pub async fn close(mut self) {
        let leaving = async |session: &mut Session| session.logout().await;
        let _nobody_cares = self.imap.command("log out", leaving).await;
    }

    /// What the server itself says.
    async fn find_junk(&mut self) -> Result<Junk, MailError> {
        let listing = async |session: &mut Session| {
            session.list(Some(""), Some("*")).await?.try_collect::<Vec<_>>().await
        };
        let names = self.imap.command("list its folders", listing).await?;
        let junk = names.iter().find(|name| name.attributes().contains(&NameAttribute::Junk));
        Ok(junk.map_or(Junk::Nowhere, |name| Junk::Named(name.name().to_owned())))
    }

    /// Opens a folder; says what its ids are worth, and what the next mail would be called.
    async fn select(&mut self, folder: Folder) -> Result<(u32, Option<u32>), MailError> {
        self.open = None;
        let name = match (folder, &self.folders.junk) {
            (Folder::Junk, Junk::Named(junk)) => junk,
            (Folder::Junk, Junk::Auto | Junk::Nowhere) | (Folder::Inbox, _) => &self.folders.inbox,
        };
        let selecting = async |session: &mut Session| session.select(name).await;
        let opened = self.imap.command("open a folder", selecting).await?;
        let validity = opened.uid_validity.unwrap_or_default();
        self.open = Some((folder, validity));
        Ok((validity, opened.uid_next))
    }

    /// Opens the folder of these mails, unless it is open. False if their names mean nothing there
    /// any more.
    async fn enter(&mut self, mails: &[MailId]) -> Result<bool, MailError> {
        let Some(first) = mails.first() else { return Ok(false) };
        let validity = match self.open {
            Some((folder, validity)) if folder == first.folder => validity,
            Some(_) | None => self.select(first.folder).await?.0,
        };
        let same =
            mails.iter().all(|mail| (mail.folder, mail.validity) == (first.folder, validity));
        if !same {
            debug!(?first, validity, "the folder was made anew, or mails of several were mixed");
        }
        Ok(same)
    }

    async fn store(&mut self, uids: &str, flags: &str) -> Result<(), MailError> {
        let storing = async |session: &mut Session| {
            session.uid_store(uids, flags).await?.try_for_each(async |_echo| Ok(())).await
        };
        self.imap.command("mark a mail", storing).await
    }

    /// Sizes and dates, in the order of the ids.
    async fn covers(&mut self, mails: &[MailId]) -> Result<Vec<Cover>, MailError> {
        let mut found = self.ask(&set(mails), "(UID RFC822.SIZE INTERNALDATE)").await?;
        let cover = |&id: &MailId| {
            let fetched = found.remove(&id.uid)?;
            let delivered_at = fetched.internal_date()?.timestamp_micros();
            Some(Cover { id, delivered_at, size: fetched.size? })
        };
        Ok(mails.iter().filter_map(cover).collect())
    }

    /// Whether only its headers are read.
    fn is_oversized(&self, cover: &Cover) -> bool {
        cover.size > self.size_max
    }

    /// Reads mails that fit together, or one that is oversized.
    async fn read(&mut self, covers: &[Cover]) -> Result<Vec<ReceivedMail>, MailError> {
        let ids: Vec<MailId> = covers.iter().map(|cover| cover.id).collect();
        let query = if covers.iter().any(|cover| self.is_oversized(cover)) {
            format!("(UID BODY.PEEK[HEADER]<0.{HEAD_MAX}>)")
        } else {
            "(UID BODY.PEEK[])".to_owned()
        };
        let found = self.ask(&set(&ids), &query).await?;
        let authserv_id = self.authserv_id.as_deref();
        let read = |cover: &Cover| {
            let fetched = found.get(&cover.id.uid)?;
            let is_oversized = self.is_oversized(cover);
            let raw = if is_oversized { fetched.header()? } else { fetched.body()? };
            Some(open(*cover, raw, is_oversized, authserv_id))
        };
        Ok(covers.iter().filter_map(read).collect())
    }

    async fn ask(&mut self, uids: &str, query: &str) -> Result<HashMap<u32, Fetch>, MailError> {
        let fetching = async |session: &mut Session| {
            session.uid_fetch(uids, query).await?.try_collect::<Vec<Fetch>>().await
        };
        let found = self.imap.command("read mails", fetching).await?;
        // A server may send other news of a mail in between, which hold none of what we asked for.
        let asked =
            |fetch: &Fetch| fetch.body().or(fetch.header()).is_some() || fetch.size.is_some();
        let named = found.into_iter().filter(asked).filter_map(|fetch| Some((fetch.uid?, fetch)));
        Ok(named.collect())
    }
}

/// Mails as a command names them: `3,4,9`.
fn set(mails: &[MailId]) -> String {
    let uids: Vec<String> = mails.iter().map(|mail| mail.uid.to_string()).collect();
    uids.join(",")
}
