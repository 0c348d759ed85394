//! What referee and players say to each other in a game, under every name that somebody reads.

use super::object::Object;
use crate::dialect::q21::{
    AnswersBatch, Breakdown, Choice, Feedback, GuessSubmission, OPTIONS, Question, QuestionsBatch,
    RoundStart, ScoreFeedback, WarmupCall, WarmupResponse,
};

pub(super) fn warmup_call(said: &WarmupCall, payload: &mut Object<'_>) {
    payload.put("match_id", &said.game);
    payload.put("warmup_question", &said.question);
    payload.time_as(&["deadline", "response_deadline"], said.deadline);
    payload.put_some("auth_token", said.token.as_ref());
}

pub(super) fn warmup_response(said: &WarmupResponse, payload: &mut Object<'_>) {
    payload.put("match_id", &said.game);
    payload.put("answer", &said.answer);
    payload.put_some("auth_token", said.token.as_ref());
}

pub(super) fn round_start(said: &RoundStart, payload: &mut Object<'_>) {
    payload.put("match_id", &said.game);
    payload.put("book_name", &said.book_name);
    payload.put_as(&["book_hint", "description", "book_description"], &said.book_hint);
    payload.put_as(&["association_word", "associative_domain"], &said.association_word);
    payload.put_as(&["questions_required", "question_count"], said.questions_required);
    payload.time_as(&["deadline", "response_deadline"], said.deadline);
    payload.put_some("auth_token", said.token.as_ref());
}

pub(super) fn questions(said: &QuestionsBatch, payload: &mut Object<'_>) {
    payload.put("match_id", &said.game);
    payload.put("total_questions", said.questions.len());
    payload.list("questions", &said.questions, question);
    payload.put_some("auth_token", said.token.as_ref());
}

/// Referees know one spelling or the other, and take what they know out of the object.
fn question(object: &mut Object<'_>, question: &Question) {
    object.put_as(&["question_number", "number"], question.number);
    object.put_as(&["question_text", "text"], &question.text);
    for name in ["options", "choices"] {
        object.object(name, |options| {
            for (key, option) in OPTIONS.iter().zip(&question.options) {
                options.put(key.encode_utf8(&mut [0; 4]), option);
            }
        });
    }
}

pub(super) fn answers(said: &AnswersBatch, payload: &mut Object<'_>) {
    payload.put("match_id", &said.game);
    payload.list("answers", &said.answers, |object, answered| {
        object.put("question_number", answered.number);
        object.put("answer", Choice::as_str(answered.choice));
    });
    payload.time_as(&["deadline", "guess_deadline", "response_deadline"], said.deadline);
    payload.put_some("auth_token", said.token.as_ref());
}

/// Flat, as referees read it, and again as an object, as the later players send it.
pub(super) fn guess(said: &GuessSubmission, payload: &mut Object<'_>) {
    let fields = |object: &mut Object<'_>| {
        object.put("opening_sentence", &said.guess.opening_sentence);
        object.put("sentence_justification", &said.guess.sentence_justification);
        object.put("associative_word", &said.guess.associative_word);
        object.put("word_justification", &said.guess.word_justification);
        object.put("confidence", f64::from(said.guess.confidence) / 100.0);
    };
    payload.put("match_id", &said.game);
    fields(payload);
    payload.object("guess", fields);
    payload.put_some("auth_token", said.token.as_ref());
}

pub(super) fn score(said: &ScoreFeedback, payload: &mut Object<'_>) {
    payload.put("match_id", &said.game);
    payload.put_as(&["league_points", "league_score"], said.league_points);
    payload.put("private_score", said.private_score.points());
    breakdown(&said.breakdown, payload);
    feedback(said.feedback.as_ref(), payload);
    payload.put_some("auth_token", said.token.as_ref());
}

pub(super) fn breakdown(parts: &Breakdown, payload: &mut Object<'_>) {
    payload.object("breakdown", |object| {
        object.put("opening_sentence_score", parts.opening_sentence.points());
        object.put("sentence_justification_score", parts.sentence_justification.points());
        object.put("associative_word_score", parts.associative_word.points());
        object.put("word_justification_score", parts.word_justification.points());
    });
}

pub(super) fn feedback(texts: Option<&Feedback>, payload: &mut Object<'_>) {
    if let Some(texts) = texts {
        payload.object("feedback", |object| {
            object.put("opening_sentence", &texts.opening_sentence);
            object.put("associative_word", &texts.associative_word);
        });
    }
}
