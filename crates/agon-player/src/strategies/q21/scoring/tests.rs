//! Scores are in range, the right guess has all, and words cost nothing.

mod likeness;

use proptest::prelude::*;

use super::*;

fn words(count: usize) -> String {
    vec!["word"; count].join(" ")
}

fn right(text: &super::super::library::Text) -> Q21Guess {
    Q21Guess {
        opening_sentence: text.opening.clone(),
        associative_word: text.word.clone(),
        ..Q21Guess::default()
    }
}

#[test]
fn the_right_guess_has_all_points_for_sentence_and_word() {
    for text in texts() {
        let Q21Breakdown { opening_sentence, associative_word, .. } =
            assess(&right(text), &text.as_book()).breakdown;
        assert_eq!((opening_sentence, associative_word), (SCORE_MAX, SCORE_MAX));
    }
}

#[test]
fn the_guess_of_another_text_has_not() {
    for pair in texts().windows(2) {
        let assessment = assess(&right(&pair[0]), &pair[1].as_book());
        assert!(assessment.breakdown.opening_sentence < 5_000);
        assert!(assessment.breakdown.associative_word < 6_000);
    }
}

#[test]
fn reasons_are_judged_by_their_length() {
    let none = BTreeSet::new();
    let points = |count| f64::from(reasons(&words(count), SENTENCE_REASONS, &none).0) / 100.0;
    let judged = [0, 15, 29, 30, 50, 51].map(points);
    assert_eq!(judged, [0.0, 25.0, 48.33, 70.0, 70.0, 60.0]);
}

#[test]
fn reasons_are_better_if_they_speak_of_the_game() {
    let book = texts()[0].as_book();
    let of = |reasons: String| {
        let guess = Q21Guess { sentence_justification: reasons.into(), ..Q21Guess::default() };
        assess(&guess, &book).breakdown.sentence_justification
    };
    let idle = of(words(32));
    let telling = of(format!("the hint names coastal duty {}", words(27)));
    assert!(telling > idle, "{telling} {idle}");
}

#[test]
fn a_heap_of_fitting_words_is_no_reason() {
    let relevant = stems("hint answer because");
    let (score, _) = reasons("hint", SENTENCE_REASONS, &relevant);
    assert!(score < 500, "{score}");
}

/// Guesses from nothing to everything.
fn guesses(text: &super::super::library::Text) -> Vec<Q21Guess> {
    let half: Vec<&str> = text.opening.split(' ').take(5).collect();
    vec![
        Q21Guess::default(),
        right(text),
        Q21Guess { opening_sentence: half.join(" ").into(), ..right(text) },
        Q21Guess { associative_word: format!("{}s", text.word).into(), ..Q21Guess::default() },
        Q21Guess { associative_word: text.decoys[0].clone(), ..right(text) },
        Q21Guess {
            sentence_justification: words(40).into(),
            word_justification: words(99).into(),
            ..right(text)
        },
    ]
}

#[test]
fn feedback_never_tells_the_secret() {
    for text in texts() {
        for guess in guesses(text) {
            let feedback = assess(&guess, &text.as_book()).feedback;
            for said in [feedback.opening_sentence, feedback.associative_word] {
                assert!(!said.contains(&*text.opening), "{said}");
                assert!(!tokens(&said).contains(&text.word.to_lowercase()), "{said}");
            }
        }
    }
}

#[test]
fn feedback_has_a_sensible_length() {
    for text in texts() {
        for guess in guesses(text) {
            let feedback = assess(&guess, &text.as_book()).feedback;
            for said in [feedback.opening_sentence, feedback.associative_word] {
                let words = said.split_whitespace().count();
                assert!((35..=120).contains(&words), "{words}: {said}");
            }
        }
    }
}

proptest! {
    #[test]
    fn every_score_is_what_its_parts_add_up_to(
        sentence in ".{0,120}", why in ".{0,300}", word in ".{0,20}", because in ".{0,200}",
        text in 0..texts().len(),
    ) {
        let guess = Q21Guess {
            opening_sentence: sentence.into(),
            sentence_justification: why.into(),
            associative_word: word.into(),
            word_justification: because.into(),
            confidence: 50,
            stand_in: false,
        };
        let assessment = assess(&guess, &texts()[text].as_book());
        prop_assert_eq!(assessment.private_score, assessment.breakdown.private_score());
        prop_assert!(assessment.private_score <= SCORE_MAX);
        prop_assert_eq!(&assessment, &assess(&guess, &texts()[text].as_book()));
    }
}
