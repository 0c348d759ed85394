//! What is said in a game, and what becomes of it.

use agon_proto::StatedScore;
use agon_proto::dialect::q21::{
    Answered, AnswersBatch, Body, Breakdown, Choice, Feedback, Guess, GuessSubmission, LastActor,
    PlayerPhase, PlayerState, QuestionRow, QuestionsBatch, ReportStatus, Reporter, ResultReport,
    RoundStart, ScoreFeedback, ScoreRow, StatusReport, StopReason, WarmupCall, WarmupResponse,
};
use agon_proto::message::{Blame, Cause};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::{address, game, group, score, text, time, word};

pub(super) fn body() -> impl Strategy<Value = Body> {
    prop_oneof![
        warmup_call(),
        warmup_response(),
        round_start(),
        questions(),
        answers(),
        guess(),
        score_feedback(),
        result(),
        status(),
    ]
}

fn warmup_call() -> impl Strategy<Value = Body> {
    (game(), text(), option::of(time()), option::of(word())).prop_map(
        |(game, question, deadline, token)| {
            Body::WarmupCall(WarmupCall { game, question, deadline, token })
        },
    )
}

fn warmup_response() -> impl Strategy<Value = Body> {
    (game(), text(), option::of(word())).prop_map(|(game, answer, token)| {
        Body::WarmupResponse(WarmupResponse { game, answer, token })
    })
}

fn round_start() -> impl Strategy<Value = Body> {
    let texts = (text(), text(), text());
    (game(), texts, any::<u32>(), option::of(time()), option::of(word())).prop_map(
        |(game, (book_name, book_hint, association_word), questions_required, deadline, token)| {
            Body::RoundStart(RoundStart {
                game,
                book_name,
                book_hint,
                association_word,
                questions_required,
                deadline,
                token,
            })
        },
    )
}

fn questions() -> impl Strategy<Value = Body> {
    let question = (any::<u32>(), text(), [text(), text(), text(), text()])
        .prop_map(|(number, text, options)| QuestionRow { number, text, options });
    (game(), vec(question, 0..4), option::of(word())).prop_map(|(game, questions, token)| {
        Body::QuestionsBatch(QuestionsBatch { game, questions, token })
    })
}

fn answers() -> impl Strategy<Value = Body> {
    let choices = vec![Choice::A, Choice::B, Choice::C, Choice::D, Choice::NotRelevant];
    let answered =
        (any::<u32>(), select(choices)).prop_map(|(number, choice)| Answered { number, choice });
    (game(), vec(answered, 0..4), option::of(time()), option::of(word())).prop_map(
        |(game, answers, deadline, token)| {
            Body::AnswersBatch(AnswersBatch { game, answers, deadline, token })
        },
    )
}

fn guess() -> impl Strategy<Value = Body> {
    let guess = (text(), text(), text(), text(), 0..=100_u32).prop_map(
        |(opening_sentence, sentence_justification, associative_word, word_justification, sure)| {
            Guess {
                opening_sentence,
                sentence_justification,
                associative_word,
                word_justification,
                confidence: sure,
            }
        },
    );
    (game(), guess, option::of(word())).prop_map(|(game, guess, token)| {
        Body::GuessSubmission(GuessSubmission { game, guess, token })
    })
}

fn breakdown() -> impl Strategy<Value = Breakdown> {
    [score(), score(), score(), score()].prop_map(|[sentence, why, word, why_word]| Breakdown {
        opening_sentence: sentence,
        sentence_justification: why,
        associative_word: word,
        word_justification: why_word,
    })
}

fn feedback() -> impl Strategy<Value = Option<Feedback>> {
    option::of((text(), text()).prop_map(|(opening_sentence, associative_word)| Feedback {
        opening_sentence,
        associative_word,
    }))
}

fn score_feedback() -> impl Strategy<Value = Body> {
    (game(), 0..4_u32, score(), breakdown(), feedback(), option::of(word())).prop_map(
        |(game, league_points, private_score, breakdown, feedback, token)| {
            Body::ScoreFeedback(ScoreFeedback {
                game,
                league_points,
                private_score,
                breakdown,
                feedback,
                token,
            })
        },
    )
}

fn score_row() -> impl Strategy<Value = ScoreRow> {
    let points = option::of(0..4_u32);
    let stated = option::of(stated_score());
    (group(), option::of(address()), points, stated, feedback(), option::of(word())).prop_map(
        |(participant, address, league_points, private_score, feedback, reason)| ScoreRow {
            participant,
            address,
            league_points,
            private_score,
            feedback,
            reason,
        },
    )
}

fn stated_score() -> impl Strategy<Value = StatedScore> {
    prop_oneof![
        score().prop_map(StatedScore::Within),
        (101..100_000_i32).prop_map(|points| StatedScore::from_points(points.into())),
        (-1_000..0_i32).prop_map(|points| StatedScore::from_points(points.into())),
    ]
}

fn player_state() -> impl Strategy<Value = PlayerState> {
    (option::of(address()), group(), word(), any::<bool>(), word()).prop_map(
        |(address, participant, phase_reached, scored, last_actor)| PlayerState {
            address,
            participant,
            phase_reached,
            scored,
            last_actor,
        },
    )
}

fn result() -> impl Strategy<Value = Body> {
    let status =
        select(vec![ReportStatus::Completed, ReportStatus::Abandoned, ReportStatus::Timeout]);
    let end = (status, option::of(group()), any::<bool>(), option::of(word()));
    let cause = option::of(select(vec![Cause::Played, Cause::TimedOut, Cause::MalformedAnswer]));
    let blame = option::of(select(vec![Blame::PlayerA, Blame::Both, Blame::Referee]));
    (game(), end, vec(score_row(), 0..4), vec(player_state(), 0..3), cause, blame).prop_map(
        |(game, (status, winner, is_draw, abort_reason), scores, player_states, cause, blame)| {
            Body::ResultReport(ResultReport {
                game,
                status,
                winner,
                is_draw,
                scores,
                abort_reason,
                player_states,
                cause,
                blame,
            })
        },
    )
}

fn status() -> impl Strategy<Value = Body> {
    let phase = select(vec![
        PlayerPhase::Initialized,
        PlayerPhase::WarmupComplete,
        PlayerPhase::QuestionsSent,
        PlayerPhase::GuessSubmitted,
        PlayerPhase::Completed,
        PlayerPhase::Terminated,
    ]);
    let actor = select(vec![LastActor::None, LastActor::Player, LastActor::Referee]);
    let reason = select(vec![
        StopReason::NewRoundStarted,
        StopReason::LeagueCompleted,
        StopReason::GameCompleted,
    ]);
    let stood = (phase, actor, option::of(word()), option::of(word()), reason);
    let reporter = (option::of(address()), word());
    let points = option::of((0..4_u32, score()));
    let end = (option::of(time()), points, option::of(breakdown()));
    (game(), any::<u32>(), stood, reporter, end).prop_map(
        |(game, round, (phase, last_actor, last_sent, last_received, reason), reporter, end)| {
            let ((address, role), (at, points, breakdown)) = (reporter, end);
            Body::StatusReport(StatusReport {
                game,
                round,
                season: None,
                phase,
                last_actor,
                last_sent,
                last_received,
                at,
                reason,
                reporter: Reporter { address, role },
                points,
                breakdown,
            })
        },
    )
}
