//! The referee's own program: what it is asked, and what becomes of its answers.
//!
//! What it said is a fact before anybody is told of it. It is asked once for each thing; after a
//! mishap once more, and then the match is lost through the referee's fault. Only what the game can
//! do without needs nobody.
//!
//! Spec: docs/protocol/match.md

use std::time::Duration;

use agon_proto::{MatchId, Payload, ShortText, Timestamp};

use super::records::{Matches, ONLY_ATTEMPT};
use crate::effect::{Alert, Effect};
use crate::matches::{Match, MatchEvent};
use crate::thinking::{Mishap, Question, Thinking, What};
use crate::verdict::Seat;

/// How often our program is asked for the same thing.
const TRIES_MAX: u8 = 2;

/// Everything that our program is thinking about.
#[derive(Debug, Default)]
pub(super) struct Thoughts {
    /// How long it may think, by kind of question.
    pub(super) times: Vec<Duration>,
    pub(super) open: Thinking<Thought>,
}

/// One thing that it is thinking about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Thought {
    pub(super) match_id: MatchId,
    pub(super) about: Option<Seat>,
    pub(super) judgement: u8,
    tries: u8,
}

/// What comes of an answer.
pub(super) enum Weighed {
    /// The match goes on with it.
    Counts(MatchEvent),
    /// It is asked once more.
    Again(Thought),
}

impl Thought {
    /// The first one about that.
    pub(super) const fn new(match_id: MatchId, about: Option<Seat>, judgement: u8) -> Self {
        Self { match_id, about, judgement, tries: 1 }
    }

    /// What comes of the answer. What breaks the rules of the game is none, and whoever wrote our
    /// program is told why.
    pub(super) fn weigh(
        self,
        answer: Result<Payload, Mishap>,
        (live, seed): (&Match, u64),
    ) -> (Weighed, Option<Alert>) {
        let Self { match_id, about, judgement, tries } = self;
        let mut alert = None;
        let said = answer.ok().filter(|word| match live.check_word(about, word) {
            Ok(()) => true,
            Err(why) => {
                let (kind, problem) = (kind(live, judgement), ShortText::new(&why.to_string()));
                alert = Some(Alert::NoWord { match_id, kind, problem });
                false
            }
        });
        let word = said.or_else(|| live.word_instead(about, seed));
        let weighed = if word.is_none() && tries < TRIES_MAX {
            Weighed::Again(Self { tries: tries + 1, ..self })
        } else {
            Weighed::Counts(MatchEvent::Told { about, judgement, word })
        };
        (weighed, alert)
    }
}

impl Thoughts {
    /// Asks our program.
    pub(super) fn begin(&mut self, thought: Thought, live: &Match, now: Timestamp) -> Effect {
        let Thought { match_id, about, judgement, .. } = thought;
        let time = self.times.get(usize::from(judgement)).copied().unwrap_or_default();
        Effect::Think(Box::new(Question {
            number: self.open.begin(thought),
            match_id,
            attempt: ONLY_ATTEMPT,
            kind: kind(live, judgement).into(),
            what: What::Oracle { about, prompt: live.prompt(about) },
            until: now + time,
        }))
    }

    /// After a restart: asks our program for everything that is still owed.
    pub(super) fn begin_anew(&mut self, matches: &Matches, now: Timestamp) -> Vec<Effect> {
        self.open.clear();
        let mut asked = Vec::new();
        for match_id in matches.ids() {
            let Some(live) = matches.playing(match_id) else { continue };
            for (about, judgement) in live.consulting() {
                asked.push(self.begin(Thought::new(match_id, about, judgement), live, now));
            }
        }
        asked
    }
}

/// What the game calls that question.
fn kind(live: &Match, judgement: u8) -> &'static str {
    let kinds = live.terms().rules.info().judgements;
    kinds.get(usize::from(judgement)).copied().unwrap_or_default()
}
