//! Asks a child for a choice, and tells its author when none came of it.

use std::error::Error;

use agon_proto::MatchId;
use agon_proto::message::Parity;
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout_at};
use tracing::warn;

use super::letter;
use crate::child::{Failure, Fault, Host, excerpt};

/// What to write instead of something that is no choice.
const NO_CHOICE: &str = "no choice; write {\"choice\":\"even\"} or even, and nothing else, to \
                         stdout: notes belong to stderr";

/// Asks the child once it is free. `None` if no choice came of it until then.
pub(super) async fn ask(
    host: &Mutex<Host>,
    match_id: MatchId,
    question: &[u8],
    until: Instant,
) -> Option<Parity> {
    let Ok(mut host) = timeout_at(until, host.lock()).await else {
        warn!(%match_id, "no time was left for this question: the strategy was busy with others");
        return None;
    };
    if !host.rest(until).await {
        warn!(%match_id, "the strategy failed too often and is not started again yet");
        return None;
    }
    let answer = host.ask(question, until, choice).await;
    answer.map_err(|failure| tell(match_id, host.program(), &failure)).ok()
}

pub(super) fn choice(said: &str) -> Result<Parity, Fault> {
    let wrong = || Fault::Misspoke { said: excerpt(said), wrong: NO_CHOICE };
    letter::choice(said).ok_or_else(wrong)
}

fn tell(match_id: MatchId, program: &str, failure: &Failure) {
    let Failure { fault, last_words, failures, pause } = failure;
    warn!(
        %match_id,
        program,
        failures,
        pause_ms = pause.as_millis(),
        cause = fault.source().map(tracing::field::display),
        %last_words,
        "to the author of this strategy: {fault}"
    );
}
