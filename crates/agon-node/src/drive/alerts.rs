//! What a role wants whoever runs the node to know, as lines of the log.

use agon_core::{Alert, FailedAsk};
use agon_proto::message::GameError;
use agon_proto::{ShortText, Timestamp};
use tracing::warn;

use crate::inbound::spelled;
use crate::log_throttle::LogThrottle;

/// Writes an alert down. One that a peer can cause is written as often as is useful, not as often
/// as it likes.
pub(super) fn say(alert: &Alert, throttle: &mut LogThrottle, now: Timestamp) {
    let mut line = || throttle.line(now);
    match alert {
        Alert::NoReferee { open } => {
            warn!(open, "no referee left: the league waits until one registers or answers");
        }
        Alert::RefereeBack { referees } => {
            warn!(referees, "a referee is back: the league goes on");
        }
        Alert::KeyLost { agents } => warn!(
            agents,
            "these agents' tokens were made with another token.key, so they refuse our calls: \
             restart them, or restore the file"
        ),
        Alert::NoMove { match_id, said } => {
            let said = said.as_str();
            warn!(%match_id, said, "to the author of this strategy: this is no move here");
        }
        Alert::NoWord { match_id, kind, problem } => {
            let problem = problem.as_str();
            warn!(%match_id, kind, problem, "to the author of this program: this is no answer");
        }
        Alert::Displaced => {
            warn!("the manager does not know our token any more: registering again");
        }
        // Every one is named; `referees_max` bounds them.
        Alert::RefereeJoinedLate { referee, name, endpoint, address } => {
            let (endpoint, address) = (endpoint.shown(), spelled(*address));
            warn!(%referee, %name, endpoint, %address, "a referee joined after the start");
        }
        Alert::CapacityCapped { referee, said, capacity } => {
            if let Some(left_out) = line() {
                warn!(%referee, said, capacity, left_out, "a referee's capacity is capped");
            }
        }
        Alert::Forfeited { match_id, reason } => {
            if let Some(left_out) = line() {
                let reason = reason.as_str();
                warn!(%match_id, reason, left_out, "a match was lost without being played");
            }
        }
        Alert::AskFailed(failed) => {
            if let Some(left_out) = line() {
                ask_failed(failed, left_out);
            }
        }
        Alert::Complained(said) => {
            if let Some(left_out) = line() {
                complained(said, left_out);
            }
        }
    }
}

fn ask_failed(failed: &FailedAsk, left_out: u64) {
    warn!(
        match_id = %failed.match_id,
        attempt = failed.attempt,
        player = %failed.player,
        wanted = failed.wanted,
        ask = failed.ask,
        problem = failed.problem.as_str(),
        received = failed.received.as_ref().map(ShortText::as_str),
        left_out,
        "an ask failed"
    );
}

fn complained(said: &GameError, left_out: u64) {
    warn!(
        match_id = %said.match_id,
        code = said.error_code.code(),
        name = said.error_code.name(),
        wanted = ShortText::new(&said.action_required).as_str(),
        problem = said.problem.as_ref().map(ShortText::as_str),
        received = said.received.as_ref().map(ShortText::as_str),
        left_out,
        "the referee complains"
    );
}
