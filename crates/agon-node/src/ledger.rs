//! Where a node writes its facts down: on disk, or nowhere.
//!
//! The manager always keeps a journal. Referees and players do if they are given a folder.

#[cfg(feature = "store")]
mod disk;

use agon_core::Effect;
use agon_proto::MatchId;
use agon_proto::message::Transcript;
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
    Disk(disk::Disk<F>),
}

impl<F> Ledger<F> {
    pub fn forgetful() -> Self {
        Self::Forgetful(std::marker::PhantomData)
    }
}

#[cfg(feature = "store")]
impl<F> From<agon_store::Journal<F>> for Ledger<F> {
    fn from(journal: agon_store::Journal<F>) -> Self {
        Self::Disk(disk::Disk::new(journal))
    }
}

impl<F: Serialize + DeserializeOwned + Send + 'static> Ledger<F> {
    /// The node stops by itself.
    pub(crate) async fn close(&mut self) -> Result<(), LedgerError> {
        match self {
            Self::Forgetful(_) => Ok(()),
            #[cfg(feature = "store")]
            Self::Disk(disk) => Ok(disk.close().await?),
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
            Self::Disk(disk) => Ok(disk.append(facts, effects).await?),
        }
    }

    /// The transcript of a match, if one is kept.
    #[cfg_attr(
        not(feature = "store"),
        expect(unused_variables, clippy::unused_async, reason = "nothing is kept without a store")
    )]
    pub(crate) async fn transcript(&self, match_id: MatchId) -> Result<Transcript, LedgerError> {
        match self {
            Self::Forgetful(_) => Ok(Transcript::default()),
            #[cfg(feature = "store")]
            Self::Disk(disk) => Ok(disk.transcript(match_id).await?),
        }
    }
}
