//! A player's games: what a referee says, what our program is asked about it, and what it says.
//!
//! A word of the program's is a fact before its letter goes. A repeat joins a thought that is under
//! way, and gets the same letter again once there is one.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::dialect::q21::{
    AsPayload, Assessment, GameId, Letter, PublicBook, Said, ScoreFeedback, Seen, StopReason,
};
use agon_proto::{Address, AuthToken, MessageId, Payload, Timestamp};

use super::fact::{Fact, Heard};
use super::gprm::GameResult;
use super::lifecycle::Route;
use super::thinking::{Callback, Thought};
use super::{Out, Player, stopgap};
use crate::Refusal;
use crate::effect::Effect;
use crate::gate::Proved;
use crate::thinking::{Mishap, MishapKind, Question, What};

impl Player {
    pub(super) fn hear_referee(
        &mut self,
        by: &Proved<(GameId, Address)>,
        letter: &Letter,
        now: Timestamp,
        out: &mut Out,
    ) -> Result<(), Refusal> {
        let (game, referee) = by.get().clone();
        // Trouble, or what nobody here knows: it is read, and nothing follows.
        let Some(heard) = Heard::of(&letter.body) else { return Ok(()) };
        let callback = heard.callback();
        match self.rounds.route(&game, &heard)? {
            Route::Repeat => {
                if self.me.season.paused_at.is_none() {
                    self.send(&game, callback, now, out);
                }
            }
            Route::LateScore if self.standings.knows(&game) => {}
            Route::New | Route::LateScore => {
                let shown = letter.auth_token.clone().filter(|_| referee.is_endpoint());
                let message = letter.id.clone();
                self.record(Fact::Received { game: game.clone(), message, heard, shown }, out);
                if callback == Callback::Score {
                    self.withdraw_game_letters(Some(&game), out);
                    let completed = self.rounds.game(&game);
                    let report = completed
                        .map(|done| done.termination_report(StopReason::GameCompleted, now));
                    self.post_reports(report.into_iter().collect(), now, out);
                }
            }
        }
        Ok(())
    }

    /// The referee has said something new. Called from `apply`.
    pub(super) fn received(
        &mut self,
        game: &GameId,
        message: &MessageId,
        heard: &Heard,
        shown: Option<&AuthToken>,
    ) {
        let round = self.rounds.assignment(game).map_or(0, |row| row.match_id.round);
        if let Heard::Score(score) = heard {
            let result = GameResult::completed(game, round, score);
            self.standings.add(&result);
            self.unheard.insert(game.clone(), score.clone());
            self.rounds.score_late(result);
        }
        if let Some(controller) = self.rounds.game_mut(game) {
            controller.receive(message, heard, shown);
        }
    }

    /// Asks our program for everything that is owed and that it is not thinking about already.
    pub(super) fn consult(&mut self, now: Timestamp, out: &mut Out) {
        let scores = self.unheard.keys().map(|game| (game.clone(), Callback::Score));
        let wanted: Vec<_> = self.rounds.wanted().into_iter().chain(scores).collect();
        for (game, callback) in wanted {
            if !self.thinking.is_about(&game, callback) {
                self.ask(game, callback, false, now, out);
            }
        }
    }

    fn ask(
        &mut self,
        game: GameId,
        callback: Callback,
        second_try: bool,
        now: Timestamp,
        out: &mut Out,
    ) {
        let score = self.unheard.get(&game).filter(|_| callback == Callback::Score);
        let asks = match score {
            Some(score) => Some((What::Heard { view: scored(score).payload() }, None)),
            None => self.rounds.game(&game).and_then(|controller| controller.asks(callback)),
        };
        let Some((what, deadline)) = asks else { return };
        let row = self.rounds.assignment(&game).map(|row| row.match_id);
        let Some(match_id) = row.or_else(|| game.match_id()) else { return };
        let until = self.thinking_time(&game, callback).until(deadline, now);
        let number = self.thinking.begin(game, callback, second_try);
        let (attempt, kind) = (1, callback.kind());
        let question = Question { number, match_id, attempt, kind: kind.into(), what, until };
        out.push(Effect::Think(Box::new(question)));
    }

    /// Our program has answered, or could not.
    pub(super) fn thought(
        &mut self,
        number: u64,
        answer: Result<Payload, Mishap>,
        now: Timestamp,
        out: &mut Out,
    ) {
        let Some(thought) = self.thinking.end(number) else { return };
        if thought.callback == Callback::Score {
            // It was told; what it makes of it is its own business.
            return self.record(Fact::Noted(thought.game), out);
        }
        // The round may be over, or the score may have come first.
        let still_wanted = self.rounds.game(&thought.game).is_some_and(|controller| {
            controller.wanted().any(|callback| callback == thought.callback)
        });
        if !still_wanted {
            return;
        }
        match understood(thought.callback, answer) {
            Ok(said) => {
                let game = thought.game;
                self.record(Fact::Said { game, said, instead_of: None, at: now }, out);
            }
            Err(mishap) => self.stumbled(thought, &mishap, now, out),
        }
    }

    /// Our program has failed. It is asked once more, except for the warm-up, which nobody judges;
    /// then we say the least that lets the game go on, and why.
    fn stumbled(&mut self, thought: Thought, mishap: &Mishap, now: Timestamp, out: &mut Out) {
        let Thought { game, callback, second_try, .. } = thought;
        if callback != Callback::Warmup && !second_try {
            return self.ask(game, callback, true, now, out);
        }
        let unknown = PublicBook::default();
        let book = self.rounds.game(&game).map_or(&unknown, |known| &known.parameters().book);
        let Some(said) = stopgap::said(callback, book) else { return };
        let (kind, text) = (callback.kind(), &mishap.text);
        let instead_of = Some(format!("{kind} {}: {text}", failed(mishap.kind)).into());
        self.record(Fact::Said { game, said, instead_of, at: now }, out);
    }
}

/// What a player sees when its score is there.
fn scored(said: &ScoreFeedback) -> Seen {
    let feedback = said.feedback.clone().unwrap_or_default();
    let ScoreFeedback { private_score, breakdown, .. } = *said;
    let score = Some(Assessment { private_score, breakdown, feedback });
    Seen { score, ..Seen::default() }
}

/// What the program said, if it is what it was asked for.
fn understood(callback: Callback, answer: Result<Payload, Mishap>) -> Result<Said, Mishap> {
    let wrong = |text: &str| Mishap { kind: MishapKind::WrongValue, text: text.into() };
    let said = Said::of(&answer?).map_err(|text| wrong(&text))?;
    match (callback, &said) {
        (Callback::Questions, Said::Questions(questions)) if questions.is_empty() => {
            Err(wrong("it asks no questions"))
        }
        (Callback::Warmup, Said::Warmup(_))
        | (Callback::Questions, Said::Questions(_))
        | (Callback::Guess, Said::Guess(_)) => Ok(said),
        (
            Callback::Warmup | Callback::Questions | Callback::Guess | Callback::Score,
            Said::Warmup(_) | Said::Questions(_) | Said::Guess(_),
        ) => Err(wrong("it answers something else")),
    }
}

const fn failed(kind: MishapKind) -> &'static str {
    match kind {
        MishapKind::Raised => "raised an exception",
        MishapKind::TimedOut => "took too long",
        MishapKind::WrongValue => "returned a wrong value",
        MishapKind::Gone => "could not be called",
    }
}
