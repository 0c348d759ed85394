//! The programs of the rehearsal: what they say follows from what they are asked, and sometimes
//! they fail.

use agon_proto::q21::callback::{
    Advice, Assessment, Book, Consultation, Mishap, MishapKind, PlayerQuery, PublicBook, Query,
    RefereeQuery,
};
use agon_proto::q21::{Answered, Breakdown, Choice, Feedback, Guess, QUESTIONS, Question, Score};

/// Stands in every secret: no letter may hold it.
pub(super) const SECRET: &str = "SECRET";

/// What a program answers.
pub(super) fn advise(asked: &Consultation) -> Advice {
    match &asked.query {
        Query::Player(query, _) => player(query),
        Query::Referee(query, _) => referee(query, asked.game.as_str()),
    }
}

/// What a program says that breaks down.
pub(super) fn mishap() -> Mishap {
    Mishap { kind: MishapKind::Raised, text: "it was asked to fail".into() }
}

fn player(query: &PlayerQuery) -> Advice {
    match query {
        PlayerQuery::Warmup { question } => Advice::Warmup(format!("to {question}").into()),
        PlayerQuery::Questions { book } => Advice::Questions(questions(&book.name)),
        PlayerQuery::Guess { book, answers, .. } => {
            let sure = answers.iter().filter(|one| one.choice == Choice::A).count();
            Advice::Guess(Guess {
                opening_sentence: format!("about {}", book.hint).into(),
                associative_word: book.association_word.clone(),
                sentence_justification: "because".into(),
                word_justification: "because".into(),
                confidence: u32::try_from(sure).unwrap_or(0),
            })
        }
        PlayerQuery::Score { .. } => Advice::Noted,
    }
}

fn questions(about: &str) -> Vec<Question> {
    let options = ["yes", "no", "partly", "unknown"].map(Into::into);
    let numbers = 1..=u32::try_from(QUESTIONS).unwrap_or(0);
    let question = |number| Question {
        number,
        text: format!("Is {about} about {number}?").into(),
        options: options.clone(),
    };
    numbers.map(question).collect()
}

fn referee(query: &RefereeQuery, game: &str) -> Advice {
    match query {
        RefereeQuery::WarmupQuestion { .. } => Advice::WarmupQuestion("What is 3 + 4?".into()),
        RefereeQuery::RoundStart { .. } => Advice::RoundStart(Book {
            public: PublicBook {
                name: format!("book {game}").into(),
                hint: "a few words about something".into(),
                association_word: "colours".into(),
            },
            opening_sentence: Some(format!("{SECRET} sentence of {game}").into()),
            associative_word: Some(format!("{SECRET}word").into()),
        }),
        RefereeQuery::Answers { questions, .. } => {
            let answer = |one: &Question| Answered {
                number: one.number,
                choice: if one.number.is_multiple_of(3) { Choice::A } else { Choice::NotRelevant },
            };
            Advice::Answers(questions.iter().map(answer).collect())
        }
        RefereeQuery::Score { player, .. } => {
            let sum: u32 = player.id.as_str().bytes().chain(game.bytes()).map(u32::from).sum();
            let opening_sentence = Score::from_hundredths(sum * 37 % 10_000);
            let breakdown = Breakdown { opening_sentence, ..Breakdown::default() };
            Advice::Score(Assessment {
                private_score: breakdown.private_score(),
                breakdown,
                feedback: Feedback::default(),
            })
        }
    }
}
