//! What a role wants whoever runs the node to know, as lines of the log, and how many of those that
//! a peer can cause: a flood of refusals does not become a flood of lines.

use std::time::Duration;

use agon_core::{Alert, FailedAsk};
use agon_proto::message::GameError;
use agon_proto::{ShortText, Timestamp};
use tracing::warn;

use crate::inbound::spelled;

/// So many lines are written in each window; the others are only counted.
const LINES_MAX: u32 = 20;
const WINDOW: Duration = Duration::from_secs(1);

/// Writes an alert down. One that a peer can cause is written as often as is useful, not as often
/// as it likes.
pub(crate) fn say(alert: &Alert, throttle: &mut LogThrottle, now: Timestamp) {
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
            let FailedAsk { match_id, attempt, player, wanted, ask, problem, received } = &**failed;
            if let Some(left_out) = line() {
                let (problem, received) = (problem.as_str(), shown(received));
                warn!(
                    %match_id, attempt, %player, wanted, ask, problem, received, left_out,
                    "an ask failed"
                );
            }
        }
        Alert::Complained(said) => {
            if let Some(left_out) = line() {
                let GameError { match_id, error_code, problem, received, .. } = &**said;
                let (code, name) = (error_code.code(), error_code.name());
                let wanted = ShortText::new(&said.action_required);
                let (wanted, problem, received) =
                    (wanted.as_str(), shown(problem), shown(received));
                warn!(
                    %match_id, code, name, wanted, problem, received, left_out,
                    "the referee complains"
                );
            }
        }
    }
}

fn shown(text: &Option<ShortText>) -> Option<&str> {
    text.as_ref().map(ShortText::as_str)
}

#[derive(Debug, Default)]
pub(crate) struct LogThrottle {
    until: Option<Timestamp>,
    lines: u32,
    swallowed: u64,
}

impl LogThrottle {
    /// Asks for a line. If it may be written: how many were left out since the last one.
    pub(crate) fn line(&mut self, now: Timestamp) -> Option<u64> {
        if self.until.is_none_or(|until| until <= now) {
            self.until = Some(now + WINDOW);
            self.lines = 0;
        }
        if self.lines >= LINES_MAX {
            self.swallowed += 1;
            return None;
        }
        self.lines += 1;
        Some(std::mem::take(&mut self.swallowed))
    }
}

#[cfg(test)]
mod tests;
