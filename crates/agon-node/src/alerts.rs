//! What a role wants whoever runs the node to know, as lines of the log, and how many of those that
//! a peer can cause: a flood of refusals does not become a flood of lines.

use std::time::Duration;

use agon_core::{AddressKey, Alert, FailedAsk, WrongClaim};
use agon_proto::message::GameError;
use agon_proto::{AgentId, DisplayName, MatchId, ShortText, Timestamp};
use tracing::field::{DisplayValue, display};
use tracing::{info, warn};

use crate::inbound::spelled;
use crate::meters::BOARD;

/// So many lines are written in each window; the others are only counted.
const LINES_MAX: u32 = 20;
const WINDOW: Duration = Duration::from_secs(1);

/// How many lines are missing before one; none is not worth a word.
pub(crate) type LeftOut = Option<u64>;

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
        Alert::NoManager { manager, left } => {
            let (manager, left_s) = (manager.shown(), left.as_secs());
            warn!(manager, left_s, "no manager answers there yet: trying on");
        }
        Alert::CameUnproved { .. }
        | Alert::Waits { .. }
        | Alert::Renamed { .. }
        | Alert::RefereeJoinedLate { .. }
        | Alert::CapacityCapped { .. }
        | Alert::NotReached { .. }
        | Alert::Reached { .. } => of_admission(alert, line),
        Alert::OutOfReach { .. }
        | Alert::InReach { .. }
        | Alert::Pending
        | Alert::Called { .. }
        | Alert::Displaced
        | Alert::Withdrawn { .. } => of_our_place(alert),
        Alert::TranscriptTooLong { match_id, bytes } => {
            line().into_iter().for_each(|left| too_long(*match_id, *bytes, left));
        }
        Alert::Rejected { match_id, original, text } => {
            let of = (match_id.as_ref().map(display), original.as_deref());
            if let Some(left) = line() {
                rejected(of, text, left);
            }
        }
        Alert::Forfeited { match_id, reason } => {
            if let Some(left_out) = line() {
                let reason = reason.as_str();
                warn!(%match_id, reason, left_out, "a match was lost without being played");
            }
        }
        Alert::RefereeSilent { match_id } => {
            let text = "no word from its referee any more: we leave this match to the league";
            warn!(%match_id, "{text}");
        }
        Alert::AskFailed(failed) => line().into_iter().for_each(|left| ask_failed(failed, left)),
        Alert::Complained(said) => line().into_iter().for_each(|left| complained(said, left)),
        Alert::WrongClaim(claim) => {
            BOARD.wrong_claims.inc();
            line().into_iter().for_each(|left| wrong_claim(claim, left));
        }
        Alert::ClockCharged { left_ms } => {
            let left_s = *left_ms as f64 / 1_000.0;
            warn!(left_s, "we held others up: our clock was charged; at 0 we are asked once");
        }
    }
}

fn too_long(match_id: MatchId, bytes: usize, left_out: LeftOut) {
    warn!(%match_id, bytes, left_out, "a transcript is too long to be kept; the result counts");
}

/// What the operator is told of those who come.
fn of_admission(alert: &Alert, mut line: impl FnMut() -> Option<LeftOut>) {
    #[expect(clippy::wildcard_enum_match_arm, reason = "seven of all alerts are of admission")]
    match alert {
        Alert::NotReached { agent, name, endpoint, problem, again } => {
            if let Some(left_out) = line() {
                let (endpoint, problem) = (endpoint.shown(), problem.as_str());
                let text = match again {
                    true => "cannot be called: trying on until the season begins",
                    false => "cannot be called, and the season has begun",
                };
                warn!(%agent, %name, endpoint, problem, left_out, "{text}");
            }
        }
        Alert::Reached { agent, name } => {
            if let Some(left_out) = line() {
                info!(%agent, %name, left_out, "can be called now");
            }
        }
        Alert::CameUnproved { agent, name } => {
            if let Some(left_out) = line() {
                let text = "came again without a token; its address was believed";
                warn!(%agent, %name, left_out, "{text}");
            }
        }
        Alert::Waits { agent, name, address } => {
            line().into_iter().for_each(|left| waits(*agent, name, *address, left));
        }
        Alert::Renamed { agent, name } => {
            if let Some(left_out) = line() {
                info!(%agent, %name, left_out, "its name looked like another's");
            }
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
        _ => {}
    }
}

/// What an agent is told of its own place in a league.
fn of_our_place(alert: &Alert) {
    #[expect(clippy::wildcard_enum_match_arm, reason = "six of all alerts are of our place")]
    match alert {
        Alert::OutOfReach { endpoint } => {
            let text = "the manager cannot call us there: see --listen, --advertise, firewalls";
            warn!(endpoint = endpoint.shown(), "{text}");
        }
        Alert::InReach { endpoint } => {
            info!(endpoint = endpoint.shown(), "the manager can call us now");
        }
        Alert::Pending => warn!("asked to be let in: waiting for the operator's approval"),
        Alert::Called { name } => {
            warn!(%name, "our name is taken, or the roster has another one")
        }
        Alert::Displaced => {
            warn!("the manager does not know our token any more: registering again");
        }
        Alert::Withdrawn { reason } => {
            let reason = reason.as_str();
            warn!(reason, "we were withdrawn: what is left of our season is lost by forfeit");
        }
        _ => {}
    }
}

fn waits(agent: AgentId, name: &DisplayName, address: AddressKey, left_out: LeftOut) {
    let address = spelled(address);
    let text = "asks to be let in: agon approve, or remove";
    warn!(%agent, %name, %address, left_out, "{text}");
}

fn rejected(
    (game, original): (Option<DisplayValue<&MatchId>>, Option<&str>),
    text: &ShortText,
    left_out: LeftOut,
) {
    let said = text.as_str();
    warn!(game, original, said, left_out, "a letter of ours was rejected");
}

fn wrong_claim(claim: &WrongClaim, left_out: LeftOut) {
    let WrongClaim { match_id, attempt, player, said } = claim;
    let said = said.as_str();
    warn!(
        %match_id, attempt, %player, said, left_out,
        "an answer says wrongly whose it is"
    );
}

fn ask_failed(failed: &FailedAsk, left_out: LeftOut) {
    let FailedAsk { match_id, attempt, player, wanted, ask, problem, received } = failed;
    let (problem, received) = (problem.as_str(), shown(received));
    warn!(%match_id, attempt, %player, wanted, ask, problem, received, left_out, "an ask failed");
}

fn complained(said: &GameError, left_out: LeftOut) {
    let GameError { match_id, error_code, problem, received, .. } = said;
    let (code, name) = (error_code.code(), error_code.name());
    let wanted = ShortText::new(&said.action_required);
    let (wanted, problem, received) = (wanted.as_str(), shown(problem), shown(received));
    warn!(
        %match_id, code, name, wanted, problem, received, left_out,
        "the referee complains"
    );
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
    pub(crate) fn line(&mut self, now: Timestamp) -> Option<LeftOut> {
        if self.until.is_none_or(|until| until <= now) {
            self.until = Some(now + WINDOW);
            self.lines = 0;
        }
        if self.lines >= LINES_MAX {
            self.swallowed += 1;
            return None;
        }
        self.lines += 1;
        Some(Some(std::mem::take(&mut self.swallowed)).filter(|left_out| *left_out > 0))
    }
}

#[cfg(test)]
mod tests;
