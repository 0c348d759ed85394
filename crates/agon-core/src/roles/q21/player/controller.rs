//! One game, as its player sees it: what was asked, what was said, what was sent.
//!
//! The first letter of each kind counts, so our program is asked once for each; the phase only goes
//! forward. A letter that comes early waits here for what it needs.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::q21::callback::PlayerQuery;
use agon_proto::q21::{
    AnswersBatch, Body, Guess, GuessSubmission, Kind, LastActor, MessageId, PlayerPhase, Question,
    QuestionsBatch, RoundStart, ScoreFeedback, StopReason, WarmupCall, WarmupResponse,
};
use agon_proto::{AuthToken, Timestamp};

use super::fact::{Heard, Said};
use super::gprm::{GameParameters, GameResult};
use super::termination::{TerminationReport, last_actor};
use super::thinking::Callback;

/// One thing that the referee asks of us, and what became of it.
#[derive(Debug, Clone, PartialEq)]
struct Turn<A, S> {
    asked: Option<(MessageId, A)>,
    said: Option<(Timestamp, S)>,
    sent: bool,
}

impl<A, S> Default for Turn<A, S> {
    fn default() -> Self {
        Self { asked: None, said: None, sent: false }
    }
}

impl<A, S> Turn<A, S> {
    /// The first letter counts. Whether this is it.
    fn ask(&mut self, message: &MessageId, what: A) -> bool {
        let first = self.asked.is_none();
        if first {
            self.asked = Some((message.clone(), what));
        }
        first
    }

    /// The first word counts.
    fn say(&mut self, at: Timestamp, what: S) {
        self.said.get_or_insert((at, what));
    }

    fn is_thought_about(&self) -> bool {
        self.asked.is_some() && self.said.is_none()
    }

    fn is_owed(&self) -> bool {
        self.said.is_some() && !self.sent
    }
}

/// The controller of one game.
#[derive(Debug, Clone, PartialEq)]
pub struct Controller {
    parameters: GameParameters,
    phase: PlayerPhase,
    last_sent: Option<Kind>,
    last_received: Option<Kind>,
    warmup: Turn<WarmupCall, Box<str>>,
    questions: Turn<RoundStart, Vec<Question>>,
    guess: Turn<AnswersBatch, Guess>,
    score: Option<ScoreFeedback>,
}

/// A letter of ours to the referee, without its envelope. Built from the state, so that it can be
/// built again, the very same.
pub(super) struct Reply {
    pub(super) body: Body,
    pub(super) answers: MessageId,
    pub(super) said_at: Timestamp,
    pub(super) deadline: Option<Timestamp>,
}

impl Controller {
    pub(super) fn new(parameters: GameParameters) -> Self {
        Self {
            parameters,
            phase: PlayerPhase::Initialized,
            last_sent: None,
            last_received: None,
            warmup: Turn::default(),
            questions: Turn::default(),
            guess: Turn::default(),
            score: None,
        }
    }

    pub fn phase(&self) -> PlayerPhase {
        self.phase
    }

    pub fn parameters(&self) -> &GameParameters {
        &self.parameters
    }

    pub fn last_sent(&self) -> Option<Kind> {
        self.last_sent
    }

    pub fn last_received(&self) -> Option<Kind> {
        self.last_received
    }

    /// Who did something last: the referee, while we still owe it an answer.
    pub fn last_actor(&self) -> LastActor {
        last_actor(self.phase, self.owes_an_answer())
    }

    /// Whether nothing more is expected of it.
    pub fn is_over(&self) -> bool {
        matches!(self.phase, PlayerPhase::Completed | PlayerPhase::Terminated)
    }

    /// What it brought, if it came to its end.
    pub fn result(&self) -> Option<GameResult> {
        let score = self.score.as_ref()?;
        let assignment = &self.parameters.assignment;
        Some(GameResult::completed(&assignment.game, assignment.match_id.round, score))
    }

    fn owes_an_answer(&self) -> bool {
        let owes = |asked: bool, sent: bool| asked && !sent;
        owes(self.warmup.asked.is_some(), self.warmup.sent)
            || owes(self.questions.asked.is_some(), self.questions.sent)
            || owes(self.guess.asked.is_some(), self.guess.sent)
    }

    /// Whether the referee has said such a thing before.
    pub(super) fn has_heard(&self, callback: Callback) -> bool {
        match callback {
            Callback::Warmup => self.warmup.asked.is_some(),
            Callback::Questions => self.questions.asked.is_some(),
            Callback::Guess => self.guess.asked.is_some(),
            Callback::Score => self.score.is_some(),
        }
    }

    /// The referee has said something. Called from `apply`.
    pub(super) fn receive(
        &mut self,
        message: &MessageId,
        heard: &Heard,
        shown: Option<&AuthToken>,
    ) {
        if self.is_over() {
            return;
        }
        let first = match heard {
            Heard::Warmup(said) => self.warmup.ask(message, said.clone()),
            Heard::Start(said) => {
                let first = self.questions.ask(message, said.clone());
                if first {
                    self.parameters.learn(said);
                }
                first
            }
            Heard::Answers(said) => self.guess.ask(message, said.clone()),
            Heard::Score(said) => {
                self.score = Some(said.clone());
                self.phase = PlayerPhase::Completed;
                true
            }
        };
        if first {
            self.last_received = Some(heard.kind());
        }
        if let Some(token) = heard.token() {
            self.parameters.token = Some(token.into());
        }
        if let Some(token) = shown {
            self.parameters.shown = Some(token.clone());
        }
    }

    /// Our program has said something. Called from `apply`.
    pub(super) fn say(&mut self, at: Timestamp, said: &Said) {
        match said {
            Said::Warmup(answer) => self.warmup.say(at, answer.clone()),
            Said::Questions(questions) => self.questions.say(at, questions.clone()),
            Said::Guess(guess) => self.guess.say(at, guess.clone()),
        }
    }

    /// A letter of ours is on its way; a later repeat of it changes nothing. Called from `apply`.
    pub(super) fn sent(&mut self, kind: Kind) {
        #[expect(clippy::wildcard_enum_match_arm, reason = "three of 40 letters are a player's")]
        let (sent, phase) = match kind {
            Kind::WarmupResponse => (&mut self.warmup.sent, PlayerPhase::WarmupComplete),
            Kind::QuestionsBatch => (&mut self.questions.sent, PlayerPhase::QuestionsSent),
            Kind::GuessSubmission => (&mut self.guess.sent, PlayerPhase::GuessSubmitted),
            _ => return,
        };
        if !std::mem::replace(sent, true) {
            self.last_sent = Some(kind);
            self.phase = self.phase.max(phase);
        }
    }

    /// The round ended first. Called from `apply`.
    pub(super) fn terminate(&mut self) {
        self.phase = PlayerPhase::Terminated;
    }

    /// What our program must be asked now. A guess needs our questions: answers without them say
    /// nothing.
    pub(super) fn wanted(&self) -> impl Iterator<Item = Callback> {
        let live = !self.is_over();
        let all = [
            (Callback::Warmup, self.warmup.is_thought_about()),
            (Callback::Questions, self.questions.is_thought_about()),
            (Callback::Guess, self.guess.is_thought_about() && self.questions.said.is_some()),
        ];
        all.into_iter().filter(move |(_, wanted)| live && *wanted).map(|(callback, _)| callback)
    }

    /// What was said and not sent yet.
    pub(super) fn owed(&self) -> impl Iterator<Item = Callback> {
        let live = !self.is_over();
        let all = [
            (Callback::Warmup, self.warmup.is_owed()),
            (Callback::Questions, self.questions.is_owed()),
            (Callback::Guess, self.guess.is_owed()),
        ];
        all.into_iter().filter(move |(_, owed)| live && *owed).map(|(callback, _)| callback)
    }

    /// What our program is asked.
    pub(super) fn query(&self, callback: Callback) -> Option<PlayerQuery> {
        let book = || self.parameters.book.clone();
        match callback {
            Callback::Warmup => {
                let (_, call) = self.warmup.asked.as_ref()?;
                Some(PlayerQuery::Warmup { question: call.question.clone() })
            }
            Callback::Questions => Some(PlayerQuery::Questions { book: book() }),
            Callback::Guess => {
                let (_, batch) = self.guess.asked.as_ref()?;
                let (_, questions) = self.questions.said.as_ref()?;
                let (answers, questions) = (batch.answers.clone(), questions.clone());
                Some(PlayerQuery::Guess { book: book(), answers, questions })
            }
            Callback::Score => None,
        }
    }

    /// Our letter about it, if there is something to say.
    pub(super) fn reply(&self, callback: Callback) -> Option<Reply> {
        let game = self.parameters.assignment.game.clone();
        let token = self.parameters.token.clone();
        let (body, answers, said_at, deadline) = match callback {
            Callback::Warmup => {
                let (message, call) = self.warmup.asked.as_ref()?;
                let (at, answer) = self.warmup.said.clone()?;
                let body = Body::WarmupResponse(WarmupResponse { game, answer, token });
                (body, message, at, call.deadline)
            }
            Callback::Questions => {
                let (message, start) = self.questions.asked.as_ref()?;
                let (at, questions) = self.questions.said.clone()?;
                let body = Body::QuestionsBatch(QuestionsBatch { game, questions, token });
                (body, message, at, start.deadline)
            }
            Callback::Guess => {
                let (message, batch) = self.guess.asked.as_ref()?;
                let (at, guess) = self.guess.said.clone()?;
                let body = Body::GuessSubmission(GuessSubmission { game, guess, token });
                (body, message, at, batch.deadline)
            }
            Callback::Score => return None,
        };
        Some(Reply { body, answers: answers.clone(), said_at, deadline })
    }

    /// Where it stands, for the league manager.
    pub(super) fn termination_report(
        &self,
        reason: StopReason,
        terminated_at: Timestamp,
    ) -> TerminationReport {
        let GameParameters { assignment, season, .. } = &self.parameters;
        let score = self.score.as_ref();
        TerminationReport {
            game: assignment.game.clone(),
            round_number: assignment.match_id.round,
            season: season.clone(),
            phase_at_termination: self.phase,
            last_actor: self.last_actor(),
            last_message_sent: self.last_sent,
            last_message_received: self.last_received,
            terminated_at,
            reason,
            my_role: assignment.my_role,
            score: score.map(|said| (said.league_points, said.private_score, said.breakdown)),
        }
    }
}

#[cfg(test)]
mod tests;
