//! One turn of a match: what the referee asks, what we say, and whether it was sent.
//!
//! Spec: docs/protocol/match.md

use std::borrow::Cow;
use std::collections::VecDeque;

use agon_proto::message::Message;
use agon_proto::{Answer, Envelope, MessageId, Payload, PlayerId, Sender, Timestamp};
use serde::{Deserialize, Serialize};

use crate::effect::{Effects, RequestId};

/// A question that came by a call. Its answer goes back in the same envelope: the conversation and
/// the match token stand there already, so the league token stays at home.
#[derive(Debug)]
pub(in super::super) struct AskedInCall {
    pub(in super::super) request: RequestId,
    pub(in super::super) letter: Box<Envelope>,
}

impl AskedInCall {
    pub(in super::super) fn answer<F>(
        self,
        player: PlayerId,
        message: Message,
        now: Timestamp,
        out: &mut Effects<F>,
    ) {
        let Self { request, mut letter } = self;
        letter.sender = Sender::Player(player);
        letter.timestamp = now;
        letter.message = message;
        out.reply(request, Answer::Message(letter));
    }
}

/// Calls that wait for the same move. Nearly always it is one, which costs no memory of its own.
#[derive(Debug, Default)]
pub(in super::super) struct Waiting {
    first: Option<AskedInCall>,
    others: VecDeque<AskedInCall>,
}

impl Waiting {
    /// One more; says whether it is the first.
    pub(in super::super) fn add(&mut self, asked: AskedInCall) -> bool {
        let is_first = self.first.is_none();
        if is_first {
            self.first = Some(asked);
        } else {
            self.others.push_back(asked);
        }
        is_first
    }

    pub(in super::super) fn first(&self) -> Option<&AskedInCall> {
        self.first.as_ref()
    }

    /// The one that has waited longest, which waits no more.
    pub(in super::super) fn next(&mut self) -> Option<AskedInCall> {
        self.first.take().or_else(|| self.others.pop_front())
    }
}

/// A question that came by a letter. Its answer is a letter of its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskedInLetter {
    /// Which question of the match, counted from 1.
    pub number: u32,
    /// What the game calls what it asks for.
    pub kind: Cow<'static, str>,
    /// What the letter shows.
    pub view: Payload,
    pub deadline: Option<Timestamp>,
    /// Which answer of ours it needs: letters overtake each other.
    pub after: Option<u32>,
    /// What stands in it that our answer repeats.
    pub token: Option<Box<str>>,
}

/// One thing that the referee asks of us, and what became of it.
#[derive(Debug, Default)]
pub(super) struct Turn {
    /// 0 before the first.
    pub(super) number: u32,
    pub(super) letter: Option<Box<(MessageId, AskedInLetter)>>,
    /// Our move.
    pub(super) said: Option<(Timestamp, Payload)>,
    pub(super) sent: bool,
    /// Calls that wait for our move.
    pub(super) waiting: Waiting,
}

impl Turn {
    pub(super) fn new(number: u32) -> Self {
        Self { number, ..Self::default() }
    }

    /// The first letter counts. Whether this is it.
    pub(super) fn ask(&mut self, message: &MessageId, asked: &AskedInLetter) -> bool {
        let first = self.letter.is_none();
        if first {
            self.letter = Some(Box::new((message.clone(), asked.clone())));
        }
        first
    }

    /// The first word counts.
    pub(super) fn say(&mut self, at: Timestamp, said: &Payload) {
        self.said.get_or_insert_with(|| (at, said.clone()));
    }

    pub(super) fn is_owed(&self) -> bool {
        self.said.is_some() && !self.sent
    }
}
