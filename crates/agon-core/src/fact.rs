//! Everything that becomes true in a league and must never be forgotten. What players and referees
//! write down stands beside them.
//!
//! Facts are what a journal holds, so their form is a promise: add variants, never change one.

use agon_proto::act::StatusReport;
use agon_proto::message::{Blame, Cause};
use agon_proto::tool::{GivenOrder, PieceId, PieceOf};
use agon_proto::{
    Address, AgentId, Contact, DisplayName, GroupId, MatchId, MovesHash, Payload, Played, PlayerId,
    RefereeId, RoundId, SeasonId, Timestamp, micros,
};
use serde::{Deserialize, Serialize};

use crate::format::{Fixtures, Lineup};
use crate::league::Invitation;
use crate::letterbox::LetterboxFact;
use crate::{AddressKey, RequestDigest, Settings, TokenHash, Verdict};

/// An order of the operator's: who gave it, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    pub by: DisplayName,
    pub reason: DisplayName,
}

impl Order {
    /// The order, as it is shown to people.
    pub(crate) fn given(&self, at: Timestamp) -> GivenOrder {
        GivenOrder { by: self.by.clone(), reason: self.reason.clone(), timestamp: at }
    }
}

/// How an agent was let in: what a repeat of its request is compared with, and who may come again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Provenance {
    /// What it asked. Nobody who was written down in another way can repeat that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<RequestDigest>,
    /// From where.
    pub address: AddressKey,
    /// Whether it still has its token after a restart. Then only its token lets it in again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub keeps_token: bool,
}

/// Who is let in, and how it is known and reached from now on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Registration {
    pub agent: AgentId,
    pub name: DisplayName,
    pub contact: Contact,
    /// Where it is reached as well, by another way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub also: Option<Contact>,
    /// Its team, where there are teams.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<GroupId>,
    /// What proves it; nothing, if whoever carries its messages vouches for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<TokenHash>,
    pub provenance: Provenance,
    /// Most matches at once, of a referee.
    pub capacity: u32,
    /// Whether a referee says which players know how their match ended.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub says_told: bool,
    /// By which invitation it came, now or at first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invitation: Option<u32>,
    /// The operator has to say yes first.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub waits: bool,
    /// It was in the season before, with so many tokens so far, and has not come to this one yet;
    /// 0: it came.
    #[serde(default, skip_serializing_if = "is_none_expected")]
    pub expected_with: u32,
    /// Nothing but its address showed that it is who was there before.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unproved: bool,
    /// It came from the internet, or nobody knows from where: its name may lead to no private
    /// network, wherever that is looked up.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub public_only: bool,
    /// When the agent wrote its request, by its own clock or ours, if that was behind: an older
    /// one comes too late.
    #[serde(with = "micros")]
    pub said_at: Timestamp,
    #[serde(with = "micros")]
    pub at: Timestamp,
}

/// What the league manager writes down.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum LeagueFact {
    /// The league exists, with these rules.
    Opened {
        settings: Box<Settings>,
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// Somebody is in, or in again with another contact or token.
    Registered(Box<Registration>),
    /// Whoever shows that code is let in.
    Invited {
        invitation: Box<Invitation>,
        order: Order,
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// Nobody new comes by that invitation.
    InvitationRevoked {
        number: u32,
        order: Order,
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// The operator has said yes to an agent that waited for that.
    Approved {
        agent: AgentId,
        order: Order,
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// An agent belongs to the league no more: by an order, or because nobody said yes in time.
    Removed {
        agent: AgentId,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        order: Option<Order>,
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// Registration is closed and the schedule fixed.
    SeasonStarted {
        lineup: Lineup,
        /// Nobody's, if the league began by itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        order: Option<Order>,
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// A round has begun; its `n`th match is the `n`th referee's, if there is one for it.
    RoundAnnounced {
        round: RoundId,
        fixtures: Fixtures,
        referees: Vec<Option<RefereeId>>,
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// An attempt came to nothing, and another one begins.
    MatchReassigned {
        match_id: MatchId,
        attempt: u32,
        referee: RefereeId,
        cause: Cause,
        blame: Blame,
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// A match has its result. Final.
    ResultAccepted {
        match_id: MatchId,
        attempt: u32,
        referee: RefereeId,
        verdict: Verdict,
        /// What was played, as its game shows it to everybody.
        #[serde(default, skip_serializing_if = "Payload::is_null")]
        details: Payload,
        /// The moves of each seat, where the report tells all that was played.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        moves: Option<[MovesHash; 2]>,
        /// The report did not say what the verdict follows from: nobody could check it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        unverified: bool,
        /// What it cost each player's clock.
        #[serde(default, skip_serializing_if = "is_nothing_charged")]
        charged_ms: [u32; 2],
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// Somebody reported another result for a match that has one, or one that contradicts itself.
    ResultDisputed {
        match_id: MatchId,
        attempt: Option<u32>,
        referee: RefereeId,
        /// What it amounts to, if it can be understood.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        verdict: Option<Verdict>,
        /// What it says was played.
        #[serde(default, skip_serializing_if = "Payload::is_null")]
        details: Payload,
        /// What contradicts what, if it contradicts itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        contradiction: Option<Box<str>>,
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// A referee has handed in messages of matches, which lie beside this. They change no result.
    MessagesKept {
        referee: RefereeId,
        piece: PieceId,
        /// How long the piece is, as it came.
        bytes: u32,
        matches: Vec<PieceOf>,
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// Every match of the round has a result.
    RoundCompleted {
        round: RoundId,
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// The season is over.
    LeagueCompleted {
        champion: PlayerId,
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// A player plays no more: by an order, or because it was absent too often.
    PlayerWithdrawn {
        player: PlayerId,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        order: Option<Order>,
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// The operator has taken back a result, or will not have one: nobody gets anything.
    MatchVoided {
        match_id: MatchId,
        order: Order,
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// The operator has a match played again: what its result was counts no more.
    MatchRerun {
        match_id: MatchId,
        attempt: u32,
        referee: RefereeId,
        order: Order,
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// The operator gave a player a fresh token, and a place in the league if it had none any more.
    PlayerReset {
        player: PlayerId,
        token: TokenHash,
        order: Order,
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// The operator gave a referee a fresh token.
    RefereeReset {
        referee: RefereeId,
        token: TokenHash,
        order: Order,
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// The operator wants no new matches for now.
    Paused {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        order: Option<Order>,
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// The operator wants matches again.
    Resumed {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        order: Option<Order>,
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// A letter must be sent, was sent, or was dealt with.
    Letterbox(LetterboxFact),
    /// What happens only where seasons have names.
    Season(SeasonFact),
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde lends what it asks about")]
pub(crate) const fn is_none_expected(tokens: &u32) -> bool {
    *tokens == 0
}

pub(crate) fn is_nothing_charged(charged_ms: &[u32; 2]) -> bool {
    *charged_ms == [0; 2]
}

impl LeagueFact {
    /// What it says about letters, if it does.
    pub const fn letterbox(&self) -> Option<&LetterboxFact> {
        if let Self::Letterbox(fact) = self { Some(fact) } else { None }
    }
}

/// What becomes true only where seasons have names and agents write letters: who was told, has
/// checked in, and said what of a match.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum SeasonFact {
    /// Everybody who is expected was told of the season.
    SeasonAnnounced {
        season: SeasonId,
        /// The season begins by itself from then on.
        until: Option<Timestamp>,
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// Somebody wanted to be in the season, may not, and was told so.
    TurnedAway {
        address: Address,
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// Somebody wanted to be told of the season, and was.
    Introduced {
        address: Address,
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// Somebody has the season's table.
    Acknowledged {
        address: Address,
        /// In how many games it found itself.
        received: u32,
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// Everybody was asked whether they are there for that round.
    CheckInOpened {
        round: RoundId,
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// Somebody is.
    CheckedIn {
        round: RoundId,
        address: Address,
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// A player says how a game ended for it. It changes no result.
    Evidence {
        match_id: MatchId,
        player: PlayerId,
        report: Box<StatusReport>,
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// The operator has the season forgotten, and another one opens. What was dealt with stays so.
    SeasonReset {
        /// The new one.
        season: SeasonId,
        /// The first two digits of its game ids.
        number: u32,
        order: Order,
        #[serde(with = "micros")]
        at: Timestamp,
    },
    /// What that player says and what the referee says cannot both be true.
    Contradicted {
        match_id: MatchId,
        player: PlayerId,
        /// What it says that it played, if that is why.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        played: Option<Played>,
        #[serde(with = "micros")]
        at: Timestamp,
    },
}
