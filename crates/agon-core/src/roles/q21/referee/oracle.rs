//! The referee's own program: what it is asked, and what becomes of its answers.
//!
//! What it said is a fact before any letter goes. It is asked once for each purpose; after a mishap
//! once more, and then the game is lost through the referee's fault. Only the warm-up needs nobody.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::dialect::q21::{
    AsPayload, Assessment, Brief, Contestant, GameId, RefereeContext, Word,
};
use agon_proto::{LeagueId, Payload, SeasonId, Timestamp};

use super::conceal::conceal;
use super::fact::{Fact, Purpose};
use super::held::{Held, Live};
use super::{Out, Referee};
use crate::effect::Effect;
use crate::thinking::{Mishap, Question, What};
use crate::verdict::Seat;

/// How often our program is asked for the same thing.
const TRIES_MAX: u8 = 2;

/// Something that our program is thinking about.
#[derive(Debug)]
pub(super) struct Thought {
    game: GameId,
    purpose: Purpose,
    tries: u8,
}

impl Referee {
    /// Asks our program.
    pub(super) fn consult(
        &mut self,
        game: &GameId,
        purpose: Purpose,
        tries: u8,
        now: Timestamp,
        out: &mut Out,
    ) {
        let Some(((_, live), match_id)) = self.game(game).zip(game.match_id()) else {
            return;
        };
        let (about, oracle) = purpose.oracle();
        let prompt = brief(live, about).payload();
        self.thoughts_begun += 1;
        let number = self.thoughts_begun;
        self.thoughts.insert(number, Thought { game: game.clone(), purpose, tries });
        out.push(Effect::Think(Box::new(Question {
            number,
            match_id,
            attempt: 1,
            kind: purpose.kind().into(),
            what: What::Oracle { about, prompt },
            until: now + self.terms.callbacks[usize::from(oracle)],
        })));
    }

    /// What our program is told besides.
    pub(super) fn told_besides(&self, number: u64) -> Option<RefereeContext> {
        let game = &self.thoughts.get(&number)?.game;
        let held = self.games.get(game)?;
        let players = held.fixture.players.each_ref();
        Some(RefereeContext {
            season: self.league.season.clone().unwrap_or_else(|| SeasonId::new("")),
            league: self.league.id.clone().unwrap_or_else(|| LeagueId::new("")),
            game: game.clone(),
            referee: self.passport.name.as_str().into(),
            round_number: held.fixture.round,
            round: held.round.clone(),
            players: players.map(|player| Contestant {
                id: player.group.clone(),
                address: player.address.clone(),
            }),
        })
    }

    /// Our program has answered, or could not.
    pub(super) fn thought(
        &mut self,
        number: u64,
        answer: Result<Payload, Mishap>,
        now: Timestamp,
        out: &mut Out,
    ) {
        let Some(Thought { game, purpose, tries }) = self.thoughts.remove(&number) else {
            return;
        };
        let Some(live) = self.games.get(&game).and_then(Held::live) else {
            return;
        };
        if !live.owed().any(|owed| owed == purpose) {
            return;
        }
        let at = self.clock(now);
        match word(purpose, answer, live, &game) {
            Some(word) => self.told(&game, purpose, word, now, out),
            None if tries < TRIES_MAX => self.consult(&game, purpose, tries + 1, now, out),
            None => self.play(&game, Fact::Lost { game: game.clone(), purpose, at }, now, out),
        }
    }

    /// What our program said counts. A player hears its score at once, before the verdict.
    fn told(&mut self, game: &GameId, purpose: Purpose, word: Word, now: Timestamp, out: &mut Out) {
        let at = self.clock(now);
        let effects = self.record(Fact::Told { game: game.clone(), purpose, word, at }, out);
        if let Purpose::Score(seat) = purpose {
            self.send_score(game, seat, now, out);
        }
        self.carry_out(game, effects, now, out);
    }
}

/// All that is known of a game, about one of its players or about both.
fn brief(live: &Live, about: Option<Seat>) -> Brief {
    let side = about.map(|seat| &live.sides[seat.index()]);
    Brief {
        warmup_question: live.question.clone(),
        warmup_answers: live.sides.each_ref().map(|side| Some(side.warmup.as_ref()?.0.clone())),
        book: live.book.clone(),
        questions: side.and_then(|side| Some(side.questions.as_ref()?.0.clone())),
        answers: side.and_then(|side| side.answers.clone()),
        guess: side.and_then(|side| Some(side.guess.as_ref()?.0.clone())),
    }
}

/// What is written down of an answer; `None` if it is none to this question.
fn word(
    purpose: Purpose,
    answer: Result<Payload, Mishap>,
    live: &Live,
    game: &GameId,
) -> Option<Word> {
    let said = answer.ok().and_then(|payload| Word::of(&payload).ok());
    match (purpose, said) {
        (Purpose::WarmupQuestion, Some(Word::WarmupQuestion(question))) => {
            Some(Word::WarmupQuestion(question))
        }
        (Purpose::WarmupQuestion, Some(_) | None) => Some(Word::WarmupQuestion(simple_sum(game))),
        (Purpose::Book, Some(Word::Book(book))) => Some(Word::Book(book)),
        (Purpose::Answers(_), Some(Word::Answers(answers))) => Some(Word::Answers(answers)),
        (Purpose::Score(_), Some(Word::Score(said))) => {
            let feedback = conceal(&said.feedback, live.book.as_ref());
            Some(Word::Score(Assessment { feedback, ..said }))
        }
        (Purpose::Book | Purpose::Answers(_) | Purpose::Score(_), Some(_) | None) => None,
    }
}

/// A warm-up that needs no program. The same game always asks the same.
fn simple_sum(game: &GameId) -> Box<str> {
    let hash = blake3::hash(game.as_str().as_bytes());
    let [a, b, ..] = hash.as_bytes().map(|byte| byte % 9 + 1);
    format!("What is {a} + {b}?").into()
}
