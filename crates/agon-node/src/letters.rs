//! Letters on their way: those that we send, until they are taken, and those that came by mail,
//! until they are dealt with.
//!
//! A letter that was taken is an event for its sender, who had written down that it must go. A mail
//! is marked as read after its effects are durable, and not before. Whoever runs an agent is told
//! what it hears, what it says and what its program is asked, in the order in which things happen;
//! how that looks is not known here.

use std::collections::HashMap;

use agon_core::letterbox::{Parcel, ParcelId};
use agon_core::{Event, Mishap, Refusal, RequestId};
use agon_proto::{Address, Letter, Timestamp};
use tracing::warn;

use crate::mailroom::MailRoom;
use crate::outbound::Outbound;

/// Something that people want to see as it happens.
#[derive(Debug)]
pub enum LetterLogEntry<'a> {
    /// A letter came.
    Received { from: Option<&'a Address>, letter: &'a Letter, at: Timestamp },
    /// A letter was taken by whoever carries it, or is on its way to an endpoint.
    Sent { parcel: &'a Parcel, at: Timestamp },
    /// Its program is asked for something of that kind.
    Asked { kind: &'a str, at: Timestamp },
    /// It has answered, or could not.
    Answered { kind: &'a str, mishap: Option<&'a Mishap>, at: Timestamp },
    /// Something went wrong that its author or operator should know.
    Trouble { text: &'a str, at: Timestamp },
}

/// Takes what is to be shown.
pub type LetterLog = Box<dyn FnMut(LetterLogEntry<'_>) + Send>;

/// The letters of one node.
pub(crate) struct Letters {
    letter_log: Option<LetterLog>,
    pub(crate) mail: Option<MailRoom>,
    under_way: HashMap<ParcelId, Parcel>,
}

impl Letters {
    pub(crate) fn new(letter_log: Option<LetterLog>, mail: Option<MailRoom>) -> Self {
        Self { letter_log, mail, under_way: HashMap::new() }
    }

    /// Says whether there is somebody who wants to see it.
    pub(crate) fn tell(&mut self, news: LetterLogEntry<'_>) -> bool {
        self.letter_log.as_mut().map(|letter_log| letter_log(news)).is_some()
    }

    /// Whatever happens with letters is told, before the role hears of it.
    pub(crate) fn see(&mut self, event: &Event, now: Timestamp) {
        if let Event::Posted { letter, at, .. } = event {
            let from = letter.head.from.address.as_ref();
            self.tell(LetterLogEntry::Received { from, letter, at: *at });
        }
        if let Event::Taken(parcel) = event
            && let Some(parcel) = self.under_way.remove(parcel)
            && !is_called(&parcel)
        {
            self.tell(LetterLogEntry::Sent { parcel: &parcel, at: now });
        }
        if let Event::Garbled { garbled, .. } = event {
            let text = format!("{}: {}", garbled.kind.name(), garbled.problem);
            self.tell(LetterLogEntry::Trouble { text: &text, at: now });
        }
    }

    /// A letter leaves: by call to an endpoint, by mail otherwise. One that is called is told here:
    /// what comes of it may be there before the call has its answer.
    pub(crate) fn post(&mut self, parcel: Parcel, outbound: &mut Outbound, now: Timestamp) {
        match (&mut self.mail, is_called(&parcel)) {
            (_, true) => {
                self.tell(LetterLogEntry::Sent { parcel: &parcel, at: now });
                outbound.post(&parcel, now);
            }
            (Some(mail), false) => mail.send(&parcel),
            (None, false) => {
                let to = parcel.to.first().map(|to| to.shown().into_owned());
                let said = parcel.letter.kind.name();
                warn!(to, said, "no mailbox to send a letter from");
                return;
            }
        }
        self.under_way.insert(parcel.id, parcel);
    }

    /// The node stops: the mailbox is told what is read.
    pub(crate) async fn close(&mut self) {
        if let Some(mail) = self.mail.take() {
            mail.close().await;
        }
    }

    /// Whether that request came by mail. If so it is dealt with from now on.
    pub(crate) fn settle(&mut self, request: RequestId, refused: Option<&Refusal>) -> bool {
        self.mail.as_mut().is_some_and(|mail| mail.settle(request, refused))
    }

    /// Whether the mailbox was read, and all of it dealt with.
    pub(crate) fn are_read(&self) -> bool {
        let is_read = |mail: &MailRoom| mail.known_until() > Timestamp::default() && mail.is_idle();
        self.mail.as_ref().is_none_or(is_read)
    }

    /// Whether nothing is under way or waiting to be dealt with.
    pub(crate) fn is_idle(&self) -> bool {
        self.under_way.is_empty() && self.mail.as_ref().is_none_or(MailRoom::is_idle)
    }
}

/// Whether it goes to an endpoint.
fn is_called(parcel: &Parcel) -> bool {
    parcel.to.first().is_some_and(Address::is_endpoint)
}
