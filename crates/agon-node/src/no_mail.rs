//! The mail room of a program that was built without mail: it cannot exist.
//!
//! Nobody can make a [`MailUse`] here, so the rest of a node needs no second path.

/// No mailbox: a program without mail has none.
pub use std::convert::Infallible as MailUse;

use agon_core::letterbox::Parcel;
use agon_core::{Refusal, RequestId};
use agon_proto::Timestamp;

use crate::inbox::InboxSender;
use crate::passed::Edge;

pub(crate) enum MailRoom {}

impl MailRoom {
    pub(crate) fn open(used: MailUse, _: &InboxSender, _: Edge) -> Self {
        match used {}
    }

    pub(crate) async fn close(self) {
        match self {}
    }

    pub(crate) fn known_until(&self) -> Timestamp {
        match *self {}
    }

    pub(crate) fn due(&mut self, _: Timestamp, _: Timestamp) -> Option<Timestamp> {
        match *self {}
    }

    pub(crate) fn is_idle(&self) -> bool {
        match *self {}
    }

    pub(crate) fn send(&self, _: &Parcel) {
        match *self {}
    }

    pub(crate) fn settle(&mut self, _: RequestId, _: Option<&Refusal>) -> bool {
        match *self {}
    }
}
