//! What came of a rehearsal, and the ways to spoil one on purpose.

use crate::audit::Broken;

/// What came of one season.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    pub seed: u64,
    /// Matches with a result.
    pub matches: u64,
    /// Of those, matches that were cancelled.
    pub cancelled: u64,
    /// Matches that were played again by order.
    pub reruns: u64,
    /// Attempts beyond the first one of each match.
    pub attempts: u64,
    pub crashes: u64,
    pub lost: u64,
    pub duplicated: u64,
    pub delayed: u64,
    /// Calls that did not leave, because their host had no port for them.
    pub kept_back: u64,
    /// Calls that were not made, because their peer had failed too often.
    pub failed_fast: u64,
    pub virtual_seconds: u64,
    /// The first thing that was not as it must be.
    pub broken: Option<Broken>,
    /// Of the manager's journal: two equal rehearsals have equal ones.
    pub digest: u64,
}

/// A mistake built into the stage, never into the rules: proof that every check sees something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sabotage {
    None,
    /// The manager's effects leave before its facts are durable.
    AcknowledgeBeforeDurable,
    /// A report is acknowledged as soon as it arrives.
    AcknowledgeEarly,
    /// A restarted manager does not read its last fact.
    ForgetFact,
    /// Every result is written down twice.
    CountTwice,
    /// The end of a round is not written down.
    SkipFact,
    /// The manager gives two points for a win.
    Underpay,
    /// A restarted player does not read what it chose.
    ForgetChoice,
    /// Every answer is given twice.
    AnswerTwice,
    /// The manager's deadlines never fall due.
    StopClock,
    /// A rogue writes results in a referee's name and with its token.
    StealToken,
    /// GAME_OVER tells of a draw, whatever happened.
    TellLies,
    /// Reports do not say what was played.
    HidePlay,
    /// A referee takes one match more than it can.
    Overload,
    /// A transcript is shown before its match is over.
    BreakSeal,
    /// A link forgets a report after a try in vain.
    LoseReport,
    /// A link does not keep news in order.
    OvertakeNews,
    /// A link says of some news that it was taken, and never tried.
    SwallowNews,
    /// A breaker that has opened stays open.
    StickBreaker,
    /// A link lets leave whatever it is given.
    CrowdPeer,
    /// A link does not keep letters in order.
    OvertakeLetters,
    /// Mail is marked as read before its effects are durable.
    ReadBeforeDurable,
    /// A restarted node does not know which letters it dealt with.
    ForgetHandled,
    /// Letters that wait are not sent again after a restart.
    ForgetWaiting,
    /// A referee's secret is written into letters.
    TellSecret,
}

impl Sabotage {
    /// Every real one, with the promise that it breaks.
    pub const ALL: &[(Self, &'static str)] = &[
        (Self::AcknowledgeBeforeDurable, "durable-before-visible"),
        (Self::AcknowledgeEarly, "verdict-before-news"),
        (Self::ForgetFact, "replay"),
        (Self::CountTwice, "exactly-once"),
        (Self::SkipFact, "rounds-in-order"),
        (Self::Underpay, "standings-are-a-fold"),
        (Self::ForgetChoice, "same-answer"),
        (Self::AnswerTwice, "answered-once"),
        (Self::StopClock, "completion"),
        (Self::StealToken, "fencing"),
        (Self::TellLies, "one-story"),
        (Self::HidePlay, "only-the-blamed-lose"),
        (Self::Overload, "capacity"),
        (Self::BreakSeal, "sealed"),
        (Self::LoseReport, "reports-arrive"),
        (Self::OvertakeNews, "news-in-order"),
        (Self::SwallowNews, "news-in-order"),
        (Self::StickBreaker, "nobody-left-alone"),
        (Self::CrowdPeer, "places"),
        (Self::OvertakeLetters, "news-in-order"),
        (Self::ReadBeforeDurable, "costs-nobody"),
        (Self::ForgetHandled, "counts-once"),
        (Self::ForgetWaiting, "costs-nobody"),
        (Self::TellSecret, "secret-kept"),
    ];
}
