//! What can be read off a match, how its clock is moved, and how it is made again from what was
//! written down. Nothing here decides anything.
//!
//! Spec: docs/protocol/match.md

use std::time::Duration;

use agon_games::{BadMove, Turn};
use agon_proto::message::{MatchPhase, MoveContext, MoveRequest, RoleInMatch};
use agon_proto::{DisplayName, Payload, Timestamp};

use super::asking::{Ask, Track};
use super::{JOIN, Match, MatchProgress, MatchStage, MatchTerms, finished_as};
use crate::verdict::{Seat, Verdict};

/// A question that a player has not answered yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Open {
    pub step: u16,
    /// For the how manieth time it is asked.
    pub ask: u8,
    pub until: Timestamp,
}

impl Match {
    pub fn terms(&self) -> &MatchTerms {
        &self.terms
    }

    /// Whether it outlives its referee's process: then somebody writes down its progress.
    pub fn resumes(&self) -> bool {
        self.terms.resumes
    }

    /// What became true since this was asked last, and where it stands now.
    pub fn progress(&mut self) -> MatchProgress {
        let steps = self.course.taken.as_mut().map(std::mem::take).unwrap_or_default();
        MatchProgress { steps, stage: self.stage, tracks: self.tracks.clone() }
    }

    /// All of that became true. Nothing is judged again.
    pub fn restore(&mut self, progress: &MatchProgress) {
        for step in &progress.steps {
            self.course.position.retake(step.as_bytes());
        }
        self.stage = progress.stage;
        self.tracks.clone_from(&progress.tracks);
    }

    pub fn verdict(&self) -> Option<Verdict> {
        if let MatchStage::Finished(verdict) = self.stage { Some(verdict) } else { None }
    }

    /// In the league's words. Tells nothing of a sealed answer.
    pub fn phase(&self) -> MatchPhase {
        let greeting = || self.tracks.iter().all(|track| track.number() == JOIN);
        match self.stage {
            MatchStage::Together if greeting() => MatchPhase::WaitingForPlayers,
            MatchStage::Joining | MatchStage::Judging => MatchPhase::WaitingForPlayers,
            MatchStage::Together | MatchStage::Apart => MatchPhase::CollectingChoices,
            MatchStage::Rolling => MatchPhase::DrawingNumber,
            MatchStage::Finished(verdict) => finished_as(&verdict),
        }
    }

    /// The question that this player has before it.
    pub fn open(&self, seat: Seat) -> Option<Open> {
        let track = &self.tracks[seat.index()];
        match track.ask {
            Ask::Open { ask, until } if self.stage.is_asking() => {
                Some(Open { step: track.number(), ask, until })
            }
            Ask::Open { .. } | Ask::BackingOff { .. } => None,
            Ask::Idle | Ask::Settled(_) | Ask::Out(_) => None,
        }
    }

    /// The same, if an answer to that question counts now: the first one does, and only while it is
    /// open.
    pub(super) fn in_turn(&self, seat: Seat, step: u16, now: Timestamp) -> Option<Open> {
        self.open(seat).filter(|open| open.step == step && now <= open.until)
    }

    /// Whether an answer to that question would count now, or when its turn has come.
    pub fn takes(&self, seat: Seat, step: u16, now: Timestamp) -> bool {
        self.in_turn(seat, step, now).is_some() || self.takes_early(seat, step)
    }

    /// Whether that question was answered already, or the answer to it is kept.
    pub fn has_answered(&self, seat: Seat, step: u16) -> bool {
        let track = &self.tracks[seat.index()];
        let last = matches!(track.ask, Ask::Idle | Ask::Settled(Ok(())));
        step < track.number()
            || track.next > 0 && step == track.number() && last
            || step == track.next && track.early.is_some()
    }

    /// Whether this player has failed: it plays no more.
    pub fn has_failed(&self, seat: Seat) -> bool {
        self.tracks[seat.index()].ask.failure().is_some()
    }

    /// How far a player has come: the last question that it was asked, if any was.
    pub fn reached(&self, seat: Seat) -> Option<u16> {
        self.tracks[seat.index()].next.checked_sub(1)
    }

    /// Why the referee's own judgement may not say that now.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn check_word(&self, about: Option<Seat>, word: &Payload) -> Result<(), BadMove> {
        self.course.position.clone().word(about, word.as_bytes())
    }

    /// What counts if the referee's own judgement has failed for good; `None` if nothing does.
    pub fn word_instead(&self, about: Option<Seat>, seed: u64) -> Option<Payload> {
        let word = self.course.position.word_instead(about, seed);
        word.map(|text| Payload::trusted(&text))
    }

    /// What the referee's own judgement still owes, each for one player or for the match.
    pub fn consulting(&self) -> impl Iterator<Item = (Option<Seat>, u8)> + use<> {
        let about = |about| Some((about, self.course.position.judgement(about)));
        let owed = match (self.stage, self.course.position.turn()) {
            (MatchStage::Judging, _) => [about(None), None],
            (MatchStage::Apart, Turn::Apart { judged, .. }) => Seat::BOTH
                .map(|seat| Some(seat).filter(|it| judged.contains(*it)))
                .map(|seat| seat.and_then(|seat| about(Some(seat)))),
            (_, Turn::Apart { .. } | Turn::Together(_)) => [None, None],
            (_, Turn::Chance(_) | Turn::Oracle | Turn::Over) => [None, None],
        };
        owed.into_iter().flatten()
    }

    /// What this player has got, as soon as that is certain.
    pub fn gain(&self, seat: Seat) -> Option<i32> {
        self.course.position.gains()[seat.index()]
    }

    /// The clock stood still for so long: every deadline is so much later.
    pub fn postpone(&mut self, by: Duration) {
        self.tracks.iter_mut().for_each(|track| track.postpone(by));
    }

    /// This player has time until then for the question before it.
    pub fn extend(&mut self, seat: Seat, to: Timestamp) {
        if let Ask::Open { until, .. } = &mut self.tracks[seat.index()].ask {
            *until = to.max(*until);
        }
    }

    /// How long one ask of the question before this player takes.
    pub fn ask_time(&self, seat: Seat) -> Duration {
        self.limit(seat).limit
    }

    /// How often the question before this player may be put to it again.
    pub fn retries_max(&self, seat: Seat) -> u32 {
        u32::from(self.limit(seat).asks).saturating_sub(1)
    }

    /// How long each player was asked again, in milliseconds.
    pub fn charged_ms(&self) -> [u32; 2] {
        self.tracks.each_ref().map(|track| track.charged_ms)
    }

    /// What that player is asked in that step.
    pub(crate) fn request(&self, seat: Seat, step: u16, hints: bool) -> MoveRequest {
        let rules = &self.terms.rules;
        let kind = usize::from(self.course.position.kind(seat));
        let move_type = rules.info().asks.get(kind).copied().unwrap_or_default();
        let options = self.course.position.options(seat).filter(|_| hints);
        let payload = |json: String| Payload::trusted(&json);
        MoveRequest {
            move_type: DisplayName::new(move_type),
            schema: rules.move_schema().map(payload),
            context: MoveContext {
                view: self.view(Some(seat)),
                step: step.into(),
                seat: Some(role(seat)),
            },
            valid_options: options.map(|listed| listed.into_iter().map(payload).collect()),
        }
    }

    /// What that seat may know of it; without a seat, what everybody may.
    pub fn view(&self, seat: Option<Seat>) -> Payload {
        // A view that is too long is none.
        self.course.position.view(seat).map(|text| Payload::trusted(&text)).unwrap_or_default()
    }

    /// What the referee's own judgement is told, about one player's game or the whole match.
    pub fn prompt(&self, about: Option<Seat>) -> Payload {
        Payload::trusted(&self.course.position.prompt(about))
    }
}

/// What the protocol calls a seat.
pub(crate) const fn role(seat: Seat) -> RoleInMatch {
    [RoleInMatch::PlayerA, RoleInMatch::PlayerB][seat.index()]
}

/// A referee holds many.
const _: () = assert!(size_of::<Match>() <= 288 && size_of::<Track>() <= 32);
