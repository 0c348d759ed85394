//! A thread that owns a database connection and answers questions, one at a time.
//!
//! The disk blocks, so it is never touched from an async thread. A worker that has stopped is an
//! error value for whoever asks; dropping the worker waits until everything asked has been done.

use std::{io, ops::ControlFlow, thread};

use tokio::sync::{mpsc, oneshot};

use crate::JournalError;

/// Where the answer to one question goes.
pub(crate) type Reply<A> = oneshot::Sender<Result<A, JournalError>>;

pub(crate) struct Worker<Q> {
    /// Empty only while the worker is being dropped.
    questions: Option<mpsc::Sender<Q>>,
    thread: Option<thread::JoinHandle<()>>,
}

impl<Q: Send + 'static> Worker<Q> {
    /// Opens the worker; it closes, and drops what `serve` owns, when `serve` breaks off.
    pub(crate) fn open(
        name: &str,
        waiting_max: usize,
        mut serve: impl FnMut(Q) -> ControlFlow<()> + Send + 'static,
    ) -> io::Result<Self> {
        let (questions, mut inbox) = mpsc::channel(waiting_max);
        let thread = thread::Builder::new().name(name.to_owned()).spawn(move || {
            while let Some(question) = inbox.blocking_recv() {
                if serve(question).is_break() {
                    break;
                }
            }
        })?;
        Ok(Self { questions: Some(questions), thread: Some(thread) })
    }

    /// Asks and waits. A question that was handed over is dealt with even if nobody waits.
    pub(crate) async fn ask<A>(
        &self,
        question: impl FnOnce(Reply<A>) -> Q,
    ) -> Result<A, JournalError> {
        let (reply, answer) = oneshot::channel();
        let questions = self.questions.as_ref().ok_or(JournalError::Closed)?;
        questions.send(question(reply)).await.map_err(|_| JournalError::Closed)?;
        answer.await.map_err(|_| JournalError::Closed)?
    }
}

impl<Q> Drop for Worker<Q> {
    fn drop(&mut self) {
        // The thread ends when it has served what is queued and nobody can ask any more.
        self.questions = None;
        if let Some(thread) = self.thread.take() {
            // A panic over there was seen by its asker as `Closed`, so it is not repeated here.
            let _ = thread.join();
        }
    }
}
