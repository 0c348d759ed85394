//! The programs of the rehearsal: what they say follows from what they are asked, and sometimes
//! they think long, for ever or without result.

use std::time::Duration;

use agon_core::{Event, Mishap, MishapKind, Question, What};
use agon_proto::Payload;

use super::node::Node;
use super::scene::Scene;
use crate::audit::Sight;
use crate::invariant::{SECRET, question_name};
use crate::plan::{Plan, Temper};

/// Longest thought in a gentle season.
const THOUGHT_MAX_MS: u64 = 10_000;

/// What comes of a question, and when.
type Thought = (Result<Payload, Mishap>, Duration);

/// Whoever thinks for a node, and is asked something.
pub(super) struct Program<'s, 'a> {
    pub(super) plan: &'s Plan,
    pub(super) node: &'s mut Node,
    pub(super) question: &'s Question,
    pub(super) scene: &'s mut Scene<'a>,
}

impl Program<'_, '_> {
    /// Thoughts usually come at once.
    pub(super) fn think(mut self) {
        let thought =
            if self.plan.is_gentle { Some(self.think_gently()) } else { self.think_hard() };
        if let Some((answer, wait)) = thought {
            let thought = Event::Thought { number: self.question.number, answer };
            self.scene.after(wait, self.node.hears(thought));
        }
    }

    /// It comes in time, and fails once at most.
    fn think_gently(&mut self) -> Thought {
        let fails = self.scene.rng.happens(self.scene.faults.brooding)
            && self.node.failed.insert(question_name(self.question));
        let wait = Duration::from_millis(self.scene.rng.between(1, THOUGHT_MAX_MS));
        if fails {
            let (node, question) = (self.node.number, self.question);
            self.scene.audit.see(&Sight::Failed(node, question));
            return (Err(mishap(MishapKind::Raised)), wait);
        }
        (Ok(self.choose()), wait)
    }

    /// Some thoughts come late, without result, or never.
    fn think_hard(&mut self) -> Option<Thought> {
        let broods = self.node.planned.temper == Temper::Brooding && self.scene.rng.happens(500);
        let broods = broods || self.scene.rng.happens(self.scene.faults.brooding);
        let choice = self.choose();
        let (node, match_id, scene) = (self.node.number, self.question.match_id, &mut *self.scene);
        let (answer, wait_ms) = match (broods, scene.rng.between(0, 3)) {
            (false, _) => (Ok(choice), scene.rng.between(0, 200)),
            // By letters a program has a time limit of its own.
            (true, 0) if self.plan.is_by_letters() => {
                let wait = self.question.until.since(scene.now);
                return Some((Err(mishap(MishapKind::TimedOut)), wait));
            }
            (true, 0) => {
                scene.tell(|| format!("node {node} broods over {match_id} for ever"));
                scene.audit.see(&Sight::Brooded(node, match_id));
                return None;
            }
            (true, 1) => (Err(mishap(MishapKind::Raised)), scene.rng.between(0, 1_000)),
            (true, _) => (Ok(choice), scene.rng.between(5_000, 60_000)),
        };
        Some((answer, Duration::from_millis(wait_ms)))
    }

    /// One of the moves that may be made, or what the game gives as an example.
    fn choose(&mut self) -> Payload {
        let question = self.question;
        let about = match &question.what {
            What::Move { options, .. } if !options.is_empty() => {
                let place = match options.len() {
                    2 => usize::from(!self.scene.rng.happens(500)),
                    many => self.scene.rng.place(many),
                };
                return options.get(place).cloned().unwrap_or_default();
            }
            What::Heard { .. } => return Payload::default(),
            What::Oracle { about, .. } => about.map_or(0, |seat| 1 + seat.index() as u64),
            What::Move { .. } => 0,
        };
        let (round, number) = (question.match_id.round, question.match_id.number);
        let seed = [round.into(), number.into(), self.node.number as u64, about];
        let seed = seed.into_iter().fold(0, |seed, part| seed * 100 + part);
        let said = self.plan.game.example(&question.kind, seed, SECRET);
        said.as_deref().map(Payload::trusted).unwrap_or_default()
    }
}

fn mishap(kind: MishapKind) -> Mishap {
    Mishap { kind, text: "it cannot decide".into() }
}
