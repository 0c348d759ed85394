//! How one SDK spells a question: the four callbacks of a player's class and the four of a
//! referee's.
//!
//! Here is what is said, typed. [`context`] and [`read`] are how a program in Python sees it.
//!
//! Spec: docs/protocol/q21-callbacks.md

mod context;
mod read;
mod value;

use agon_core::{Known, Question, Seat, What};
use agon_node::Thought;
use agon_proto::dialect::q21::{
    self, Answered, Book, Breakdown, Brief, Feedback, Guess, PublicBook, Said, Seen, Word,
};
use agon_proto::known::{Contestant, PlayerContext, PlayerStandings, RefereeContext};
use agon_proto::{Address, GroupId, Payload, Score};
use agon_proto::{AsPayload, GameId};

use crate::strategy::write;
pub(crate) use context::context;
pub(crate) use read::read;

/// One call of a team's program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Consultation {
    /// Comes back with the answer. Different for every call of one process.
    pub(crate) number: u64,
    /// The game that it is about.
    pub(crate) game: GameId,
    /// What is asked.
    pub(crate) query: Query,
}

/// What a team's program is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Query {
    /// A player's four questions, with where it stands in the league.
    Player(PlayerQuery, PlayerStandings),
    /// A referee's four, with what all of them are told.
    Referee(RefereeQuery, RefereeContext),
}

impl Query {
    /// The method of the program that is called.
    pub(crate) const fn method(&self) -> &'static str {
        match self {
            Self::Player(PlayerQuery::Warmup { .. }, _) => "get_warmup_answer",
            Self::Player(PlayerQuery::Questions { .. }, _) => "get_questions",
            Self::Player(PlayerQuery::Guess { .. }, _) => "get_guess",
            Self::Player(PlayerQuery::Score { .. }, _) => "on_score_received",
            Self::Referee(RefereeQuery::WarmupQuestion { .. }, _) => "get_warmup_question",
            Self::Referee(RefereeQuery::RoundStart { .. }, _) => "get_round_start_info",
            Self::Referee(RefereeQuery::Answers { .. }, _) => "get_answers",
            Self::Referee(RefereeQuery::Score { .. }, _) => "get_score_feedback",
        }
    }
}

/// What a player's program is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PlayerQuery {
    /// `get_warmup_answer`.
    Warmup {
        /// The question.
        question: Box<str>,
    },
    /// `get_questions`.
    Questions {
        /// What is to be found out.
        book: PublicBook,
    },
    /// `get_guess`.
    Guess {
        /// What is to be found out.
        book: PublicBook,
        /// What was answered.
        answers: Vec<Answered>,
        /// What was asked.
        questions: Vec<q21::QuestionRow>,
    },
    /// `on_score_received`.
    Score {
        /// 0 to 3.
        league_points: u32,
        /// 0 to 100.
        private_score: Score,
        /// Its parts.
        breakdown: Breakdown,
        /// In words.
        feedback: Option<Feedback>,
    },
}

/// A player, as a referee's program hears of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rival {
    /// Its group.
    pub(crate) id: GroupId,
    /// Its address.
    pub(crate) address: Address,
    /// What it answered in the warm-up, once it has.
    pub(crate) warmup_answer: Option<Box<str>>,
}

/// What a referee's program is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RefereeQuery {
    /// `get_warmup_question`.
    WarmupQuestion {
        /// Both.
        players: [Rival; 2],
    },
    /// `get_round_start_info`.
    RoundStart {
        /// Both.
        players: [Rival; 2],
    },
    /// `get_answers`, once for each player.
    Answers {
        /// Who asks.
        player: Rival,
        /// The book.
        book: Book,
        /// What it asks.
        questions: Vec<q21::QuestionRow>,
    },
    /// `get_score_feedback`, once for each player.
    Score {
        /// Who guesses.
        player: Rival,
        /// The book.
        book: Book,
        /// What it guesses.
        guess: Guess,
    },
}

/// What a team's program said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Advice {
    /// A player's move.
    Said(Said),
    /// A referee's word.
    Word(Word),
    /// It has taken note of the score.
    Noted,
}

impl Consultation {
    /// The call that a question is; `None` if it is none of these eight.
    pub(crate) fn of(question: &Question, known: &Known<'_>) -> Option<Self> {
        let number = question.number;
        match &question.what {
            What::Move { view, said, .. } => {
                let PlayerContext { game, standings } = PlayerContext::of(&known.context).ok()?;
                let query = asked(&question.kind, Seen::of(view).ok()?, said)?;
                Some(Self { number, game, query: Query::Player(query, standings) })
            }
            What::Heard { view } => {
                let PlayerContext { game, standings } = PlayerContext::of(&known.context).ok()?;
                let score = Seen::of(view).ok()?.score?;
                let past = standings.history.iter().find(|past| past.game == game);
                let query = PlayerQuery::Score {
                    league_points: past.map_or(0, |past| past.league_points),
                    private_score: score.private_score,
                    breakdown: score.breakdown,
                    feedback: Some(score.feedback).filter(|text| *text != Feedback::default()),
                };
                Some(Self { number, game, query: Query::Player(query, standings) })
            }
            What::Oracle { about, prompt } => {
                let context = RefereeContext::of(&known.context).ok()?;
                let query = judged(&question.kind, Brief::of(prompt).ok()?, *about, &context)?;
                let game = context.game.clone();
                Some(Self { number, game, query: Query::Referee(query, context) })
            }
        }
    }
}

/// What a player is asked.
fn asked(kind: &str, seen: Seen, said: &[Payload]) -> Option<PlayerQuery> {
    Some(match kind {
        "warmup" => PlayerQuery::Warmup { question: seen.warmup_question? },
        "questions" => PlayerQuery::Questions { book: seen.book? },
        "guess" => {
            let questions = said.iter().find_map(|said| match Said::of(said) {
                Ok(Said::Questions(questions)) => Some(questions),
                Ok(Said::Warmup(_) | Said::Guess(_)) | Err(_) => None,
            });
            let (book, answers) = (seen.book?, seen.answers?);
            PlayerQuery::Guess { book, answers, questions: questions? }
        }
        _ => return None,
    })
}

/// What a referee is asked.
fn judged(
    kind: &str,
    brief: Brief,
    about: Option<Seat>,
    context: &RefereeContext,
) -> Option<RefereeQuery> {
    let [first, second] = &context.players;
    let [of_first, of_second] = brief.warmup_answers;
    let rival = |player: &Contestant, warmup_answer| Rival {
        id: player.id.clone(),
        address: player.address.clone(),
        warmup_answer,
    };
    let players = [rival(first, of_first), rival(second, of_second)];
    let one = || about.map(|seat| players[seat.index()].clone());
    Some(match kind {
        "warmup_question" => RefereeQuery::WarmupQuestion { players },
        "book" => RefereeQuery::RoundStart { players },
        "answers" => {
            RefereeQuery::Answers { player: one()?, book: brief.book?, questions: brief.questions? }
        }
        "score" => RefereeQuery::Score { player: one()?, book: brief.book?, guess: brief.guess? },
        _ => return None,
    })
}

impl Advice {
    /// As the game takes it.
    pub(crate) fn payload(&self) -> Thought {
        match self {
            Self::Said(said) => write(said),
            Self::Word(word) => write(word),
            Self::Noted => Ok(Payload::default()),
        }
    }
}

#[cfg(test)]
mod tests;
