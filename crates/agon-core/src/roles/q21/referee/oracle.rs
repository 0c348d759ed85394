//! The referee's own program: what it is asked, and what becomes of its answers.
//!
//! What it said is a fact before any letter goes. It is asked once for each thing; after a mishap
//! once more, and then the game is lost through the referee's fault. Only what the game can do
//! without needs nobody.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::GameId;
use agon_proto::known::{Contestant, RefereeContext};
use agon_proto::{LeagueId, Payload, SeasonId, Timestamp};

use super::fact::Fact;
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
    about: Option<Seat>,
    judgement: u8,
    tries: u8,
}

impl Referee {
    /// Asks our program.
    pub(super) fn consult(
        &mut self,
        game: &GameId,
        (about, judgement): (Option<Seat>, u8),
        tries: u8,
        now: Timestamp,
        out: &mut Out,
    ) {
        let Some(((_, live), match_id)) = self.game(game).zip(game.match_id()) else {
            return;
        };
        let kinds = live.play.terms().rules.info().judgements;
        let kind = kinds.get(usize::from(judgement)).copied().unwrap_or_default();
        let prompt = live.play.prompt(about);
        let time = self.terms.callbacks.get(usize::from(judgement)).copied().unwrap_or_default();
        self.thoughts_begun += 1;
        let number = self.thoughts_begun;
        self.thoughts.insert(number, Thought { game: game.clone(), about, judgement, tries });
        out.push(Effect::Think(Box::new(Question {
            number,
            match_id,
            attempt: 1,
            kind: kind.into(),
            what: What::Oracle { about, prompt },
            until: now + time,
        })));
    }

    /// What our program is told besides.
    pub(super) fn told_besides(&self, number: u64) -> Option<RefereeContext> {
        let game = &self.thoughts.get(&number)?.game;
        let held = self.games.get(game)?;
        let players = held.fixture.players.each_ref();
        Some(RefereeContext {
            season: self.me.season.id.clone().unwrap_or_else(|| SeasonId::new("")),
            league: self.me.season.league.clone().unwrap_or_else(|| LeagueId::new("")),
            game: game.clone(),
            referee: self.me.profile.name.as_str().into(),
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
        let Some(Thought { game, about, judgement, tries }) = self.thoughts.remove(&number) else {
            return;
        };
        let live = self.games.get(&game).and_then(Held::live);
        let Some(live) = live.filter(|live| live.owes(about, judgement)) else {
            return;
        };
        let at = self.clock(now);
        let fact = match word(answer, about, live, &game) {
            Some(word) => Fact::Told { game: game.clone(), about, judgement, word, at },
            None if tries < TRIES_MAX => {
                return self.consult(&game, (about, judgement), tries + 1, now, out);
            }
            None => Fact::Lost { game: game.clone(), about, judgement, at },
        };
        self.play(&game, fact, now, out);
    }
}

/// What is written down of an answer, or in its place; `None` if it is no answer to this question.
fn word(
    answer: Result<Payload, Mishap>,
    about: Option<Seat>,
    live: &Live,
    game: &GameId,
) -> Option<Payload> {
    let said = answer.ok().filter(|word| live.play.check_word(about, word).is_ok());
    said.or_else(|| live.play.word_instead(about, seed(game)))
}

/// The same game always makes the same of it.
fn seed(game: &GameId) -> u64 {
    let hash = blake3::hash(game.as_str().as_bytes());
    u64::from_le_bytes(hash.as_bytes().first_chunk().copied().unwrap_or_default())
}
