//! The mail room: reads the mailbox, opens what came, and sends what must go.
//!
//! One task owns the mailbox, another one sends. A mail is given to the role once in each life of
//! this process, and marked as read when the role has dealt with it and that is durable. What
//! nobody can make sense of goes to the quarantine folder, and never stops the rest.

use std::collections::HashMap;
use std::hash::BuildHasher;
use std::sync::Arc;
use std::time::Duration;

use agon_core::letterbox::{Parcel, ParcelId};
use agon_core::{Event, Garbled, Proof, Refusal, RequestId};
use agon_net::mail::{
    Account, Authentication, Contents, Doubt, MailCommand, MailEvent, MailId, OutgoingMail,
    Postman, RETRY_FIRST, RETRY_MAX, ReceivedMail, Refused, SendError, WatchConfig,
};
use agon_proto::dialect::{self, Claim, Mail, Unreadable};
use agon_proto::{Address, GameId, Letter, ShortText, Timestamp};
use bytes::Bytes;
use rustc_hash::FxBuildHasher;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::task::{JoinHandle, JoinSet};
use tracing::field::display;
use tracing::warn;

use crate::clock::Clock;
use crate::inbox::{self, InboxSender};
use crate::passed::{Edge, Letter as Passing, Outcome, Way};

/// So many commands may wait for the task that owns the mailbox.
const COMMANDS_MAX: usize = 256;
/// So many mails wait to be opened.
const UNREAD_MAX: usize = 8;
/// So far the mail server's clock may be behind ours; it counts in whole seconds besides.
const CLOCKS_DIFFER: Duration = Duration::from_secs(2);
/// So long a mail server may take to hear what is read when a node stops. What it does not hear is
/// read again, and known by then.
const CLOSE_MAX: Duration = Duration::from_secs(10);

/// A mailbox, and how it is used.
pub struct MailUse {
    pub account: Account,
    pub postman: Postman,
    pub watch: WatchConfig,
}

/// Something that happened with mail.
pub(crate) enum Arrival {
    /// From the task that reads; with it goes its place among those that wait.
    Box(MailEvent, OwnedSemaphorePermit),
    /// A parcel was taken, for good.
    Taken(ParcelId),
}

pub(crate) struct MailRoom {
    commands: mpsc::Sender<MailCommand>,
    parcels: mpsc::UnboundedSender<Parcel>,
    own: Address,
    /// Letters that the role was given and has not answered.
    open: HashMap<RequestId, Open>,
    known_until: Timestamp,
    /// A look that was asked for, and has not come back.
    looking: bool,
    reading: JoinHandle<()>,
    edge: Edge,
    /// Ended with this room.
    tasks: JoinSet<()>,
}

struct Open {
    mail: MailId,
    from: Address,
    subject: String,
    /// Which it names.
    game: Option<GameId>,
    /// Nobody could make sense of it, whatever the role says.
    garbled: bool,
    /// For those who watch.
    passing: Option<Passing>,
}

impl MailRoom {
    pub(crate) fn open(used: MailUse, inbox_sender: &InboxSender, edge: Edge) -> Self {
        let (commands, commanded) = mpsc::channel(COMMANDS_MAX);
        let (tell, mut told) = mpsc::channel(COMMANDS_MAX);
        let (parcels, posted) = mpsc::unbounded_channel();
        let own = Address::new(&used.account.address);
        let mut tasks = JoinSet::new();
        let reading = tokio::spawn(agon_net::mail::run(used.account, used.watch, commanded, tell));
        let (forward, room) = (inbox_sender.clone(), Arc::new(Semaphore::new(UNREAD_MAX)));
        tasks.spawn(async move {
            while let Some(event) = told.recv().await {
                // A full mailbox waits on its server, and not in our memory.
                let Ok(place) = room.clone().acquire_owned().await else { return };
                forward.put(inbox::Arrival::Mail(Arrival::Box(event, place)));
            }
        });
        let sending = (inbox_sender.clone(), edge.clone());
        tasks.spawn(send_all(used.postman, own.clone(), posted, sending));
        Self {
            commands,
            parcels,
            own,
            open: HashMap::new(),
            known_until: Timestamp::default(),
            looking: true, // The task looks as soon as it is connected.
            reading,
            edge,
            tasks,
        }
    }

    /// Lets the mailbox be told what is read, and leaves it.
    pub(crate) async fn close(mut self) {
        drop(self.commands);
        let _ = tokio::time::timeout(CLOSE_MAX, &mut self.reading).await;
        self.reading.abort();
        self.tasks.shutdown().await;
    }

    /// Everything that arrived before this was given to the role. At first nothing was.
    pub(crate) fn known_until(&self) -> Timestamp {
        self.known_until
    }

    /// When a look into the box shows everything that arrived until `deadline`. If that is now, it
    /// is looked at unless somebody has: that comes as an event, and nothing is to be done before.
    pub(crate) fn due(&mut self, deadline: Timestamp, now: Timestamp) -> Option<Timestamp> {
        let look_at = deadline + CLOCKS_DIFFER;
        if look_at <= now && self.known_until <= deadline && !self.looking {
            self.looking = self.command(MailCommand::ScanNow);
        }
        Some(look_at).filter(|look_at| *look_at > now)
    }

    /// Whether nothing waits to be dealt with.
    pub(crate) fn is_idle(&self) -> bool {
        self.open.is_empty()
    }

    /// Sends a letter, until it is taken.
    pub(crate) fn send(&self, parcel: &Parcel) {
        let _ = self.parcels.send(parcel.clone());
    }

    /// Something happened: what the role should know of it. `number` gives a number to a request.
    pub(crate) fn take(
        &mut self,
        arrival: Arrival,
        clock: Clock,
        number: impl FnOnce() -> RequestId,
    ) -> Option<Event> {
        match arrival {
            Arrival::Taken(parcel) => return Some(Event::Taken(parcel)),
            Arrival::Box(MailEvent::Mail(mail), _place) => return self.read(*mail, number),
            Arrival::Box(MailEvent::Scanned { started_at }, _place) => {
                self.looking = false;
                self.known_until = self.known_until.max(clock.at(started_at) - CLOCKS_DIFFER);
            }
            Arrival::Box(MailEvent::Trouble(error), _place) => {
                warn!(address = %self.own, reason = error.whole(), "the mailbox cannot be read");
            }
        }
        None
    }

    fn read(&mut self, mail: ReceivedMail, number: impl FnOnce() -> RequestId) -> Option<Event> {
        let at = Timestamp::from_micros(mail.delivered_at);
        let from = Address::new(mail.from.as_deref().unwrap_or_default());
        let opened = open_mail(&mail);
        let (subject, contents, mail) = (mail.subject, mail.contents, mail.id);
        let passing = |name, game: Option<&GameId>| {
            let Contents::Documents(documents) = &contents else { return None };
            let said = documents.iter().find(|it| !it.is_empty())?;
            self.edge.letter((Way::Read, &from), (name, game), said)
        };
        let opened = match opened {
            Ok((_, letter)) => Ok(Box::new(letter)),
            // Somebody's move in a game, if it is somebody's: the role decides what it costs.
            Err(Unread::Letter(problem, Some(Claim { kind, game }))) if kind.is_of_match() => {
                let (problem, received) = (problem.to_string().into(), received(&contents));
                Err(Garbled { kind, game, problem, received })
            }
            Err(why) => {
                let why = why.to_string();
                warn!(%from, subject, why, "a mail that cannot be read is put into quarantine");
                if let Some(passing) = passing("?", None) {
                    self.edge.settled(passing, Outcome::NotTaken(why.into()));
                }
                self.command(MailCommand::Quarantine(mail));
                return None;
            }
        };
        let (request, proof) = (number(), Proof::Vouched(from.clone()));
        let (name, game) = match &opened {
            Ok(letter) => (letter.act.kind().name(), letter.head.context.game.clone()),
            Err(garbled) => (garbled.kind.name(), garbled.game.clone()),
        };
        let garbled = opened.is_err();
        let passing = passing(name, game.as_ref());
        let open = Open { mail, from, subject, game, garbled, passing };
        self.open.insert(request, open);
        Some(match opened {
            Ok(letter) => Event::Posted { request, proof, caller: None, at, letter },
            Err(garbled) => Event::Garbled { request, proof, at, garbled },
        })
    }

    /// The role has dealt with a letter. Says whether it was one of ours.
    pub(crate) fn settle(&mut self, request: RequestId, refused: Option<&Refusal>) -> bool {
        let Some(open) = self.open.remove(&request) else { return false };
        let Open { mail, from, subject, game, garbled, passing } = open;
        if let Some(passing) = passing {
            let code = refused.map(|it| it.code().code());
            self.edge.settled(passing, code.map_or(Outcome::Taken, Outcome::Refused));
        }
        if let Some(refusal) = refused {
            let (code, game) = (refusal.code().code(), game.as_ref().map(display));
            warn!(%from, game, subject, code, reason = %refusal, "letter refused");
        }
        self.command(if garbled { MailCommand::Quarantine(mail) } else { MailCommand::Seen(mail) });
        true
    }

    /// Tells the task that owns the mailbox. If it cannot keep up, the mail comes again after a
    /// restart and is known by then.
    fn command(&self, command: MailCommand) -> bool {
        self.commands.try_send(command).is_ok()
    }
}

/// What stands in a mail that is no letter, for its author: what it says, without its envelope.
fn received(contents: &Contents) -> Option<ShortText> {
    let Contents::Documents(documents) = contents else { return None };
    let whole = documents.iter().map(AsRef::as_ref).find(|it: &&[u8]| !it.is_empty())?;
    let said = whole.windows(PAYLOAD.len()).position(|it| it == PAYLOAD).unwrap_or(0);
    Some(ShortText::received(&whole[said..]))
}

/// Where that begins.
const PAYLOAD: &[u8] = b"\"payload\"";

/// Why a mail was not opened.
#[derive(Debug, thiserror::Error)]
pub enum Unread {
    #[error("{0}")]
    Letter(Unreadable, Option<Claim>),
    #[error("it is larger than the {0} bytes that are read")]
    Oversized(u32),
    #[error("it names no sender, or several")]
    NoSender,
    #[error("nobody vouches for its sender: {0}")]
    Unproved(Doubt),
}

/// Opens a mail: who wrote it, and what.
///
/// # Errors
/// When it cannot be read. One without a sender is never opened.
pub fn open_mail(mail: &ReceivedMail) -> Result<(Address, Letter), Unread> {
    let from = Address::new(mail.from.as_deref().ok_or(Unread::NoSender)?);
    match &mail.authentication {
        Authentication::Pass | Authentication::Unchecked => {}
        Authentication::Doubted(doubt) => return Err(Unread::Unproved(doubt.clone())),
    }
    let documents = match &mail.contents {
        Contents::Documents(documents) => documents,
        Contents::Oversized => return Err(Unread::Oversized(mail.size)),
    };
    let documents: Vec<&[u8]> = documents.iter().map(AsRef::as_ref).collect();
    // Nothing else tells such a mail from another one, and it is the same after a restart.
    let derived = || {
        let what = (mail.delivered_at, &mail.subject, &documents);
        format!("derived-{:016x}", FxBuildHasher.hash_one(what))
    };
    let header_id = mail.message_id.clone().filter(|id| !id.is_empty()).unwrap_or_else(derived);
    let (subject, header_id) = (&*mail.subject, Some(&*header_id));
    let mail = Mail { subject, from: &from, header_id, documents: &documents };
    match dialect::open_mail(&mail) {
        Ok(letter) => Ok((from, letter)),
        Err(problem) => Err(Unread::Letter(problem, dialect::claimed(&mail))),
    }
}

/// Sends parcels one after the other, each until it is taken.
async fn send_all(
    postman: Postman,
    own: Address,
    mut posted: mpsc::UnboundedReceiver<Parcel>,
    (inbox_sender, edge): (InboxSender, Edge),
) {
    while let Some(parcel) = posted.recv().await {
        let mut mail = composed(&own, &parcel);
        let mut wait = RETRY_FIRST;
        let mut passing = watched(&edge, &parcel);
        loop {
            let Err(SendError { refused, later, cause }) = postman.send(&mail).await else { break };
            for Refused { recipient, said } in refused {
                warn!(to = recipient, reason = said, "a letter cannot be sent");
                let to = Address::new(&recipient);
                let lost = passing.extract_if(.., |it| it.is_with(&to));
                lost.for_each(|it| edge.settled(it, Outcome::NotTaken(said.as_str().into())));
            }
            if later.is_empty() {
                break;
            }
            let reason = cause.map(|cause| cause.whole()).unwrap_or_default();
            let wait_s = wait.as_secs();
            warn!(reason, wait_s, "a letter waits for the mail server");
            mail.to = later;
            tokio::time::sleep(wait).await;
            wait = (wait * 2).min(RETRY_MAX);
        }
        passing.into_iter().for_each(|it| edge.settled(it, Outcome::Taken));
        inbox_sender.put(inbox::Arrival::Mail(Arrival::Taken(parcel.id)));
    }
}

/// A letter for each of its recipients, while somebody watches.
fn watched(edge: &Edge, parcel: &Parcel) -> Vec<Passing> {
    let letter = &parcel.letter;
    let about = (letter.kind.name(), letter.head.context.game.as_ref());
    let said = Bytes::copy_from_slice(letter.text.as_bytes());
    parcel.to.iter().filter_map(|to| edge.letter((Way::Sent, to), about, &said)).collect()
}

fn composed(own: &Address, parcel: &Parcel) -> OutgoingMail {
    let letter = &parcel.letter;
    let host = own.as_str().rsplit('@').next().unwrap_or("localhost");
    let plain = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' };
    let id: String = letter.head.id.as_str().chars().map(plain).collect();
    OutgoingMail {
        to: parcel.to.iter().map(ToString::to_string).collect(),
        subject: dialect::subject(letter, own),
        text: letter.text.to_string(),
        attachment: (dialect::attachment_name(letter), letter.text.to_string().into()),
        message_id: format!("{id}@{host}"),
    }
}

#[cfg(test)]
mod tests;
