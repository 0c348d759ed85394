//! What a referee's program returned: a question, a book, answers, a score.

use std::collections::BTreeMap;

use agon_games::q21::{
    Q21Answer, Q21Assessment, Q21Book, Q21Breakdown, Q21Choice, Q21Feedback, Q21PublicBook,
    Q21Question,
};

use super::value::Found;
use crate::strategies::q21::scoring::shown;

/// The shortest question of a warm-up, in characters.
const WARMUP_QUESTION_MIN: usize = 5;
/// How long a hint is, in characters.
const HINT_MIN: usize = 10;
const HINT_MAX: usize = 200;
/// How many words a hint should have at most.
const HINT_WORDS_MAX: usize = 15;
const CHOICES: [Q21Choice; 5] =
    [Q21Choice::A, Q21Choice::B, Q21Choice::C, Q21Choice::D, Q21Choice::NotRelevant];
/// So far a private score may be from its parts, in hundredths: programs round.
const ROUNDING: u32 = 1;

pub(super) fn warmup_question(dict: &Found<'_>) -> Result<Box<str>, String> {
    let found = dict.key(&["warmup_question"]);
    let question = found.text()?;
    if question.chars().count() < WARMUP_QUESTION_MIN {
        let rule = format!("must have {WARMUP_QUESTION_MIN} characters or more");
        return Err(found.complain(&rule));
    }
    Ok(question)
}

/// The secrets are optional: a program may keep them to itself.
pub(super) fn book(dict: &Found<'_>) -> Result<Q21Book, String> {
    let found = dict.key(&["book_hint"]);
    let hint = found.text()?;
    let length = hint.chars().count();
    if !(HINT_MIN..=HINT_MAX).contains(&length) {
        let rule = format!("must have {HINT_MIN} to {HINT_MAX} characters and has {length}");
        return Err(found.complain(&rule));
    }
    let words = hint.split_whitespace().count();
    if words > HINT_WORDS_MAX {
        dict.remark(format!(
            "\"book_hint\" should have {HINT_WORDS_MAX} words at most and has {words}; it is sent"
        ));
    }
    let sentence = dict.key(&["opening_sentence", "actual_opening_sentence"]);
    let word = dict.key(&["associative_word", "actual_associative_word"]);
    let kept = |text: Option<Box<str>>| text.filter(|text| !text.is_empty());
    Ok(Q21Book {
        public: Q21PublicBook {
            name: dict.key(&["book_name"]).filled()?,
            hint,
            association_word: dict.key(&["association_word"]).filled()?,
        },
        opening_sentence: kept(sentence.optional_text()?),
        associative_word: kept(word.optional_text()?),
    })
}

/// One answer to each question, as far as there are any; the first one counts.
pub(super) fn answers(dict: &Found<'_>, asked: &[Q21Question]) -> Result<Vec<Q21Answer>, String> {
    let found = dict.key(&["answers"]);
    let mut chosen = BTreeMap::new();
    for entry in found.list()? {
        let number = entry.dict()?.key(&["question_number", "number"]).count()?;
        let choice = choice(&entry.key(&["answer"]))?;
        if !asked.iter().any(|question| question.number == number) {
            dict.remark(format!("question {number} was not asked: its answer is left out"));
            continue;
        }
        if chosen.contains_key(&number) {
            dict.remark(format!("question {number} is answered twice: the first answer is sent"));
        }
        chosen.entry(number).or_insert(choice);
    }
    if chosen.is_empty() {
        return Err(found.complain("must answer one question at least"));
    }
    if chosen.len() < asked.len() {
        let (given, all) = (chosen.len(), asked.len());
        dict.remark(format!("\"answers\" has {given} answers to {all} questions; they are sent"));
    }
    Ok(chosen.into_iter().map(|(number, choice)| Q21Answer { number, choice }).collect())
}

fn choice(found: &Found<'_>) -> Result<Q21Choice, String> {
    let plain = |text: &str| text.to_uppercase().replace(['_', ' '], "");
    let said = plain(&found.text()?);
    let meant = CHOICES.into_iter().find(|choice| plain(choice.as_str()) == said);
    meant.ok_or_else(|| found.complain("must be A, B, C, D or Not Relevant"))
}

/// The parts decide: whoever reads the result can add them up again. League points follow from the
/// private score by the league's own thresholds, whatever the program says.
pub(super) fn assessment(dict: &Found<'_>) -> Result<Q21Assessment, String> {
    let found = dict.key(&["breakdown"]);
    let parts = found.dict()?;
    let part = |name: &str| score(&parts.key(&[&format!("{name}_score"), name]));
    let breakdown = Q21Breakdown {
        opening_sentence: part("opening_sentence")?,
        sentence_justification: part("sentence_justification")?,
        associative_word: part("associative_word")?,
        word_justification: part("word_justification")?,
    };
    let private_score = breakdown.private_score();
    let stated = dict.key(&["private_score"]);
    if !stated.is_missing() {
        let stated = score(&stated)?;
        if stated.abs_diff(private_score) > ROUNDING {
            dict.remark(format!(
                "\"private_score\" is {}, but its breakdown adds up to {}, which is sent",
                shown(stated),
                shown(private_score)
            ));
        }
    }
    Ok(Q21Assessment { private_score, breakdown, feedback: feedback(dict) })
}

fn score(found: &Found<'_>) -> Result<i32, String> {
    let points = found.number()?;
    if !(0.0..=100.0).contains(&points) {
        return Err(found.complain("must be between 0 and 100"));
    }
    Ok((points * 100.0).round() as i32)
}

/// Words are welcome and cost nobody anything: what is no text is left out.
fn feedback(dict: &Found<'_>) -> Q21Feedback {
    let texts = dict.key(&["feedback"]);
    let text = |key| match texts.key(&[key]).optional_text() {
        Ok(text) => text.unwrap_or_default(),
        Err(problem) => {
            dict.remark(problem + "; it is left out");
            Box::default()
        }
    };
    Q21Feedback {
        opening_sentence: text("opening_sentence"),
        associative_word: text("associative_word"),
    }
}
