//! A thread that owns a database connection and answers questions, one at a time.
//!
//! The disk blocks, so it is never touched from an async thread. A desk that has stopped is an
//! error value for whoever asks; dropping the desk waits until everything asked has been done.

use std::{io, ops::ControlFlow, thread};

use tokio::sync::{mpsc, oneshot};

use crate::Error;

/// Where the answer to one question goes.
pub(crate) type Reply<A> = oneshot::Sender<Result<A, Error>>;

pub(crate) struct Desk<Q> {
    /// Empty only while the desk is being dropped.
    questions: Option<mpsc::Sender<Q>>,
    thread: Option<thread::JoinHandle<()>>,
}

impl<Q: Send + 'static> Desk<Q> {
    /// Opens the desk; it closes, and drops what `serve` owns, when `serve` breaks off.
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
    pub(crate) async fn ask<A>(&self, question: impl FnOnce(Reply<A>) -> Q) -> Result<A, Error> {
        let (reply, answer) = oneshot::channel();
        let questions = self.questions.as_ref().ok_or(Error::Closed)?;
        questions.send(question(reply)).await.map_err(|_| Error::Closed)?;
        answer.await.map_err(|_| Error::Closed)?
    }
}

impl<Q> Drop for Desk<Q> {
    fn drop(&mut self) {
        // The thread ends when it has served what is queued and nobody can ask any more.
        self.questions = None;
        if let Some(thread) = self.thread.take() {
            // A panic over there was seen by its asker as `Closed`, so it is not repeated here.
            let _ = thread.join();
        }
    }
}
