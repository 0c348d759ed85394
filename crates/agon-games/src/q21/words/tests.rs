//! What a guess is worth.

use super::*;

#[test]
fn the_parts_are_worth_50_20_20_and_10() {
    assert_eq!(WEIGHTS.iter().sum::<i32>(), 100);
    let score = |[sentence, why, word, why_word]: [i32; 4]| {
        let breakdown = Q21Breakdown {
            opening_sentence: sentence,
            sentence_justification: why,
            associative_word: word,
            word_justification: why_word,
        };
        breakdown.private_score()
    };
    assert_eq!(score([10_000, 0, 0, 0]), 5_000);
    assert_eq!(score([0, 10_000, 0, 0]), 2_000);
    assert_eq!(score([0, 0, 10_000, 0]), 2_000);
    assert_eq!(score([0, 0, 0, 10_000]), 1_000);
    assert_eq!(score([10_000; 4]), 10_000);
    assert_eq!(score([3_333, 5_000, 1_250, 7_000]), 3_617);
}
