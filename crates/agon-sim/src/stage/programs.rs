//! The programs of the rehearsal: what they say follows from what they are asked, and sometimes
//! they think long, for ever or without result.

use std::collections::BTreeSet;
use std::time::Duration;

use agon_core::{Event, Mishap, MishapKind, Question, Rules, What};
use agon_proto::Payload;

use super::Happening;
use super::node::Node;
use super::scene::Scene;
use crate::audit::Sight;
use crate::invariant::{SECRET, question_name};
use crate::plan::{Plan, Temper};

/// Longest thought in a gentle season.
const THOUGHT_MAX_MS: u64 = 10_000;

pub(super) struct Programs {
    game: Rules,
    is_gentle: bool,
    /// Whether a program that never ends is ended: by letters it has a time limit of its own.
    are_ended: bool,
    /// Questions at which a program has failed: twice would be its author's loss.
    failed: BTreeSet<(usize, String)>,
}

impl Programs {
    pub(super) fn new(plan: &Plan) -> Self {
        let (game, is_gentle) = (plan.game.clone(), plan.is_gentle);
        Self { game, is_gentle, are_ended: plan.is_by_letters(), failed: BTreeSet::new() }
    }

    /// Somebody is asked. Thoughts usually come at once.
    pub(super) fn think(&mut self, node: &Node, question: &Question, scene: &mut Scene<'_>) {
        let thought = if self.is_gentle {
            Some(self.think_gently(node, question, scene))
        } else {
            self.think_hard(node, question, scene)
        };
        if let Some((answer, wait)) = thought {
            let thought = Box::new(Event::Thought { number: question.number, answer });
            scene.after(wait, Happening::Hears(node.number, node.life, thought));
        }
    }

    /// It comes in time, and fails once at most.
    fn think_gently(
        &mut self,
        node: &Node,
        question: &Question,
        scene: &mut Scene<'_>,
    ) -> (Result<Payload, Mishap>, Duration) {
        let node = node.number;
        let fails = scene.rng.happens(scene.faults.brooding)
            && self.failed.insert((node, question_name(question)));
        let wait = Duration::from_millis(scene.rng.between(1, THOUGHT_MAX_MS));
        if fails {
            scene.audit.see(&Sight::Failed { node, question });
            return (Err(mishap(MishapKind::Raised)), wait);
        }
        (Ok(self.choose(node, question, scene)), wait)
    }

    /// Some thoughts come late, without result, or never.
    fn think_hard(
        &self,
        node: &Node,
        question: &Question,
        scene: &mut Scene<'_>,
    ) -> Option<(Result<Payload, Mishap>, Duration)> {
        let broods = node.temper == Temper::Brooding && scene.rng.happens(500);
        let broods = broods || scene.rng.happens(scene.faults.brooding);
        let (node, match_id) = (node.number, question.match_id);
        let choice = self.choose(node, question, scene);
        let (answer, wait_ms) = match (broods, scene.rng.between(0, 3)) {
            (false, _) => (Ok(choice), scene.rng.between(0, 200)),
            (true, 0) if self.are_ended => {
                let wait = question.until.since(scene.now);
                return Some((Err(mishap(MishapKind::TimedOut)), wait));
            }
            (true, 0) => {
                scene.tell(|| format!("node {node} broods over {match_id} for ever"));
                scene.audit.see(&Sight::Brooded { node, match_id });
                return None;
            }
            (true, 1) => (Err(mishap(MishapKind::Raised)), scene.rng.between(0, 1_000)),
            (true, _) => (Ok(choice), scene.rng.between(5_000, 60_000)),
        };
        Some((answer, Duration::from_millis(wait_ms)))
    }

    /// One of the moves that may be made, or what the game gives as an example.
    fn choose(&self, node: usize, question: &Question, scene: &mut Scene<'_>) -> Payload {
        let about = match &question.what {
            What::Move { options, .. } if !options.is_empty() => {
                let place = match options.len() {
                    2 => usize::from(!scene.rng.happens(500)),
                    many => scene.rng.place(many),
                };
                return options.get(place).cloned().unwrap_or_default();
            }
            What::Heard { .. } => return Payload::default(),
            What::Oracle { about, .. } => about.map_or(0, |seat| 1 + seat.index() as u64),
            What::Move { .. } => 0,
        };
        let (round, number) = (question.match_id.round, question.match_id.number);
        let seed = [round.into(), number.into(), node as u64, about];
        let seed = seed.into_iter().fold(0, |seed, part| seed * 100 + part);
        let said = self.game.example(&question.kind, seed, SECRET);
        said.as_deref().map(Payload::trusted).unwrap_or_default()
    }
}

fn mishap(kind: MishapKind) -> Mishap {
    Mishap { kind, text: "it cannot decide".into() }
}
