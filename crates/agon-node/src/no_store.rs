//! The journal of a program that was built without a store: it cannot exist.
//!
//! Nobody can make a [`Journal`] here, so the ledger needs no second path.

use std::convert::Infallible;
use std::marker::PhantomData;

pub(crate) struct Journal<F>(Infallible, PhantomData<F>);

/// Nothing can go wrong where nothing is done.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub(crate) struct JournalError(Infallible);

#[expect(dead_code, reason = "there is no journal to put them into")]
pub(crate) struct Batch<F> {
    pub(crate) facts: Vec<F>,
    pub(crate) exhibits: Vec<Exhibit>,
}

#[expect(dead_code, reason = "there is no journal to put them into")]
pub(crate) struct Exhibit {
    pub(crate) key: String,
    pub(crate) body: Vec<u8>,
}

#[expect(clippy::unused_async, reason = "with a store these wait for the disk")]
impl<F> Journal<F> {
    pub(crate) fn last(&self) -> u64 {
        match self.0 {}
    }

    pub(crate) fn append(
        &mut self,
        _: u64,
        _: Batch<F>,
    ) -> std::future::Ready<Result<u64, JournalError>> {
        match self.0 {}
    }

    pub(crate) async fn exhibit(&self, _: &str) -> Result<Option<Vec<u8>>, JournalError> {
        match self.0 {}
    }
}

impl JournalError {
    pub(crate) fn may_pass(&self) -> bool {
        match self.0 {}
    }
}
