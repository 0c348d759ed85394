//! The schedule of a season, a page at a time: who plays whom, and what came of it. Reads only.
//!
//! Spec: docs/protocol/query.md

use agon_proto::tool::{MatchState, ScheduleAnswer, ScheduledEntry, ToolParams};
use agon_proto::{DisplayName, MatchId, PerPlayer, PlayerId};

use super::League;
use crate::Refusal;

/// So many matches are listed at a time.
const LISTED_MAX: usize = 200;

/// The matches of the season, of a round or of a player, behind the one that was named. Where
/// each stands now `known` says: who runs a league knows more of that than the league itleague.
pub fn schedule_page(
    league: &League,
    params: &ToolParams,
    known: impl Fn(MatchId) -> Option<MatchState>,
) -> Result<ScheduleAnswer, Refusal> {
    let (season, after) = (&league.season, params.match_id);
    let rounds = match params.round_id {
        None => 1..=season.rounds(),
        Some(round) if (1..=season.rounds()).contains(&round) => round..=round,
        Some(_) if season.rounds() == 0 => {
            return Err(Refusal::BadValue("the season has not begun, so it has no rounds yet"));
        }
        Some(_) => return Err(Refusal::BadValue("there is no such round")),
    };
    if let Some(player) = params.player_id {
        league.registry.player(player).ok_or(Refusal::BadValue("there is no such player"))?;
    }
    let begins = after.map_or(1, |id| id.round).max(*rounds.start());
    let ids = (begins..=*rounds.end()).flat_map(|round| {
        let own = params.player_id.map(|player| season.match_of(player, round));
        let all = if own.is_some() { None } else { Some(season.matches_in(round)) };
        own.flatten().into_iter().chain(all.into_iter().flatten())
    });
    let mut ids = ids.filter(|id| after.is_none_or(|after| *id > after));
    let listed = ids.by_ref().take(LISTED_MAX);
    let matches = listed.filter_map(|id| scheduled(league, known(id)?)).collect();
    Ok(ScheduleAnswer {
        league_id: league.settings.league_id.clone(),
        round: season.round(),
        rounds: season.rounds(),
        matches,
        more: ids.next().is_some(),
    })
}

fn scheduled(league: &League, state: MatchState) -> Option<ScheduledEntry> {
    let name = |player: PlayerId| -> Option<DisplayName> {
        Some(league.registry.player(player)?.name.clone())
    };
    let MatchState { match_id, player_a_id, player_b_id, referee_id, .. } = state;
    let result = state.result;
    Some(ScheduledEntry {
        match_id,
        player_a_id,
        player_b_id,
        player_a_name: name(player_a_id)?,
        player_b_name: name(player_b_id)?,
        referee_id: referee_id.or_else(|| league.season.referee_of(match_id)),
        state: state.state,
        status: result.as_ref().map(|result| result.status),
        winner: result.as_ref().and_then(|result| result.winner),
        points: result.map_or_else(PerPlayer::empty, |result| result.score),
    })
}
