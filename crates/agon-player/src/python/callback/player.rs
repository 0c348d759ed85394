//! What a player's program returned: a word, twenty questions with four options each, a guess with
//! the reasons for it.

use agon_games::q21::{Q21Guess, Q21Question};
use agon_proto::dialect::q21::{OPTIONS, QUESTIONS};
use serde_json::Value;

use super::value::Found;
use crate::strategies::q21::scoring::{SENTENCE_REASONS, WORD_REASONS};

/// What is sent when a program has no answer to the warm-up. It is not judged.
const WARMUP_ANSWER: &str = "0";
/// How sure a program is that does not say how sure it is, in hundredths.
const CONFIDENCE: u32 = 50;

pub(super) fn warmup(dict: &Found<'_>) -> Box<str> {
    let answer = dict.key(&["answer"]);
    match answer.value {
        None => {
            dict.remark(answer.complain("should be a str") + "; \"0\" is sent");
            WARMUP_ANSWER.into()
        }
        Some(Value::String(text)) => text.trim().into(),
        Some(Value::Bool(truth)) => (if *truth { "True" } else { "False" }).into(),
        Some(other) => other.to_string().into(),
    }
}

/// Exactly twenty: too many are cut, too few are no set of questions.
pub(super) fn questions(dict: &Found<'_>) -> Result<Vec<Q21Question>, String> {
    let mut entries = dict.key(&["questions"]).list()?;
    let count = entries.len();
    if count < QUESTIONS {
        return Err(format!("\"questions\" must have {QUESTIONS} entries, but it has {count}"));
    }
    if count > QUESTIONS {
        dict.remark(format!("\"questions\" has {count} entries: the first {QUESTIONS} are sent"));
        entries.truncate(QUESTIONS);
    }
    let numbered = entries.iter().any(|entry| !number(entry).is_missing());
    if !numbered {
        dict.remark("no question has a \"question_number\": they are numbered as they come");
    }
    let mut questions = Vec::with_capacity(QUESTIONS);
    for (entry, place) in entries.iter().zip(1..) {
        let number = if numbered { placed(entry)? } else { place };
        let text = entry.dict()?.key(&["question_text", "text"]).filled()?;
        questions.push(Q21Question { number, text, options: options(entry)? });
    }
    questions.sort_by_key(|question| question.number);
    match questions.windows(2).find(|pair| pair[0].number == pair[1].number) {
        Some(pair) => Err(format!(
            "the \"question_number\" {} stands there twice: number them from 1 to {QUESTIONS}",
            pair[0].number
        )),
        None => Ok(questions),
    }
}

fn number<'a>(entry: &Found<'a>) -> Found<'a> {
    entry.key(&["question_number", "number"])
}

fn placed(entry: &Found<'_>) -> Result<u32, String> {
    let found = number(entry);
    let number = found.count()?;
    if number as usize > QUESTIONS {
        return Err(found.complain(&format!("must be between 1 and {QUESTIONS}")));
    }
    Ok(number)
}

/// A dict with the keys A to D, or a list of four.
fn options(entry: &Found<'_>) -> Result<[Box<str>; 4], String> {
    let found = entry.key(&["options", "choices"]);
    let texts = if let Ok(listed) = found.list() {
        let other = |_| found.complain("must be a dict with the keys A, B, C and D");
        <[Found<'_>; 4]>::try_from(listed).map_err(other)?
    } else {
        let dict = found.dict()?;
        OPTIONS.map(|key| dict.key(&[&key.to_string(), &key.to_lowercase().to_string()]))
    };
    let [a, b, c, d] = texts.map(|text| text.filled());
    Ok([a?, b?, c?, d?])
}

/// Half a guess is better than none, so only one of sentence and word must be there. How long the
/// reasons are is for the referee to judge: the author hears about it, and they are sent.
pub(super) fn guess(dict: &Found<'_>) -> Result<Q21Guess, String> {
    let nested = dict.key(&["guess"]);
    let dict = if nested.dict().is_ok() { &nested } else { dict };
    let (sentence, word) = (dict.key(&["opening_sentence"]), dict.key(&["associative_word"]));
    let guess = Q21Guess {
        opening_sentence: or_empty(&sentence)?,
        sentence_justification: or_empty(&dict.key(&["sentence_justification"]))?,
        associative_word: or_empty(&word)?,
        word_justification: or_empty(&dict.key(&["word_justification"]))?,
        confidence: confidence(&dict.key(&["confidence"])),
        stand_in: false,
    };
    if guess.opening_sentence.is_empty() && guess.associative_word.is_empty() {
        return Err(format!(
            "{}; nor is there an \"associative_word\"",
            sentence.complain("must be a str that is not empty")
        ));
    }
    let reasons = [
        ("sentence_justification", &guess.sentence_justification, SENTENCE_REASONS),
        ("word_justification", &guess.word_justification, WORD_REASONS),
    ];
    for (key, text, limits) in reasons {
        let (words, least, most) = (text.split_whitespace().count(), limits.start(), limits.end());
        // An empty one has its remark already.
        if words > 0 && !limits.contains(&words) {
            dict.remark(format!(
                "\"{key}\" should have {least} to {most} words and has {words}: it is sent, \
                 and the referee may give less for it"
            ));
        }
    }
    Ok(guess)
}

fn or_empty(found: &Found<'_>) -> Result<Box<str>, String> {
    let text = found.optional_text()?;
    if text.is_none() {
        found.remark(found.complain("should be a str") + "; it is sent empty");
    }
    Ok(text.unwrap_or_default())
}

fn confidence(found: &Found<'_>) -> u32 {
    if found.is_missing() {
        return CONFIDENCE;
    }
    match found.number() {
        Ok(number) if (0.0..=1.0).contains(&number) => (number * 100.0).round() as u32,
        Ok(number) => {
            found.remark(found.complain("should be between 0 and 1") + "; the nearer is sent");
            if number < 0.0 { 0 } else { 100 }
        }
        Err(problem) => {
            found.remark(problem + "; 0.5 is sent");
            CONFIDENCE
        }
    }
}
