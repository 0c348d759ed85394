//! One game in a referee's hands: the match, and the words that the match does not keep.
//!
//! Changes only by facts. What a fact leads to is returned, and carried out once, when it is new.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::dialect::q21::{
    Answered, Assessment, Book, Guess, QUESTIONS, Question, Said, Word,
};
use agon_proto::message::{Blame, Cause};
use agon_proto::{AuthToken, MessageId, Timestamp};

use super::fact::{AbortReason, Fixture, Purpose, Start};
use crate::games::{self, Failure, Game, Half, Move, q21};
use crate::matches::{Effect, Event, Match};
use crate::verdict::{Seat, Verdict};

/// A game of ours that has begun.
#[derive(Debug)]
pub(super) struct Held {
    pub(super) fixture: Fixture,
    /// The round, in the manager's words.
    pub(super) round: Box<str>,
    pub(super) tokens: [AuthToken; 2],
    pub(super) stage: Stage,
}

#[derive(Debug)]
pub(super) enum Stage {
    Live(Box<Live>),
    /// Reported; of its words nothing is kept.
    Over(Verdict),
}

/// A game that is being played.
#[derive(Debug)]
pub(super) struct Live {
    pub(super) play: Match,
    pub(super) rules: q21::Rules,
    pub(super) question: Option<Box<str>>,
    pub(super) book: Option<Book>,
    pub(super) sides: [Side; 2],
    pub(super) aborted: Option<AbortReason>,
}

/// What one player has said so far, and what was said to it.
#[derive(Debug, Default)]
pub(super) struct Side {
    pub(super) warmup: Option<(Box<str>, MessageId)>,
    pub(super) questions: Option<(Vec<Question>, MessageId)>,
    pub(super) answers: Option<Vec<Answered>>,
    pub(super) guess: Option<(Guess, MessageId)>,
    pub(super) score: Option<Assessment>,
}

impl Held {
    pub(super) fn begin(start: &Start) -> (Self, Vec<Effect>) {
        let mut effects = Vec::new();
        let game = Game::Q21(q21::Q21::new(start.rules));
        let half = |absent: bool| -> Half { if absent { Err(Failure::Silent) } else { Ok(()) } };
        let play = Match::begin_with(start.absent.map(half), game, start.at, &mut effects);
        let live = Live {
            play,
            rules: start.rules,
            question: None,
            book: None,
            sides: [Side::default(), Side::default()],
            aborted: None,
        };
        let held = Self {
            fixture: start.fixture.clone(),
            round: start.round.clone(),
            tokens: start.tokens.clone(),
            stage: Stage::Live(Box::new(live)),
        };
        (held, effects)
    }

    pub(super) fn live(&self) -> Option<&Live> {
        match &self.stage {
            Stage::Live(live) => Some(live),
            Stage::Over(_) => None,
        }
    }

    pub(super) fn live_mut(&mut self) -> Option<&mut Live> {
        match &mut self.stage {
            Stage::Live(live) => Some(live),
            Stage::Over(_) => None,
        }
    }
}

impl Live {
    /// Our own program has spoken.
    pub(super) fn told(&mut self, purpose: Purpose, word: &Word, at: Timestamp) -> Vec<Effect> {
        let mut said = games::Said::Spoken;
        match (purpose, word) {
            (Purpose::WarmupQuestion, Word::WarmupQuestion(question)) => {
                self.question = Some(question.clone());
            }
            (Purpose::Book, Word::Book(book)) => self.book = Some(book.clone()),
            (Purpose::Answers(seat), Word::Answers(answers)) => {
                self.sides[seat.index()].answers = Some(answers.clone());
            }
            (Purpose::Score(seat), Word::Score(assessment)) => {
                said = games::Said::Scored(assessment.private_score);
                self.sides[seat.index()].score = Some(assessment.clone());
            }
            // Nobody writes down an answer to another question.
            (
                Purpose::WarmupQuestion | Purpose::Book | Purpose::Answers(_) | Purpose::Score(_),
                Word::WarmupQuestion(_) | Word::Book(_) | Word::Answers(_) | Word::Score(_),
            ) => return Vec::new(),
        }
        let (seat, oracle) = purpose.oracle();
        self.happened(Event::Told { seat, oracle, said }, at)
    }

    /// Our own program failed, for good.
    pub(super) fn lost(&mut self, purpose: Purpose, at: Timestamp) -> Vec<Effect> {
        let (seat, oracle) = purpose.oracle();
        self.happened(Event::Told { seat, oracle, said: games::Said::Lost }, at)
    }

    /// A player has answered.
    pub(super) fn answered(
        &mut self,
        seat: Seat,
        said: &Said,
        letter: &MessageId,
        at: Timestamp,
    ) -> Vec<Effect> {
        let side = &mut self.sides[seat.index()];
        let mut answer = Move::Given;
        match said {
            Said::Warmup(text) => side.warmup = Some((text.clone(), letter.clone())),
            Said::Questions(asked) => {
                // Fewer than twenty is the player's own loss, more than twenty would be its gain.
                let asked: Vec<_> = asked.iter().take(QUESTIONS).cloned().collect();
                if asked.is_empty() {
                    answer = Move::Invalid;
                }
                side.questions = Some((asked, letter.clone()));
            }
            Said::Guess(guess) => side.guess = Some((guess.clone(), letter.clone())),
        }
        self.happened(Event::Moved { seat, step: step(said), answer }, at)
    }

    /// A player has sent something that nobody can read, in place of that answer.
    pub(super) fn garbled(&mut self, seat: Seat, step: u16, at: Timestamp) -> Vec<Effect> {
        let Some(open) = self.play.open(seat) else {
            return Vec::new();
        };
        let failure = Failure::Malformed;
        // What is wrong with a letter is answered where it is read.
        let objection = None;
        self.happened(Event::Failed { seat, step, ask: open.ask, failure, objection }, at)
    }

    pub(super) fn aborted(&mut self, reason: AbortReason, at: Timestamp) -> Vec<Effect> {
        self.aborted = Some(reason);
        // A round that ends before its games do: its referee did not come to an end. That the
        // league itself ends is its operator's will.
        let (cause, blame) = match reason {
            AbortReason::NewRound | AbortReason::RoundEnded => (Cause::RefereeLost, Blame::Referee),
            AbortReason::LeagueCompleted | AbortReason::NewSeason => {
                (Cause::CancelledByOperator, Blame::Operator)
            }
        };
        let mut effects = Vec::new();
        self.play.break_off(cause, blame, at, &mut effects);
        effects
    }

    pub(super) fn happened(&mut self, event: Event, at: Timestamp) -> Vec<Effect> {
        let mut effects = Vec::new();
        self.play.handle(event, at, &mut effects);
        effects
    }

    /// What our own program still owes.
    pub(super) fn owed(&self) -> impl Iterator<Item = Purpose> {
        self.play.consulting().filter_map(|(seat, oracle)| Purpose::of(seat, oracle))
    }

    /// Whether this player has answered that step already.
    pub(super) fn has_said(&self, seat: Seat, step: u16) -> bool {
        let side = &self.sides[seat.index()];
        match step {
            q21::WARMUP => side.warmup.is_some(),
            q21::QUESTIONS => side.questions.is_some(),
            _ => side.guess.is_some(),
        }
    }
}

impl Purpose {
    /// What the game calls it.
    pub(super) const fn kind(self) -> &'static str {
        match self {
            Self::WarmupQuestion => "warmup_question",
            Self::Book => "book",
            Self::Answers(_) => "answers",
            Self::Score(_) => "score",
        }
    }

    pub(super) const fn of(seat: Option<Seat>, oracle: u8) -> Option<Self> {
        match (oracle, seat) {
            (q21::WARMUP_QUESTION, None) => Some(Self::WarmupQuestion),
            (q21::BOOK, None) => Some(Self::Book),
            (q21::ANSWERS, Some(seat)) => Some(Self::Answers(seat)),
            (q21::SCORE, Some(seat)) => Some(Self::Score(seat)),
            (_, None | Some(_)) => None,
        }
    }

    pub(super) const fn oracle(self) -> (Option<Seat>, u8) {
        match self {
            Self::WarmupQuestion => (None, q21::WARMUP_QUESTION),
            Self::Book => (None, q21::BOOK),
            Self::Answers(seat) => (Some(seat), q21::ANSWERS),
            Self::Score(seat) => (Some(seat), q21::SCORE),
        }
    }
}

/// To which step that answers.
pub(super) const fn step(said: &Said) -> u16 {
    match said {
        Said::Warmup(_) => q21::WARMUP,
        Said::Questions(_) => q21::QUESTIONS,
        Said::Guess(_) => q21::GUESS,
    }
}
