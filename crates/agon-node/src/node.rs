//! A node: a role, with its listener, its ledger, its mind and its dice.

use std::path::PathBuf;
use std::sync::Arc;

use agon_core::{Effects, Ending, Machine};
use agon_net::{Client, Trust};
use agon_proto::Role;
use agon_proto::frame::Limits;
use tokio::sync::watch;

use crate::alerts::LogThrottle;
use crate::clock::Clock;
use crate::config::Config;
use crate::dice::Dice;
use crate::drive::Driver;
use crate::drive::looks::Looks;
use crate::failpoint::{BadFailpoint, Failpoint};
use crate::inbound::{Inbound, OwnPlace};
use crate::inbox::{Inbox, RequestSink, ServerTask};
use crate::ledger::{Ledger, LedgerError};
use crate::letters::{LetterLog, Letters};
use crate::listener::Listener;
use crate::mailroom::{MailRoom, MailUse};
use crate::message_log::MessageLog;
use crate::messages::{Collector, HandIn};
use crate::meters::Meters;
use crate::mind::{Mind, Mindless, Thoughts};
use crate::outbound::Outbound;
use crate::passed::{Edge, Watcher};
use crate::recorder::Recorder;

/// Why a node had to stop.
#[derive(Debug, thiserror::Error)]
pub enum NodeError {
    #[error("could not write down what happened; nothing of it was acknowledged")]
    Ledger(#[from] LedgerError),
    #[error("the mailbox could not be read; --test-connectivity says why")]
    MailUnread,
    #[error("could not set a failpoint")]
    Failpoint(#[from] BadFailpoint),
}

impl NodeError {
    /// Whether a node that starts again from its journal may go on: the disk failed, and may work
    /// again.
    pub fn may_pass(&self) -> bool {
        match self {
            Self::Ledger(error) => error.may_pass(),
            Self::Failpoint(_) | Self::MailUnread => false,
        }
    }
}

/// Somebody who watches a role: called with every fact, after it is durable.
pub type Witness<M> = Box<dyn FnMut(&M, &<M as Machine>::Fact) + Send>;

/// A role with everything it needs to live.
pub struct Node<M: Machine> {
    pub role: M,
    /// Decides how it says no, and what its meters are called.
    pub kind: Role,
    /// Where it is called. An agent that lives by mail alone needs none.
    pub listener: Option<Listener>,
    pub ledger: Ledger<M::Fact>,
    pub mind: Box<dyn Mind>,
    pub dice: Dice,
    pub witness: Option<Witness<M>>,
    /// Goes on after LEAGUE_COMPLETED.
    pub stay: bool,
    /// Whether `GET /metrics` shows what the nodes of this process have counted.
    pub metrics: bool,
    /// The folder in which its messages are kept, if the configuration wants that.
    pub messages: Option<PathBuf>,
    /// What it has to do with letters.
    pub letters: LetterUse,
}

/// What a node has to do with letters: nothing, unless it belongs to a Q21 league.
#[derive(Default)]
pub struct LetterUse {
    /// A mailbox, if it writes and reads mail.
    pub mail: Option<MailUse>,
    /// Who wants to hear of letters and callbacks as they happen.
    pub letter_log: Option<LetterLog>,
    /// Until when it lives.
    pub until: Until,
}

/// Until when a node lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Until {
    /// Until its role is done, or it is told to stop.
    #[default]
    Done,
    /// Until the mail that lies in its box is read and dealt with.
    MailRead,
}

impl<M: Machine> Node<M> {
    /// A role at its place on the listener, if it has one. Unless somebody says more, it keeps
    /// nothing, asks nobody what to think, and nobody watches it.
    pub fn new(role: M, kind: Role, listener: impl Into<Option<Listener>>) -> Self {
        Self {
            role,
            kind,
            listener: listener.into(),
            ledger: Ledger::forgetful(),
            mind: Box::new(Mindless),
            dice: Dice::Fair,
            witness: None,
            stay: false,
            metrics: false,
            messages: None,
            letters: LetterUse::default(),
        }
    }
}

impl<M: Machine + Send> Node<M> {
    /// Runs until the role is done or `stop` says so.
    ///
    /// # Errors
    /// When facts cannot be made durable.
    pub async fn run(
        self,
        config: &Config,
        stop: watch::Receiver<bool>,
    ) -> Result<Option<Ending>, NodeError> {
        self.serve(config, "ok", stop).await
    }

    /// The same, with what `/health` says meanwhile.
    pub(crate) async fn serve(
        mut self,
        config: &Config,
        health: &'static str,
        stop: watch::Receiver<bool>,
    ) -> Result<Option<Ending>, NodeError> {
        let failpoint = Failpoint::from_env()?;
        let public_url = config.admission.public_url.as_deref();
        let place = |it: &Listener| (it.place(public_url), it.trust.clone());
        let nowhere = || (OwnPlace::NOWHERE, Trust::system());
        let (place, trust) = self.listener.as_ref().map_or_else(nowhere, place);
        let own = place.address;
        let client = Client::new(config.calls(place.policy, trust));
        let (inbox_sender, inbox) = Inbox::open();
        let server = self.listener.take().map(|listener| {
            let sink = RequestSink {
                inbox_sender: inbox_sender.clone(),
                requests: inbox.requests.clone(),
                requests_max: config.server.inbox_max,
                kind: self.kind,
                health,
                metrics: self.metrics,
                counters: Arc::clone(&listener.socket.counters),
            };
            ServerTask::open(listener, sink)
        });
        let clock = Clock::start();
        let kept = self.messages.take().filter(|_| config.log.messages);
        let limits = Limits { depth_max: config.server.depth_max };
        let kept = kept.and_then(|dir| MessageLog::open(&dir, &config.log, limits));
        let (message_log, watcher) = kept.unzip();
        let collector = (self.kind == Role::Referee).then(Collector::new);
        let collects = collector.clone().map(|it| Box::new(it) as Box<dyn Watcher>);
        let watchers = watcher.into_iter().chain(collects).collect();
        let edge = Edge::new(clock, Recorder::from_env(own), watchers);
        let inbound = Inbound::new(self.kind, config, place, edge.clone());
        let mail = self.letters.mail.take();
        let mail = mail.map(|used| MailRoom::open(used, &inbox_sender, edge.clone()));
        let letters = Letters::new(self.letters.letter_log.take(), mail);
        let link = Arc::new(config.link());
        let calls = (client, edge.clone());
        let hand_in = collector.map(|collector| {
            HandIn::new(collector, calls.clone(), inbox_sender.clone(), inbound.limits)
        });
        let outbound = Outbound::new(calls, link, inbox_sender.clone(), inbound.limits);
        let driver = Driver {
            failpoint,
            looks: Looks::new(inbox_sender.clone()),
            thoughts: Thoughts::new(inbox_sender),
            inbox,
            inbound,
            letters,
            outbound,
            hand_in,
            clock,
            meters: Meters::new(self.kind),
            log_throttle: LogThrottle::default(),
            batch_max: config.server.batch_max,
            farewell: *config.times.notice_s,
            ending: None,
            scan_until: None,
            committing: None,
            out: Effects::default(),
            node: self,
        };
        let ended = driver.run(stop).await;
        edge.settle().await;
        if let Some(server) = server {
            server.close().await;
        }
        if let Some(message_log) = message_log {
            message_log.close().await;
        }
        ended
    }
}
