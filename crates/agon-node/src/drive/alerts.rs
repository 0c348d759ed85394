//! What a role wants whoever runs the node to know, as lines of the log.

use agon_core::Alert;
use agon_proto::{ShortText, Timestamp};
use tracing::warn;

use crate::inbound::spelled;
use crate::log_throttle::LogThrottle;

/// Writes alerts down. Those that a peer can cause are written as often as is useful, not as often
/// as it likes.
#[derive(Debug, Default)]
pub(crate) struct Alerts {
    log_throttle: LogThrottle,
}

impl Alerts {
    pub(super) fn say(&mut self, alert: &Alert, now: Timestamp) {
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
            Alert::CapacityCapped { .. }
            | Alert::AskFailed(_)
            | Alert::Complained(_)
            | Alert::Forfeited { .. } => {
                if let Some(left_out) = self.log_throttle.line(now) {
                    caused_by_a_peer(alert, left_out);
                }
            }
        }
    }
}

fn caused_by_a_peer(alert: &Alert, left_out: u64) {
    match alert {
        Alert::AskFailed(failed) => warn!(
            match_id = %failed.match_id,
            attempt = failed.attempt,
            player = %failed.player,
            wanted = failed.wanted,
            ask = failed.ask,
            problem = failed.problem.as_str(),
            received = failed.received.as_ref().map(ShortText::as_str),
            left_out,
            "an ask failed"
        ),
        Alert::Complained(said) => warn!(
            match_id = %said.match_id,
            code = said.error_code.code(),
            name = said.error_code.name(),
            wanted = ShortText::new(&said.action_required).as_str(),
            problem = said.problem.as_ref().map(ShortText::as_str),
            received = said.received.as_ref().map(ShortText::as_str),
            left_out,
            "the referee complains"
        ),
        Alert::Forfeited { match_id, reason } => warn!(
            %match_id,
            reason = reason.as_str(),
            left_out,
            "a match was lost without being played"
        ),
        Alert::CapacityCapped { referee, said, capacity } => {
            warn!(%referee, said, capacity, left_out, "a referee's capacity is capped");
        }
        Alert::NoReferee { .. }
        | Alert::RefereeBack { .. }
        | Alert::RefereeJoinedLate { .. }
        | Alert::KeyLost { .. }
        | Alert::NoMove { .. }
        | Alert::NoWord { .. }
        | Alert::Displaced => {}
    }
}
