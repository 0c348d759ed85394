//! Sabotage: the ways to spoil a rehearsal on purpose, and how a stage that must be found out
//! spoils what passes through its hands.

use std::sync::Arc;
use std::time::Duration;

use agon_core::letterbox::LetterboxFact;
use agon_core::{Effect, LeagueFact, PlayerFact};
use agon_link::LinkLane;
use agon_proto::act::Act;
use agon_proto::message::{
    EntryKind, Party, ReportDetails, ResultStatus, Transcript, TranscriptEntry,
};
use agon_proto::{Envelope, Listed, Timestamp};

use crate::audit::{Sent, Sight};
use crate::invariant::SECRET;
use crate::league::Script;

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
    /// A referee is not told whose clock is empty.
    HideClock,
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
        (Self::HideClock, "clocks"),
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
    /// What everybody is told: the manager about points, links about their bounds, referees about
    /// their capacity.
    pub(crate) fn spoil_script(self, script: &mut Script) {
        let link = Arc::make_mut(&mut script.link);
        #[expect(clippy::wildcard_enum_match_arm, reason = "the others spoil something else")]
        match self {
            Self::Underpay => script.settings.scoring.win = 2,
            Self::StickBreaker => link.breaker.open_for = Duration::from_secs(3_600),
            Self::CrowdPeer => link.in_flight_max += 100,
            Self::Overload => script.overload = 1,
            _ => {}
        }
    }

    /// How often a fact is written down.
    pub(crate) fn times_written(self, fact: &Sight<'_>) -> u32 {
        match (self, fact) {
            (Self::SkipFact, Sight::LeagueWrote(LeagueFact::RoundCompleted { .. })) => 0,
            (Self::CountTwice, Sight::LeagueWrote(LeagueFact::ResultAccepted { .. })) => 2,
            _ => 1,
        }
    }

    /// Whether a fact is not read after a restart.
    pub(crate) fn forgets(self, fact: &Sight<'_>, is_last: bool) -> bool {
        match (self, fact, fact.letterbox()) {
            (Self::ForgetFact, Sight::LeagueWrote(_), _) => is_last,
            (Self::ForgetChoice, Sight::PlayerWrote(_, PlayerFact::Chosen { .. }), _)
            | (Self::ForgetWaiting, _, Some((_, LetterboxFact::Queued(_))))
            | (Self::ForgetHandled, _, Some((_, LetterboxFact::Handled { .. }))) => true,
            _ => false,
        }
    }

    /// How a link is told to treat what it is given.
    pub(crate) fn lane(self, lane: LinkLane) -> LinkLane {
        let news = matches!(lane, LinkLane::Notice { .. }) && self == Self::OvertakeNews;
        let letter = lane == LinkLane::InOrder && self == Self::OvertakeLetters;
        if news || letter { LinkLane::Report } else { lane }
    }

    /// Whether a call is not made, and its link hears that it was answered.
    pub(crate) fn swallows(self, sent: Sent) -> bool {
        let some_news = sent.is_news() && sent.number.is_multiple_of(8);
        some_news && self == Self::SwallowNews
    }

    /// Whether a link hears that a try went well, however it went.
    pub(crate) fn loses(self, sent: Sent) -> bool {
        self == Self::LoseReport && sent.lane == LinkLane::Report
    }

    /// What becomes of a letter on its way.
    pub(crate) fn spoil_message(self, letter: &mut Envelope) {
        if let (Self::TellLies, Act::GameOver(said)) = (self, &mut letter.act) {
            said.game_result.status = ResultStatus::Draw;
            said.game_result.winner_player_id = None;
        }
        if let (Self::HidePlay, Act::MatchResultReport(said)) = (self, &mut letter.act) {
            said.result.details = ReportDetails::default();
        }
        if let (Self::HideClock, Act::MatchAssignment(said)) = (self, &mut letter.act) {
            Arc::make_mut(said).asked_once.clear();
        }
    }

    /// What becomes of an effect before anybody sees it.
    pub(crate) fn spoil_effect(self, effect: &mut Effect, now: Timestamp) {
        if let (Self::BreakSeal, Effect::Fetch { state, .. }) = (self, &mut *effect) {
            let (kind, from) = (EntryKind::GameMoveResponse, Party::PlayerA);
            let entry = TranscriptEntry::new(now, kind, from, Party::Referee);
            state.transcript = Transcript(Listed::from(vec![entry]));
        } else if let (Self::TellSecret, Effect::SendLetter(parcel)) = (self, effect) {
            let mut letter = parcel.letter.read().expect("a letter of ours can be read");
            letter.head.recipient = SECRET.into();
            parcel.letter = letter.written().into();
        }
    }
}
