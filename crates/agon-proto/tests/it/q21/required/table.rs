//! The field validator's table: envelope, payload, entries of lists, enumerations and bounds.
//!
//! Where it and a real reader disagree, the line says so.

/// What must stand in a field.
pub(super) enum Must {
    Text,
    Time,
    Flag,
    TextOrNull,
    /// A whole number, at least this.
    Whole(u64),
    /// A number between these.
    Between(f64, f64),
    /// One of these, whatever the case: the readers do not agree on it.
    OneOf(&'static [&'static str]),
    /// A text of this many words.
    Words(usize, usize),
    Object,
    /// A list whose every entry has these.
    List(&'static [(&'static str, Must)]),
}

use Must::{Between, Flag, List, Object, OneOf, Text, TextOrNull, Time, Whole, Words};

pub(super) type Fields = &'static [(&'static str, Must)];

pub(super) const ENVELOPE: Fields = &[
    ("protocol", OneOf(&["league.v2", "Q21G.v1"])),
    ("message_type", Text),
    ("message_id", Text),
    ("timestamp", Time),
    ("sender", Object),
    ("sender.email", Text),
    ("sender.role", OneOf(&["PLAYER", "REFEREE", "LEAGUEMANAGER"])),
    ("sender.logical_id", TextOrNull),
    ("recipient_id", Text),
    ("payload", Object),
];

const QUESTION: Fields = &[
    ("question_number", Whole(1)),
    ("question_text", Text),
    ("options.A", Text),
    ("options.B", Text),
    ("options.C", Text),
    ("options.D", Text),
    ("number", Whole(1)),
    ("text", Text),
    ("choices", Object),
];
const CHOICE: Must = OneOf(&["A", "B", "C", "D", "Not Relevant"]);
const STANDING: Fields = &[
    ("rank", Whole(1)),
    ("participant_id", Text),
    ("display_name", Text),
    ("total_points", Whole(0)),
    ("group_id", Text),
    ("total_score", Whole(0)),
    ("games_played", Whole(0)),
    ("games_won", Whole(0)),
];
const SCORE: Fields = &[
    ("participant_id", Text),
    ("email", Text),
    ("league_points", Whole(0)),
    ("league_score", Whole(0)),
    ("private_score", Between(0.0, 100.0)),
];
const ROW: Fields = &[
    ("role", OneOf(&["player1", "player2", "referee"])),
    ("email", Text),
    ("game_id", Text),
    ("group_id", Text),
];

/// Paths are below the envelope.
pub(super) const MESSAGES: &[(&str, Fields)] = &[
    (
        "Q21WARMUPCALL",
        &[
            ("game_id", Text),
            ("payload.match_id", Text),
            ("payload.warmup_question", Text),
            ("payload.deadline", Time),
            ("payload.auth_token", Text),
        ],
    ),
    (
        "Q21WARMUPRESPONSE",
        &[
            ("game_id", Text),
            ("payload.match_id", Text),
            ("payload.answer", Text),
            ("payload.auth_token", Text),
            ("correlation_id", Text),
        ],
    ),
    (
        "Q21ROUNDSTART",
        &[
            ("game_id", Text),
            ("payload.match_id", Text),
            ("payload.book_name", Text),
            ("payload.book_hint", Text),
            ("payload.description", Text),
            ("payload.book_description", Text),
            ("payload.association_word", Text),
            ("payload.associative_domain", Text),
            ("payload.questions_required", Whole(1)),
            ("payload.deadline", Time),
            ("payload.response_deadline", Time),
            ("payload.auth_token", Text),
        ],
    ),
    (
        "Q21QUESTIONSBATCH",
        &[
            ("game_id", Text),
            ("payload.match_id", Text),
            ("payload.auth_token", Text),
            ("payload.total_questions", Whole(1)),
            ("payload.questions", List(QUESTION)),
        ],
    ),
    (
        "Q21ANSWERSBATCH",
        &[
            ("game_id", Text),
            ("payload.match_id", Text),
            ("payload.answers", List(&[("question_number", Whole(1)), ("answer", CHOICE)])),
            ("payload.deadline", Time),
            ("payload.guess_deadline", Time),
            ("payload.auth_token", Text),
            ("correlation_id", Text),
        ],
    ),
    (
        "Q21GUESSSUBMISSION",
        &[
            ("game_id", Text),
            ("payload.match_id", Text),
            ("payload.auth_token", Text),
            ("payload.opening_sentence", Text),
            ("payload.sentence_justification", Words(30, 50)),
            ("payload.associative_word", Text),
            ("payload.word_justification", Words(20, 30)),
            ("payload.confidence", Between(0.0, 1.0)),
            ("payload.guess.opening_sentence", Text),
            ("payload.guess.associative_word", Text),
        ],
    ),
    (
        "Q21SCOREFEEDBACK",
        &[
            ("game_id", Text),
            ("payload.match_id", Text),
            ("payload.league_points", Between(0.0, 3.0)),
            ("payload.league_score", Whole(0)),
            ("payload.private_score", Between(0.0, 100.0)),
            ("payload.breakdown.opening_sentence_score", Between(0.0, 100.0)),
            ("payload.breakdown.sentence_justification_score", Between(0.0, 100.0)),
            ("payload.breakdown.associative_word_score", Between(0.0, 100.0)),
            ("payload.breakdown.word_justification_score", Between(0.0, 100.0)),
            ("payload.feedback.opening_sentence", Text),
            ("payload.feedback.associative_word", Text),
            ("correlation_id", Text),
        ],
    ),
    (
        "BROADCAST_START_SEASON",
        &[
            ("league_id", Text),
            ("payload.broadcast_id", Text),
            ("payload.league_id", Text),
            ("payload.season_id", Text),
            ("payload.season_name", Text),
            ("payload.game_type", OneOf(&["Q21"])),
            ("payload.total_rounds", Whole(1)),
            ("payload.registration_deadline", Time),
        ],
    ),
    (
        "SEASON_REGISTRATION_REQUEST",
        &[
            ("league_id", Text),
            ("correlation_id", Text),
            ("payload.season_id", Text),
            ("payload.user_id", Text),
            ("payload.participant_id", Text),
            ("payload.display_name", Text),
            ("payload.participant_role", OneOf(&["PLAYER", "REFEREE"])),
        ],
    ),
    (
        "SEASON_REGISTRATION_RESPONSE",
        &[
            // The validator has it in small letters; the later player takes only capitals.
            ("payload.status", OneOf(&["accepted", "rejected"])),
            ("payload.season_id", Text),
            ("payload.message", Text),
            ("correlation_id", Text),
        ],
    ),
    ("SEASON_REGISTRATION_RESPONSE.rejected", &[("payload.reason", Text)]),
    (
        "BROADCAST_ASSIGNMENT_TABLE",
        &[
            ("payload.broadcast_id", Text),
            ("payload.season_id", Text),
            ("payload.league_id", Text),
            ("payload.assignments", List(ROW)),
            ("payload.total_count", Whole(3)),
            ("broadcast_id", Text),
        ],
    ),
    (
        "RESPONSE_GROUP_ASSIGNMENT",
        &[
            ("payload.status", OneOf(&["acknowledged"])),
            ("payload.referee_id", Text),
            ("payload.group_id", Text),
            ("payload.season_id", Text),
            ("payload.assignments_received", Whole(0)),
            ("correlation_id", Text),
        ],
    ),
    (
        "GROUP_ASSIGNMENT_RESPONSE",
        &[
            ("payload.status", OneOf(&["ACKNOWLEDGED"])),
            ("payload.player_email", Text),
            ("payload.season_id", Text),
            ("payload.assignments_received", Whole(0)),
        ],
    ),
    (
        "BROADCAST_NEW_LEAGUE_ROUND",
        &[
            ("payload.broadcast_id", Text),
            ("payload.round_id", Text),
            ("payload.round_number", Whole(1)),
            ("payload.league_id", Text),
            ("payload.round_starting", Whole(1)),
            ("payload.is_final_round", Flag),
        ],
    ),
    (
        "BROADCAST_END_LEAGUE_ROUND",
        &[
            ("payload.league_id", Text),
            ("payload.round_id", Text),
            ("payload.round_number", Whole(1)),
            ("payload.matches_completed", Whole(0)),
            ("payload.matches_total", Whole(0)),
        ],
    ),
    (
        "BROADCAST_ROUND_RESULTS",
        &[
            ("payload.broadcast_id", Text),
            ("payload.season_id", Text),
            ("payload.league_id", Text),
            ("payload.round_id", Text),
            ("payload.round_number", Whole(1)),
            ("payload.standings", List(STANDING)),
            ("payload.results", List(&[("match_id", Text), ("winner_id", TextOrNull)])),
        ],
    ),
    (
        "LEAGUE_COMPLETED",
        &[
            ("payload.broadcast_id", Text),
            ("payload.season_id", Text),
            ("payload.final_standings", List(STANDING)),
        ],
    ),
    (
        "MATCH_RESULT_REPORT",
        &[
            ("league_id", Text),
            ("season_id", Text),
            ("round_id", Text),
            ("game_id", Text),
            ("recipient_id", OneOf(&["LEAGUEMANAGER"])),
            ("payload.match_id", Text),
            ("payload.status", OneOf(&["completed", "abandoned", "timeout"])),
            ("payload.winner_id", TextOrNull),
            ("payload.is_draw", Flag),
            ("payload.scores", List(SCORE)),
        ],
    ),
    (
        "MATCH_RESULT_REPORT.timeout",
        &[
            ("payload.status", OneOf(&["completed", "abandoned", "timeout"])),
            ("payload.scores", List(SCORE)),
            ("payload.abort_reason", Text),
            ("payload.player_states.player1.phase_reached", Text),
            ("payload.player_states.player2.scored", Flag),
        ],
    ),
    (
        "MATCH_RESULT_REPORT.status",
        &[
            ("payload.message_type", OneOf(&["MATCH_RESULT_REPORT"])),
            ("payload.version", OneOf(&["1.0"])),
            ("payload.match_id", Text),
            ("payload.game_id", Text),
            ("payload.round_number", Whole(1)),
            ("payload.season_id", Text),
            ("payload.status", OneOf(&["TERMINATED"])),
            ("payload.phase_at_termination", Text),
            ("payload.last_actor", OneOf(&["NONE", "PLAYER", "REFEREE"])),
            ("payload.last_message_sent", TextOrNull),
            ("payload.last_message_received", TextOrNull),
            ("payload.terminated_at", Time),
            ("payload.reported_at", Time),
            ("payload.reason", OneOf(&["NEW_ROUND_STARTED", "LEAGUE_COMPLETED"])),
            ("payload.reporter.email", Text),
            ("payload.reporter.role", Text),
        ],
    ),
    (
        "ERROR_RESPONSE",
        &[
            ("payload.error_code", Text),
            ("payload.error_message", Text),
            ("payload.original_message_type", Text),
            ("payload.recoverable", Flag),
        ],
    ),
];
