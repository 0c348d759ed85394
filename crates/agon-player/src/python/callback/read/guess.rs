//! A guess: a sentence, a word, and the reasons for both.

use std::ops::RangeInclusive;

use agon_proto::dialect::q21::Guess;

use super::super::value::Found;

/// How many words the reasons for a sentence should have.
const SENTENCE_REASONS: RangeInclusive<usize> = 30..=50;
/// How many words the reasons for a word should have.
const WORD_REASONS: RangeInclusive<usize> = 20..=30;
/// How sure a program is that does not say how sure it is, in hundredths.
const CONFIDENCE: u32 = 50;

/// Half a guess is better than none, so only one of sentence and word must be there. How long the
/// reasons are is for the referee to judge: the author hears about it, and they are sent.
pub(super) fn read(dict: &Found<'_>, remarks: &mut Vec<String>) -> Result<Guess, String> {
    let nested = dict.key(&["guess"]);
    let dict = if nested.dict().is_ok() { &nested } else { dict };
    let (sentence, word) = (dict.key(&["opening_sentence"]), dict.key(&["associative_word"]));
    let guess = Guess {
        opening_sentence: or_empty(&sentence, remarks)?,
        sentence_justification: or_empty(&dict.key(&["sentence_justification"]), remarks)?,
        associative_word: or_empty(&word, remarks)?,
        word_justification: or_empty(&dict.key(&["word_justification"]), remarks)?,
        confidence: confidence(&dict.key(&["confidence"]), remarks),
    };
    if guess.opening_sentence.is_empty() && guess.associative_word.is_empty() {
        return Err(format!(
            "{}; nor is there an \"associative_word\"",
            sentence.complain("must be a str that is not empty")
        ));
    }
    count("sentence_justification", &guess.sentence_justification, SENTENCE_REASONS, remarks);
    count("word_justification", &guess.word_justification, WORD_REASONS, remarks);
    Ok(guess)
}

fn or_empty(found: &Found<'_>, remarks: &mut Vec<String>) -> Result<Box<str>, String> {
    let text = found.optional_text()?;
    if text.is_none() {
        remarks.push(found.complain("should be a str") + "; it is sent empty");
    }
    Ok(text.unwrap_or_default())
}

fn count(key: &str, text: &str, limits: RangeInclusive<usize>, remarks: &mut Vec<String>) {
    let words = text.split_whitespace().count();
    // An empty one has its remark already.
    if words > 0 && !limits.contains(&words) {
        let (least, most) = (limits.start(), limits.end());
        remarks.push(format!(
            "\"{key}\" should have {least} to {most} words and has {words}: it is sent, and the \
             referee may give less for it"
        ));
    }
}

fn confidence(found: &Found<'_>, remarks: &mut Vec<String>) -> u32 {
    if found.is_missing() {
        return CONFIDENCE;
    }
    match found.number() {
        Ok(number) if (0.0..=1.0).contains(&number) => (number * 100.0).round() as u32,
        Ok(number) => {
            remarks.push(found.complain("should be between 0 and 1") + "; the nearer is sent");
            if number < 0.0 { 0 } else { 100 }
        }
        Err(problem) => {
            remarks.push(problem + "; 0.5 is sent");
            CONFIDENCE
        }
    }
}
