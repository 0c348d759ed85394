//! Sabotage: how a stage that must be found out spoils what passes through its hands.

use agon_core::{Effect, Settings};
use agon_proto::message::{
    EntryKind, Message, Party, ReportDetails, ResultStatus, Transcript, TranscriptEntry,
};
use agon_proto::{Envelope, Listed, Timestamp};

use crate::report::Sabotage;

/// What the manager is told about points.
pub(super) fn settings(sabotage: Sabotage, settings: &mut Settings) {
    if sabotage == Sabotage::Underpay {
        settings.scoring.win = 2;
    }
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
pub(super) fn effect(sabotage: Sabotage, effect: &mut Effect, now: Timestamp) {
    if let (Sabotage::BreakSeal, Effect::Fetch { state, .. }) = (sabotage, effect) {
        let (kind, from) = (EntryKind::ChooseParityResponse, Party::PlayerA);
        let entry = TranscriptEntry::new(now, kind, from, Party::Referee);
        state.transcript = Transcript(Listed::from(vec![entry]));
    }
}
