//! Error codes. The ten that the course names keep their meaning; ours use the free numbers.
//!
//! Spec: docs/protocol/errors.md

use std::fmt;

use crate::json::texts;

/// Declares the codes once: variant, number, name, whether trying again can help.
macro_rules! codes {
    ($(
        $(#[doc = $doc:literal])*
        $variant:ident = $code:literal, $name:literal, $retryable:literal;
    )*) => {
        /// Why something was refused. The name always stands beside the number on the wire.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum ErrorCode { $($(#[doc = $doc])* $variant,)* }

        impl ErrorCode {
            /// Every code, in the order of the numbers.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The number, such as `E012`.
            pub const fn code(self) -> &'static str {
                match self { $(Self::$variant => $code,)* }
            }

            /// The name, such as `AUTH_TOKEN_INVALID`.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// Whether the same message may succeed later.
            pub const fn is_retryable(self) -> bool {
                match self { $(Self::$variant => $retryable,)* }
            }
        }
    };
}

codes! {
    /// No answer in time.
    Timeout = "E001", "TIMEOUT_ERROR", true;
    /// A value makes no sense here. Ours.
    InvalidMessage = "E002", "INVALID_MESSAGE", false;
    /// A mandatory field is missing.
    MissingField = "E003", "MISSING_REQUIRED_FIELD", false;
    /// Not what can be chosen.
    InvalidChoice = "E004", "INVALID_PARITY_CHOICE", false;
    /// Unknown player.
    PlayerNotRegistered = "E005", "PLAYER_NOT_REGISTERED", false;
    /// There is no such match, or not for this sender. Ours.
    MatchNotFound = "E006", "MATCH_NOT_FOUND", false;
    /// The message does not fit the moment. Ours.
    OutOfTurn = "E007", "OUT_OF_TURN", false;
    /// A newer attempt of the match has begun. Ours.
    StaleAttempt = "E008", "STALE_ATTEMPT", false;
    /// The peer could not be reached.
    ConnectionError = "E009", "CONNECTION_ERROR", true;
    /// Too many requests. Ours.
    RateLimited = "E010", "RATE_LIMITED", true;
    /// No token where one is needed.
    AuthTokenMissing = "E011", "AUTH_TOKEN_MISSING", false;
    /// Not the token that was handed out.
    AuthTokenInvalid = "E012", "AUTH_TOKEN_INVALID", false;
    /// Unknown referee.
    RefereeNotRegistered = "E013", "REFEREE_NOT_REGISTERED", false;
    /// Known, but not allowed to do this. Ours.
    NotPermitted = "E014", "NOT_PERMITTED", false;
    /// The match has another result already. Ours.
    ResultConflict = "E015", "RESULT_CONFLICT", false;
    /// Nothing can be written at the moment. Ours.
    Unavailable = "E016", "SERVICE_UNAVAILABLE", true;
    /// The endpoint belongs to somebody else. Ours.
    DuplicateRegistration = "E017", "DUPLICATE_REGISTRATION", false;
    /// The protocol or its version is not spoken here.
    ProtocolMismatch = "E018", "PROTOCOL_VERSION_MISMATCH", false;
    /// The season has begun. Ours.
    RegistrationClosed = "E019", "REGISTRATION_CLOSED", false;
    /// No place left. Ours.
    LeagueFull = "E020", "LEAGUE_FULL", false;
    /// The timestamp is not UTC.
    InvalidTimestamp = "E021", "INVALID_TIMESTAMP", false;
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.code(), self.name())
    }
}

texts! {
    ErrorCode by serialize_str(code): "E001 to E021",
        |text| Self::ALL.iter().copied().find(|known| known.code() == text),
        { "enum": Self::ALL.iter().map(|known| known.code()).collect::<Vec<_>>() };
}
