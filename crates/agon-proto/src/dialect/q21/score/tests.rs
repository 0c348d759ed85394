//! Scores.

use super::*;

fn breakdown(parts: [f64; 4]) -> Breakdown {
    let [sentence, why, word, why_word] = parts.map(Score::from_points);
    Breakdown {
        opening_sentence: sentence,
        sentence_justification: why,
        associative_word: word,
        word_justification: why_word,
    }
}

#[test]
fn the_parts_are_worth_50_20_20_and_10() {
    assert_eq!(WEIGHTS.iter().sum::<u32>(), 100);
    let score = |parts| breakdown(parts).private_score().to_string();
    assert_eq!(score([100.0, 0.0, 0.0, 0.0]), "50.00");
    assert_eq!(score([0.0, 100.0, 0.0, 0.0]), "20.00");
    assert_eq!(score([0.0, 0.0, 100.0, 0.0]), "20.00");
    assert_eq!(score([0.0, 0.0, 0.0, 100.0]), "10.00");
    assert_eq!(score([100.0; 4]), "100.00");
    assert_eq!(score([33.33, 50.0, 12.5, 70.0]), "36.17");
}

#[test]
fn a_number_out_of_range_is_brought_into_it() {
    assert_eq!(Score::from_points(-1.0), Score::ZERO);
    assert_eq!(Score::from_points(250.0), Score::MAX);
    assert_eq!(Score::from_points(f64::NAN), Score::ZERO);
    assert_eq!(Score::from_points(f64::INFINITY), Score::MAX);
    assert_eq!(Score::from_points(72.125).hundredths(), 7213);
}
