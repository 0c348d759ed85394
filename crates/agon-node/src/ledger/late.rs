//! A journal that is spoiled on purpose: what it is given is called durable, and written later.
//!
//! `AGON_SABOTAGE=ack-before-commit` makes one of every journal that a node is given. It exists so
//! that tests can prove that `agon crash-test` sees the loss. A batch is written when the next one
//! comes or when the node stops by itself; a process that is killed takes it to its grave.

use agon_store::{Batch, Journal, JournalError};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Asks for sabotage.
const VARIABLE: &str = "AGON_SABOTAGE";
/// The only kind there is.
const ACK_BEFORE_COMMIT: &str = "ack-before-commit";

/// Whether this process is to be sabotaged. Anything but the one word is nobody's wish.
pub(super) fn is_wanted() -> bool {
    std::env::var_os(VARIABLE).is_some_and(|wish| wish == ACK_BEFORE_COMMIT)
}

/// A journal that is always one batch behind.
pub struct Late<F> {
    journal: Journal<F>,
    owed: Batch<F>,
}

impl<F: Serialize + DeserializeOwned + Send + 'static> Late<F> {
    pub(super) fn new(journal: Journal<F>) -> Self {
        let owed = Batch { facts: Vec::new(), exhibits: Vec::new() };
        Self { journal, owed }
    }

    pub(super) async fn append(&mut self, batch: Batch<F>) -> Result<(), JournalError> {
        let Batch { facts, exhibits } = std::mem::replace(&mut self.owed, batch);
        if !facts.is_empty() {
            let expected = self.journal.last();
            self.journal.append(expected, Batch { facts, exhibits }).await?;
        }
        Ok(())
    }

    /// Writes what is still owed.
    pub(super) async fn close(&mut self) -> Result<(), JournalError> {
        self.append(Batch { facts: Vec::new(), exhibits: Vec::new() }).await
    }

    pub(super) async fn exhibit(&self, key: &str) -> Result<Option<Vec<u8>>, JournalError> {
        self.journal.exhibit(key).await
    }
}

#[cfg(test)]
mod tests;
