//! A score in words. They are built from the parts of the score alone: neither the secret nor the
//! guess is repeated, so nothing can be learned from them that the numbers do not tell.

use agon_games::q21::{Q21Breakdown, Q21Feedback, Q21Guess};

use super::scoring::{SENTENCE_REASONS, WORD_REASONS};

pub(super) fn write(breakdown: &Q21Breakdown, guess: &Q21Guess) -> Q21Feedback {
    let reasons =
        |text: &str, limits, score| length(text.split_whitespace().count(), &limits, score);
    Q21Feedback {
        opening_sentence: format!(
            "{} {}",
            sentence(breakdown.opening_sentence),
            reasons(
                &guess.sentence_justification,
                SENTENCE_REASONS,
                breakdown.sentence_justification
            ),
        )
        .into(),
        associative_word: format!(
            "{} {}",
            word(breakdown.associative_word),
            reasons(&guess.word_justification, WORD_REASONS, breakdown.word_justification),
        )
        .into(),
    }
}

fn sentence(score: i32) -> String {
    let verdict = match score {
        10_000 => {
            "You found the sentence exactly. Whatever your questions were, ask them again: they \
             led you from twenty small answers to the very beginning of the passage."
        }
        7_000.. => {
            "Your sentence comes close. Most of its terms are right and stand where they should; \
             a few were missed or exchanged. A question more about single details would probably \
             have settled them."
        }
        3_000.. => {
            "Your sentence shares something with the one that was wanted, but much of it is \
             different. You seem to have been near the right passage. Questions about who acts \
             and what is done could have told you which one it was."
        }
        _ => {
            "Your sentence has little in common with the one that was wanted. Spend the first \
             questions on place and persons, then ask about what happens at the very beginning, \
             and keep to what the answers allow."
        }
    };
    format!("{verdict} For this part you get {} of 100.", shown(score))
}

fn word(score: i32) -> String {
    let verdict = match score {
        10_000 => {
            "Your term is exactly the one that was wanted. The domain was stated openly, and your \
             questions narrowed it down to a single member."
        }
        9_000.. => {
            "Your term is another form of the one that was wanted: the idea is right, and only \
             its ending differs."
        }
        1.. => {
            "Your term is spelled somewhat like the one that was wanted, and is not it. Asking \
             for its length, or for its initial, would have helped to choose."
        }
        _ => {
            "Your term is not the one that was wanted. Think of all members of the domain first, \
             and use a few questions to divide them, by initial and by length for instance."
        }
    };
    format!("{verdict} For this part you get {} of 100.", shown(score))
}

fn length(words: usize, limits: &std::ops::RangeInclusive<usize>, score: i32) -> String {
    let (least, most) = (limits.start(), limits.end());
    let verdict = if words < *least {
        "Your reasons are shorter than they should be: say which answers you relied on."
    } else if words > *most {
        "Your reasons are longer than they should be: keep those that decided."
    } else {
        "Your reasons have the right length; they are the better, the more they speak of hint, \
         domain and answers."
    };
    format!(
        "{verdict} They had {words} of {least} to {most} words and get {} of 100.",
        shown(score)
    )
}

/// A score as people read it.
fn shown(score: i32) -> String {
    format!("{}.{:02}", score / 100, score % 100)
}
