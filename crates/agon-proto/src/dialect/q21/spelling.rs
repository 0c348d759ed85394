//! How letters spell a match: its questions, the moves, and what it was worth. What is shown and
//! moved are payloads of the game to everybody else; here is what stands in them.
//!
//! Spec: docs/protocol/q21.md

use agon_games::q21::{Q21Assessment, Q21Breakdown, Q21Feedback, Q21Move, Q21PublicBook, Q21View};

use super::codec::{Reading, Unreadable, Wire, Writing};
use super::game::in_hundredths;
use super::{
    AnswersBatch, AsPayload, GuessSubmission, QUESTIONS, QuestionsBatch, RoundStart, ScoreFeedback,
    WarmupCall, WarmupResponse,
};
use crate::act::{ActKind, Asked, Moved, Progress, RefereeState, SeasonState, Worth};
use crate::letter::Context;
use crate::{GameId, Payload};

/// What the questions of a match ask for, by their numbers.
const KINDS: [&str; 3] = ["warmup", "questions", "guess"];
/// What the id of a letter that asks begins with.
const ASK_TAGS: [&str; 3] = ["warmup", "round-start", "answers"];
/// What the id of one that answers begins with.
const MOVE_TAGS: [&str; 3] = ["warmup-answer", "questions", "guess"];
/// How far a match has come, by the number of questions that are answered.
const PHASES: [&str; 4] = ["INITIALIZED", "WARMUP_COMPLETE", "QUESTIONS_SENT", "GUESS_SUBMITTED"];

/// Where a player is in its season while that question is before it.
const ASKED: [&str; 3] = ["WARMUP", "QUESTIONING", "GUESSING"];
/// The same while it waits, by the number of questions that are answered.
const ANSWERED: [&str; 4] = ["WARMUP", "WARMUP", "AWAITING_ANSWERS", "IN_MATCH"];

impl ActKind {
    /// What such a letter of a match asks for, or brings.
    pub fn wanted(self) -> &'static str {
        if let Self::Ask(number) | Self::Move(number) = self {
            named(&KINDS, number)
        } else {
            "score"
        }
    }

    /// Which question must be answered before this one says anything.
    pub const fn needs(self) -> Option<u16> {
        // Answers say nothing to whoever has not asked.
        if let Self::Ask(2) = self { Some(1) } else { None }
    }

    /// What the id of such a letter of a match begins with.
    pub fn tag(self) -> &'static str {
        if let Self::Ask(number) = self {
            named(&ASK_TAGS, number)
        } else if let Self::Move(number) = self {
            named(&MOVE_TAGS, number)
        } else {
            self.wanted()
        }
    }
}

impl Progress {
    /// As it is sent.
    pub fn name(self) -> &'static str {
        match self {
            Self::Answered(count) => named(&PHASES, count),
            Self::Completed => "COMPLETED",
            Self::Terminated => "TERMINATED",
        }
    }

    /// What that word means, if anything.
    pub(super) fn of(word: &str) -> Option<Self> {
        let answered = (0..).zip(PHASES).map(|(count, _)| Self::Answered(count));
        let mut all = answered.chain([Self::Completed, Self::Terminated]);
        all.find(|progress| progress.name() == word)
    }
}

impl SeasonState {
    /// As it is sent.
    pub fn name(self) -> &'static str {
        match self {
            Self::InitStart => "INIT_START_STATE",
            Self::RegistrationOpen => "REGISTRATION_OPEN",
            Self::WaitingForConfirmation => "WAITING_FOR_CONFIRMATION",
            Self::SeasonRejected => "SEASON_REJECTED",
            Self::AwaitingAssignment => "AWAITING_ASSIGNMENT",
            Self::AssignmentsReceived => "ASSIGNMENTS_RECEIVED",
            Self::Invited => "INVITED",
            Self::Asked(number) => named(&ASKED, number),
            Self::Answered(count) => named(&ANSWERED, count),
            Self::MatchComplete => "MATCH_COMPLETE",
            Self::Paused => "PAUSED",
            Self::SeasonCompleted => "SEASON_COMPLETED",
        }
    }
}

impl RefereeState {
    /// As it is sent.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Outside => "INIT_START_STATE",
            Self::WaitingForConfirmation => "WAITING_FOR_CONFIRMATION",
            Self::AwaitingAssignment => "WAITING_FOR_ASSIGNMENT",
            Self::Running => "RUNNING",
            Self::InGame => "IN_GAME",
            Self::Paused => "PAUSED",
            Self::SeasonCompleted => "COMPLETED",
        }
    }
}

/// There is nothing after the last.
fn named(names: &[&'static str], number: u16) -> &'static str {
    names[usize::from(number).min(names.len() - 1)]
}

impl Asked {
    /// As it stands in a letter.
    fn spelled(&self) -> Box<dyn Wire> {
        let Self { game, number, deadline, token, .. } = self.clone();
        let seen = Q21View::of(&self.view).unwrap_or_default();
        match number {
            0 => {
                let question = seen.warmup_question.unwrap_or_default();
                Box::new(WarmupCall { game, question, deadline, token })
            }
            1 => {
                let book = seen.book.unwrap_or_default();
                Box::new(RoundStart {
                    game,
                    book_name: book.name,
                    book_hint: book.hint,
                    association_word: book.association_word,
                    questions_required: u32::try_from(QUESTIONS).unwrap_or(u32::MAX),
                    deadline,
                    token,
                })
            }
            _ => {
                let answers = seen.answers.unwrap_or_default();
                Box::new(AnswersBatch { game, answers, deadline, token })
            }
        }
    }
}

impl Asked {
    /// All that these letters of a match show together.
    pub fn shown(views: &[&Payload]) -> Payload {
        let seen = views.iter().filter_map(|view| Q21View::of(view).ok());
        let all = seen.fold(Q21View::default(), |all, one| Q21View {
            warmup_question: one.warmup_question.or(all.warmup_question),
            book: one.book.or(all.book),
            answers: one.answers.or(all.answers),
            score: one.score.or(all.score),
            private_scores: None,
        });
        all.payload()
    }
}

impl Moved {
    /// What is wrong with that move in answer to that question, if anything is.
    pub fn objection(number: u16, said: &Payload) -> Option<Box<str>> {
        let said = match Q21Move::of(said) {
            Ok(said) => said,
            Err(text) => return Some(text),
        };
        match (number, &said) {
            (1, Q21Move::Questions(questions)) if questions.is_empty() => {
                Some("it asks no questions".into())
            }
            (0, Q21Move::Warmup(_)) | (1, Q21Move::Questions(_)) | (2, Q21Move::Guess(_)) => None,
            (_, Q21Move::Warmup(_) | Q21Move::Questions(_) | Q21Move::Guess(_)) => {
                Some("it answers something else".into())
            }
        }
    }
}

impl Wire for Asked {
    fn read(from: &Reading<'_>) -> Result<Self, Unreadable> {
        #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else is read as this")]
        let (number, seen, game, deadline, token) = match from.kind {
            ActKind::Ask(0) => {
                let WarmupCall { game, question, deadline, token } = WarmupCall::read(from)?;
                let seen = Q21View { warmup_question: Some(question), ..Q21View::default() };
                (0, seen, game, deadline, token)
            }
            ActKind::Ask(1) => {
                let said = RoundStart::read(from)?;
                let (name, hint) = (said.book_name, said.book_hint);
                let book = Q21PublicBook { name, hint, association_word: said.association_word };
                let seen = Q21View { book: Some(book), ..Q21View::default() };
                (1, seen, said.game, said.deadline, said.token)
            }
            _ => {
                let AnswersBatch { game, answers, deadline, token } = AnswersBatch::read(from)?;
                let seen = Q21View { answers: Some(answers), ..Q21View::default() };
                (2, seen, game, deadline, token)
            }
        };
        Ok(Self { game, number, view: bounded(&seen)?, deadline, token })
    }

    fn write(&self, to: &mut Writing<'_>) {
        self.spelled().write(to);
    }

    fn tell(&self, context: &mut Context) {
        tell(&self.game, context);
    }
}

impl Wire for Moved {
    fn read(from: &Reading<'_>) -> Result<Self, Unreadable> {
        #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else is read as this")]
        let (number, said, game, token) = match from.kind {
            ActKind::Move(0) => {
                let WarmupResponse { game, answer, token } = WarmupResponse::read(from)?;
                (0, Q21Move::Warmup(answer), game, token)
            }
            ActKind::Move(1) => {
                let QuestionsBatch { game, questions, token } = QuestionsBatch::read(from)?;
                (1, Q21Move::Questions(questions), game, token)
            }
            _ => {
                let GuessSubmission { game, guess, token } = GuessSubmission::read(from)?;
                (2, Q21Move::Guess(Box::new(guess)), game, token)
            }
        };
        Ok(Self { game, number, said: bounded(&said)?, token })
    }

    fn write(&self, to: &mut Writing<'_>) {
        let Self { game, token, .. } = self.clone();
        match Q21Move::of(&self.said) {
            Ok(Q21Move::Warmup(answer)) => WarmupResponse { game, answer, token }.write(to),
            Ok(Q21Move::Questions(questions)) => {
                QuestionsBatch { game, questions, token }.write(to)
            }
            Ok(Q21Move::Guess(guess)) => GuessSubmission { game, guess: *guess, token }.write(to),
            // Whoever moves has been told before what is no move.
            Err(_) => {}
        }
    }

    fn tell(&self, context: &mut Context) {
        tell(&self.game, context);
    }
}

impl Wire for Worth {
    fn read(from: &Reading<'_>) -> Result<Self, Unreadable> {
        let ScoreFeedback { game, league_points, private_score, breakdown, feedback, token } =
            ScoreFeedback::read(from)?;
        let feedback = feedback.unwrap_or_default();
        let counted = in_hundredths(private_score);
        let assessment = Q21Assessment { private_score: counted, breakdown, feedback };
        let view = bounded(&seen_score(assessment))?;
        Ok(Self { game, league_points, private_score, view, token })
    }

    fn write(&self, to: &mut Writing<'_>) {
        let Self { game, league_points, private_score, token, .. } = self.clone();
        let Q21Assessment { breakdown, feedback, .. } = assessment(&self.view).unwrap_or_default();
        let feedback = Some(feedback);
        ScoreFeedback { game, league_points, private_score, breakdown, feedback, token }.write(to);
    }

    fn tell(&self, context: &mut Context) {
        tell(&self.game, context);
    }
}

fn tell(game: &GameId, context: &mut Context) {
    context.game.get_or_insert_with(|| game.clone());
}

/// The payload of what a letter brings, unless it is too long to be kept.
pub(super) fn bounded(said: &impl AsPayload) -> Result<Payload, Unreadable> {
    let payload = said.payload();
    let max = Payload::LENGTH_MAX;
    if payload.as_bytes().len() > max { Err(Unreadable::TooLarge { max }) } else { Ok(payload) }
}

pub(super) fn seen_score(score: Q21Assessment) -> Q21View {
    Q21View { score: Some(score), ..Q21View::default() }
}

fn assessment(view: &Payload) -> Option<Q21Assessment> {
    Q21View::of(view).ok()?.score
}

/// What was said about a guess, of what its player saw.
pub(super) fn feedback(view: &Option<Payload>) -> Option<Q21Feedback> {
    Some(assessment(view.as_ref()?)?.feedback)
}

/// The parts of a score, of what its player saw.
pub(super) fn breakdown(view: &Option<Payload>) -> Option<Q21Breakdown> {
    Some(assessment(view.as_ref()?)?.breakdown)
}
