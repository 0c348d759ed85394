//! Sabotage: how a stage that must be found out spoils what passes through its hands.

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
use crate::report::Sabotage;

/// What everybody is told: the manager about points, links about their bounds, referees about
/// their capacity.
pub(super) fn script(sabotage: Sabotage, script: &mut Script) {
    let link = Arc::make_mut(&mut script.link);
    #[expect(clippy::wildcard_enum_match_arm, reason = "the others spoil something else")]
    match sabotage {
        Sabotage::Underpay => script.settings.scoring.win = 2,
        Sabotage::StickBreaker => link.breaker.open_for = Duration::from_secs(3_600),
        Sabotage::CrowdPeer => link.in_flight_max += 100,
        Sabotage::Overload => script.overload = 1,
        _ => {}
    }
}

/// How often a fact is written down.
pub(super) fn times_written(sabotage: Sabotage, fact: &Sight<'_>) -> u32 {
    match (sabotage, fact) {
        (Sabotage::SkipFact, Sight::LeagueWrote(LeagueFact::RoundCompleted { .. })) => 0,
        (Sabotage::CountTwice, Sight::LeagueWrote(LeagueFact::ResultAccepted { .. })) => 2,
        _ => 1,
    }
}

/// Whether a fact is not read after a restart.
pub(super) fn forgets(sabotage: Sabotage, fact: &Sight<'_>, is_last: bool) -> bool {
    match (sabotage, fact, fact.letterbox()) {
        (Sabotage::ForgetFact, Sight::LeagueWrote(_), _) => is_last,
        (Sabotage::ForgetChoice, Sight::PlayerWrote(_, PlayerFact::Chosen { .. }), _)
        | (Sabotage::ForgetWaiting, _, Some((_, LetterboxFact::Queued(_))))
        | (Sabotage::ForgetHandled, _, Some((_, LetterboxFact::Handled { .. }))) => true,
        _ => false,
    }
}

/// How a link is told to treat what it is given.
pub(super) fn lane(sabotage: Sabotage, lane: LinkLane) -> LinkLane {
    let news = matches!(lane, LinkLane::Notice { .. }) && sabotage == Sabotage::OvertakeNews;
    let letter = lane == LinkLane::InOrder && sabotage == Sabotage::OvertakeLetters;
    if news || letter { LinkLane::Report } else { lane }
}

/// Whether a call is not made, and its link hears that it was answered.
pub(super) fn swallows(sabotage: Sabotage, sent: Sent) -> bool {
    let some_news = sent.is_news() && sent.number.is_multiple_of(8);
    some_news && sabotage == Sabotage::SwallowNews
}

/// Whether a link hears that a try went well, however it went.
pub(super) fn loses(sabotage: Sabotage, sent: Sent) -> bool {
    sabotage == Sabotage::LoseReport && sent.lane == LinkLane::Report
}

/// What becomes of a letter on its way.
pub(super) fn letter(sabotage: Sabotage, letter: &mut Envelope) {
    if let (Sabotage::TellLies, Act::GameOver(said)) = (sabotage, &mut letter.act) {
        said.game_result.status = ResultStatus::Draw;
        said.game_result.winner_player_id = None;
    }
    if let (Sabotage::HidePlay, Act::MatchResultReport(said)) = (sabotage, &mut letter.act) {
        said.result.details = ReportDetails::default();
    }
}

/// What becomes of an effect before anybody sees it.
pub(super) fn effect(sabotage: Sabotage, effect: &mut Effect, now: Timestamp) {
    if let (Sabotage::BreakSeal, Effect::Fetch { state, .. }) = (sabotage, &mut *effect) {
        let (kind, from) = (EntryKind::GameMoveResponse, Party::PlayerA);
        let entry = TranscriptEntry::new(now, kind, from, Party::Referee);
        state.transcript = Transcript(Listed::from(vec![entry]));
    } else if let (Sabotage::TellSecret, Effect::SendLetter(parcel)) = (sabotage, effect) {
        parcel.letter.head.recipient = SECRET.into();
    }
}
