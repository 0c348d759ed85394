//! Where a node writes its facts down: on disk, or nowhere.
//!
//! The manager always keeps a journal. Referees and players do if they are given a folder. While
//! the disk fails, a journal is only read.
//!
//! `AGON_SABOTAGE=ack-before-commit` spoils every journal that a node is given: a batch is called
//! durable, and written when the next one comes or when the node stops by itself. A process that is
//! killed takes it to its grave, and tests prove that `agon crash-test` sees the loss.

use std::path::PathBuf;
use std::pin::Pin;
use std::time::Duration;

use agon_core::Effect;
use agon_store::{Batch, Exhibit, Journal, JournalError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::task::spawn_blocking;
use tracing::warn;

use crate::messages;

/// Asks for sabotage.
const VARIABLE: &str = "AGON_SABOTAGE";
/// The only kind there is. Anything but this word is nobody's wish.
const ACK_BEFORE_COMMIT: &str = "ack-before-commit";

/// So often somebody looks whether the journal is still there.
const LOOK_EVERY: Duration = Duration::from_secs(3);

/// Why facts could not be written or read.
#[derive(Debug, thiserror::Error)]
#[error("could not use the journal")]
pub struct LedgerError(#[from] JournalError);

impl LedgerError {
    /// Whether it may work again as soon as the disk does.
    pub(crate) fn may_pass(&self) -> bool {
        self.0.may_pass()
    }
}

/// Facts on their way to the disk.
pub(crate) type Appending = Pin<Box<dyn Future<Output = Result<(), LedgerError>> + Send>>;

/// What lies beside the facts, on its way from the disk.
pub(crate) type Exhibited = Pin<Box<dyn Future<Output = Option<Vec<u8>>> + Send>>;

/// Facts on disk, or nowhere.
pub struct Ledger<F>(Kept<F>);

enum Kept<F> {
    /// A restart begins from nothing.
    Nowhere,
    /// What is owed was called durable and is not: there only where the journal is spoiled.
    OnDisk { journal: Journal<F>, owed: Option<Batch<F>> },
    /// On the disk of this folder, which takes nothing at the moment.
    Unwritable(PathBuf),
}

impl<F> Ledger<F> {
    pub fn forgetful() -> Self {
        Self(Kept::Nowhere)
    }

    /// The journal of that folder, of which nothing but transcripts is wanted.
    pub(crate) fn unwritable(data: PathBuf) -> Self {
        Self(Kept::Unwritable(data))
    }
}

impl<F> From<Journal<F>> for Ledger<F> {
    fn from(journal: Journal<F>) -> Self {
        let spoiled = std::env::var_os(VARIABLE).is_some_and(|wish| wish == ACK_BEFORE_COMMIT);
        if spoiled {
            warn!("sabotaged: facts are called durable before they are");
        }
        let owed = spoiled.then(|| Batch { facts: Vec::new(), exhibits: Vec::new() });
        Self(Kept::OnDisk { journal, owed })
    }
}

impl<F: Serialize + DeserializeOwned + Send + 'static> Ledger<F> {
    /// Makes facts durable, and takes along what is kept beside them: the transcripts and pieces
    /// among the effects. They are when this comes to its end; at once where nothing is kept.
    pub(crate) fn append(&mut self, facts: Vec<F>, effects: &mut Vec<Effect>) -> Option<Appending> {
        let archived =
            |effect: &mut Effect| matches!(effect, Effect::Archive { .. } | Effect::Keep { .. });
        let archived = effects.extract_if(.., archived);
        let Kept::OnDisk { journal, owed } = &mut self.0 else {
            archived.for_each(drop);
            return None;
        };
        let batch = Batch { facts, exhibits: archived.filter_map(exhibit).collect() };
        let batch = match owed {
            Some(owed) => std::mem::replace(owed, batch),
            None => batch,
        };
        write(journal, batch)
    }

    /// Looks again and again whether the journal is still there, and comes to its end when it is
    /// not. Who has nothing to write down would not notice.
    pub(crate) fn gone(&self) -> impl Future<Output = LedgerError> + Send + use<F> {
        let look = match &self.0 {
            Kept::OnDisk { journal, .. } => Some(journal.watch()),
            Kept::Nowhere | Kept::Unwritable(_) => None,
        };
        async move {
            let Some(look) = look else { return std::future::pending().await };
            loop {
                tokio::time::sleep(LOOK_EVERY).await;
                if let Ok(Err(error)) = spawn_blocking(look.clone()).await {
                    return error.into();
                }
            }
        }
    }

    /// The node stops by itself: what is still owed is written.
    pub(crate) async fn close(&mut self) -> Result<(), LedgerError> {
        if let Kept::OnDisk { journal, owed } = &mut self.0
            && let Some(writing) = owed.take().and_then(|owed| write(journal, owed))
        {
            writing.await?;
        }
        Ok(())
    }

    /// What is kept under that key, if it can be read. Nobody has to wait for it here.
    pub(crate) fn exhibit(&self, key: String) -> Exhibited {
        match &self.0 {
            Kept::Nowhere => Box::pin(async { None }),
            Kept::OnDisk { journal, .. } => {
                let found = journal.exhibit(&key);
                Box::pin(async { found.await.ok().flatten() })
            }
            Kept::Unwritable(data) => {
                let data = data.clone();
                let find = move || Journal::<F>::read_only(&data)?.exhibit(&key);
                let found =
                    async { spawn_blocking(find).await.ok().and_then(Result::ok).flatten() };
                Box::pin(found)
            }
        }
    }
}

fn write<F>(journal: &mut Journal<F>, batch: Batch<F>) -> Option<Appending>
where
    F: Serialize + DeserializeOwned + Send + 'static,
{
    if batch.facts.is_empty() {
        return None;
    }
    let writing = journal.append(journal.last(), batch);
    Some(Box::pin(async { writing.await.map(drop).map_err(LedgerError::from) }))
}

fn exhibit(effect: Effect) -> Option<Exhibit> {
    match effect {
        Effect::Archive { match_id, transcript } => {
            let body = serde_json::to_vec(&transcript).ok()?;
            Some(Exhibit { key: match_id.to_string(), body })
        }
        Effect::Keep { referee, piece, body } => {
            Some(Exhibit { key: messages::key(referee, piece), body: body.into_bytes() })
        }
        Effect::Send(_)
        | Effect::Broadcast(_)
        | Effect::Reply { .. }
        | Effect::Refuse { .. }
        | Effect::Fetch { .. }
        | Effect::ListAgents { .. }
        | Effect::Draw { .. }
        | Effect::Think(_)
        | Effect::SendLetter(_)
        | Effect::BoundCalls { .. }
        | Effect::Probe { .. }
        | Effect::Heard(_)
        | Effect::Alert(_)
        | Effect::Finish(_) => None,
    }
}

#[cfg(test)]
mod tests;
