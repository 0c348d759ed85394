//! What happens to a role, and what it wants done: the two words between the rules and the world.

mod asked;
mod caller;
mod ending;
mod handling;
mod viewer;

use std::time::Duration;

use agon_proto::act::{Act, ActKind};
use agon_proto::message::{GameError, Transcript};
use agon_proto::tool::{AgentsAnswer, MatchState, PieceBody, PieceId};
use agon_proto::{
    Address, AgentId, Answer, AuthToken, Call, Contact, Dialogue, DisplayName, Endpoint, Envelope,
    GameId, Letter, MatchId, Objection, Payload, RefereeId, RoundId, ShortText, Timestamp,
};

use crate::letterbox::{Parcel, ParcelId};
use crate::thinking::{Mishap, Question};
use crate::{KeptPieces, Refusal, Seat};
pub use asked::{FailedAsk, WrongClaim};
pub use caller::{AddressKey, Caller, CallerPlace, Origin};
pub use ending::Ending;
pub use handling::Effects;
pub(crate) use handling::{GOT_IT, Handling};
pub use viewer::Viewer;

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
    /// Whether that agent answers there, and why not.
    Probed { agent: AgentId, endpoint: Endpoint, found: Result<(), ShortText> },
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
    /// What came, if anything could be read: its beginning, without secrets.
    pub received: Option<ShortText>,
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
    /// It says that it cannot, and that it is its own fault.
    Unwell,
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
    /// Asking whether the manager can call us.
    Reach,
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
    /// Telling a player that the round of its match is over.
    RoundOver { match_id: MatchId, seat: Seat },
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
    /// Whether it is news: what becomes of it is `Noticed`, and not answered. Only what a player
    /// says of its moves (`RoundOver`) comes as an answer.
    pub const fn is_news(self) -> bool {
        match self {
            Self::Announce { .. }
            | Self::AnnounceTo { .. }
            | Self::RoundOver { .. }
            | Self::Over { .. }
            | Self::Notice => true,
            Self::Register
            | Self::Reach
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
    /// What was wrong with an answer in that match: the newest is about the next ask.
    Warning(MatchId),
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
        Self { head: self.head.clone(), topic: self.topic, act: self.act.clone(), recipients }
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
    /// An agent came again without its token, and was believed because it is on this machine.
    CameUnproved { agent: AgentId, name: DisplayName },
    /// Somebody asks to be let in, and waits for the operator.
    Waits { agent: AgentId, name: DisplayName, address: AddressKey },
    /// Somebody came under a name that looks like another's, and has this one now.
    Renamed { agent: AgentId, name: DisplayName },
    /// An agent does not answer where it says it is called, or is none there.
    NotReached {
        agent: AgentId,
        name: DisplayName,
        endpoint: Endpoint,
        problem: ShortText,
        /// It is tried on: the season has not begun.
        again: bool,
    },
    /// It does now.
    Reached { agent: AgentId, name: DisplayName },
    /// So many agents have tokens that another key made: they believe nothing that we say.
    KeyLost { agents: usize },
    /// Nobody answers where the manager should be; we ask for so long yet.
    NoManager { manager: Contact, left: Duration },
    /// We are to wait for the operator's word.
    Pending,
    /// The manager cannot call us there.
    OutOfReach { endpoint: Endpoint },
    /// It can now.
    InReach { endpoint: Endpoint },
    /// Our name was taken: the league calls us that.
    Called { name: DisplayName },
    /// The manager does not know our token any more; we register again.
    Displaced,
    /// The league has taken us out of its season.
    Withdrawn { reason: ShortText },
    /// A referee's transcript is longer than any may be, and is not kept.
    TranscriptTooLong { match_id: MatchId, bytes: usize },
    /// A player was asked, and nothing came of it.
    AskFailed(Box<FailedAsk>),
    /// An answer says wrongly whose it is, and counts all the same.
    WrongClaim(Box<WrongClaim>),
    /// Something was charged to our clock: so much is left.
    ClockCharged { left_ms: u64 },
    /// A referee says that an answer of ours was no good, or did not come.
    Complained(Box<GameError>),
    /// Whoever thinks for us answered with what is no move here.
    NoMove { match_id: MatchId, said: ShortText },
    /// Our own program was asked to judge, and its word breaks the rules of the game.
    NoWord { match_id: MatchId, kind: &'static str, problem: ShortText },
    /// What somebody writes of a letter of ours that came too late, or never, or was no good.
    Rejected { match_id: Option<MatchId>, original: Option<Box<str>>, text: ShortText },
    /// Whoever referees a match of ours has fallen silent: we hear no more of it.
    RefereeSilent { match_id: MatchId },
    /// A match of ours was lost without being played, with the reason that was told.
    Forfeited { match_id: MatchId, reason: ShortText },
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
    /// Answer with what is known of a match, and what is kept of it: its transcript, its messages.
    Fetch { request: RequestId, state: Box<MatchState>, kept: Box<KeptPieces>, viewer: Viewer },
    /// Answer with these agents, and what is known of how each is reached.
    ListAgents {
        request: RequestId,
        list: Box<AgentsAnswer>,
        /// From where each registered, and where it is reached.
        places: Vec<(AddressKey, Contact)>,
        viewer: Viewer,
    },
    /// Keep a transcript, in the same commit as the facts.
    Archive { match_id: MatchId, transcript: Transcript },
    /// Keep a piece of messages, in the same way.
    Keep { referee: RefereeId, piece: PieceId, body: PieceBody },
    /// Draw a number between `min` and `max`, both included.
    Draw { match_id: MatchId, attempt: u32, min: u32, max: u32 },
    /// Ask whoever thinks for us.
    Think(Box<Question>),
    /// Carry a letter, until it is taken. It is queued among the facts already.
    SendLetter(Parcel),
    /// Call that endpoint from now on in public networks only, or wherever it is.
    BoundCalls { endpoint: Endpoint, public_only: bool },
    /// See whether that agent answers there.
    Probe { agent: AgentId, endpoint: Endpoint },
    /// Try a peer again that was given up on: it has just spoken.
    Heard(Endpoint),
    /// Tell whoever runs the node.
    Alert(Alert),
    /// Stop, once everything else is carried out.
    Finish(Ending),
}
