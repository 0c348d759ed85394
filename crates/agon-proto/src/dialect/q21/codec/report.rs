//! What the table cannot say of a game's end: the words of every generation, and what follows from
//! what.

use super::put::Named;
use super::read::{Reading, Row};
use super::unreadable::Unreadable;
use crate::dialect::q21::AsPayload;
use crate::dialect::q21::game::seen_score;
use crate::dialect::q21::{
    Aborted, PlayerReached, Progress, ReportStatus, Reporter, Score, ScoreRow, StatedScore,
    StopReason,
};
use crate::message::{Blame, Cause};
use crate::{GroupId, Payload};
use agon_games::q21::Q21Assessment;

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
