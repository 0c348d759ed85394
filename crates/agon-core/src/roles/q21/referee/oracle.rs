//! The referee's own program: what it is asked, and what becomes of its answers.
//!
//! What it said is a fact before any letter goes. It is asked once for each purpose; after a mishap
//! once more, and then the game is lost through the referee's fault. Only the warm-up needs nobody.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::q21::callback::{
    Advice, Assessment, Consultation, Contestant, Mishap, Query, RefereeContext, RefereeQuery,
};
use agon_proto::q21::{GameId, SeasonId};
use agon_proto::{LeagueId, Timestamp};

use super::conceal::conceal;
use super::fact::{Fact, Purpose, Word};
use super::held::{Held, Live};
use super::{Out, Referee};
use crate::effect::Effect;
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
    pub(super) fn consult(&mut self, game: &GameId, purpose: Purpose, tries: u8, out: &mut Out) {
        let Some(held) = self.games.get(game) else {
            return;
        };
        let Some(query) = held.live().and_then(|live| query(held, live, purpose)) else {
            return;
        };
        let context = RefereeContext {
            season: self.league.season.clone().unwrap_or_else(|| SeasonId::new("")),
            league: self.league.id.clone().unwrap_or_else(|| LeagueId::new("")),
            game: game.clone(),
            referee: self.passport.name.as_str().into(),
            round_number: held.fixture.round,
            round: held.round.clone(),
        };
        self.thoughts_begun += 1;
        let number = self.thoughts_begun;
        self.thoughts.insert(number, Thought { game: game.clone(), purpose, tries });
        let query = Query::Referee(query, context);
        out.push(Effect::Consult(Box::new(Consultation { number, game: game.clone(), query })));
    }

    /// Our program has answered, or could not.
    pub(super) fn advised(
        &mut self,
        number: u64,
        advice: Result<Advice, Mishap>,
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
        match word(purpose, advice, live, &game) {
            Some(word) => self.told(&game, purpose, word, now, out),
            None if tries < TRIES_MAX => self.consult(&game, purpose, tries + 1, out),
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

fn query(held: &Held, live: &Live, purpose: Purpose) -> Option<RefereeQuery> {
    let contestant = |seat: Seat| {
        let (player, side) = (&held.fixture.players[seat.index()], &live.sides[seat.index()]);
        Contestant {
            id: player.group.clone(),
            address: player.address.clone(),
            warmup_answer: side.warmup.as_ref().map(|(answer, _)| answer.clone()),
        }
    };
    Some(match purpose {
        Purpose::WarmupQuestion => {
            RefereeQuery::WarmupQuestion { players: Seat::BOTH.map(contestant) }
        }
        Purpose::Book => RefereeQuery::RoundStart { players: Seat::BOTH.map(contestant) },
        Purpose::Answers(seat) => RefereeQuery::Answers {
            player: contestant(seat),
            book: live.book.clone()?,
            questions: live.sides[seat.index()].questions.clone()?.0,
        },
        Purpose::Score(seat) => RefereeQuery::Score {
            player: contestant(seat),
            book: live.book.clone()?,
            guess: live.sides[seat.index()].guess.clone()?.0,
        },
    })
}

/// What is written down of an answer; `None` if it is none to this question.
fn word(
    purpose: Purpose,
    advice: Result<Advice, Mishap>,
    live: &Live,
    game: &GameId,
) -> Option<Word> {
    match (purpose, advice) {
        (Purpose::WarmupQuestion, Ok(Advice::WarmupQuestion(question))) => {
            Some(Word::WarmupQuestion(question))
        }
        (Purpose::WarmupQuestion, Ok(_) | Err(_)) => Some(Word::WarmupQuestion(simple_sum(game))),
        (Purpose::Book, Ok(Advice::RoundStart(book))) => Some(Word::Book(book)),
        (Purpose::Answers(_), Ok(Advice::Answers(answers))) => Some(Word::Answers(answers)),
        (Purpose::Score(_), Ok(Advice::Score(said))) => {
            let feedback = conceal(&said.feedback, live.book.as_ref());
            Some(Word::Score(Assessment { feedback, ..said }))
        }
        (Purpose::Book | Purpose::Answers(_) | Purpose::Score(_), Ok(_) | Err(_)) => None,
    }
}

/// A warm-up that needs no program. The same game always asks the same.
fn simple_sum(game: &GameId) -> Box<str> {
    let hash = blake3::hash(game.as_str().as_bytes());
    let [a, b, ..] = hash.as_bytes().map(|byte| byte % 9 + 1);
    format!("What is {a} + {b}?").into()
}
