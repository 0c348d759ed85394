//! One turn of a match: what the referee asks, what we say, and whether it was sent.
//!
//! Spec: docs/protocol/match.md

use std::borrow::Cow;

use agon_proto::act::Act;
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
        act: Act,
        now: Timestamp,
        out: &mut Effects<F>,
    ) {
        let Self { request, mut letter } = self;
        letter.head.sender = Sender::Player(player);
        letter.head.timestamp = now;
        letter.act = act;
        out.reply(request, Answer::Message(letter));
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
pub(in super::super) struct Turn {
    /// 0 before the first.
    pub(super) number: u32,
    pub(in super::super) letter: Option<Box<(MessageId, AskedInLetter)>>,
    /// Our move.
    pub(in super::super) said: Option<(Timestamp, Payload)>,
    pub(super) sent: bool,
    /// Calls that wait for our move, oldest first. Nearly always it is one.
    pub(super) waiting: Vec<AskedInCall>,
}
