//! The one argument of a callback: `ctx`, with the data under `dynamic` and what is about the call
//! itself under `service`.
//!
//! The keys are a promise to every program that was written for the league. Where known programs
//! read two spellings of a thing, both are there.
//!
//! Spec: docs/protocol/q21-callbacks.md

use std::time::Duration;

use serde_json::{Map, Value, json};

use agon_proto::GameId;
use agon_proto::dialect::q21::{
    Answered, Book, Breakdown, Guess, OPTIONS, PublicBook, QuestionRow,
};
use agon_proto::known::{PlayerStandings, RefereeContext};

use super::{Consultation, PlayerQuery, Query, RefereeQuery, Rival};

/// What a program is told, as JSON. `limit` is how long it may take.
pub(crate) fn context(consultation: &Consultation, limit: Duration) -> Vec<u8> {
    let context = match &consultation.query {
        Query::Player(query, standings) => player(query, &consultation.game, standings),
        Query::Referee(query, common) => {
            json!({"dynamic": referee(query, common), "service": service(query, limit)})
        }
    };
    context.to_string().into_bytes()
}

fn player(query: &PlayerQuery, game: &GameId, standings: &PlayerStandings) -> Value {
    let dynamic = match query {
        PlayerQuery::Warmup { question } => json!({"warmup_question": question}),
        PlayerQuery::Questions { book } => public(book).into(),
        PlayerQuery::Guess { book, answers, questions } => {
            let mut dynamic = public(book);
            dynamic.insert("answers".into(), answers.iter().map(answered).collect());
            dynamic.insert("questions_sent".into(), questions.iter().map(question).collect());
            dynamic.into()
        }
        PlayerQuery::Score { league_points, private_score, breakdown, feedback } => {
            let feedback = feedback.as_ref().map_or_else(
                || json!({}),
                |text| {
                    json!({
                        "opening_sentence": text.opening_sentence,
                        "associative_word": text.associative_word,
                    })
                },
            );
            json!({
                // The template that teams start from looks for it here.
                "match_id": game,
                "league_points": league_points,
                "private_score": private_score.points(),
                "breakdown": parts(breakdown),
                "feedback": feedback,
            })
        }
    };
    let service = json!({"match_id": game, "game_id": game, "standings": table(standings)});
    json!({"dynamic": dynamic, "service": service})
}

fn public(book: &PublicBook) -> Map<String, Value> {
    let entries = [
        ("book_name", &book.name),
        ("book_hint", &book.hint),
        ("association_word", &book.association_word),
    ];
    entries.into_iter().map(|(key, text)| (key.into(), Value::from(&**text))).collect()
}

fn answered(answer: &Answered) -> Value {
    json!({"question_number": answer.number, "answer": answer.choice.as_str()})
}

fn question(question: &QuestionRow) -> Value {
    let options = options(question);
    json!({"question_number": question.number, "question_text": question.text, "options": options})
}

/// As a referee sees it: under the names of the document, and under those of the players.
fn question_for_referee(question: &QuestionRow) -> Value {
    let options = options(question);
    json!({
        "question_number": question.number, "question_text": question.text, "options": options,
        "number": question.number, "text": question.text, "choices": options,
    })
}

fn options(question: &QuestionRow) -> Value {
    let pairs = OPTIONS.iter().zip(&question.options);
    pairs.map(|(key, text)| (key.to_string(), Value::from(&**text))).collect::<Map<_, _>>().into()
}

fn parts(breakdown: &Breakdown) -> Value {
    json!({
        "opening_sentence_score": breakdown.opening_sentence.points(),
        "sentence_justification_score": breakdown.sentence_justification.points(),
        "associative_word_score": breakdown.associative_word.points(),
        "word_justification_score": breakdown.word_justification.points(),
    })
}

/// Hundredths of points, as a number of points.
fn points(hundredths: u64) -> f64 {
    // Exact for every sum that a season can reach.
    hundredths as f64 / 100.0
}

fn table(standings: &PlayerStandings) -> Value {
    let history = standings.history.iter().map(|past| {
        json!({
            "match_id": past.game,
            "game_id": past.game,
            "round_number": past.round_number,
            "league_points": past.league_points,
            "private_score": past.private_score.points(),
            "won": past.won,
        })
    });
    json!({
        "season_id": standings.season,
        "round_number": standings.round_number,
        "total_score": points(standings.total_hundredths),
        "league_points": standings.league_points,
        "games_played": standings.games_played,
        "games_won": standings.games_won,
        "rank": standings.rank,
        "history": history.collect::<Vec<_>>(),
    })
}

fn referee(query: &RefereeQuery, common: &RefereeContext) -> Value {
    let more = match query {
        RefereeQuery::WarmupQuestion { players: [first, second] } => json!({
            "player_a_id": first.id, "player_a_email": first.address,
            "player_b_id": second.id, "player_b_email": second.address,
        }),
        RefereeQuery::RoundStart { players: [first, second] } => {
            json!({"player_a": contestant(first), "player_b": contestant(second)})
        }
        RefereeQuery::Answers { player, book, questions } => {
            let mut more = secret(player, book);
            more.insert("questions".into(), questions.iter().map(question_for_referee).collect());
            more.into()
        }
        RefereeQuery::Score { player, book, guess } => {
            let mut more = secret(player, book);
            more.insert("player_guess".into(), guessed(guess));
            more.into()
        }
    };
    let mut dynamic = json!({
        "season_id": common.season,
        "league_id": common.league,
        "game_id": common.game,
        "match_id": common.game,
        "referee_id": common.referee,
        "round_number": common.round_number,
        "round_id": common.round,
        "assignment_table_id": null,
    });
    if let (Value::Object(dynamic), Value::Object(more)) = (&mut dynamic, more) {
        dynamic.extend(more);
    }
    dynamic
}

fn contestant(player: &Rival) -> Value {
    json!({"id": player.id, "email": player.address, "warmup_answer": player.warmup_answer})
}

/// Who plays, and the book with its secrets, as far as the program has told them to us.
fn secret(player: &Rival, book: &Book) -> Map<String, Value> {
    let mut entries = public(&book.public);
    entries.insert("player_id".into(), player.id.as_str().into());
    entries.insert("player_email".into(), player.address.as_str().into());
    entries.insert("actual_opening_sentence".into(), book.opening_sentence.as_deref().into());
    entries.insert("actual_associative_word".into(), book.associative_word.as_deref().into());
    entries
}

fn guessed(guess: &Guess) -> Value {
    json!({
        "opening_sentence": guess.opening_sentence,
        "sentence_justification": guess.sentence_justification,
        "associative_word": guess.associative_word,
        "word_justification": guess.word_justification,
        "confidence": f64::from(guess.confidence) / 100.0,
    })
}

fn service(query: &RefereeQuery, limit: Duration) -> Value {
    let (name, description, fields): (_, _, &[&str]) = match query {
        RefereeQuery::WarmupQuestion { .. } => (
            "warmup_question",
            "An easy question, to see that both players are there.",
            &["warmup_question"],
        ),
        RefereeQuery::RoundStart { .. } => (
            "round_start_info",
            "The book, a hint, and the domain of the secret word.",
            &["book_name", "book_hint", "association_word"],
        ),
        RefereeQuery::Answers { .. } => (
            "answers",
            "Answers to one player's questions: A, B, C, D or Not Relevant.",
            &["answers"],
        ),
        RefereeQuery::Score { .. } => (
            "score_feedback",
            "What one player's guess is worth, and why.",
            &["league_points", "private_score", "breakdown", "feedback"],
        ),
    };
    json!({
        "name": name,
        "description": description,
        "required_output_fields": fields,
        "deadline_seconds": limit.as_secs_f64().round() as u64,
    })
}

#[cfg(test)]
mod tests;
