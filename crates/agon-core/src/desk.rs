//! The manager's desk: which matches of the round wait, which are out, and until when.
//!
//! Nothing here is durable. After a restart the desk is laid out anew from the season, and every
//! lease starts again.

use std::collections::{BTreeSet, VecDeque};

use agon_proto::{RefereeId, Timestamp};

/// Where one match of the round is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// In its referee's queue.
    Waiting,
    /// With its referee, or on the way there.
    Out,
    /// The call failed; it will be made again.
    Resting,
    /// It has its result.
    Done,
}

/// What falls due.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Wake {
    /// The match of that number: a lease is over, or a call must be repeated.
    Match(u32),
    /// A referee that did not take a match may be asked again.
    Referee(RefereeId),
    /// A referee that sent heartbeats has been silent for too long.
    Lease(RefereeId),
}

#[derive(Debug, Clone, Copy)]
struct Job {
    place: Place,
    referee: RefereeId,
    tries: u32,
    due: Option<Timestamp>,
}

#[derive(Debug, Default)]
struct Line {
    waiting: VecDeque<u32>,
    out: u32,
    held: bool,
    /// Failed us lately; others are preferred.
    doubtful: bool,
    /// Until when it keeps its matches without another sign of life, once it has sent a heartbeat.
    lease: Option<Timestamp>,
    /// Whether the lease stands in the index, possibly with an earlier time.
    watched: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Desk {
    jobs: Vec<Job>,
    lines: Vec<Line>,
    timers: BTreeSet<(Timestamp, Wake)>,
}

impl Desk {
    /// Lays out a new round. `holders` are the referees of match 1, 2, …
    pub(crate) fn lay_out(&mut self, holders: impl Iterator<Item = (RefereeId, Place)>) {
        let before = std::mem::take(self);
        for (referee, known) in (1..).map(RefereeId::new).zip(before.lines) {
            let Line { doubtful, lease, .. } = known;
            *self.line(referee) = Line { doubtful, lease, ..Line::default() };
            self.watch(referee);
        }
        for (number, (referee, place)) in (1..).zip(holders) {
            self.jobs.push(Job { place, referee, tries: 0, due: None });
            if place == Place::Waiting {
                self.line(referee).waiting.push_back(number);
            }
        }
    }

    fn line(&mut self, referee: RefereeId) -> &mut Line {
        let place = referee.number().saturating_sub(1) as usize;
        if self.lines.len() <= place {
            self.lines.resize_with(place + 1, Line::default);
        }
        &mut self.lines[place]
    }

    fn job(&mut self, number: u32) -> Option<&mut Job> {
        self.jobs.get_mut(number.checked_sub(1)? as usize)
    }

    pub(crate) fn place(&self, number: u32) -> Option<Place> {
        self.jobs.get(number.checked_sub(1)? as usize).map(|job| job.place)
    }

    pub(crate) fn deadline(&self) -> Option<Timestamp> {
        self.timers.first().map(|(at, _)| *at)
    }

    /// The next thing that is due, and since when.
    pub(crate) fn due(&mut self, now: Timestamp) -> Option<(Wake, Timestamp)> {
        loop {
            let (at, wake) = *self.timers.first()?;
            if at > now {
                return None;
            }
            self.timers.pop_first();
            match wake {
                Wake::Match(number) => {
                    if let Some(job) = self.job(number) {
                        job.due = None;
                    }
                }
                Wake::Referee(referee) => self.line(referee).held = false,
                Wake::Lease(referee) => {
                    let line = self.line(referee);
                    line.watched = false;
                    if line.lease.is_some_and(|until| until > now) {
                        self.watch(referee);
                        continue; // It was renewed since then.
                    }
                }
            }
            return Some((wake, at));
        }
    }

    /// Puts a referee's lease into the index, if it has one.
    fn watch(&mut self, referee: RefereeId) {
        let line = self.line(referee);
        if let Some(until) = line.lease.filter(|_| !line.watched) {
            line.watched = true;
            self.timers.insert((until, Wake::Lease(referee)));
        }
    }

    /// That referee has a lease until then: from now on its silence tells.
    pub(crate) fn renew(&mut self, referee: RefereeId, until: Timestamp) {
        self.line(referee).lease = Some(until);
        self.watch(referee);
    }

    /// That referee's matches that are in one of those places.
    pub(crate) fn of(&self, referee: RefereeId, places: &[Place]) -> Vec<u32> {
        let jobs = (1..).zip(&self.jobs);
        let found = jobs.filter(|(_, job)| job.referee == referee && places.contains(&job.place));
        found.map(|(number, _)| number).collect()
    }

    /// The next match for that referee, if it has room.
    pub(crate) fn take(&mut self, referee: RefereeId, capacity: u32) -> Option<u32> {
        let line = self.line(referee);
        if line.held || line.out >= capacity {
            return None;
        }
        loop {
            let number = self.line(referee).waiting.pop_front()?;
            let job = self.job(number)?;
            // Entries of matches that were finished or moved meanwhile are passed over.
            if job.place == Place::Waiting && job.referee == referee {
                job.place = Place::Out;
                self.line(referee).out += 1;
                return Some(number);
            }
        }
    }

    /// The match is out until then.
    pub(crate) fn lease(&mut self, number: u32, until: Timestamp) {
        self.set_due(number, Some(until));
    }

    /// The call to its referee failed. Returns how often; it rests until `again_at`.
    pub(crate) fn rest(&mut self, number: u32, again_at: Timestamp) -> u32 {
        let Some(job) = self.job(number) else {
            return 0;
        };
        job.place = Place::Resting;
        job.tries += 1;
        let (tries, referee) = (job.tries, job.referee);
        self.line(referee).doubtful = true;
        self.set_due(number, Some(again_at));
        tries
    }

    /// It rests a while longer; nobody is to blame for that.
    pub(crate) fn rest_again(&mut self, number: u32, again_at: Timestamp) {
        self.set_due(number, Some(again_at));
    }

    /// A resting match goes out again.
    pub(crate) fn wake(&mut self, number: u32) {
        if let Some(job) = self.job(number) {
            job.place = Place::Out;
        }
    }

    /// The referee has no room after all: the match goes back to the head of its queue.
    pub(crate) fn put_back(&mut self, number: u32, again_at: Timestamp) {
        self.set_due(number, None);
        let Some(job) = self.job(number) else { return };
        job.place = Place::Waiting;
        let referee = job.referee;
        let line = self.line(referee);
        line.waiting.push_front(number);
        line.out = line.out.saturating_sub(1);
        line.held = true;
        self.timers.insert((again_at, Wake::Referee(referee)));
    }

    /// The match has its result.
    pub(crate) fn finish(&mut self, number: u32) {
        self.leave(number, Place::Done);
    }

    /// The match goes to the end of another referee's queue.
    pub(crate) fn move_to(&mut self, number: u32, referee: RefereeId) {
        self.leave(number, Place::Waiting);
        let Some(job) = self.job(number) else { return };
        (job.referee, job.tries) = (referee, 0);
        self.line(referee).waiting.push_back(number);
    }

    fn leave(&mut self, number: u32, place: Place) {
        self.set_due(number, None);
        let Some(job) = self.job(number) else { return };
        let was_out = matches!(job.place, Place::Out | Place::Resting);
        job.place = place;
        let referee = job.referee;
        if was_out {
            let line = self.line(referee);
            line.out = line.out.saturating_sub(1);
        }
    }

    fn set_due(&mut self, number: u32, due: Option<Timestamp>) {
        let Some(job) = self.job(number) else { return };
        let before = std::mem::replace(&mut job.due, due);
        if let Some(before) = before {
            self.timers.remove(&(before, Wake::Match(number)));
        }
        if let Some(due) = due {
            self.timers.insert((due, Wake::Match(number)));
        }
    }

    /// A sign of life, which renews a lease if there is one.
    pub(crate) fn heard(&mut self, referee: RefereeId, until: Timestamp) {
        let line = self.line(referee);
        line.doubtful = false;
        line.held = false;
        line.lease = line.lease.map(|lease| lease.max(until));
        self.watch(referee);
    }

    /// That referee is silent: it is doubted, and gets nothing until it is heard again.
    pub(crate) fn silent(&mut self, referee: RefereeId) {
        let line = self.line(referee);
        line.doubtful = true;
        line.held = true;
    }

    pub(crate) fn doubt(&mut self, referee: RefereeId) {
        self.line(referee).doubtful = true;
    }

    pub(crate) fn is_doubtful(&self, referee: RefereeId) -> bool {
        let place = referee.number().saturating_sub(1) as usize;
        self.lines.get(place).is_some_and(|line| line.doubtful)
    }
}

#[cfg(test)]
mod tests;
