//! The demo's voice: each match as it ends, the table after each round, the champion at the end.

use std::time::Duration;

use agon_core::{League, LeagueFact};
use agon_proto::message::{Cause, StandingsRow};
use agon_proto::tool::MatchSummary;
use agon_proto::{AgentId, MatchId, PerPlayer, PlayerId, RefereeId};
use indicatif::ProgressBar;
use owo_colors::{OwoColorize, Stream};
use serde::Serialize;

use crate::archive::Archive;
use crate::args::Common;
use crate::commands::show::table;
use crate::output::{self, object};

/// Above so many matches they are counted, not told one by one.
const TOLD_MAX: u64 = 150;
/// Rows of the table that are shown after a round.
const ROWS: usize = 10;

/// Watches the season and tells it.
pub(crate) struct Show {
    silent: bool,
    tells_matches: bool,
    bar: ProgressBar,
}

impl Show {
    pub(crate) fn new(silent: bool, matches: u64) -> Self {
        let bar = output::bar(silent, matches, "{bar:30} {pos}/{len} matches {per_sec}");
        Self { silent, tells_matches: matches <= TOLD_MAX, bar }
    }

    fn say(&self, text: &str) {
        self.bar.suspend(|| output::line(text));
    }

    pub(crate) fn see(&mut self, league: &League, fact: &LeagueFact) {
        if self.silent {
            return;
        }
        #[expect(clippy::wildcard_enum_match_arm, reason = "a demo tells what a spectator sees")]
        match fact {
            LeagueFact::Registered(it) if self.tells_matches => {
                if let AgentId::Player(player) = it.agent {
                    self.say(&format!("{player} {} joins", it.name));
                }
            }
            LeagueFact::RoundAnnounced { round, .. } if self.tells_matches => {
                self.say(&format!("\nRound {round} of {}", league.season().rounds()));
            }
            LeagueFact::ResultAccepted { match_id, .. } => {
                self.bar.inc(1);
                if self.tells_matches {
                    self.say(&told(league, *match_id).unwrap_or_default());
                }
            }
            // The last table is the final one, and comes with the champion.
            LeagueFact::RoundCompleted { round, .. }
                if self.tells_matches && league.goes_on_after(*round) =>
            {
                self.say(&indent(&table(&league.table(ROWS))));
            }
            LeagueFact::LeagueCompleted { .. } => self.bar.finish_and_clear(),
            // Only now the format knows how many there are.
            LeagueFact::SeasonStarted { .. } => {
                let matches = league.season().matches();
                self.bar.set_length(matches);
                self.tells_matches = matches <= TOLD_MAX;
            }
            _ => {}
        }
    }
}

fn indent(text: &str) -> String {
    text.lines().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
}

/// One match in one line.
fn told(league: &League, match_id: MatchId) -> Option<String> {
    let state = league.match_state(match_id)?;
    let result = state.result?;
    let name = |id: PlayerId| league.player(id).map_or(String::new(), |(name, _)| name.to_owned());
    let (a, b) = (state.player_a_id, state.player_b_id);
    // What a player did: its guess was worth so much, or it chose.
    let did = |id: PlayerId| match result.private_score.get(id) {
        Some(score) => format!("{score:.2}"),
        None => result.choices.get(id).map_or("nothing", |it| it.as_str()).to_owned(),
    };
    let ending = match result.winner {
        Some(winner) => {
            let winner = name(winner);
            format!("{} wins", winner.if_supports_color(Stream::Stdout, |text| text.green()))
        }
        None => result.status.as_str().to_lowercase(),
    };
    let id = match_id.to_string();
    // Of a game without words of its own here the game itself tells.
    if let Some(view) = &result.view
        && let Some(played) = league.settings().told(view, [&name(a), &name(b)])
    {
        return Some(format!("  {id:<6} {played}: {ending}"));
    }
    let judged = match (result.drawn_number, state.referee_id) {
        (Some(number), _) => format!("drawn {number}"),
        (None, Some(referee)) if result.reason == Cause::Played => {
            let name = league.referee(referee).map_or("", |(name, _)| name);
            format!("refereed by {name}")
        }
        (None, _) => result.reason.as_str().to_owned(),
    };
    let (did_a, did_b, a, b) = (did(a), did(b), name(a), name(b));
    Some(format!("  {id:<6} {a} {did_a}, {b} {did_b}, {judged}: {ending}"))
}

/// The season from its journal: one object for machines, the last word for people.
pub(crate) fn finish(common: &Common, archive: &Archive) -> anyhow::Result<()> {
    let league = &archive.league;
    let season = league.season();
    let matches: Vec<Played> = archive.matches().filter_map(|id| played(league, id)).collect();
    let is_late = |it: &&Played| matches!(it.result.reason, Cause::TimedOut | Cause::NoShow);
    let late = matches.iter().filter(is_late).count();
    let rounds = (1..=season.round()).filter_map(|round| season.round_times(round));
    let rounds = rounds.filter_map(|(from, to)| to.map(|to| to.since(from)));
    let standings = league.table(usize::MAX);
    let champion = standings.iter().find(|row| Some(row.player_id) == season.champion);
    let report = object()
        .with("league_id", &league.settings().league_id)
        .with("rounds", season.rounds_completed())
        .with("matches", &matches)
        .with("standings", &standings)
        .with("champion", champion)
        // The part of the matches in which somebody did not answer in time.
        .with("timeout_rate", late as f64 / matches.len().max(1) as f64)
        .with("longest_match_s", archive.longest_match()?.as_secs_f64())
        .with("longest_round_s", rounds.max().unwrap_or(Duration::ZERO).as_secs_f64());
    output::show(common, &report, || last_word(&standings, champion, matches.len())).map(drop)
}

fn last_word(
    standings: &[StandingsRow],
    champion: Option<&StandingsRow>,
    matches: usize,
) -> String {
    let rows = &standings[..standings.len().min(ROWS)];
    let mut text = format!("\nFinal table\n{}", indent(&table(rows)));
    if let Some(StandingsRow { player_id, display_name, points, .. }) = champion {
        let name = display_name.as_str();
        let name = name.if_supports_color(Stream::Stdout, |text| text.bold());
        let level = level(standings);
        text += &format!(
            "\n\nChampion: {name} ({player_id}) with {points} points after {matches} matches{level}"
        );
    }
    text
}

/// Nothing separates some champions from others: say so.
fn level(standings: &[StandingsRow]) -> String {
    match standings.iter().filter(|row| row.rank == 1).count() {
        0 | 1 => String::new(),
        count => format!("; {count} players are level at the top, and the lowest id counts"),
    }
}

#[derive(Serialize)]
struct Played {
    match_id: MatchId,
    round: u32,
    player_a: PlayerId,
    player_b: PlayerId,
    referee: Option<RefereeId>,
    #[serde(flatten)]
    result: MatchSummary,
}

/// One match. What is different in each game is left out, so that all demos have the same shape.
fn played(league: &League, match_id: MatchId) -> Option<Played> {
    let state = league.match_state(match_id)?;
    let (view, private_score) = (None, PerPlayer::default());
    let (unverified, judged) = (false, false);
    let result = MatchSummary { view, private_score, unverified, judged, ..state.result? };
    Some(Played {
        match_id,
        round: match_id.round,
        player_a: state.player_a_id,
        player_b: state.player_b_id,
        referee: state.referee_id,
        result,
    })
}
