//! How letters spell a game's end: the words of every generation, and what follows from what.
//!
//! Spec: docs/protocol/q21.md

use agon_games::q21::Q21Assessment;

use super::AsPayload;
use super::codec::{Named, Reading, Row, Unreadable, or_null, spelling};
use super::game::{GAME, POINTS, breakdown, feedback, seen_score};
use crate::act::*;
use crate::message::{Blame, Cause};
use crate::{Address, GroupId, Payload, Score, StatedScore};

const EMAIL: [&str; 2] = ["email", "player_email"];

spelling! {
    ResultReport {
        game = needed_game(GAME),
        status = ended(["status"])
            or "`completed`, `abandoned` or `timeout`",
        winner = group(["winner_id"]) => or_null ["winner_id"],
        is_draw = flag(["is_draw"]),
        scores = rows(["scores"]),
        abort_reason = aborted(["abort_reason"]),
        player_states = player_states(["player_states"])
            => by_player ["player_states"],
        cause = cause(["cause"]),
        blame = blame(["blame"]),
    }

    ScoreRow {
        participant = scored(["participant_id", "group_id", "user_id", "player_id"])
            or Self::NEEDS,
        address = address(EMAIL),
        league_points = number(POINTS) => ["league_points", "league_score"],
        private_score = stated(["private_score"]),
        view = judged(["feedback"]) => feedback ["feedback"],
        reason = word(["score_reason"]),
    }

    PlayerReached {
        address = address(EMAIL) => or_null ["email"],
        participant = group(["participant_id"]),
        phase_reached = word(["phase_reached"]),
        scored = flag(["scored"]),
        last_actor = word(["last_actor"]),
    }

    StatusReport {
        + "message_type" = |_, _| Some("MATCH_RESULT_REPORT"),
        + "version" = |_, _| Some("1.0"),
        game = needed_game(GAME) => ["match_id", "game_id"],
        round = number(["round_number"]),
        season = season([]),
        + "status" = |said, _| Some(said.reason.status()),
        phase = progress(["phase_at_termination", "phase"]),
        last_actor = one_of::<LastActor>(["last_actor"]),
        last_sent = word(["last_message_sent"])
            => or_null ["last_message_sent"],
        last_received = word(["last_message_received"])
            => or_null ["last_message_received"],
        at = time(["reported_at", "terminated_at"])
            => ["reported_at", "terminated_at"],
        reason = stop_reason(["reason", "termination_reason"])
            or "NEW_ROUND_STARTED, LEAGUE_COMPLETED or GAME_COMPLETED",
        reporter = reporter(["reporter"]),
        points = points(POINTS)
            => of_league ["league_points", "league_score"],
        + "private_score" = |said, _| said.points.map(|(_, score)| score),
        view = taken_apart(["breakdown"]) => breakdown ["breakdown"],
    }

    Reporter {
        address = address(EMAIL) => or_null ["email"],
        role = reporter_role(["role"]),
    }
}

/// The first half of what a game brought.
fn of_league(points: &Option<(u32, Score)>) -> Option<u32> {
    points.map(|(points, _)| points)
}

/// What stands before the player that was silent, or said what is no answer.
const SILENCE: &str = "player_timeout";
const NO_ANSWER: &str = "format_violation";

impl Aborted {
    /// As it is sent.
    pub fn new(why: Break, whose: &Address) -> Self {
        let what = match why {
            Break::NewRound => "new_round_started",
            Break::RoundEnded => "end_round_received",
            Break::LeagueCompleted => "league_completed",
            Break::NewSeason => "new_season_started",
            Break::RefereeFailed => "referee_callback_failed",
            Break::Silence => return Self(format!("{SILENCE}:{whose}").into()),
            Break::NoAnswer => return Self(format!("{NO_ANSWER}:{whose}").into()),
        };
        Self(what.into())
    }

    /// For whom the referee waited in vain, by team or address.
    pub fn whose(&self) -> Option<&str> {
        self.0.split_once(':').map(|(_, whose)| whose)
    }
}

impl ResultReport {
    /// What happened if a player failed, as far as the report lets one guess.
    pub fn presumed(&self) -> Cause {
        let aborted = self.abort_reason.as_ref().map_or("", |why| &*why.0);
        if self.scores.is_empty() || self.scores.iter().any(ScoreRow::has_failed) {
            Cause::NoShow
        } else if aborted.starts_with(NO_ANSWER) {
            Cause::MalformedAnswer
        } else {
            Cause::TimedOut
        }
    }
}

/// What the row of a player says that lost without playing.
const TECHNICAL_LOSS: &str = "TECHNICAL_LOSS";

impl ScoreRow {
    /// Why a player that failed has the points that it has.
    pub const FAILED: &str = "TECHNICAL_LOSS_MALFUNCTION";

    /// Whether it is said to have lost without playing.
    pub fn has_failed(&self) -> bool {
        self.reason.as_deref().is_some_and(|reason| reason.starts_with(TECHNICAL_LOSS))
    }
}

impl PlayerReached {
    /// The word for how far a player had come: scored, or the last question that was put to it,
    /// counted from 0, and whether it was answered. Who is not asked may play somebody who is.
    pub const fn phase(scored: bool, last: Option<(u16, bool)>, begun: bool) -> &'static str {
        match last {
            _ if scored => "scored",
            None if !begun => "not_initialized",
            None | Some((0, false)) => "warmup_sent",
            Some((0, true)) => "warmup_answered",
            Some((1, false)) => "round_started",
            Some((1, true)) => "questions_submitted",
            Some((_, false)) => "answers_received",
            Some((_, true)) => "guess_submitted",
        }
    }
}

impl ReportStatus {
    /// As it is sent.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Abandoned => "abandoned",
            Self::Timeout => "timeout",
        }
    }
}

impl StopReason {
    /// Whether the game came to its end, in a word.
    fn status(self) -> &'static str {
        if self == Self::GameCompleted { "COMPLETED" } else { "TERMINATED" }
    }
}

/// Both players failed: what later referees say of a game that nobody played.
const NOBODY_PLAYED: &str = "CANCELLED_ALL_PLAYERS_MALFUNCTION";
/// What a player is called who does not say whether it is the first.
const PLAYER: &str = "PLAYER";
const PLAYERS: [&str; 2] = ["player1", "player2"];

impl Reading<'_> {
    fn has_status(&self, status: &str) -> bool {
        self.word(&["status"]).is_some_and(|word| word.eq_ignore_ascii_case(status))
    }

    /// How a game ended, in the words of every generation. A referee that only knows `aborted` says
    /// in its reason whether somebody was silent.
    pub(crate) fn ended(&self, names: &[&str]) -> Option<ReportStatus> {
        let reason = self.word(&["abort_reason"]).unwrap_or_default();
        match &*self.word(names)?.to_ascii_lowercase() {
            "completed" | "completed_single_player" => Some(ReportStatus::Completed),
            "aborted" if reason.starts_with("player_timeout") => Some(ReportStatus::Timeout),
            "timeout" => Some(ReportStatus::Timeout),
            "abandoned" | "aborted" | "cancelled" => Some(ReportStatus::Abandoned),
            _ => self.has_status(NOBODY_PLAYED).then_some(ReportStatus::Abandoned),
        }
    }

    /// Why a game was broken off.
    pub(crate) fn aborted(&self, names: &[&str]) -> Option<Aborted> {
        self.word(names).map(Aborted)
    }

    /// What happened; some have a word of their own where others say cause and blame.
    pub(crate) fn cause(&self, names: &[&str]) -> Option<Cause> {
        self.one_of(names).or(self.has_status(NOBODY_PLAYED).then_some(Cause::NoShow))
    }

    /// Who caused it, likewise.
    pub(crate) fn blame(&self, names: &[&str]) -> Option<Blame> {
        self.one_of(names).or(self.has_status(NOBODY_PLAYED).then_some(Blame::Both))
    }

    /// How far each player had come.
    pub(crate) fn player_states(&self, names: &[&str]) -> Option<Vec<PlayerReached>> {
        let both = self.within(self.object(names)?);
        Some(PLAYERS.iter().filter_map(|name| both.nested(&[name])).collect())
    }

    /// Whose row it is. Without a group, the address stands for it.
    pub(crate) fn scored(&self, names: &[&str]) -> Option<GroupId> {
        let address = || Some(GroupId::new(self.address(&["email", "player_email"])?.as_str()));
        self.group(names).or_else(address)
    }

    /// A private score as somebody states it.
    pub(crate) fn stated(&self, names: &[&str]) -> Option<StatedScore> {
        self.real(names).map(StatedScore::from_points)
    }

    /// Where a game stood for its player.
    pub(crate) fn progress(&self, names: &[&str]) -> Result<Progress, Unreadable> {
        let completed = self.has_status("completed");
        let unsaid = if completed { Progress::Completed } else { Progress::Terminated };
        Ok(self.word(names).and_then(|word| Progress::of(&word)).unwrap_or(unsaid))
    }

    /// Why a game stopped for its player.
    pub(crate) fn stop_reason(&self, names: &[&str]) -> Option<StopReason> {
        let by_status = self.has_status("completed").then_some(StopReason::GameCompleted);
        self.one_of(names).or(by_status)
    }

    /// What the game brought.
    pub(crate) fn points(&self, names: &[&str]) -> Option<(u32, Score)> {
        Some((self.number(names)?, self.score(&["private_score"]).unwrap_or_default()))
    }

    /// A player's place in the game.
    pub(crate) fn reporter_role(&self, names: &[&str]) -> Option<Box<str>> {
        self.word(names).or_else(|| Some(PLAYER.into()))
    }

    /// Who reports.
    pub(crate) fn reporter(&self, names: &[&str]) -> Result<Reporter, Unreadable> {
        let unsaid = || Reporter { address: None, role: PLAYER.into() };
        Ok(self.nested(names).unwrap_or_else(unsaid))
    }

    /// What a player saw of its score, as far as its feedback tells.
    pub(crate) fn judged(&self, names: &[&str]) -> Option<Payload> {
        let feedback = self.feedback(names)?;
        Some(seen_score(Q21Assessment { feedback, ..Q21Assessment::default() }).payload())
    }

    /// What a player saw of its score, as far as its parts tell.
    pub(crate) fn taken_apart(&self, names: &[&str]) -> Option<Payload> {
        let breakdown = self.nested(names)?;
        Some(seen_score(Q21Assessment { breakdown, ..Q21Assessment::default() }).payload())
    }
}

impl Row for ScoreRow {
    /// Two players, and the referee where the book counts it in; more is a mistake.
    const MAX: usize = 16;
    const NEEDS: &'static str = "an object with participant_id, league_points and private_score";
}

/// The states of both players, each under its own name.
pub(crate) fn by_player(states: &[PlayerReached]) -> Named<'_, PlayerReached> {
    Named(&PLAYERS, states)
}
