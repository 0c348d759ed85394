//! The vocabulary of a Q21 league: letters that travel by mail, or by call.
//!
//! A letter says the same thing whoever spelled it and however it came. Here are the things that
//! are said, each field with the names that known generations of agents give it (`codec/wire.rs`
//! explains the table); the codec does the rest.
//!
//! Spec: docs/protocol/q21.md

mod body;
mod codec;
mod game;
mod game_id;
mod league;
mod letter;
mod play;
mod report;
mod score;
mod spelling;
mod telling;

pub use body::{Body, Kind};
pub(crate) use codec::kind_of;
pub use codec::{
    Claim, Mail, Unreadable, attachment_name, claimed, open_json, open_mail, subject, write,
};
pub use game::{
    Answered, AnswersBatch, Choice, Feedback, Guess, GuessSubmission, OPTIONS, QUESTIONS,
    QuestionRow, QuestionsBatch, RoundStart, ScoreFeedback, WarmupCall, WarmupResponse,
};
pub use game_id::GameId;
pub use league::{
    AssignmentAck, AssignmentRow, AssignmentTable, Connectivity, EndRound, Extension,
    ExtensionDecision, ForceMajeure, ForceMajeureDecision, FreeText, Halt, KeepAlive,
    LeagueCompleted, LeagueRegistration, LeagueRegistrationAnswer, NewRound, Problem,
    RegistrationAnswer, RegistrationRequest, Rejection, RoundResults, RoundWinner, StandingRow,
    StartSeason, StateAnswer, TableRequest, Verdict,
};
pub use letter::{Context, Letter, Origin};
pub use play::{
    AsPayload, Assessment, Book, Brief, Contestant, PlayerContext, PlayerStandings, PublicBook,
    RefereeContext, RoundResult, Said, Seen, Word,
};
pub use report::{
    LastActor, PlayerPhase, PlayerState, ReportStatus, Reporter, ResultReport, ScoreRow,
    StatusReport, StopReason,
};
pub use score::{Breakdown, WEIGHTS};
pub use spelling::{
    GameLetter, answer, answered, asked, asks, question, reply, seen_score, shown, worth,
};
pub(super) use telling::ABILITIES;
pub use telling::{Bulletin, applying, decide, scored, spell, table};

// What the letters say in the words of every league.
use crate::announcement::Task;
use crate::{Part, Role, Score, StatedScore};

/// What game messages are marked with.
pub const GAME_PROTOCOL: &str = "Q21G.v1";
