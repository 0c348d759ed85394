//! The one argument of a callback: `ctx`, with the data under `dynamic` and what is about the call
//! itself under `service`.
//!
//! The keys are a promise to every program that was written for the league. Where known programs
//! read two spellings of a thing, both are there.
//!
//! Spec: docs/protocol/q21-callbacks.md

use std::time::Duration;

use agon_core::Seat;
use agon_games::q21::{
    Q21Answer, Q21Assessment, Q21Book, Q21Breakdown, Q21Brief, Q21Feedback, Q21Guess, Q21Move,
    Q21PublicBook, Q21Question, Q21View,
};
use agon_proto::dialect::q21::OPTIONS;
use agon_proto::known::{Contestant, PlayerContext, PlayerStandings, RefereeContext};
use agon_proto::{AsPayload, Payload};
use serde_json::{Value, json};

use super::Method;

/// What a player is told, whatever it is asked.
pub(super) fn player(known: &PlayerContext, dynamic: &Value) -> Value {
    let game = &known.game;
    let service = json!({"match_id": game, "game_id": game, "standings": table(&known.standings)});
    json!({"dynamic": dynamic, "service": service})
}

/// The method that is called, and what it is told.
type Told = (&'static Method, Value);

/// How a player is asked for a move of that kind, and what it is told for it.
pub(super) fn asked(kind: &str, seen: &Q21View, said: &[Payload]) -> Option<Told> {
    Some(match kind {
        "warmup" => {
            let question = seen.warmup_question.as_ref()?;
            (&super::WARMUP_ANSWER, json!({"warmup_question": question}))
        }
        "questions" => (&super::QUESTIONS, public(seen.book.as_ref()?)),
        "guess" => {
            let questions = said.iter().find_map(|said| match Q21Move::of(said) {
                Ok(Q21Move::Questions(questions)) => Some(questions),
                Ok(Q21Move::Warmup(_) | Q21Move::Guess(_)) | Err(_) => None,
            })?;
            let answers: Value = seen.answers.as_ref()?.iter().map(answered).collect();
            let sent: Value = questions.iter().map(question).collect();
            let more = json!({"answers": answers, "questions_sent": sent});
            (&super::GUESS, with(public(seen.book.as_ref()?), more))
        }
        _ => return None,
    })
}

/// What a player is told of its score.
pub(super) fn score(score: &Q21Assessment, known: &PlayerContext) -> Value {
    let PlayerContext { game, standings } = known;
    let past = standings.history.iter().find(|past| past.game == *game);
    let unsaid = score.feedback == Q21Feedback::default();
    let feedback = if unsaid { json!({}) } else { json!(score.feedback) };
    json!({
        // The template that teams start from looks for it here.
        "match_id": game,
        "league_points": past.map_or(0, |past| past.league_points),
        "private_score": points(score.private_score.into()),
        "breakdown": parts(&score.breakdown),
        "feedback": feedback,
    })
}

/// A dict with more in it.
fn with(mut dict: Value, more: Value) -> Value {
    if let (Value::Object(dict), Value::Object(more)) = (&mut dict, more) {
        dict.extend(more);
    }
    dict
}

fn public(book: &Q21PublicBook) -> Value {
    let Q21PublicBook { name, hint, association_word } = book;
    json!({"book_name": name, "book_hint": hint, "association_word": association_word})
}

fn answered(answer: &Q21Answer) -> Value {
    json!({"question_number": answer.number, "answer": answer.choice.as_str()})
}

fn question(question: &Q21Question) -> Value {
    let options = OPTIONS.iter().zip(&question.options);
    let options: Value = options.map(|(key, text)| (key.to_string(), &**text)).collect();
    json!({"question_number": question.number, "question_text": question.text, "options": options})
}

/// As a referee sees it: under the names of the document, and under those of the players.
fn question_for_referee(asked: &Q21Question) -> Value {
    let spelled = question(asked);
    let players = json!({
        "number": asked.number, "text": asked.text, "choices": spelled["options"],
    });
    with(spelled, players)
}

fn parts(breakdown: &Q21Breakdown) -> Value {
    json!({
        "opening_sentence_score": points(breakdown.opening_sentence.into()),
        "sentence_justification_score": points(breakdown.sentence_justification.into()),
        "associative_word_score": points(breakdown.associative_word.into()),
        "word_justification_score": points(breakdown.word_justification.into()),
    })
}

/// Hundredths of points, as a number of points.
fn points(hundredths: i64) -> f64 {
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
            "status": past.status.as_str(),
            "error": past.error,
        })
    });
    json!({
        "season_id": standings.season,
        "round_number": standings.round_number,
        "total_score": points(standings.total_hundredths.cast_signed()),
        "league_points": standings.league_points,
        "games_played": standings.games_played,
        "games_won": standings.games_won,
        "rank": standings.rank,
        "history": history.collect::<Vec<_>>(),
    })
}

/// What a referee is told, whatever it is asked.
pub(super) fn referee(known: &RefereeContext, more: Value, service: Value) -> Value {
    let dynamic = json!({
        "season_id": known.season,
        "league_id": known.league,
        "game_id": known.game,
        "match_id": known.game,
        "referee_id": known.referee,
        "round_number": known.round_number,
        "round_id": known.round,
        "assignment_table_id": null,
    });
    json!({"dynamic": with(dynamic, more), "service": service})
}

/// How a referee is asked for a judgement of that kind, and what it is told for it.
pub(super) fn judged(
    kind: &str,
    brief: &Q21Brief,
    about: Option<Seat>,
    players: &[Contestant; 2],
) -> Option<Told> {
    let [first, second] = players;
    let one = about.map(|seat| &players[seat.index()]);
    Some(match kind {
        "warmup_question" => {
            let both = json!({
                "player_a_id": first.id, "player_a_email": first.address,
                "player_b_id": second.id, "player_b_email": second.address,
            });
            (&super::WARMUP_QUESTION, both)
        }
        "book" => {
            let [of_first, of_second] = &brief.warmup_answers;
            let (first, second) = (contestant(first, of_first), contestant(second, of_second));
            (&super::ROUND_START_INFO, json!({"player_a": first, "player_b": second}))
        }
        "answers" => {
            let questions = brief.questions.as_ref()?.iter();
            let questions: Value = questions.map(question_for_referee).collect();
            let more = json!({"questions": questions});
            (&super::ANSWERS, with(secret(one?, brief.book.as_ref()?), more))
        }
        "score" => {
            let more = json!({"player_guess": guessed(brief.guess.as_ref()?)});
            (&super::SCORE_FEEDBACK, with(secret(one?, brief.book.as_ref()?), more))
        }
        _ => return None,
    })
}

fn contestant(player: &Contestant, warmup_answer: &Option<Box<str>>) -> Value {
    json!({"id": player.id, "email": player.address, "warmup_answer": warmup_answer})
}

/// Who plays, and the book with its secrets, as far as the program has told them to us.
fn secret(player: &Contestant, book: &Q21Book) -> Value {
    let more = json!({
        "player_id": player.id,
        "player_email": player.address,
        "actual_opening_sentence": book.opening_sentence,
        "actual_associative_word": book.associative_word,
    });
    with(public(&book.public), more)
}

fn guessed(guess: &Q21Guess) -> Value {
    with(json!(guess), json!({"confidence": f64::from(guess.confidence) / 100.0}))
}

/// What a referee's call is about; a player's says nothing of the kind.
pub(super) fn service(method: &Method, limit: Duration) -> Option<Value> {
    let (description, fields) = method.service?;
    Some(json!({
        "name": method.name.trim_start_matches("get_"),
        "description": description,
        "required_output_fields": fields,
        "deadline_seconds": limit.as_secs_f64().round() as u64,
    }))
}

#[cfg(test)]
mod tests;
