//! The ledger of a program that was built without a store: facts go nowhere.
//!
//! A restart begins from nothing, and nothing can go wrong where nothing is done.

use std::convert::Infallible;
use std::future::{Pending, Ready, ready};
use std::marker::PhantomData;

use agon_core::Effect;

// The rest of a node needs no second path.
pub use NoLedger as Ledger;
pub(crate) use NoLedgerError as LedgerError;

/// Why facts could not be written or read: it cannot happen.
#[derive(Debug, thiserror::Error)]
#[error("could not use the journal")]
pub struct NoLedgerError(Infallible);

impl NoLedgerError {
    pub(crate) fn may_pass(&self) -> bool {
        match self.0 {}
    }
}

/// Facts on their way to a disk: never.
pub(crate) type Appending = Pending<Result<(), LedgerError>>;

/// What lies beside the facts: nothing.
pub(crate) type Exhibited = Ready<Option<Vec<u8>>>;

/// Facts, nowhere.
pub struct NoLedger<F>(PhantomData<fn(F)>);

#[expect(clippy::unused_async, reason = "with a store these wait for the disk")]
impl<F> NoLedger<F> {
    pub fn forgetful() -> Self {
        Self(PhantomData)
    }

    pub(crate) fn append(&mut self, _: Vec<F>, _: &mut Vec<Effect>) -> Option<Appending> {
        None
    }

    pub(crate) fn gone(&self) -> Pending<LedgerError> {
        std::future::pending()
    }

    pub(crate) async fn close(&mut self) -> Result<(), LedgerError> {
        Ok(())
    }

    pub(crate) fn exhibit(&self, _: String) -> Exhibited {
        ready(None)
    }
}
