//! Every "no" that the rules can say, with its code and a sentence for the one who asked.
//!
//! Spec: docs/protocol/errors.md

use std::fmt;

use agon_proto::act::Denial;
use agon_proto::{AgentId, AuthToken, ErrorCode, GameType, LeagueId, MatchId, PlayerId, SeasonId};

/// Why something was refused. Nothing has changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    Unknown(AgentId),
    /// The sender has no id yet, and only registration needs none.
    NotRegistered,
    TokenMissing,
    /// Keeps the token, so that a redacted form of it can be shown.
    TokenInvalid(AuthToken),
    NotPermitted(&'static str),
    WrongLeague(LeagueId),
    NoSuchMatch,
    NotYourMatch(MatchId),
    OutOfTurn(&'static str),
    StaleAttempt {
        current: u32,
    },
    NoSuchAttempt {
        current: u32,
    },
    Conflict(MatchId),
    /// A report says two things that cannot both be true.
    Contradicted(Contradiction),
    /// That player was withdrawn, so its matches cannot be played.
    Withdrawn(PlayerId),
    Unsupported(&'static str),
    BadValue(&'static str),
    VersionTooOld,
    /// It does not play what is played here.
    OtherGame(GameType),
    RegistrationClosed,
    LeagueFull,
    /// It is in already, and nothing more is shown to it here.
    AlreadyIn,
    /// Another season is open.
    UnknownSeason(SeasonId),
    NotOnRoster,
    /// The team has somebody else for that.
    TeamTaken(Box<str>),
    /// Only with the operator's leave.
    LeaveNeeded(&'static str),
    EndpointTaken,
    /// The agent at that endpoint keeps its token, and it was not shown.
    TokenKept,
    EndpointForbidden,
    /// A stranger names an endpoint that is not at its own address.
    EndpointElsewhere,
    /// So many came from that address that no more may.
    AddressFull,
    /// So many wait for the operator's word that no more may.
    WaitingFull,
    /// It registers again and again.
    TooOften,
    /// So many look at matches that no more may.
    TooManyLook,
    /// The strategy could not decide.
    NoDecision,
    /// The strategy was not done in time.
    TooSlow,
    /// The disk does not take anything at the moment.
    ReadOnly,
}

impl Refusal {
    pub const fn code(&self) -> ErrorCode {
        match self {
            Self::Unknown(AgentId::Player(_)) | Self::NotRegistered => {
                ErrorCode::PlayerNotRegistered
            }
            Self::Unknown(AgentId::Referee(_)) => ErrorCode::RefereeNotRegistered,
            Self::TokenMissing => ErrorCode::AuthTokenMissing,
            Self::TokenInvalid(_) => ErrorCode::AuthTokenInvalid,
            Self::NotPermitted(_)
            | Self::EndpointForbidden
            | Self::EndpointElsewhere
            | Self::NotOnRoster
            | Self::LeaveNeeded(_) => ErrorCode::NotPermitted,
            Self::NoSuchMatch | Self::NotYourMatch(_) => ErrorCode::MatchNotFound,
            Self::OutOfTurn(_) | Self::Withdrawn(_) => ErrorCode::OutOfTurn,
            Self::StaleAttempt { .. } => ErrorCode::StaleAttempt,
            Self::Conflict(_) => ErrorCode::ResultConflict,
            Self::WrongLeague(_)
            | Self::NoSuchAttempt { .. }
            | Self::Contradicted(_)
            | Self::Unsupported(_)
            | Self::OtherGame(_)
            | Self::BadValue(_) => ErrorCode::InvalidMessage,
            Self::VersionTooOld => ErrorCode::ProtocolMismatch,
            Self::RegistrationClosed | Self::UnknownSeason(_) => ErrorCode::RegistrationClosed,
            Self::LeagueFull | Self::AddressFull | Self::WaitingFull => ErrorCode::LeagueFull,
            Self::TooOften => ErrorCode::RateLimited,
            Self::EndpointTaken | Self::TokenKept | Self::AlreadyIn | Self::TeamTaken(_) => {
                ErrorCode::DuplicateRegistration
            }
            Self::NoDecision | Self::ReadOnly | Self::TooManyLook => ErrorCode::Unavailable,
            Self::TooSlow => ErrorCode::Timeout,
        }
    }

    /// Why somebody may not come, if this is why.
    #[expect(clippy::wildcard_enum_match_arm, reason = "the rest has no word of its own")]
    pub(crate) fn denial(&self) -> Denial {
        match self {
            Self::AlreadyIn => Denial::AlreadyIn,
            Self::RegistrationClosed => Denial::Closed,
            Self::UnknownSeason(_) => Denial::UnknownSeason,
            Self::NotOnRoster => Denial::NotOnRoster,
            Self::TeamTaken(_) => Denial::TeamTaken,
            Self::LeagueFull | Self::AddressFull | Self::WaitingFull => Denial::Full,
            Self::LeaveNeeded(_) => Denial::LeaveNeeded,
            _ => Denial::Other("rejected".into()),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(id) => write!(f, "{id} is not registered here; register first"),
            Self::NotRegistered => f.write_str("the sender has no id; register first"),
            Self::TokenMissing => f.write_str("auth_token is missing; send the one you were given"),
            Self::TokenInvalid(_) => {
                f.write_str("auth_token is not the one that was given to this sender")
            }
            Self::NotPermitted(what) | Self::LeaveNeeded(what) => {
                write!(f, "not permitted: {what}")
            }
            Self::WrongLeague(ours) => write!(f, "this is league {ours}"),
            Self::NoSuchMatch => f.write_str("there is no such match"),
            Self::NotYourMatch(id) => write!(f, "match {id} is held by another referee"),
            Self::OutOfTurn(why) => write!(f, "out of turn: {why}"),
            Self::StaleAttempt { current } => {
                write!(f, "this attempt is over; the current one is {current}")
            }
            Self::NoSuchAttempt { current } => {
                write!(f, "there is no such attempt; the current one is {current}")
            }
            Self::Withdrawn(id) => {
                write!(f, "out of turn: {id} was withdrawn; the operator can reset it first")
            }
            Self::Conflict(id) => write!(f, "match {id} already has another result"),
            Self::Contradicted(what) => write!(f, "the report contradicts itself: {what}"),
            Self::Unsupported(what) => write!(f, "not supported here: {what}"),
            Self::BadValue(what) => write!(f, "invalid value: {what}"),
            Self::OtherGame(ours) => {
                write!(f, "not supported here: game_types must contain {ours}")
            }
            Self::VersionTooOld => {
                f.write_str("protocol_version is too old; 2.0.0 or newer is needed")
            }
            Self::RegistrationClosed => {
                f.write_str("registration is closed: the season has begun or is over")
            }
            Self::LeagueFull => f.write_str("the league is full"),
            Self::AlreadyIn => f.write_str("already registered"),
            Self::UnknownSeason(ours) => write!(f, "the season that is open is {ours}"),
            Self::NotOnRoster => f.write_str("This address is not on the roster of the season"),
            Self::TeamTaken(why) => f.write_str(why),
            Self::EndpointTaken => f.write_str(
                "contact_endpoint is registered already; send the old auth_token, or call from \
                 the endpoint's own address",
            ),
            Self::TokenKept => f.write_str(
                "contact_endpoint is registered already, and its agent keeps its token; send that \
                 as auth_token, or ask the operator to reset the agent",
            ),
            Self::EndpointForbidden => f.write_str(
                "not permitted: contact_endpoint is not an address that may be called; from \
                 another machine, give one of that machine",
            ),
            Self::EndpointElsewhere => f.write_str(
                "not permitted: contact_endpoint is not at the address that you call from; only \
                 who is invited may name another one",
            ),
            Self::AddressFull => {
                f.write_str("as many agents as one address may bring are here already")
            }
            Self::WaitingFull => f.write_str("too many wait for the operator already"),
            Self::TooOften => f.write_str("registered too often; wait a minute"),
            Self::TooManyLook => f.write_str("too many look at matches just now; ask again"),
            Self::NoDecision => f.write_str("the strategy could not decide; ask again"),
            Self::TooSlow => f.write_str("the strategy took too long; ask again"),
            Self::ReadOnly => {
                f.write_str("nothing can be written down at the moment, only read; try again later")
            }
        }
    }
}

/// What contradicts what, with the values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contradiction {
    said: Box<str>,
    against: Box<str>,
}

impl Contradiction {
    pub(crate) fn new(said: impl Into<Box<str>>, against: impl Into<Box<str>>) -> Self {
        Self { said: said.into(), against: against.into() }
    }

    /// Unless that fits, the one contradicts the other.
    pub(crate) fn unless<S: Into<Box<str>>, A: Into<Box<str>>>(
        fits: bool,
        texts: impl FnOnce() -> (S, A),
    ) -> Result<(), Self> {
        if fits {
            return Ok(());
        }
        let (said, against) = texts();
        Err(Self::new(said, against))
    }
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} contradicts {}", self.said, self.against)
    }
}
