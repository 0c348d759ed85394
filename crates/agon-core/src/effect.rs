//! What happens to a role, and what it wants done: the two words between the rules and the world.

use std::ops::{Deref, DerefMut};
use std::time::Duration;

use agon_proto::act::{Act, ActKind};
use agon_proto::message::{GameError, Transcript};
use agon_proto::tool::MatchState;
use agon_proto::{
    Address, AgentId, Answer, AuthToken, Call, Dialogue, DisplayName, Endpoint, Envelope, GameId,
    Letter, MatchId, Objection, Payload, PlayerId, Receipt, ReceiptStatus, RefereeId, RoundId,
    ShortText, Timestamp, hex,
};
use serde::{Deserialize, Serialize};

use crate::letterbox::{Parcel, ParcelId};
use crate::thinking::{Mishap, Question};
use crate::{CodeHash, Refusal, Seat};

/// One open request of somebody else's; answered exactly once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequestId(pub u64);

/// What happened. Past tense: it cannot be undone, only answered.
#[derive(Debug)]
pub enum Event {
    /// Somebody calls us.
    Called { request: RequestId, caller: Caller, call: Call },
    /// A call of ours was answered. Its speaker is the peer that was called, whatever it says.
    Answered { tag: Tag, answer: Answer },
    /// A call of ours brought no answer, with what is known about it for whoever was called.
    Undelivered { tag: Tag, why: Setback, objection: Option<Box<Objection>> },
    /// How it went with news of ours that somebody waits for.
    Noticed { tag: Tag, how: Noticed },
    /// The dice fell: the number that was asked for in that attempt.
    Drawn { match_id: MatchId, attempt: u32, number: u32 },
    /// Whoever thinks for us has answered, or could not.
    Thought { number: u64, answer: Result<Payload, Mishap> },
    /// A letter came, by mail or by call. The request is answered like any other: a reply says that
    /// it is dealt with, a refusal that it is not for us.
    /// `at` is when it arrived where its reader can find it; by mail that may be long ago, and
    /// there is no caller.
    Posted {
        request: RequestId,
        proof: Proof,
        caller: Option<Caller>,
        at: Timestamp,
        letter: Box<Letter>,
    },
    /// A letter of a game came that nobody can make sense of. Answered like any other.
    Garbled { request: RequestId, proof: Proof, at: Timestamp, garbled: Garbled },
    /// Whoever carries letters has taken this one, for good.
    Taken(ParcelId),
}

/// What can be said of a letter that nobody can make sense of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Garbled {
    /// What it wanted to be.
    pub kind: ActKind,
    /// The game that it names.
    pub game: Option<GameId>,
    /// What is wrong with it, for its author.
    pub problem: Box<str>,
}

/// What vouches for the sender of a letter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proof {
    /// Whoever carried it: it came from this address.
    Vouched(Address),
    /// Nothing but the token in the letter: it came by call.
    Token,
}

impl Proof {
    /// By whoever vouches for that address; by nobody but a token, if there is none.
    pub(crate) fn by(voucher: Option<Address>) -> Self {
        voucher.map_or(Self::Token, Self::Vouched)
    }

    /// The address that somebody vouches for.
    pub(crate) fn voucher(self) -> Option<Address> {
        match self {
            Self::Vouched(from) => Some(from),
            Self::Token => None,
        }
    }
}

/// How the caller's address relates to the endpoint that it names. The edge knows addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// It calls from the endpoint's own address.
    Endpoint,
    /// It calls from somewhere else.
    Elsewhere,
    /// It names an endpoint that must not be called.
    Forbidden,
}

/// Who calls, as far as the edge can tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caller {
    pub origin: Origin,
    pub place: CallerPlace,
    pub address: AddressKey,
    /// The code in the address by which it called us.
    pub code: Option<CodeHash>,
}

impl Caller {
    /// Somebody on this machine, who shows no code.
    pub fn at_home(origin: Origin) -> Self {
        let (place, address) = (CallerPlace::ThisMachine, AddressKey::default());
        Self { origin, place, address, code: None }
    }
}

/// From where somebody calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallerPlace {
    /// By loopback, and nobody speaks for somebody else.
    ThisMachine,
    /// From another machine, or through something that speaks for others.
    Beyond,
}

/// The address of a caller, without a port: a value that can be compared, and nothing else here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct AddressKey(#[serde(with = "hex")] pub [u8; 16]);

/// Why a call brought no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setback {
    /// The time was up.
    TimedOut,
    /// No connection, or it broke.
    Unreachable,
    /// The answer was larger than allowed.
    Oversized,
    /// The answer was no answer.
    Malformed,
    /// It never left: our own host had no port, no file or no place for it in all its time.
    NotSent,
}

/// How it went with news. What the peer said to it does not matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Noticed {
    /// The peer has it.
    Taken,
    /// The first try failed, or stands behind one that did. It is tried again.
    Missed,
    /// Nobody tries any more.
    GivenUp,
}

/// What a call was for. Travels with the call and comes back with its outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tag {
    /// Asking to be admitted.
    Register,
    /// One ask of one step.
    Ask { match_id: MatchId, attempt: u32, seat: Seat, step: u16, ask: u8 },
    /// Giving a match to a referee.
    Assign { match_id: MatchId, attempt: u32 },
    /// Reporting a result.
    Report { match_id: MatchId, attempt: u32 },
    /// Telling a player of its match, with its round.
    Announce { match_id: MatchId, seat: Seat },
    /// Telling a referee of a round.
    AnnounceTo { referee: RefereeId, round: RoundId },
    /// Telling a player how its match ended.
    Over { match_id: MatchId, attempt: u32, seat: Seat },
    /// Saying whose players know how their match ended.
    Told,
    /// Telling the manager that we are there.
    Heartbeat,
    /// News, whose outcome nobody waits for.
    Notice,
    /// Carrying a letter.
    Parcel(ParcelId),
}

impl Tag {
    /// Whether it is news: what becomes of it is `Noticed`, and not answered.
    pub const fn is_news(self) -> bool {
        match self {
            Self::Announce { .. } | Self::AnnounceTo { .. } | Self::Over { .. } | Self::Notice => {
                true
            }
            Self::Register
            | Self::Ask { .. }
            | Self::Assign { .. }
            | Self::Report { .. }
            | Self::Told
            | Self::Heartbeat
            | Self::Parcel(_) => false,
        }
    }
}

/// How a call must travel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    /// One try that ends at `until`; the last ask goes out even to a peer that is given up on.
    Ask { until: Timestamp, last: bool },
    /// One try of that length, in no order.
    Once { timeout: Duration },
    /// In order, tried a few times; a newer one on the same topic replaces one that failed.
    Notice(Topic),
    /// Tried until it arrives.
    Report,
}

/// What a notice is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Topic {
    /// The table: only the newest counts.
    Standings,
    /// Everything else.
    News,
}

/// One letter on its way to one peer.
#[derive(Debug)]
pub struct Outgoing {
    /// Where to.
    pub to: Endpoint,
    /// How.
    pub lane: Lane,
    /// What for.
    pub tag: Tag,
    /// What it says.
    pub letter: Box<Envelope>,
}

impl Outgoing {
    /// A message that goes there.
    #[inline]
    pub(crate) fn new(
        to: Endpoint,
        (lane, tag): (Lane, Tag),
        (head, auth_token): (Dialogue, Option<AuthToken>),
        act: Act,
    ) -> Self {
        // Its place first: a letter is large, and is not written twice then.
        let letter = Box::write(Box::new_uninit(), Envelope { head, auth_token, act });
        Self { to, lane, tag, letter }
    }
}

/// The same news for many: written once, addressed to each.
#[derive(Debug)]
pub struct Broadcast {
    /// Who says it, when, and in which conversation.
    pub head: Dialogue,
    /// What it is about.
    pub topic: Topic,
    /// What it says.
    pub act: Act,
    /// To whom.
    pub recipients: Vec<Recipient>,
}

impl Broadcast {
    /// The message that one of them gets.
    pub fn envelope(&self, to: &Recipient) -> Envelope {
        let (head, act) = (self.head.clone(), self.act.clone());
        Envelope { head, auth_token: Some(to.auth_token.clone()), act }
    }

    /// The same news for others.
    pub(crate) fn to(&self, recipients: Vec<Recipient>) -> Self {
        let (head, act) = (self.head.clone(), self.act.clone());
        Self { head, topic: self.topic, act, recipients }
    }
}

/// One address of a broadcast.
#[derive(Debug, Clone)]
pub struct Recipient {
    /// Whose.
    pub who: AgentId,
    /// What for.
    pub tag: Tag,
    /// Where to.
    pub to: Endpoint,
    /// What proves to it that we speak.
    pub auth_token: AuthToken,
}

/// How an agent's life ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// The league is complete.
    LeagueCompleted,
    /// It was not admitted, with the reason.
    NotAdmitted(Box<str>),
}

/// What whoever runs the node should know, although nothing became true by it.
#[derive(Debug, Clone, PartialEq)]
pub enum Alert {
    /// The last referee is lost while so many matches are open. The league waits.
    NoReferee { open: u32 },
    /// A referee is there again, and the league goes on.
    RefereeBack { referees: u32 },
    /// A referee that nobody knew came after the season had begun.
    RefereeJoinedLate {
        referee: RefereeId,
        name: DisplayName,
        endpoint: Endpoint,
        address: AddressKey,
    },
    /// A referee wants more matches at once than one gets.
    CapacityCapped { referee: RefereeId, said: u32, capacity: u32 },
    /// So many agents have tokens that another key made: they believe nothing that we say.
    KeyLost { agents: usize },
    /// The manager does not know our token any more; we register again.
    Displaced,
    /// A player was asked, and nothing came of it.
    AskFailed(Box<FailedAsk>),
    /// A referee says that an answer of ours was no good, or did not come.
    Complained(Box<GameError>),
    /// Whoever thinks for us answered with what is no move here.
    NoMove { match_id: MatchId, said: ShortText },
    /// Our own program was asked to judge, and its word breaks the rules of the game.
    NoWord { match_id: MatchId, kind: &'static str, problem: ShortText },
    /// A match of ours was lost without being played, with the reason that was told.
    Forfeited { match_id: MatchId, reason: ShortText },
}

/// A player was asked, and nothing came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedAsk {
    /// In which match.
    pub match_id: MatchId,
    /// In which attempt at it.
    pub attempt: u32,
    /// Who was asked.
    pub player: PlayerId,
    /// For which message.
    pub wanted: &'static str,
    /// For the how manieth time.
    pub ask: u8,
    /// What is wrong, and what would be right.
    pub problem: ShortText,
    /// What was received, if anything was.
    pub received: Option<ShortText>,
}

/// Who looks at a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Viewer {
    /// Anybody.
    Everybody,
    /// Whoever holds the operator's token.
    Operator,
}

impl Viewer {
    /// What of a transcript is for this one.
    pub fn shown(self, transcript: Transcript) -> Transcript {
        match self {
            Self::Everybody => transcript.without_received(),
            Self::Operator => transcript,
        }
    }
}

/// What must be done. Imperative, in order.
#[derive(Debug)]
pub enum Effect {
    /// Send a letter.
    Send(Outgoing),
    /// Send the same news to many.
    Broadcast(Box<Broadcast>),
    /// Answer a request.
    Reply { request: RequestId, answer: Answer },
    /// Refuse a request.
    Refuse { request: RequestId, refusal: Refusal },
    /// Answer with what is known of a match and the transcript that is kept of it.
    Fetch { request: RequestId, state: Box<MatchState>, viewer: Viewer },
    /// Keep a transcript, in the same commit as the facts.
    Archive { match_id: MatchId, transcript: Transcript },
    /// Draw a number between `min` and `max`, both included.
    Draw { match_id: MatchId, attempt: u32, min: u32, max: u32 },
    /// Ask whoever thinks for us.
    Think(Box<Question>),
    /// Carry a letter, until it is taken. It is queued among the facts already.
    SendLetter(Parcel),
    /// Try a peer again that was given up on: it has just spoken.
    Heard(Endpoint),
    /// Tell whoever runs the node.
    Alert(Alert),
    /// Stop, once everything else is carried out.
    Finish(Ending),
}

/// "Got it."
pub(crate) const GOT_IT: Answer =
    Answer::Receipt(Receipt { status: ReceiptStatus::Acknowledged, match_id: None });

/// What one or more events led to: facts to make durable first, then effects to carry out.
#[derive(Debug)]
pub struct Effects<F> {
    /// What became true. Applied already.
    pub facts: Vec<F>,
    /// What must be done, in order.
    pub effects: Vec<Effect>,
}

impl<F> Default for Effects<F> {
    fn default() -> Self {
        Self { facts: Vec::new(), effects: Vec::new() }
    }
}

impl<F> Effects<F> {
    pub(crate) fn push(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    pub(crate) fn reply(&mut self, request: RequestId, answer: Answer) {
        self.push(Effect::Reply { request, answer });
    }

    /// All that a notification is answered with.
    pub(crate) fn acknowledge(&mut self, request: RequestId) {
        self.reply(request, GOT_IT);
    }

    /// Answers with that, or says why not.
    pub(crate) fn settle(&mut self, request: RequestId, said: Result<Answer, Refusal>) {
        match said {
            Ok(answer) => self.reply(request, answer),
            Err(refusal) => self.refuse(request, refusal),
        }
    }

    pub(crate) fn refuse(&mut self, request: RequestId, refusal: Refusal) {
        self.push(Effect::Refuse { request, refusal });
    }
}

/// One event of an agent's, while it is handled: when that is, and what has come of it so far.
pub(crate) struct Handling<'a, F> {
    pub(crate) now: Timestamp,
    pub(crate) out: &'a mut Effects<F>,
}

impl<F> Deref for Handling<'_, F> {
    type Target = Effects<F>;

    fn deref(&self) -> &Effects<F> {
        self.out
    }
}

impl<F> DerefMut for Handling<'_, F> {
    fn deref_mut(&mut self) -> &mut Effects<F> {
        self.out
    }
}
