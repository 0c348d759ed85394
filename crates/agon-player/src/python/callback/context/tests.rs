//! Every key that a program was promised, filled.

use super::super::tests::*;
use super::*;

#[track_caller]
fn check(consultation: &Consultation, dynamic: &Value, service: &Value) {
    let context = called(consultation, Duration::from_secs(120)).context;
    assert_eq!(context["dynamic"], *dynamic);
    assert_eq!(context["service"], *service);
    assert_eq!(context.as_object().unwrap().len(), 2);
}

fn players_service() -> Value {
    json!({
        "match_id": "0103007",
        "game_id": "0103007",
        "standings": {
            "season_id": "S01", "round_number": 3, "total_score": 150.25, "league_points": 4,
            "games_played": 2, "games_won": 1, "rank": 2,
            "history": [{
                "match_id": "0102001", "game_id": "0102001", "round_number": 2,
                "league_points": 3, "private_score": 88.25, "won": true,
                "status": "COMPLETED", "error": null,
            }],
        },
    })
}

fn referees_dynamic(more: Value) -> Value {
    let mut dynamic = json!({
        "season_id": "S01", "league_id": "LEAGUE001", "game_id": "0103007",
        "match_id": "0103007", "referee_id": "R-001", "round_number": 3, "round_id": "S01_R3",
        "assignment_table_id": null,
    });
    if let (Value::Object(dynamic), Value::Object(more)) = (&mut dynamic, more) {
        dynamic.extend(more);
    }
    dynamic
}

#[track_caller]
fn check_referee(consultation: &Consultation, more: Value, name: &str, fields: &[&str]) {
    let context = called(consultation, Duration::from_secs(120)).context;
    assert_eq!(context["dynamic"], referees_dynamic(more));
    let service = &context["service"];
    assert_eq!(service["name"], name);
    assert!(!service["description"].as_str().unwrap().is_empty());
    assert_eq!(service["required_output_fields"], json!(fields));
    assert_eq!(service["deadline_seconds"], 120);
    assert_eq!(service.as_object().unwrap().len(), 4);
}

#[test]
fn a_player_sees_the_question_of_the_warmup() {
    let dynamic = json!({"warmup_question": "2 + 2?"});
    check(&get_warmup_answer(), &dynamic, &players_service());
}

#[test]
fn a_player_sees_the_hint_and_the_word_before_it_asks() {
    let dynamic = json!({
        "book_name": "Harbour Tales",
        "book_hint": "Solitary duty beside restless water",
        "association_word": "colour",
    });
    check(&get_questions(), &dynamic, &players_service());
}

#[test]
fn a_player_sees_hint_word_answers_and_its_own_questions_before_it_guesses() {
    let sent = |n: u32| {
        json!({
            "question_number": n, "question_text": format!("Is it number {n}?"),
            "options": {"A": "yes", "B": "no", "C": "partly", "D": "unknown"},
        })
    };
    let dynamic = json!({
        "book_name": "Harbour Tales",
        "book_hint": "Solitary duty beside restless water",
        "association_word": "colour",
        "answers": [
            {"question_number": 1, "answer": "B"},
            {"question_number": 2, "answer": "Not Relevant"},
        ],
        "questions_sent": (1..=20).map(sent).collect::<Vec<_>>(),
    });
    check(&get_guess(), &dynamic, &players_service());
}

#[test]
fn a_player_sees_its_score_its_parts_and_the_words() {
    let dynamic = json!({
        "match_id": "0103007",
        "league_points": 1,
        "private_score": 60.1,
        "breakdown": {
            "opening_sentence_score": 80.0, "sentence_justification_score": 70.5,
            "associative_word_score": 0.0, "word_justification_score": 60.0,
        },
        "feedback": {"opening_sentence": "close", "associative_word": "far"},
    });
    let mut service = players_service();
    let told = json!({
        "match_id": "0103007", "game_id": "0103007", "round_number": 1,
        "league_points": 1, "private_score": 60.1, "won": null,
        "status": "COMPLETED", "error": null,
    });
    service["standings"]["history"].as_array_mut().unwrap().push(told);
    check(&on_score_received(), &dynamic, &service);
}

#[test]
fn a_score_without_words_has_an_empty_dict_of_them() {
    let mut consultation = on_score_received();
    if let Query::Player(PlayerQuery::Score { feedback, .. }, _) = &mut consultation.query {
        *feedback = None;
    }
    let context = called(&consultation, Duration::ZERO).context;
    assert_eq!(context["dynamic"]["feedback"], json!({}));
}

#[test]
fn a_referee_sees_both_players_before_the_warmup() {
    let more = json!({
        "player_a_id": "alphateam", "player_a_email": "alphateam@league.test",
        "player_b_id": "betateam", "player_b_email": "betateam@league.test",
    });
    check_referee(&get_warmup_question(), more, "warmup_question", &["warmup_question"]);
}

#[test]
fn a_referee_sees_both_answers_before_the_round() {
    let player = |name: &str| {
        let email = format!("{name}@league.test");
        json!({"id": name, "email": email, "warmup_answer": "4"})
    };
    let more = json!({"player_a": player("alphateam"), "player_b": player("betateam")});
    let fields = ["book_name", "book_hint", "association_word"];
    check_referee(&get_round_start_info(), more, "round_start_info", &fields);
}

fn known() -> Value {
    json!({
        "player_id": "alphateam", "player_email": "alphateam@league.test",
        "book_name": "Harbour Tales",
        "book_hint": "Solitary duty beside restless water",
        "association_word": "colour",
        "actual_opening_sentence": "The keeper lit the lamp.",
        "actual_associative_word": "green",
    })
}

#[test]
fn a_referee_sees_questions_under_both_spellings() {
    let asked = |n: u32| {
        let text = format!("Is it number {n}?");
        let options = json!({"A": "yes", "B": "no", "C": "partly", "D": "unknown"});
        json!({
            "question_number": n, "question_text": text, "options": options,
            "number": n, "text": text, "choices": options,
        })
    };
    let mut more = known();
    more["questions"] = (1..=20).map(asked).collect();
    check_referee(&get_answers(), more, "answers", &["answers"]);
}

#[test]
fn a_referee_sees_the_guess_and_is_given_its_secrets_back() {
    let mut more = known();
    more["player_guess"] = json!({
        "opening_sentence": "A keeper lit a lamp.", "sentence_justification": "because",
        "associative_word": "blue", "word_justification": "therefore", "confidence": 0.75,
    });
    let fields = ["league_points", "private_score", "breakdown", "feedback"];
    check_referee(&get_score_feedback(), more, "score_feedback", &fields);
}
