//! A journal that a node writes; or, where a test wants it so, one that is always one batch behind.
//!
//! `AGON_SABOTAGE=ack-before-commit` spoils every journal that a node is given: a batch is called
//! durable, and written when the next one comes or when the node stops by itself. A process that is
//! killed takes it to its grave, and tests prove that `agon crash-test` sees the loss.

use agon_core::Effect;
use agon_proto::MatchId;
use agon_proto::message::Transcript;
use agon_store::{Batch, Exhibit, Journal, JournalError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tracing::warn;

/// Asks for sabotage.
const VARIABLE: &str = "AGON_SABOTAGE";
/// The only kind there is. Anything but this word is nobody's wish.
const ACK_BEFORE_COMMIT: &str = "ack-before-commit";

/// A journal, as a node uses it.
pub struct Disk<F> {
    journal: Journal<F>,
    /// What was called durable and is not: there only where it is spoiled.
    owed: Option<Batch<F>>,
}

impl<F> Disk<F> {
    pub(super) fn new(journal: Journal<F>) -> Self {
        let spoiled = std::env::var_os(VARIABLE).is_some_and(|wish| wish == ACK_BEFORE_COMMIT);
        if spoiled {
            warn!("sabotaged: facts are called durable before they are");
        }
        let owed = spoiled.then(|| Batch { facts: Vec::new(), exhibits: Vec::new() });
        Self { journal, owed }
    }
}

impl<F: Serialize + DeserializeOwned + Send + 'static> Disk<F> {
    pub(super) async fn append(
        &mut self,
        facts: Vec<F>,
        effects: &mut Vec<Effect>,
    ) -> Result<(), JournalError> {
        let archived = |effect: &mut Effect| matches!(effect, Effect::Archive { .. });
        let exhibits = effects.extract_if(.., archived).filter_map(exhibit).collect();
        let batch = Batch { facts, exhibits };
        match &mut self.owed {
            None => self.write(batch).await,
            Some(owed) => {
                let before = std::mem::replace(owed, batch);
                self.write(before).await
            }
        }
    }

    /// Writes what is still owed.
    pub(super) async fn close(&mut self) -> Result<(), JournalError> {
        match self.owed.take() {
            Some(owed) => self.write(owed).await,
            None => Ok(()),
        }
    }

    async fn write(&mut self, batch: Batch<F>) -> Result<(), JournalError> {
        if !batch.facts.is_empty() {
            self.journal.append(self.journal.last(), batch).await?;
        }
        Ok(())
    }

    /// The transcript of a match, if one is kept.
    pub(super) async fn transcript(&self, match_id: MatchId) -> Result<Transcript, JournalError> {
        let body = self.journal.exhibit(&match_id.to_string()).await?;
        Ok(body.and_then(|body| serde_json::from_slice(&body).ok()).unwrap_or_default())
    }
}

fn exhibit(effect: Effect) -> Option<Exhibit> {
    let Effect::Archive { match_id, transcript } = effect else {
        return None;
    };
    let body = serde_json::to_vec(&transcript).ok()?;
    Some(Exhibit { key: match_id.to_string(), body })
}

#[cfg(test)]
mod tests;
