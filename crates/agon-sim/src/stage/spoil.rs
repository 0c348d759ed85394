//! Sabotage: how a stage that must be found out spoils what passes through its hands.

use std::time::Duration;

use agon_core::{Effect, Settings};
use agon_link::{CallFault, LinkLane, LinkSettings};
use agon_proto::message::{
    EntryKind, Message, Party, ReportDetails, ResultStatus, Transcript, TranscriptEntry,
};
use agon_proto::{Envelope, Listed, Timestamp};

use crate::audit::{Sent, SentKind};
use crate::invariant::SECRET;
use crate::report::Sabotage;

/// What the manager is told about points.
pub(super) fn settings(sabotage: Sabotage, settings: &mut Settings) {
    if sabotage == Sabotage::Underpay {
        settings.scoring.win = 2;
    }
}

/// What the links are told about their bounds.
pub(super) fn link(sabotage: Sabotage, link: &mut LinkSettings) {
    if sabotage == Sabotage::StickBreaker {
        link.breaker.open_for = Duration::from_secs(3_600);
    }
    if sabotage == Sabotage::CrowdPeer {
        link.in_flight_max += 100;
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
    let some_news = sent.kind == SentKind::News && sent.number.is_multiple_of(8);
    some_news && sabotage == Sabotage::SwallowNews
}

/// How a link hears that a try went.
pub(super) fn outcome(
    sabotage: Sabotage,
    sent: Sent,
    how: Result<(), CallFault>,
) -> Result<(), CallFault> {
    let loses = sabotage == Sabotage::LoseReport && sent.kind == SentKind::Report;
    if loses { Ok(()) } else { how }
}

/// What becomes of a letter on its way.
pub(super) fn letter(sabotage: Sabotage, letter: &mut Envelope) {
    if let (Sabotage::TellLies, Message::GameOver(said)) = (sabotage, &mut letter.message) {
        said.game_result.status = ResultStatus::Draw;
        said.game_result.winner_player_id = None;
    }
    if let (Sabotage::HidePlay, Message::MatchResultReport(said)) = (sabotage, &mut letter.message)
    {
        said.result.details = ReportDetails::default();
    }
}

/// What becomes of an effect before anybody sees it.
pub(super) fn effect(
    sabotage: Sabotage,
    (effect, settings): (&mut Effect, &Settings),
    now: Timestamp,
) {
    if let (Sabotage::BreakSeal, Effect::Fetch { state, .. }) = (sabotage, &mut *effect) {
        let ([_, kind], from) = (EntryKind::of_move(&settings.game_type()), Party::PlayerA);
        let entry = TranscriptEntry::new(now, kind, from, Party::Referee);
        state.transcript = Transcript(Listed::from(vec![entry]));
    } else if let (Sabotage::TellSecret, Effect::SendLetter(parcel)) = (sabotage, effect) {
        parcel.letter.recipient = SECRET.into();
    }
}
