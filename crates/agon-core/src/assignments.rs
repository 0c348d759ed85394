//! The manager's desk: which matches wait, which are out, and until when.
//!
//! Those are the matches of the round, and those of older rounds that are played again.
//!
//! Nothing here is durable. After a restart the desk is laid out anew from the season, and every
//! lease starts again.

mod hearing;

use std::collections::{BTreeMap, VecDeque};

use agon_proto::{MatchId, RefereeId, RoundId, Timestamp};

/// Where one match is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// Its players have not heard of it yet.
    Unheard,
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
    /// That match: a lease is over, or a call must be repeated.
    Match(MatchId),
    /// A referee that did not take a match may be asked again.
    Referee(RefereeId),
    /// A referee that sent heartbeats has been silent for too long.
    Lease(RefereeId),
    /// A referee that was told of the round alone is waited for no longer.
    Alone(RefereeId),
}

#[derive(Debug, Clone, Copy)]
struct Job {
    place: Place,
    /// Which of its players have not heard of it.
    unheard: [bool; 2],
    /// For which of them it waited once more, because they had come back.
    returned: [bool; 2],
    referee: RefereeId,
    tries: u32,
    due: Option<Timestamp>,
}

impl Job {
    const fn new(referee: RefereeId, place: Place) -> Self {
        Self { place, unheard: [true; 2], returned: [false; 2], referee, tries: 0, due: None }
    }
}

/// What one referee has and gets.
#[derive(Debug, Default)]
pub(crate) struct Line {
    waiting: VecDeque<MatchId>,
    out: u32,
    /// It was silent for longer than its lease, and gets nothing until it is heard again.
    pub(crate) held: bool,
    /// It has not heard of the round yet.
    unheard: bool,
    /// Until when it is waited for, if it was told alone.
    alone: Option<Timestamp>,
    /// Failed us lately; others are preferred.
    doubtful: bool,
    /// It is not in any more: nobody waits for it, so nobody doubts it.
    gone: bool,
    /// Until when it keeps its matches without another sign of life, once it has sent a heartbeat.
    lease: Option<Timestamp>,
    /// Whether the lease stands in the index, possibly with an earlier time.
    watched: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Assignments {
    round: RoundId,
    /// The round's matches, in order; nobody's are not on the desk.
    jobs: Vec<Option<Job>>,
    /// Matches of older rounds that are played again.
    again: BTreeMap<MatchId, Job>,
    lines: Vec<Line>,
    /// How many matches and referees are unheard.
    unheard: u32,
    /// How many referees are doubted.
    doubted: u32,
    /// In the order of their times. What a match no longer waits for stays until it is the first.
    timers: VecDeque<(Timestamp, Wake)>,
}

impl Assignments {
    /// Lays out a round. `holders` are the referees of match 1, 2, …, as far as they have one.
    pub(crate) fn lay_out(
        &mut self,
        round: RoundId,
        holders: impl Iterator<Item = Option<(RefereeId, Place)>>,
    ) {
        let before = std::mem::take(self);
        (self.round, self.doubted) = (round, before.doubted);
        for (referee, known) in (1..).map(RefereeId::new).zip(before.lines) {
            let Line { doubtful, gone, lease, .. } = known;
            *self.line(referee) = Line { doubtful, gone, lease, ..Line::default() };
            self.watch(referee);
        }
        for (number, holder) in (1..).zip(holders) {
            self.jobs.push(holder.map(|(referee, place)| Job::new(referee, place)));
            let Some((referee, place)) = holder else { continue };
            self.unheard += u32::from(place == Place::Unheard);
            if place == Place::Waiting {
                self.line(referee).waiting.push_back(MatchId::new(round, number));
            }
        }
    }

    /// A match comes back to the desk, to be played again by that referee once its players have
    /// heard of that.
    pub(crate) fn play_again(&mut self, id: MatchId, referee: RefereeId) {
        if id.round != self.round {
            self.again.entry(id).or_insert(Job::new(referee, Place::Done));
        }
        self.leave(id, Place::Unheard);
        if let Some(job) = self.job(id) {
            (job.referee, job.tries, job.unheard) = (referee, 0, [true; 2]);
        }
    }

    pub(crate) fn line(&mut self, referee: RefereeId) -> &mut Line {
        let place = referee.number().saturating_sub(1) as usize;
        if self.lines.len() <= place {
            self.lines.resize_with(place + 1, Line::default);
        }
        &mut self.lines[place]
    }

    fn job(&mut self, id: MatchId) -> Option<&mut Job> {
        if id.round == self.round {
            self.jobs.get_mut(id.number.checked_sub(1)? as usize)?.as_mut()
        } else {
            self.again.get_mut(&id)
        }
    }

    pub(crate) fn place(&self, id: MatchId) -> Option<Place> {
        let job = if id.round == self.round {
            self.jobs.get(id.number.checked_sub(1)? as usize)?.as_ref()
        } else {
            self.again.get(&id)
        };
        job.map(|job| job.place)
    }

    /// Matches that nobody has begun, in order.
    pub(crate) fn waiting(&self) -> Vec<MatchId> {
        let mut waiting = self.those(|job| matches!(job.place, Place::Unheard | Place::Waiting));
        waiting.sort_unstable();
        waiting
    }

    /// Matches of which that is true: those of the round, then those that are played again.
    fn those(&self, is_so: impl Fn(&Job) -> bool) -> Vec<MatchId> {
        let round = (1..).map(|number| MatchId::new(self.round, number)).zip(&self.jobs);
        let round = round.filter_map(|(id, job)| Some((id, job.as_ref()?)));
        let all = round.chain(self.again.iter().map(|(id, job)| (*id, job)));
        all.filter(|(_, job)| is_so(job)).map(|(id, _)| id).collect()
    }

    pub(crate) fn deadline(&self) -> Option<Timestamp> {
        self.timers.front().map(|(at, _)| *at)
    }

    /// The next thing that is due, and since when.
    pub(crate) fn due(&mut self, now: Timestamp) -> Option<(Wake, Timestamp)> {
        loop {
            let (at, wake) = self.timers.pop_front_if(|(at, _)| *at <= now)?;
            self.forget_settled();
            match wake {
                Wake::Match(id) => {
                    if let Some(job) = self.job(id) {
                        job.due = None;
                    }
                }
                Wake::Referee(referee) => self.line(referee).held = false,
                Wake::Alone(referee) if self.line(referee).alone != Some(at) => continue,
                Wake::Alone(referee) => self.set_unheard(referee, false),
                Wake::Lease(referee) => {
                    let line = self.line(referee);
                    line.watched = false;
                    if line.lease.is_none_or(|until| until > now) {
                        self.watch(referee);
                        continue; // It was renewed since then, or is over.
                    }
                }
            }
            return Some((wake, at));
        }
    }

    /// Nearly all are set in the order of their times: each match has the same time from when it is
    /// given out.
    fn set_timer(&mut self, timer: (Timestamp, Wake)) {
        if self.timers.back().is_none_or(|last| *last < timer) {
            self.timers.push_back(timer);
        } else if let Err(place) = self.timers.binary_search(&timer) {
            self.timers.insert(place, timer);
        }
    }

    /// Puts a referee's lease among the timers, if it has one.
    fn watch(&mut self, referee: RefereeId) {
        let line = self.line(referee);
        if let Some(until) = line.lease.filter(|_| !line.watched) {
            line.watched = true;
            self.set_timer((until, Wake::Lease(referee)));
        }
    }

    /// That match is out or rests until then; or, if its players have not heard of it with
    /// everybody, it waits for them until then.
    pub(crate) fn wait(&mut self, id: MatchId, until: Timestamp) {
        let Some(job) = self.job(id) else { return };
        job.due = Some(until);
        self.set_timer((until, Wake::Match(id)));
        self.forget_settled();
    }

    /// The first timer is always one that somebody waits for.
    fn forget_settled(&mut self) {
        while let Some((at, Wake::Match(id))) = self.timers.front().copied() {
            if self.job(id).is_some_and(|job| job.due == Some(at)) {
                return;
            }
            self.timers.pop_front();
        }
    }

    /// That referee has a lease until then: from now on its silence tells.
    pub(crate) fn renew(&mut self, referee: RefereeId, until: Timestamp) {
        self.line(referee).lease = Some(until);
        self.watch(referee);
    }

    /// How many matches somebody holds.
    pub(crate) fn under_way(&self) -> u32 {
        self.lines.iter().map(|line| line.out).sum()
    }

    /// How many referees were silent for longer than their lease.
    pub(crate) fn silent_count(&self) -> u32 {
        let held = self.lines.iter().filter(|line| line.held).count();
        u32::try_from(held).unwrap_or(u32::MAX)
    }

    /// That referee's matches that are in one of those places.
    pub(crate) fn of(&self, referee: RefereeId, places: &[Place]) -> Vec<MatchId> {
        self.those(|job| job.referee == referee && places.contains(&job.place))
    }

    /// The next match for that referee, if it has room.
    pub(crate) fn take(&mut self, referee: RefereeId, capacity: u32) -> Option<MatchId> {
        let line = self.line(referee);
        if line.held || line.unheard || line.out >= capacity {
            return None;
        }
        loop {
            let id = self.line(referee).waiting.pop_front()?;
            let job = self.job(id)?;
            // Entries of matches that were finished or moved meanwhile are passed over.
            if job.place == Place::Waiting && job.referee == referee {
                job.place = Place::Out;
                self.line(referee).out += 1;
                return Some(id);
            }
        }
    }

    /// The call to its referee failed. Returns how often; it rests until `again_at`.
    pub(crate) fn rest(&mut self, id: MatchId, again_at: Timestamp) -> u32 {
        let Some(job) = self.job(id) else {
            return 0;
        };
        job.place = Place::Resting;
        job.tries += 1;
        let (tries, referee) = (job.tries, job.referee);
        self.doubt(referee);
        self.wait(id, again_at);
        tries
    }

    /// A resting match goes out again.
    pub(crate) fn wake(&mut self, id: MatchId) {
        if let Some(job) = self.job(id) {
            job.place = Place::Out;
        }
    }

    /// The referee has no room after all: the match goes back to the head of its queue.
    pub(crate) fn put_back(&mut self, id: MatchId, again_at: Timestamp) {
        let Some(referee) = self.leave(id, Place::Waiting) else { return };
        let line = self.line(referee);
        line.waiting.push_front(id);
        line.held = true;
        self.set_timer((again_at, Wake::Referee(referee)));
    }

    /// The match has its result.
    pub(crate) fn finish(&mut self, id: MatchId) {
        self.leave(id, Place::Done);
    }

    /// The match goes to the end of another referee's queue.
    pub(crate) fn move_to(&mut self, id: MatchId, referee: RefereeId) {
        let unheard = self.place(id) == Some(Place::Unheard);
        let until = self.job(id).and_then(|job| job.due);
        self.leave(id, if unheard { Place::Unheard } else { Place::Waiting });
        let Some(job) = self.job(id) else { return };
        (job.referee, job.tries) = (referee, 0);
        match until {
            _ if !unheard => self.line(referee).waiting.push_back(id),
            Some(until) => self.wait(id, until),
            None => {}
        }
    }

    /// The match is somewhere else from now on, and waits for nothing any more. Says whose it was.
    fn leave(&mut self, id: MatchId, place: Place) -> Option<RefereeId> {
        let job = self.job(id)?;
        job.due = None;
        let before = std::mem::replace(&mut job.place, place);
        let referee = job.referee;
        self.unheard -= u32::from(before == Place::Unheard);
        self.unheard += u32::from(place == Place::Unheard);
        if matches!(before, Place::Out | Place::Resting) {
            let line = self.line(referee);
            line.out = line.out.saturating_sub(1);
        }
        self.forget_settled();
        Some(referee)
    }

    /// A sign of life, which renews a lease if there is one.
    pub(crate) fn heard(&mut self, referee: RefereeId, until: Timestamp) {
        self.set_doubt(referee, false);
        let line = self.line(referee);
        (line.held, line.gone) = (false, false);
        line.lease = line.lease.map(|lease| lease.max(until));
        self.watch(referee);
    }

    /// That referee is silent: it is doubted, and gets nothing until it is heard again.
    pub(crate) fn silent(&mut self, referee: RefereeId) {
        let line = self.line(referee);
        (line.held, line.gone) = (true, false);
        self.doubt(referee);
    }

    pub(crate) fn doubt(&mut self, referee: RefereeId) {
        self.set_doubt(referee, true);
    }

    /// That referee is not in any more: it is not one that may come back.
    pub(crate) fn dismiss(&mut self, referee: RefereeId) {
        self.set_doubt(referee, false);
        let line = self.line(referee);
        (line.held, line.gone, line.lease) = (true, true, None);
    }

    fn set_doubt(&mut self, referee: RefereeId, doubtful: bool) {
        let line = self.line(referee);
        let doubtful = doubtful && !line.gone;
        let before = std::mem::replace(&mut line.doubtful, doubtful);
        self.doubted = self.doubted - u32::from(before) + u32::from(doubtful);
    }

    /// How many referees are doubted.
    pub(crate) fn doubted(&self) -> u32 {
        self.doubted
    }

    pub(crate) fn is_doubtful(&self, referee: RefereeId) -> bool {
        let place = referee.number().saturating_sub(1) as usize;
        self.lines.get(place).is_some_and(|line| line.doubtful)
    }
}

#[cfg(test)]
mod tests;
