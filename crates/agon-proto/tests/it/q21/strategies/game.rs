//! What is said in a game, and what becomes of it.

use agon_games::q21::{
    Q21Answer as Answered, Q21Assessment as Assessment, Q21Breakdown as Breakdown,
    Q21Choice as Choice, Q21Feedback as Feedback, Q21Guess as Guess, Q21Move as Said,
    Q21PublicBook as PublicBook, Q21Question as QuestionRow, Q21View as Seen,
};
use agon_proto::act::{
    Aborted, Act, Asked, LastActor, Moved, PlayerReached, Progress, ReportStatus, Reporter,
    ResultReport, ScoreRow, StatusReport, StopReason, Worth,
};
use agon_proto::message::{Blame, Cause};
use agon_proto::{AsPayload, Payload, Score, StatedScore};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::{address, game, group, score, text, time, word};

pub(super) fn body() -> impl Strategy<Value = Act> {
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

fn asked(number: u16, seen: impl Strategy<Value = Seen>) -> impl Strategy<Value = Act> {
    (game(), seen, option::of(time()), option::of(word())).prop_map(
        move |(game, seen, deadline, token)| {
            Act::Ask(Asked { game, number, view: seen.payload(), deadline, token }.into())
        },
    )
}

fn moved(number: u16, said: impl Strategy<Value = Said>) -> impl Strategy<Value = Act> {
    (game(), said, option::of(word())).prop_map(move |(game, said, token)| {
        Act::Move(Moved { game, number, said: said.payload(), token })
    })
}

fn warmup_call() -> impl Strategy<Value = Act> {
    asked(0, text().prop_map(|text| Seen { warmup_question: Some(text), ..Seen::default() }))
}

fn warmup_response() -> impl Strategy<Value = Act> {
    moved(0, text().prop_map(Said::Warmup))
}

fn round_start() -> impl Strategy<Value = Act> {
    let book = (text(), text(), text()).prop_map(|(name, hint, association_word)| {
        let book = Some(PublicBook { name, hint, association_word });
        Seen { book, ..Seen::default() }
    });
    asked(1, book)
}

fn questions() -> impl Strategy<Value = Act> {
    let question = (any::<u32>(), text(), [text(), text(), text(), text()])
        .prop_map(|(number, text, options)| QuestionRow { number, text, options });
    moved(1, vec(question, 0..4).prop_map(Said::Questions))
}

fn answers() -> impl Strategy<Value = Act> {
    let choices = vec![Choice::A, Choice::B, Choice::C, Choice::D, Choice::NotRelevant];
    let answered =
        (any::<u32>(), select(choices)).prop_map(|(number, choice)| Answered { number, choice });
    asked(2, vec(answered, 0..4).prop_map(|all| Seen { answers: Some(all), ..Seen::default() }))
}

fn guess() -> impl Strategy<Value = Act> {
    let said = [text(), text(), text(), text()];
    let guess = (said, 0..=100_u32, any::<bool>()).prop_map(|(said, confidence, stand_in)| {
        let [opening_sentence, sentence_justification, associative_word, word_justification] = said;
        Guess {
            opening_sentence,
            sentence_justification,
            associative_word,
            word_justification,
            confidence,
            stand_in,
        }
    });
    moved(2, guess.prop_map(|guess| Said::Guess(Box::new(guess))))
}

fn breakdown() -> impl Strategy<Value = Breakdown> {
    [score(), score(), score(), score()].prop_map(|[sentence, why, word, why_word]| Breakdown {
        opening_sentence: counted(sentence),
        sentence_justification: counted(why),
        associative_word: counted(word),
        word_justification: counted(why_word),
    })
}

fn feedback() -> impl Strategy<Value = Feedback> {
    (text(), text()).prop_map(|(opening_sentence, associative_word)| Feedback {
        opening_sentence,
        associative_word,
    })
}

/// What a player sees of its score.
fn seen(score: Assessment) -> Payload {
    Seen { score: Some(score), ..Seen::default() }.payload()
}

fn score_feedback() -> impl Strategy<Value = Act> {
    (game(), 0..4_u32, score(), breakdown(), feedback(), option::of(word())).prop_map(
        |(game, league_points, private_score, breakdown, feedback, token)| {
            let view =
                seen(Assessment { private_score: counted(private_score), breakdown, feedback });
            Act::Worth(Worth { game, league_points, private_score, view, token })
        },
    )
}

fn score_row() -> impl Strategy<Value = ScoreRow> {
    let points = option::of(0..4_u32);
    let stated = option::of(stated_score());
    (group(), option::of(address()), points, stated, option::of(feedback()), option::of(word()))
        .prop_map(|(participant, address, league_points, private_score, feedback, reason)| {
            ScoreRow {
                participant,
                address,
                league_points,
                private_score,
                view: feedback
                    .map(|feedback| seen(Assessment { feedback, ..Assessment::default() })),
                reason,
            }
        })
}

fn stated_score() -> impl Strategy<Value = StatedScore> {
    prop_oneof![
        score().prop_map(StatedScore::Within),
        (101..100_000_i32).prop_map(|points| StatedScore::from_points(points.into())),
        (-1_000..0_i32).prop_map(|points| StatedScore::from_points(points.into())),
    ]
}

fn player_state() -> impl Strategy<Value = PlayerReached> {
    (option::of(address()), group(), word(), any::<bool>(), word()).prop_map(
        |(address, participant, phase_reached, scored, last_actor)| PlayerReached {
            address,
            participant,
            phase_reached,
            scored,
            last_actor,
        },
    )
}

fn result() -> impl Strategy<Value = Act> {
    let status =
        select(vec![ReportStatus::Completed, ReportStatus::Abandoned, ReportStatus::Timeout]);
    let end = (status, option::of(group()), any::<bool>(), option::of(word()));
    let cause = option::of(select(vec![Cause::Played, Cause::TimedOut, Cause::MalformedAnswer]));
    let blame = option::of(select(vec![Blame::PlayerA, Blame::Both, Blame::Referee]));
    (game(), end, vec(score_row(), 0..4), vec(player_state(), 0..3), cause, blame).prop_map(
        |(game, (status, winner, is_draw, abort_reason), scores, player_states, cause, blame)| {
            Act::ResultReport(
                ResultReport {
                    game,
                    status,
                    winner,
                    is_draw,
                    scores,
                    abort_reason: abort_reason.map(Aborted),
                    player_states,
                    cause,
                    blame,
                }
                .into(),
            )
        },
    )
}

fn status() -> impl Strategy<Value = Act> {
    let phase = select(vec![
        Progress::Answered(0),
        Progress::Answered(1),
        Progress::Answered(2),
        Progress::Answered(3),
        Progress::Completed,
        Progress::Terminated,
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
            let apart = |breakdown| seen(Assessment { breakdown, ..Assessment::default() });
            Act::StatusReport(
                StatusReport {
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
                    view: breakdown.map(apart),
                }
                .into(),
            )
        },
    )
}

fn counted(score: Score) -> i32 {
    score.hundredths().try_into().unwrap()
}
