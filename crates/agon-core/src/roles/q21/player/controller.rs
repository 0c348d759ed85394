//! One game, as its player sees it: what was asked, what was said, what was sent.
//!
//! The first letter of each kind counts, so our program is asked once for each; the phase only goes
//! forward. A letter that comes early waits here for what it needs.
//!
//! Spec: docs/protocol/q21.md

mod speech;
mod turn;

use agon_proto::dialect::q21::{
    AnswersBatch, Guess, Kind, LastActor, PlayerPhase, Question, RoundStart, Said, ScoreFeedback,
    StopReason, WarmupCall,
};
use agon_proto::{AuthToken, MessageId, Timestamp};

use super::fact::Heard;
use super::gprm::{GameParameters, GameResult};
use super::termination::{TerminationReport, last_actor};
use super::thinking::Callback;
use turn::Turn;

pub(super) use speech::Reply;

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
