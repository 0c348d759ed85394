//! Whatever happens, in whatever order: nothing is lost or doubled, whoever waits keeps its place,
//! and never more calls are under way than may be.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use proptest::prelude::*;
use proptest::sample::Index;

use super::{
    CallFault, Event, Failed, Finished, Heard, InOrder, Link, LinkAction, LinkSettings, Loss,
    NOTICES_MAX, Notice, Report, Said, Standings, Step, StepFailure, Ticked, Warning, at, play,
    seconds, settings,
};
use crate::link::Time;

/// Few enough that calls have to wait.
const IN_FLIGHT_MAX: usize = 4;

/// One move of the script; calls get their numbers as they come.
#[derive(Debug, Clone)]
enum Move {
    Submit(fn(u64) -> Event),
    Deliver(Index),
    Fail(Index, CallFault),
    Hear,
    Pass(u64),
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let lanes: Vec<fn(u64) -> Event> =
        vec![Step, Event::LastStep, Notice, Standings, Warning, Report, InOrder];
    let faults = vec![
        CallFault::TimedOut,
        CallFault::Unreachable,
        CallFault::Broken,
        CallFault::ServerError,
        CallFault::Oversized,
        CallFault::Exhausted,
    ];
    let one = prop_oneof![
        6 => prop::sample::select(lanes).prop_map(Move::Submit),
        2 => any::<Index>().prop_map(Move::Deliver),
        6 => (any::<Index>(), prop::sample::select(faults)).prop_map(|(i, f)| Move::Fail(i, f)),
        1 => Just(Move::Hear),
        4 => (0_u64..20).prop_map(Move::Pass),
    ];
    prop::collection::vec(one, 1..200)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Step,
    Notice,
    Report,
    InOrder,
}

/// The call that an action is about.
fn number(action: &Said) -> u64 {
    match action {
        LinkAction::Attempt { call, .. }
        | LinkAction::Failed { tag: call, .. }
        | LinkAction::Taken { tag: call }
        | LinkAction::Missed { tag: call }
        | LinkAction::Dropped { tag: call, .. } => *call,
    }
}

/// The link and everything that an onlooker knows of it.
struct World {
    link: Link<u64, u64>,
    now: Time,
    kinds: BTreeMap<u64, Kind>,
    in_flight: BTreeSet<u64>,
    ended: BTreeSet<u64>,
    missed: BTreeSet<u64>,
    /// The notices in the order of their first try.
    tried: Vec<u64>,
    /// The steps and reports that were never tried, in the order in which they came.
    fresh: BTreeSet<u64>,
    /// The steps whose time is not over, by number.
    untils: BTreeMap<u64, Time>,
}

impl World {
    fn new() -> Self {
        Self {
            link: Link::new(Arc::new(LinkSettings {
                in_flight_max: IN_FLIGHT_MAX,
                ..(*settings()).clone()
            })),
            now: at(0),
            kinds: BTreeMap::new(),
            in_flight: BTreeSet::new(),
            ended: BTreeSet::new(),
            missed: BTreeSet::new(),
            tried: vec![],
            fresh: BTreeSet::new(),
            untils: BTreeMap::new(),
        }
    }

    fn happens(&mut self, event: Event) -> Result<(), TestCaseError> {
        let mut out = vec![];
        let taken = self.in_flight.iter().filter(|call| self.kinds[call] != Kind::Notice).count();
        let room_before = IN_FLIGHT_MAX - 1 - taken;
        match event {
            Finished(call) | Failed(call, _) => {
                self.in_flight.remove(&call);
                let kind = self.kinds[&call];
                let taken = matches!(event, Finished(_) | Failed(_, CallFault::Oversized));
                let queued = matches!(kind, Kind::Notice | Kind::InOrder);
                if queued && taken || kind == Kind::Report && matches!(event, Finished(_)) {
                    prop_assert!(self.ended.insert(call), "{} ended twice", call);
                }
            }
            Step(call) | Event::LastStep(call) => {
                self.untils.insert(call, self.now + seconds(30));
                self.note(call, Kind::Step);
            }
            Notice(call) | Standings(call) | Warning(call) => self.note(call, Kind::Notice),
            Report(call) => self.note(call, Kind::Report),
            InOrder(call) => self.note(call, Kind::InOrder),
            Heard | Ticked => {}
        }
        play(&mut self.link, event, self.now, &mut out);
        if let Step(call) | Event::LastStep(call) = event {
            let of_steps = out.iter().all(|action| self.kinds[&number(action)] == Kind::Step);
            prop_assert!(of_steps, "a step lets others leave");
            let own = out.iter().find(|action| number(action) == call);
            // Whoever was there before it may have taken the last place just now.
            let room = room_before > out.len();
            prop_assert!(own.is_some() || !room, "a step waits although there is a place");
            let refused = matches!(own, Some(LinkAction::Failed { .. }));
            let insists = matches!(event, Event::LastStep(_));
            prop_assert!(!refused || !insists, "the last ask is never refused");
        }
        out.into_iter().try_for_each(|action| self.carry_out(action))
    }

    fn note(&mut self, call: u64, kind: Kind) {
        self.kinds.insert(call, kind);
        if kind != Kind::Notice {
            self.fresh.insert(call);
        }
    }

    /// Whoever leaves for the first time was the first of its lane to wait.
    fn leaves_in_order(&mut self, call: u64) -> Result<(), TestCaseError> {
        let kind = self.kinds[&call];
        if self.fresh.contains(&call) {
            let first = self.fresh.iter().find(|other| self.kinds[other] == kind);
            prop_assert_eq!(first, Some(&call), "out of turn");
            self.fresh.remove(&call);
        }
        Ok(())
    }

    fn carry_out(&mut self, action: Said) -> Result<(), TestCaseError> {
        match action {
            LinkAction::Attempt { call, body, .. } => {
                prop_assert_eq!(call, body);
                prop_assert!(!self.ended.contains(&call), "{} was over", call);
                prop_assert!(self.in_flight.insert(call), "{} is in flight already", call);
                prop_assert!(self.in_flight.len() <= IN_FLIGHT_MAX, "too many are in flight");
                self.leaves_in_order(call)?;
                for queue in [Kind::Notice, Kind::InOrder] {
                    let of_it = self.in_flight.iter().filter(|c| self.kinds[c] == queue);
                    prop_assert!(of_it.count() <= 1, "two of {:?} in flight", queue);
                }
                if self.kinds[&call] == Kind::Notice && self.tried.last() != Some(&call) {
                    self.tried.push(call);
                }
            }
            LinkAction::Failed { tag: call, why } => {
                let oversized = why == StepFailure::Call(CallFault::Oversized);
                let kind = self.kinds[&call];
                prop_assert!(kind == Kind::Step || kind == Kind::Report && oversized);
                prop_assert_ne!(
                    why,
                    StepFailure::Call(CallFault::Exhausted),
                    "a shortage is no answer"
                );
                let over = self.untils.get(&call).is_some_and(|until| *until <= self.now);
                prop_assert!(why != StepFailure::NotSent || over, "{} had time left", call);
                self.fresh.remove(&call);
                prop_assert!(self.ended.insert(call), "{} ended twice", call);
            }
            LinkAction::Taken { tag: call } => {
                prop_assert!(matches!(self.kinds[&call], Kind::Notice | Kind::InOrder));
                prop_assert!(self.ended.contains(&call), "{} was not delivered", call);
            }
            LinkAction::Missed { tag: call } => {
                prop_assert!(matches!(self.kinds[&call], Kind::Notice | Kind::InOrder));
                prop_assert!(self.missed.insert(call), "{} is missed twice", call);
            }
            LinkAction::Dropped { tag: call, why } => {
                let untried = !self.tried.contains(&call);
                prop_assert!(!(untried && why == Loss::Replaced), "{} was never tried", call);
                prop_assert_eq!(self.kinds[&call], Kind::Notice);
                prop_assert!(!self.in_flight.contains(&call), "dropped in flight");
                prop_assert!(self.ended.insert(call), "{} ended twice", call);
            }
        }
        Ok(())
    }

    fn pick(&self, index: &Index) -> Option<u64> {
        let calls: Vec<_> = self.in_flight.iter().copied().collect();
        (!calls.is_empty()).then(|| *index.get(&calls))
    }

    fn plays(&mut self, one: Move, fresh: u64) -> Result<(), TestCaseError> {
        let event = match one {
            Move::Submit(lane) => Some(lane(fresh)),
            Move::Deliver(index) => self.pick(&index).map(Finished),
            Move::Fail(index, fault) => self.pick(&index).map(|call| Failed(call, fault)),
            Move::Hear => Some(Heard),
            Move::Pass(time) => {
                self.now = self.now + seconds(time);
                Some(Ticked)
            }
        };
        event.map_or(Ok(()), |event| self.happens(event))
    }

    /// From now on the peer answers everything, and the link is only woken when it asks for it.
    fn heals(&mut self) -> Result<(), TestCaseError> {
        for _ in 0..10_000 {
            if let Some(call) = self.in_flight.first().copied() {
                self.happens(Finished(call))?;
            } else if let Some(deadline) = self.link.deadline() {
                self.now = self.now.max(deadline);
                self.happens(Ticked)?;
            } else {
                return Ok(());
            }
        }
        Err(TestCaseError::fail("the link never comes to rest"))
    }
}

proptest! {
    #[test]
    fn every_call_ends_once_and_in_its_turn(script in moves()) {
        let mut world = World::new();
        for (fresh, one) in (0..).zip(script) {
            world.plays(one, fresh)?;
            let waiting = world.kinds.iter().filter(|(call, kind)| {
                **kind == Kind::Notice && !world.ended.contains(call)
            });
            prop_assert!(waiting.count() <= NOTICES_MAX, "the queue outgrew its bound");
        }
        world.heals()?;
        prop_assert!(world.link.is_idle());
        prop_assert!(world.tried.is_sorted(), "out of order: {:?}", world.tried);
        for (call, kind) in &world.kinds {
            let step = *kind == Kind::Step;
            prop_assert!(step || world.ended.contains(call), "{} was lost", call);
        }
    }
}
