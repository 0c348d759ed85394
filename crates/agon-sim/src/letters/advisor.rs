//! The programs of the rehearsal: what they say follows from what they are asked, and sometimes
//! they fail.

use agon_core::{Mishap, MishapKind, Question, What};
use agon_proto::AsPayload;
use agon_proto::dialect::q21;
use agon_proto::dialect::q21::{
    Answered, Assessment, Book, Breakdown, Brief, Choice, Feedback, Guess, PublicBook, QUESTIONS,
    Said, Seen, Word,
};
use agon_proto::known::RefereeContext;
use agon_proto::{Payload, Score};

/// Stands in every secret: no letter may hold it.
pub(super) const SECRET: &str = "SECRET";

/// What a program answers.
pub(super) fn advise(asked: &Question, context: &Payload) -> Payload {
    match &asked.what {
        What::Move { view, .. } => {
            player(&asked.kind, Seen::of(view).unwrap_or_default()).payload()
        }
        What::Heard { .. } => Payload::default(),
        What::Oracle { about, prompt } => {
            let brief = Brief::of(prompt).unwrap_or_default();
            let context = RefereeContext::of(context).expect("a referee knows its league");
            let player = about.map_or("", |seat| context.players[seat.index()].id.as_str());
            referee(&asked.kind, brief, player, context.game.as_str()).payload()
        }
    }
}

/// What a program says that breaks down.
pub(super) fn mishap() -> Mishap {
    Mishap { kind: MishapKind::Raised, text: "it was asked to fail".into() }
}

fn player(kind: &str, seen: Seen) -> Said {
    let book = seen.book.unwrap_or_default();
    match kind {
        "warmup" => {
            let question = seen.warmup_question.unwrap_or_default();
            Said::Warmup(format!("to {question}").into())
        }
        "questions" => Said::Questions(questions(&book.name)),
        _ => {
            let answers = seen.answers.unwrap_or_default();
            let sure = answers.iter().filter(|one| one.choice == Choice::A).count();
            Said::Guess(Guess {
                opening_sentence: format!("about {}", book.hint).into(),
                associative_word: book.association_word.clone(),
                sentence_justification: "because".into(),
                word_justification: "because".into(),
                confidence: u32::try_from(sure).unwrap_or(0),
            })
        }
    }
}

fn questions(about: &str) -> Vec<q21::QuestionRow> {
    let options = ["yes", "no", "partly", "unknown"].map(Into::into);
    let numbers = 1..=u32::try_from(QUESTIONS).unwrap_or(0);
    let question = |number| q21::QuestionRow {
        number,
        text: format!("Is {about} about {number}?").into(),
        options: options.clone(),
    };
    numbers.map(question).collect()
}

fn referee(kind: &str, brief: Brief, player: &str, game: &str) -> Word {
    match kind {
        "warmup_question" => Word::WarmupQuestion("What is 3 + 4?".into()),
        "book" => Word::Book(Book {
            public: PublicBook {
                name: format!("book {game}").into(),
                hint: "a few words about something".into(),
                association_word: "colours".into(),
            },
            opening_sentence: Some(format!("{SECRET} sentence of {game}").into()),
            associative_word: Some(format!("{SECRET}word").into()),
        }),
        "answers" => {
            let answer = |one: &q21::QuestionRow| Answered {
                number: one.number,
                choice: if one.number.is_multiple_of(3) { Choice::A } else { Choice::NotRelevant },
            };
            Word::Answers(brief.questions.iter().flatten().map(answer).collect())
        }
        _ => {
            let sum: u32 = player.bytes().chain(game.bytes()).map(u32::from).sum();
            let opening_sentence = Score::from_hundredths(sum * 37 % 10_000);
            let breakdown = Breakdown { opening_sentence, ..Breakdown::default() };
            Word::Score(Assessment {
                private_score: breakdown.private_score(),
                breakdown,
                feedback: Feedback::default(),
            })
        }
    }
}
