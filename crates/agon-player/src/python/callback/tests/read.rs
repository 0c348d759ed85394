//! What programs return, good and bad, and what their authors hear.

use std::time::Duration;

use agon_games::q21::{
    Q21Answer, Q21Assessment, Q21Book, Q21Choice, Q21Feedback, Q21Guess, Q21Move, Q21PublicBook,
    Q21Word,
};
use agon_proto::{AsPayload, Payload};
use proptest::prelude::*;
use serde::Serialize;
use serde_json::json;

use super::super::*;
use super::*;

const TIME: Duration = Duration::from_secs(120);

fn hear(consultation: &Consultation, value: &Value) -> Result<Heard, String> {
    called(consultation, TIME).read(value.to_string().as_bytes())
}

/// The advice, and no remark.
#[track_caller]
fn check(consultation: &Consultation, value: &Value, advice: &impl Serialize) {
    let heard = hear(consultation, value).unwrap();
    assert_eq!(heard, Heard { advice: write(advice), remarks: vec![] });
}

/// The advice, with one remark in which this stands.
#[track_caller]
fn check_remark(consultation: &Consultation, value: &Value, advice: &impl Serialize, remark: &str) {
    let heard = hear(consultation, value).unwrap();
    assert_eq!(heard.advice, write(advice));
    assert_eq!(heard.remarks.len(), 1, "{:?}", heard.remarks);
    assert!(heard.remarks[0].contains(remark), "{:?}", heard.remarks);
}

#[track_caller]
fn check_complaint(consultation: &Consultation, value: &Value, complaint: &str) {
    assert_eq!(hear(consultation, value).unwrap_err(), complaint);
}

#[test]
fn an_answer_to_the_warmup_becomes_text() {
    let asked = get_warmup_answer();
    let said = |text: &str| Q21Move::Warmup(text.into());
    check(&asked, &json!({"answer": "4"}), &said("4"));
    check(&asked, &json!({"answer": 4}), &said("4"));
    check(&asked, &json!({"answer": true}), &said("True"));
    check_remark(&asked, &json!({}), &said("0"), "\"answer\" should be a str");
    check_remark(&asked, &json!({"answer": null}), &said("0"), "\"0\" is sent");
}

#[test]
fn every_callback_that_returns_something_returns_a_dict() {
    let asked = [
        get_warmup_answer(),
        get_questions(),
        get_guess(),
        get_warmup_question(),
        get_round_start_info(),
        get_answers(),
        get_score_feedback(),
    ];
    for consultation in asked {
        let method = consultation.method();
        check_complaint(
            &consultation,
            &json!(["four"]),
            &format!("what {method} returned must be a dict, but it is a list: [\"four\"]"),
        );
        check_complaint(
            &consultation,
            &Value::Null,
            &format!("what {method} returned must be a dict, but it is missing or None"),
        );
    }
}

#[test]
fn what_on_score_received_returns_does_not_matter() {
    for value in [json!(null), json!({"thanks": 1}), json!([1, 2]), json!("text")] {
        check(&on_score_received(), &value, &Payload::default());
    }
}

fn twenty() -> Vec<Value> {
    let question = |n: u32| {
        json!({
            "question_number": n, "question_text": format!("Is it number {n}?"),
            "options": {"A": "yes", "B": "no", "C": "partly", "D": "unknown"},
        })
    };
    (1..=20).map(question).collect()
}

#[test]
fn twenty_questions_are_twenty_questions() {
    let advice = Q21Move::Questions(questions());
    check(&get_questions(), &json!({"questions": twenty()}), &advice);
    let mut turned = twenty();
    turned.reverse();
    check(&get_questions(), &json!({"questions": turned}), &advice);
}

#[test]
fn questions_in_the_players_own_spelling_are_understood() {
    let question = |n: u32| {
        json!({
            "number": n.to_string(), "text": format!("Is it number {n}?"),
            "choices": ["yes", "no", "partly", "unknown"],
        })
    };
    let listed: Vec<_> = (1..=20).map(question).collect();
    check(&get_questions(), &json!({"questions": listed}), &Q21Move::Questions(questions()));
}

#[test]
fn questions_without_numbers_are_numbered() {
    let mut listed = twenty();
    for question in &mut listed {
        question.as_object_mut().unwrap().remove("question_number");
    }
    let advice = Q21Move::Questions(questions());
    check_remark(&get_questions(), &json!({"questions": listed}), &advice, "numbered as they come");
}

#[test]
fn more_than_twenty_questions_are_cut() {
    let mut listed = twenty();
    listed.push(listed[3].clone());
    let advice = Q21Move::Questions(questions());
    check_remark(&get_questions(), &json!({"questions": listed}), &advice, "has 21 entries");
}

#[test]
fn fewer_than_twenty_questions_are_none() {
    let listed = &twenty()[..12];
    let complaint = "\"questions\" must have 20 entries, but it has 12";
    check_complaint(&get_questions(), &json!({"questions": listed}), complaint);
    let complaint = "\"questions\" must be a list, but it is missing or None";
    check_complaint(&get_questions(), &json!({}), complaint);
}

#[test]
fn a_bad_question_is_named() {
    let spoiled = |key: &str, value: Value| {
        let mut listed = twenty();
        listed[3][key] = value;
        json!({"questions": listed})
    };
    let cases = [
        (
            "question_text",
            json!("  "),
            "[\"question_text\"] must not be empty, but it is a str: \"  \"",
        ),
        (
            "question_text",
            json!(["a"]),
            "[\"question_text\"] must be a str, but it is a list: [\"a\"]",
        ),
        (
            "question_number",
            json!(21),
            "[\"question_number\"] must be between 1 and 20, but it is a number: 21",
        ),
        (
            "question_number",
            json!(1.5),
            "[\"question_number\"] must be an int of 1 or more, but it is a number: 1.5",
        ),
        (
            "question_number",
            json!("x"),
            "[\"question_number\"] must be an int, but it is a str: \"x\"",
        ),
        (
            "options",
            json!({"A": "1", "B": "2", "C": "3"}),
            "[\"options\"][\"D\"] must be a str, but it is missing or None",
        ),
        (
            "options",
            json!(["1"]),
            "[\"options\"] must be a dict with the keys A, B, C and D, but it is a list: [\"1\"]",
        ),
    ];
    for (key, value, complaint) in cases {
        let complaint = format!("\"questions\"[3]{complaint}");
        check_complaint(&get_questions(), &spoiled(key, value), &complaint);
    }
    let complaint = "the \"question_number\" 7 stands there twice: number them from 1 to 20";
    check_complaint(&get_questions(), &spoiled("question_number", json!(7)), complaint);
}

fn words(count: usize) -> String {
    vec!["word"; count].join(" ")
}

fn guess_of(more: &Value) -> Value {
    let mut guess = json!({
        "opening_sentence": "It rained.", "sentence_justification": words(30),
        "associative_word": "blue", "word_justification": words(20),
    });
    for (key, value) in more.as_object().unwrap() {
        guess[key] = value.clone();
    }
    guess
}

fn guessed(confidence: u32) -> Q21Guess {
    Q21Guess {
        opening_sentence: "It rained.".into(),
        sentence_justification: words(30).into(),
        associative_word: "blue".into(),
        word_justification: words(20).into(),
        confidence,
        stand_in: false,
    }
}

#[test]
fn a_guess_is_read_flat_or_nested() {
    let advice = Q21Move::Guess(Box::new(guessed(50)));
    check(&get_guess(), &guess_of(&json!({})), &advice);
    check(&get_guess(), &json!({"guess": guess_of(&json!({}))}), &advice);
}

#[test]
fn confidence_is_kept_between_none_and_all() {
    let cases = [(json!(0.75), 75), (json!(0), 0), (json!("0.3"), 30), (json!(1), 100)];
    let cases = cases.into_iter().chain([(json!(0.754), 75), (json!(0.756), 76)]);
    for (stated, confidence) in cases {
        let value = guess_of(&json!({"confidence": stated}));
        check(&get_guess(), &value, &Q21Move::Guess(Box::new(guessed(confidence))));
    }
    let cases = [(json!(75), 100), (json!(-1), 0), (json!("high"), 50), (json!(true), 50)];
    for (stated, confidence) in cases {
        let value = guess_of(&json!({"confidence": stated}));
        let advice = Q21Move::Guess(Box::new(guessed(confidence)));
        check_remark(&get_guess(), &value, &advice, "\"confidence\"");
    }
}

#[test]
fn reasons_of_the_wrong_length_are_sent_with_a_remark() {
    let long = words(51);
    let advice = Q21Move::Guess(Box::new(Q21Guess {
        sentence_justification: long.as_str().into(),
        ..guessed(50)
    }));
    let value = guess_of(&json!({"sentence_justification": long}));
    check_remark(&get_guess(), &value, &advice, "should have 30 to 50 words and has 51");
    let advice =
        Q21Move::Guess(Box::new(Q21Guess { word_justification: "why".into(), ..guessed(50) }));
    let value = guess_of(&json!({"word_justification": "why"}));
    check_remark(&get_guess(), &value, &advice, "should have 20 to 30 words and has 1");
}

#[test]
fn half_a_guess_is_sent() {
    let advice = Q21Move::Guess(Box::new(Q21Guess { associative_word: "".into(), ..guessed(50) }));
    let value = guess_of(&json!({"associative_word": null}));
    check_remark(&get_guess(), &value, &advice, "\"associative_word\" should be a str");
    let advice =
        Q21Move::Guess(Box::new(Q21Guess { word_justification: "".into(), ..guessed(50) }));
    let value = guess_of(&json!({"word_justification": null}));
    check_remark(&get_guess(), &value, &advice, "it is sent empty");
}

#[test]
fn a_guess_of_nothing_is_none() {
    let value = guess_of(&json!({"associative_word": null, "opening_sentence": ""}));
    let complaint = "\"opening_sentence\" must be a str that is not empty, but it is a str: \
                     \"\"; nor is there an \"associative_word\"";
    check_complaint(&get_guess(), &value, complaint);
    let value = guess_of(&json!({"opening_sentence": {"text": "It rained."}}));
    let complaint =
        "\"opening_sentence\" must be a str, but it is a dict: {\"text\":\"It rained.\"}";
    check_complaint(&get_guess(), &value, complaint);
}

#[test]
fn a_question_for_the_warmup_has_five_characters() {
    let asked = get_warmup_question();
    let value = json!({"warmup_question": " 2 + 2? "});
    check(&asked, &value, &Q21Word::WarmupQuestion("2 + 2?".into()));
    let complaint = "\"warmup_question\" must have 5 characters or more, but it is a str: \"why?\"";
    check_complaint(&asked, &json!({"warmup_question": "why?"}), complaint);
    let complaint = "\"warmup_question\" must be a str, but it is missing or None";
    check_complaint(&asked, &json!({"question": "2 + 2?"}), complaint);
}

fn start() -> Value {
    json!({
        "book_name": "Harbour Tales", "book_hint": "Solitary duty beside restless water",
        "association_word": "colour",
    })
}

#[test]
fn a_book_may_come_with_its_secrets() {
    let asked = get_round_start_info();
    let public: Q21PublicBook = public();
    let without = Q21Book { public, opening_sentence: None, associative_word: None };
    check(&asked, &start(), &Q21Word::Book(without));
    let mut value = start();
    value["opening_sentence"] = json!("The keeper lit the lamp.");
    value["associative_word"] = json!("green");
    check(&asked, &value, &Q21Word::Book(book()));
}

#[test]
fn a_hint_has_its_limits() {
    let asked = get_round_start_info();
    let mut value = start();
    value["book_hint"] = json!("too short");
    let complaint = "\"book_hint\" must have 10 to 200 characters and has 9, but it is a str: \
                     \"too short\"";
    check_complaint(&asked, &value, complaint);
    value["book_hint"] = json!("x".repeat(201));
    assert!(hear(&asked, &value).unwrap_err().contains("and has 201"));
    value["book_hint"] = json!(words(16));
    let heard = hear(&asked, &value).unwrap();
    assert_eq!(
        heard.remarks,
        ["\"book_hint\" should have 15 words at most and has 16; it is sent"]
    );
    let mut value = start();
    value["association_word"] = json!("");
    let complaint = "\"association_word\" must not be empty, but it is a str: \"\"";
    check_complaint(&asked, &value, complaint);
}

fn all(answer: &str) -> Vec<Value> {
    (1..=20).map(|n| json!({"question_number": n, "answer": answer})).collect()
}

fn answered(choice: Q21Choice) -> Vec<Q21Answer> {
    (1..=20).map(|number| Q21Answer { number, choice }).collect()
}

#[test]
fn answers_are_letters_or_not_relevant() {
    let asked = get_answers();
    let cases = [
        ("A", Q21Choice::A),
        ("b", Q21Choice::B),
        ("C", Q21Choice::C),
        (" D ", Q21Choice::D),
        ("Not Relevant", Q21Choice::NotRelevant),
        ("NOT_RELEVANT", Q21Choice::NotRelevant),
        ("not relevant", Q21Choice::NotRelevant),
    ];
    for (said, choice) in cases {
        check(&asked, &json!({"answers": all(said)}), &Q21Word::Answers(answered(choice)));
    }
    let complaint = "\"answers\"[0][\"answer\"] must be A, B, C, D or Not Relevant, but it is a \
                     str: \"E\"";
    check_complaint(&asked, &json!({"answers": all("E")}), complaint);
}

#[test]
fn some_answers_are_better_than_none() {
    let asked = get_answers();
    let one = Q21Word::Answers(vec![Q21Answer { number: 1, choice: Q21Choice::A }]);
    let value = json!({"answers": [{"question_number": 1, "answer": "A"}]});
    check_remark(&asked, &value, &one, "has 1 answers to 20 questions");
    let complaint = "\"answers\" must answer one question at least, but it is a list: []";
    check_complaint(&asked, &json!({"answers": []}), complaint);
}

#[test]
fn an_answer_to_no_question_and_a_second_answer_are_left_out() {
    let mut given = all("A");
    given.push(json!({"question_number": 21, "answer": "B"}));
    let advice = Q21Word::Answers(answered(Q21Choice::A));
    check_remark(&get_answers(), &json!({"answers": given}), &advice, "21 was not asked");
    let mut given = all("A");
    given.push(json!({"question_number": 4, "answer": "B"}));
    check_remark(&get_answers(), &json!({"answers": given}), &advice, "4 is answered twice");
}

fn scored(private_score: Value, feedback: Value) -> Value {
    json!({
        "league_points": 3, "private_score": private_score, "feedback": feedback,
        "breakdown": {
            "opening_sentence_score": 80, "sentence_justification_score": 70.5,
            "associative_word_score": 0, "word_justification_score": 60,
        },
    })
}

fn assessed(sentence: &str, word: &str) -> Q21Word {
    Q21Word::Score(Q21Assessment {
        private_score: 6_010,
        breakdown: breakdown(),
        feedback: Q21Feedback { opening_sentence: sentence.into(), associative_word: word.into() },
    })
}

#[test]
fn a_score_is_what_its_parts_add_up_to() {
    let asked = get_score_feedback();
    let words = json!({"opening_sentence": "close", "associative_word": "far"});
    check(&asked, &scored(json!(60.1), words.clone()), &assessed("close", "far"));
    check(&asked, &scored(json!(60.11), words.clone()), &assessed("close", "far"));
    check(&asked, &scored(json!(null), words.clone()), &assessed("close", "far"));
    let remark = "\"private_score\" is 90.00, but its breakdown adds up to 60.10, which is sent";
    check_remark(&asked, &scored(json!(90), words), &assessed("close", "far"), remark);
}

#[test]
fn a_score_without_words_is_a_score() {
    let asked = get_score_feedback();
    check(&asked, &scored(json!(60.1), json!(null)), &assessed("", ""));
    check(&asked, &scored(json!(60.1), json!("good")), &assessed("", ""));
    let words = json!({"opening_sentence": ["close"]});
    check_remark(&asked, &scored(json!(60.1), words), &assessed("", ""), "it is left out");
}

#[test]
fn a_score_beyond_the_limits_is_none() {
    let asked = get_score_feedback();
    let complaint = "\"private_score\" must be between 0 and 100, but it is a number: 850";
    check_complaint(&asked, &scored(json!(850), json!({})), complaint);
    let mut value = scored(json!(50), json!({}));
    value["breakdown"]["word_justification_score"] = json!(-1);
    let complaint = "\"breakdown\"[\"word_justification_score\"] must be between 0 and 100, but \
                     it is a number: -1";
    check_complaint(&asked, &value, complaint);
    value["breakdown"] = json!({"opening_sentence_score": 1});
    let complaint = "\"breakdown\"[\"sentence_justification_score\"] must be a number, but it is \
                     missing or None";
    check_complaint(&asked, &value, complaint);
}

#[test]
fn what_is_no_json_is_named() {
    let problem = called(&get_guess(), TIME).read(b"{nonsense").unwrap_err();
    assert!(problem.starts_with("what get_guess returned is no JSON: "), "{problem}");
}

/// Any JSON at all.
fn any_value() -> impl Strategy<Value = Value> {
    let keys = prop::sample::select(vec![
        "answer",
        "answers",
        "questions",
        "question_number",
        "question_text",
        "options",
        "A",
        "B",
        "opening_sentence",
        "associative_word",
        "confidence",
        "guess",
        "warmup_question",
        "book_name",
        "book_hint",
        "association_word",
        "breakdown",
        "private_score",
        "feedback",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 64, 24, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..24).prop_map(Value::from),
            prop::collection::vec((keys.clone(), inner), 0..6).prop_map(|entries| {
                entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
            }),
        ]
    })
}

proptest! {
    #[test]
    fn whatever_a_program_returns_is_advice_or_a_complaint(value in any_value()) {
        let asked = [
            get_warmup_answer(), get_questions(), get_guess(), on_score_received(),
            get_warmup_question(), get_round_start_info(), get_answers(), get_score_feedback(),
        ];
        for consultation in asked {
            match hear(&consultation, &value) {
                Ok(heard) => {
                    let advice = heard.advice.unwrap();
                    match Q21Move::of(&advice) {
                        Ok(Q21Move::Questions(questions)) => prop_assert_eq!(questions.len(), 20),
                        Ok(Q21Move::Guess(guess)) => prop_assert!(guess.confidence <= 100),
                        Ok(Q21Move::Warmup(_)) | Err(_) => {}
                    }
                    match Q21Word::of(&advice) {
                        Ok(Q21Word::Answers(answers)) => prop_assert!(!answers.is_empty()),
                        Ok(Q21Word::Score(score)) => {
                            prop_assert_eq!(score.private_score, score.breakdown.private_score());
                        }
                        Ok(Q21Word::WarmupQuestion(_) | Q21Word::Book(_)) | Err(_) => {}
                    }
                }
                Err(complaint) => prop_assert!(!complaint.is_empty()),
            }
        }
    }
}
