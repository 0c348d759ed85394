//! The driver: runs one role until it is done or told to stop. The only loop of a node.
//!
//! What has arrived is handled before a deadline that fell meanwhile. A batch is handled, made
//! durable with one commit, and only then does anything leave. While the disk works on one batch
//! the next is handled; what comes of that waits for its own turn. The loop never awaits a peer.

pub(crate) mod looks;
mod release;

use std::pin::pin;
use std::time::Duration;

use agon_core::{Effect, Effects, Ending, Event, Machine, Moment};
use agon_proto::Timestamp;
use tokio::sync::watch;

use crate::alerts::LogThrottle;
use crate::clock::{Alarm, Clock};
use crate::failpoint::{Failpoint, Point};
use crate::inbound::{Inbound, registers};
use crate::inbox::{Arrival, Inbox};
use crate::ledger::{Appending, LedgerError};
use crate::letters::Letters;
use crate::messages::HandIn;
use crate::meters::Meters;
use crate::mind::Thoughts;
use crate::node::{Node, NodeError, Until};
use crate::outbound::Outbound;

/// So long a single look into the mailbox may take, besides the thinking.
const SCAN_MAX: Duration = Duration::from_secs(60);

/// A role at work.
pub(crate) struct Driver<M: Machine> {
    /// What it was given, but for its listener and its mailbox: those are at work.
    pub(crate) node: Node<M>,
    pub(crate) failpoint: Failpoint,
    pub(crate) thoughts: Thoughts,
    pub(crate) inbox: Inbox,
    pub(crate) inbound: Inbound,
    pub(crate) outbound: Outbound,
    pub(crate) letters: Letters,
    /// Of a referee: the messages of its matches.
    pub(crate) hand_in: Option<HandIn>,
    pub(crate) clock: Clock,
    pub(crate) meters: Meters,
    pub(crate) looks: looks::Looks,
    /// Of alerts that a peer can cause.
    pub(crate) log_throttle: LogThrottle,
    pub(crate) batch_max: usize,
    /// How long letters may still take after the role is done.
    pub(crate) farewell: Duration,
    pub(crate) ending: Option<(Ending, Timestamp)>,
    /// When a single look into the mailbox is given up.
    pub(crate) scan_until: Option<Timestamp>,
    pub(crate) committing: Option<Committing<M::Fact>>,
    /// What has become true and is to be done, since the last batch was begun to be written.
    pub(crate) out: Effects<M::Fact>,
}

/// A batch that is being written down.
pub(crate) struct Committing<F> {
    writing: Appending,
    /// For the witness, which sees a fact only once it is durable.
    copies: Option<Vec<F>>,
    /// What leaves then.
    effects: Vec<Effect>,
    /// How much was handled meanwhile.
    ahead: usize,
}

/// Waits until that batch is on the disk; for ever, if there is none.
async fn written<F>(committing: &mut Option<Committing<F>>) -> Result<(), LedgerError> {
    match committing {
        Some(batch) => (&mut batch.writing).await,
        None => std::future::pending().await,
    }
}

impl<M: Machine + Send> Driver<M> {
    pub(crate) async fn run(
        mut self,
        stop: watch::Receiver<bool>,
    ) -> Result<Option<Ending>, NodeError> {
        match self.live(stop).await {
            Ok(ended) => {
                self.letters.close().await;
                self.node.ledger.close().await?;
                Ok(ended)
            }
            Err(error) => {
                self.inbound.turn_all_away(self.clock.now());
                Err(error)
            }
        }
    }

    async fn live(&mut self, mut stop: watch::Receiver<bool>) -> Result<Option<Ending>, NodeError> {
        let mut batch = Vec::new();
        // These outlive a turn of the loop, so that a turn does not pay for setting them up.
        let mut gone = pin!(self.node.ledger.gone());
        let mut stopped = pin!(stop.changed());
        let mut alarm = Alarm::new(self.clock);
        self.node.role.resume(self.clock.now(), &mut self.out);
        self.answer_ourselves(0, self.clock.now());
        self.come_to_rest().await?;
        loop {
            if self.committing.is_none() && self.is_over() {
                if self.node.letters.until == Until::MailRead && !self.letters.are_read() {
                    return Err(NodeError::MailUnread);
                }
                return Ok(self.ending.take().map(|(ending, _)| ending));
            }
            alarm.set_for(self.due());
            // What is handled before it can leave is bounded, as a batch is.
            let ahead = self.committing.as_ref().map_or(0, |batch| batch.ahead);
            let room = self.batch_max.saturating_sub(ahead);
            tokio::select! {
                biased; // What has arrived comes before a deadline that fell meanwhile.
                _ = stopped.as_mut() => {
                    self.come_to_rest().await?;
                    return Ok(None);
                }
                on_disk = written(&mut self.committing) => {
                    on_disk?;
                    self.committed().await?;
                }
                error = gone.as_mut() => return Err(error.into()),
                () = self.inbox.take(&mut batch, room), if room > 0 => {}
                () = alarm.sleep.as_mut(), if alarm.due.is_some() => {}
            }
            self.turn(&mut batch);
            self.carry_out().await?;
        }
    }

    /// Handles what has arrived, then what has fallen due.
    fn turn(&mut self, batch: &mut Vec<Arrival>) {
        if !batch.is_empty() {
            self.meters.batch.observe(batch.len() as f64);
        }
        if let Some(committing) = &mut self.committing {
            committing.ahead += batch.len();
        }
        for arrival in batch.drain(..) {
            self.handle(arrival);
        }
        let now = self.clock.now();
        self.outbound.tick(now);
        self.hand_over(now, None);
        if let Some(hand_in) = &mut self.hand_in {
            let (role, outbound) = (&self.node.role, &self.outbound);
            let farewell = hand_in.tick(|| outbound.is_idle(), || role.record_keeper());
            if let Some((request, answer)) = farewell
                && !self.letters.settle(request, None)
            {
                self.inbound.reply(request, &answer, now);
            }
        }
        let moment = Moment { now, heard: self.known_until(now) };
        let before = self.out.effects.len();
        self.node.role.tick(moment, &mut self.out); // Only deadlines that are really due.
        self.answer_ourselves(before, now);
    }

    /// Up to when we know what has happened. Mail lies in its box until somebody looks: a deadline
    /// is due when the box was looked at after it.
    fn known_until(&self, now: Timestamp) -> Timestamp {
        self.letters.mail.as_ref().map_or(now, |mail| mail.known_until().min(now))
    }

    fn due(&mut self) -> Option<Timestamp> {
        // While the disk works nobody leaves, however late it is.
        let leaving = self.committing.is_none();
        let farewell = self.ending.as_ref().map(|(_, until)| *until).filter(|_| leaving);
        let mut deadline = self.node.role.deadline();
        if let Some(mail) = &mut self.letters.mail {
            deadline = deadline.and_then(|deadline| mail.due(deadline, self.clock.now()));
        }
        let scanned = self.scan_until.filter(|_| leaving);
        let handed = self.hand_in.as_ref().and_then(HandIn::due).map(|at| self.clock.at(at));
        let due = [deadline, self.outbound.deadline(), farewell, scanned, handed];
        due.into_iter().flatten().min()
    }

    /// The role is done, and so are its letters; or they took too long.
    fn is_over(&mut self) -> bool {
        match (self.node.letters.until, &self.ending) {
            (Until::Done, None) => false,
            (Until::Done, Some((_, until))) => *until <= self.clock.now() || self.is_idle(),
            (Until::MailRead, _) => {
                let (now, read) = (self.clock.now(), self.letters.are_read());
                if self.thoughts.are_open() {
                    self.scan_until = None; // And what comes of it has all the time again.
                    return false;
                }
                // What is not sent by then is in the journal, and goes out the next time.
                let give_up = *self.scan_until.get_or_insert(now + SCAN_MAX) <= now;
                give_up || read && self.is_idle()
            }
        }
    }

    fn is_idle(&self) -> bool {
        self.outbound.is_idle()
            && self.inbound.waiting() == 0
            && self.letters.is_idle()
            && !self.thoughts.are_open()
            && self.hand_in.as_ref().is_none_or(HandIn::is_idle)
    }

    fn handle(&mut self, arrival: Arrival) {
        let (now, event) = match arrival {
            Arrival::Request(incoming) => {
                let now = self.clock.at(incoming.at);
                let event = self.inbound.open(incoming, now);
                if let Some(from) = event.as_ref().and_then(registers) {
                    self.outbound.heard(&from, now);
                }
                (now, event)
            }
            Arrival::Outcome { peer, call, result } => {
                let now =
                    result.as_ref().map_or_else(|_| self.clock.now(), |it| self.clock.at(it.at));
                self.outbound.finished((peer, call), result, now, &self.meters);
                (now, None)
            }
            Arrival::Probed { agent, endpoint, found } => {
                let now = self.clock.now();
                if found.is_ok() {
                    self.outbound.reached(&endpoint, now);
                }
                (now, Some(Event::Probed { agent, endpoint, found }))
            }
            Arrival::HandedIn(handed) => {
                if let Some(hand_in) = &mut self.hand_in {
                    hand_in.handed(handed);
                }
                (self.clock.now(), None)
            }
            Arrival::Looked { request, state } => (self.looked(request, state), None),
            Arrival::Thought { question, answer } => {
                let now = self.clock.now();
                (now, Some(self.thoughts.ended(&question, answer, &mut self.letters, now)))
            }
            #[cfg(feature = "mail")]
            Arrival::Mail(event) => {
                let (inbound, mail) = (&mut self.inbound, self.letters.mail.as_mut());
                let event = mail.and_then(|mail| mail.take(event, self.clock, || inbound.number()));
                (self.clock.now(), event)
            }
        };
        self.hand_over(now, event);
    }

    /// Gives to the role what came of our calls, and then what has arrived.
    fn hand_over(&mut self, now: Timestamp, arrived: Option<Event>) {
        let before = self.out.effects.len();
        for event in self.outbound.events.drain(..).chain(arrived) {
            self.letters.see(&event, now);
            self.node.role.handle(event, now, &mut self.out);
        }
        self.answer_ourselves(before, now);
    }

    /// What only we can answer at once (dice, a quick thought) comes back to the role in the same
    /// batch: nothing of it is visible outside before the commit. A slow thought begins here.
    fn answer_ourselves(&mut self, from: usize, now: Timestamp) {
        let mut looked_at = from;
        while let Some(effect) = self.out.effects.get(looked_at) {
            looked_at += 1;
            let event = if let Effect::Draw { match_id, attempt, min, max } = *effect {
                let number = self.node.dice.roll(match_id, min, max);
                Some(Event::Drawn { match_id, attempt, number })
            } else if let Effect::Think(question) = effect {
                let known = self.node.role.known(question);
                let mind = &mut *self.node.mind;
                self.thoughts.begin((question, &known), mind, &mut self.letters, now)
            } else {
                None
            };
            if let Some(event) = event {
                self.node.role.handle(event, now, &mut self.out);
            }
        }
    }

    /// Facts first, in one commit; then everything else, in order. Nothing of it while an older
    /// batch is on its way to the disk: it may tell what that one has made true.
    async fn carry_out(&mut self) -> Result<(), NodeError> {
        while self.committing.is_none() {
            if !self.out.facts.is_empty() {
                self.committing = self.commit();
                continue;
            }
            let effects = std::mem::take(&mut self.out.effects);
            self.release_all(effects).await?;
            if self.outbound.events.is_empty() {
                return Ok(());
            }
            // A link refused at once: the role hears of it before anything else.
            self.hand_over(self.clock.now(), None);
        }
        Ok(())
    }

    /// Carries out everything, and waits for the disk.
    async fn come_to_rest(&mut self) -> Result<(), NodeError> {
        loop {
            self.carry_out().await?;
            if self.committing.is_none() {
                return Ok(());
            }
            written(&mut self.committing).await?;
            self.committed().await?;
        }
    }

    /// Begins to write down a batch. What it led to waits for that, unless nothing is kept here.
    fn commit(&mut self) -> Option<Committing<M::Fact>> {
        let facts = std::mem::take(&mut self.out.facts);
        self.meters.commits.inc();
        self.meters.facts.inc_by(facts.len() as u64);
        // The witness sees a fact only once it is durable, so it needs a copy of its own.
        let copies = self.node.witness.is_some().then(|| facts.clone());
        self.failpoint.pass(Point::BeforeCommit);
        let Some(writing) = self.node.ledger.append(facts, &mut self.out.effects) else {
            self.show(copies);
            return None;
        };
        let effects = std::mem::take(&mut self.out.effects);
        Some(Committing { writing, copies, effects, ahead: 0 })
    }

    /// A batch is on the disk: what it led to leaves.
    async fn committed(&mut self) -> Result<(), NodeError> {
        let Some(Committing { copies, effects, .. }) = self.committing.take() else {
            return Ok(());
        };
        self.show(copies);
        self.release_all(effects).await
    }

    /// Facts are durable, or as durable as they will ever be here.
    fn show(&mut self, facts: Option<Vec<M::Fact>>) {
        self.failpoint.pass(Point::AfterCommit);
        if let (Some(witness), Some(facts)) = (&mut self.node.witness, facts) {
            facts.iter().for_each(|fact| witness(&self.node.role, fact));
        }
    }
}
