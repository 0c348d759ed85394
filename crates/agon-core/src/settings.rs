//! The league's own rules, written down when it opens: a journal brings its settings with it.
//!
//! Spec: docs/protocol/q21.md

use std::fmt::Display;
use std::time::Duration;

use agon_games::Rules;
use agon_proto::message::{StepLimits, settings_in_limits};
use agon_proto::{
    Abilities, Address, Dialect, DisplayName, GameType, GroupId, LeagueId, Payload, SeasonId,
};
use serde::{Deserialize, Serialize};

use crate::format::{FormatKind, Lineup, Paper};
use crate::verdict::{OutcomePoints, Scoring, Thresholds};

/// What one league plays by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    pub league_id: LeagueId,
    pub scoring: OutcomePoints,
    pub tie_breakers: Vec<TieBreaker>,
    /// What every referee is told about the length of its steps.
    pub limits: StepLimits,
    /// After so many void attempts a match is cancelled.
    pub attempts_max: u32,
    pub players_max: u32,
    pub referees_max: u32,
    /// No referee gets more matches at once, whatever it says of itself.
    pub capacity_max: u32,
    /// Above so many players a broadcast tells each only what concerns it.
    pub broadcast_full_max: u32,
    /// How many rows of the table a large league broadcasts.
    pub standings_top: u32,
    /// How long a referee may hold a match.
    pub match_time_max_ms: u64,
    /// How long a referee's matches stay with it after its last sign of life, once it has sent a
    /// heartbeat; 0: until `match_time_max`.
    pub lease_ms: u64,
    /// How often a referee is to send a heartbeat; 0: never.
    pub heartbeat_ms: u32,
    /// A manager that runs later than this blames nobody's silence: it could not hear.
    pub lateness_max_ms: u64,
    /// Absent from so many matches in a row a player is withdrawn; 0: never.
    pub withdraw_after: u32,
    /// How long one call to a referee may take.
    pub call_ms: u64,
    /// How long anybody is waited for at the turn of a round: as long as a notice may take.
    pub notice_ms: u64,
    /// How long a player may hold others up in a season, and is then asked once; 0: no clock runs.
    #[serde(default)]
    pub slow_budget_ms: u64,
    /// How long to wait before a referee that did not take a match is asked again.
    pub retry_ms: u64,
    /// What is played.
    pub game: Rules,
    /// Whether players are told what they may answer, where a question can say it.
    pub hints: bool,
    /// Who meets whom, and who referees.
    pub format: FormatKind,
    /// Who may come to which season, and when its rounds begin.
    #[serde(default, skip_serializing_if = "SeasonSettings::is_default")]
    pub seasons: SeasonSettings,
}

impl Settings {
    /// A league with the numbers of the course.
    pub fn course(league_id: LeagueId) -> Self {
        Self {
            league_id,
            scoring: OutcomePoints::COURSE,
            tie_breakers: vec![
                TieBreaker::Points,
                TieBreaker::Wins,
                TieBreaker::HeadToHead,
                TieBreaker::FewerTechnicalLosses,
            ],
            limits: StepLimits {
                join_ms: 5_000,
                choice_ms: 30_000,
                backoff_ms: [2_000, 4_000, 8_000],
                draw_min: 1,
                draw_max: 10,
                no_show_cancels: false,
            },
            attempts_max: 3,
            players_max: 100,
            referees_max: 100,
            capacity_max: 100,
            broadcast_full_max: 64,
            standings_top: 50,
            match_time_max_ms: 240_000,
            lease_ms: 15_000,
            heartbeat_ms: 5_000,
            lateness_max_ms: 1_000,
            withdraw_after: 2,
            call_ms: 10_000,
            notice_ms: 10_000,
            slow_budget_ms: 600_000,
            retry_ms: 2_000,
            game: Rules::default(),
            hints: false,
            format: FormatKind::RoundRobin,
            seasons: SeasonSettings::default(),
        }
    }

    /// The same for a league whose manager is written to there. Those who are listed are expected,
    /// and nobody else may come; if nobody is listed, everybody may.
    #[must_use]
    pub fn written_to(mut self, address: Address, roster: Vec<RosterEntry>) -> Self {
        self.seasons.open_registration = roster.is_empty();
        (self.seasons.address, self.seasons.roster) = (Some(address), roster);
        self
    }

    /// What is played, as the protocol calls it.
    pub fn game_type(&self) -> GameType {
        GameType::trusted(self.game.info().name)
    }

    /// The settings of the game, unless they stand in the limits.
    pub(crate) fn told_apart(&self, game: &GameType) -> Option<Payload> {
        let apart = !settings_in_limits(game);
        apart.then(|| Payload::trusted(&self.game.settings()))
    }

    /// Whether it is played by letters, as every game is that asks for a referee's own judgement.
    pub(crate) fn is_by_letters(&self) -> bool {
        self.game.info().is_judged()
    }

    /// The season, where agents are told of it: where seasons have names, and in every one after
    /// the first.
    pub(crate) fn told_season(&self) -> Option<SeasonId> {
        let season = &self.seasons.season;
        let is_first = *season == SeasonSettings::default().season;
        (self.says().seasons || !is_first).then(|| season.clone())
    }

    /// The same for the season that follows the `last` one in its place.
    #[must_use]
    pub fn after(self, last: &Self) -> Self {
        Self { seasons: self.seasons.after(&last.seasons), ..self }
    }

    /// The season of these, where it follows from who takes part.
    pub fn paper(&self, lineup: &Lineup) -> Option<Paper> {
        let rounds = self.seasons.rounds.unwrap_or(0);
        let paper = self.format.paper(lineup, rounds)?;
        let most = self.says().rounds_max;
        if paper.rounds() > most { self.format.paper(lineup, most) } else { Some(paper) }
    }

    /// How league points follow from a match.
    pub(crate) fn scoring(&self) -> Scoring {
        let OutcomePoints { technical_loss, .. } = self.scoring;
        let SeasonSettings { thresholds, referee_lost_points: lost, .. } = self.seasons;
        if self.is_by_letters() {
            Scoring::ByGain { thresholds, technical_loss, lost }
        } else {
            Scoring::ByOutcome(self.scoring)
        }
    }

    /// What was played, in a sentence of the game's own; `None` if that view is none of its.
    pub fn told(&self, view: &Payload, names: [&dyn Display; 2]) -> Option<String> {
        let retraced = self.game.retrace(view.as_bytes()).ok()??;
        Some(retraced.shown.tell(names))
    }

    /// What can be said to its agents, in what they speak.
    pub(crate) fn says(&self) -> &'static Abilities {
        Dialect::spoken(self.is_by_letters()).abilities()
    }

    /// A round ends after so long, whatever is still open then. Without such a bound it ends with
    /// its last result, and no clock has to stand still while the league is paused.
    pub(crate) fn round_time_max(&self) -> Option<Duration> {
        self.is_by_letters().then(|| Duration::from_millis(self.seasons.round_time_max_ms))
    }

    pub(crate) fn match_time_max(&self) -> Duration {
        Duration::from_millis(self.match_time_max_ms)
    }

    pub(crate) fn lease(&self) -> Duration {
        match self.lease_ms {
            0 => self.match_time_max(),
            lease_ms => Duration::from_millis(lease_ms),
        }
    }

    pub(crate) fn lateness_max(&self) -> Duration {
        match self.lateness_max_ms {
            0 => Duration::MAX,
            lateness_max_ms => Duration::from_millis(lateness_max_ms),
        }
    }

    pub(crate) fn call(&self) -> Duration {
        Duration::from_millis(self.call_ms)
    }

    pub(crate) fn notice(&self) -> Duration {
        Duration::from_millis(self.notice_ms)
    }

    /// What stands on a player's clock at first, if one runs. By letters deadlines are announced,
    /// and nobody is asked twice.
    pub(crate) fn slow_budget(&self) -> Option<Duration> {
        let runs = self.slow_budget_ms > 0 && !self.is_by_letters();
        runs.then(|| Duration::from_millis(self.slow_budget_ms))
    }

    pub(crate) fn retry(&self) -> Duration {
        Duration::from_millis(self.retry_ms)
    }
}

/// What separates players, in the order of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TieBreaker {
    Points,
    Wins,
    Draws,
    /// Points from the matches among those who are level.
    HeadToHead,
    FewerTechnicalLosses,
}

/// What a league with seasons plays by, besides what all leagues do: who may come, and when rounds
/// begin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SeasonSettings {
    pub season: SeasonId,
    /// The first two digits of every game id.
    pub season_number: u32,
    /// The season's name for people.
    pub name: DisplayName,
    /// The league manager's own address, where letters travel by mail.
    pub address: Option<Address>,
    /// Who is expected.
    pub roster: Vec<RosterEntry>,
    /// Whether others may come too, until the season begins.
    pub open_registration: bool,
    /// How many rounds; `None`: as many as the format needs to be fair.
    pub rounds: Option<u32>,
    pub pace: Pace,
    /// A round ends then at the latest; whoever has not reported by then is lost.
    pub round_time_max_ms: u64,
    /// The season begins by itself so long after it was announced, as soon as enough are in.
    pub registration_ms: Option<u64>,
    pub thresholds: Thresholds,
    /// What a player gets who could not play, and was not to blame.
    pub referee_lost_points: u32,
    /// Before each round everybody is asked whether they are there, and has so long to answer; 0:
    /// nobody is asked.
    pub keep_alive_ms: u64,
}

/// A team that is expected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RosterEntry {
    pub group: GroupId,
    pub name: DisplayName,
    pub player: Address,
    /// `None` where others referee.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub referee: Option<Address>,
}

/// When rounds begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pace {
    /// As soon as the one before is over.
    #[default]
    Completion,
    /// At fixed times.
    Clock {
        every_ms: u64,
        /// When the first one begins, in milliseconds since 1970; `None`: with the season.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        first_at_ms: Option<u64>,
    },
}

/// A game is broken off after half an hour, says the course.
const ROUND_TIME_MAX_MS: u64 = 30 * 60 * 1_000;

impl Default for SeasonSettings {
    fn default() -> Self {
        Self {
            season: SeasonId::new("S01"),
            season_number: 1,
            name: DisplayName::new("S01"),
            address: None,
            roster: Vec::new(),
            open_registration: true,
            rounds: None,
            pace: Pace::Completion,
            round_time_max_ms: ROUND_TIME_MAX_MS,
            registration_ms: None,
            thresholds: Thresholds::default(),
            referee_lost_points: 2,
            keep_alive_ms: 0,
        }
    }
}

impl SeasonSettings {
    /// These terms for the season after `last`. Where they name the same season again, the next
    /// one gets an id and a number of its own, so that nobody takes a letter of the one for a
    /// letter of the other: `S01-2` after `S01`, then `S01-3`.
    #[must_use]
    pub fn after(self, last: &Self) -> Self {
        let Some(times) = self.times_played(&last.season) else { return self };
        let season = SeasonId::new(&format!("{}-{}", self.season.as_str(), times + 1));
        self.called(season, last.next_number())
    }

    /// The same terms for another season.
    #[must_use]
    pub fn called(self, season: SeasonId, season_number: u32) -> Self {
        // A season without a name for people goes by its id.
        let nameless = self.name.as_str() == self.season.as_str();
        let name = if nameless { DisplayName::new(season.as_str()) } else { self.name };
        Self { season, season_number, name, ..self }
    }

    /// The number of the season after this one.
    pub(crate) fn next_number(&self) -> u32 {
        self.season_number % Dialect::spoken(true).abilities().seasons_max + 1
    }

    /// How often the season of these terms was played, if `last` was one of those times.
    fn times_played(&self, last: &SeasonId) -> Option<u32> {
        match last.as_str().strip_prefix(self.season.as_str())? {
            "" => Some(1),
            ending => ending.strip_prefix('-')?.parse().ok(),
        }
    }

    pub(crate) fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Whether the season expects somebody who is reached there.
    pub(crate) fn is_on_roster(&self, address: &Address) -> bool {
        let is_there =
            |it: &RosterEntry| it.player == *address || it.referee.as_ref() == Some(address);
        self.roster.iter().any(is_there)
    }

    pub(crate) fn keep_alive(&self) -> Duration {
        Duration::from_millis(self.keep_alive_ms)
    }
}

#[cfg(test)]
mod tests;
