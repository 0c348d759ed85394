//! Where a node writes its facts down: on disk, or nowhere.
//!
//! The manager always keeps a journal. Referees and players do if they are given a folder.

#[cfg(feature = "store")]
mod late;

use agon_core::Effect;
#[cfg(feature = "store")]
use agon_proto::MatchId;
use agon_proto::message::Transcript;
#[cfg(feature = "store")]
use agon_store::{Batch, Exhibit, Journal};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Why facts could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    #[cfg(feature = "store")]
    #[error("could not use the journal")]
    Journal(#[from] agon_store::JournalError),
}

/// Facts on disk, or nowhere.
pub enum Ledger<F> {
    /// Nothing is kept. A restart begins from nothing.
    Forgetful(std::marker::PhantomData<F>),
    /// A journal.
    #[cfg(feature = "store")]
    Disk(Journal<F>),
    /// A journal that is spoiled on purpose, for a test.
    #[cfg(feature = "store")]
    Spoiled(late::Late<F>),
}

impl<F> Ledger<F> {
    pub fn forgetful() -> Self {
        Self::Forgetful(std::marker::PhantomData)
    }
}

impl<F: Serialize + DeserializeOwned + Send + 'static> Ledger<F> {
    /// The same ledger, unless a test wants it spoiled.
    pub(crate) fn or_spoiled(self) -> Self {
        match self {
            #[cfg(feature = "store")]
            Self::Disk(journal) if late::is_wanted() => {
                tracing::warn!("sabotaged: facts are called durable before they are");
                Self::Spoiled(late::Late::new(journal))
            }
            #[cfg(feature = "store")]
            Self::Disk(_) | Self::Spoiled(_) => self,
            Self::Forgetful(_) => self,
        }
    }

    /// The node stops by itself.
    pub(crate) async fn close(&mut self) -> Result<(), LedgerError> {
        match self {
            Self::Forgetful(_) => Ok(()),
            #[cfg(feature = "store")]
            Self::Disk(_) => Ok(()),
            #[cfg(feature = "store")]
            Self::Spoiled(late) => Ok(late.close().await?),
        }
    }

    /// Makes facts durable, and takes the transcripts among the effects along.
    pub(crate) async fn append(
        &mut self,
        facts: Vec<F>,
        effects: &mut Vec<Effect>,
    ) -> Result<(), LedgerError> {
        match self {
            Self::Forgetful(_) => {
                drop(facts);
                effects.retain(|effect| !matches!(effect, Effect::Archive { .. }));
                Ok(())
            }
            #[cfg(feature = "store")]
            Self::Disk(journal) => {
                let exhibits = effects.extract_if(.., is_archive).filter_map(exhibit).collect();
                let expected = journal.last();
                journal.append(expected, Batch { facts, exhibits }).await?;
                Ok(())
            }
            #[cfg(feature = "store")]
            Self::Spoiled(late) => {
                let exhibits = effects.extract_if(.., is_archive).filter_map(exhibit).collect();
                Ok(late.append(Batch { facts, exhibits }).await?)
            }
        }
    }

    /// The transcript of a match, if one is kept.
    #[cfg(feature = "store")]
    pub(crate) async fn transcript(&self, match_id: MatchId) -> Result<Transcript, LedgerError> {
        let body = match self {
            Self::Forgetful(_) => None,
            Self::Disk(journal) => journal.exhibit(&match_id.to_string()).await?,
            Self::Spoiled(late) => late.exhibit(&match_id.to_string()).await?,
        };
        Ok(body.and_then(|body| serde_json::from_slice(&body).ok()).unwrap_or_default())
    }

    /// Nothing is kept without a store.
    #[cfg(not(feature = "store"))]
    #[expect(clippy::unused_async, reason = "the same signature as with a store")]
    pub(crate) async fn transcript(
        &self,
        _: agon_proto::MatchId,
    ) -> Result<Transcript, LedgerError> {
        Ok(Transcript::default())
    }
}

#[cfg(feature = "store")]
fn is_archive(effect: &mut Effect) -> bool {
    matches!(effect, Effect::Archive { .. })
}

#[cfg(feature = "store")]
fn exhibit(effect: Effect) -> Option<Exhibit> {
    let Effect::Archive { match_id, transcript } = effect else {
        return None;
    };
    let body = serde_json::to_vec(&transcript).ok()?;
    Some(Exhibit { key: match_id.to_string(), body })
}
