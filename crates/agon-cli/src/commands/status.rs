//! `agon status`: where the league stands in one sentence, what somebody should know of it, and
//! what the operator can do next. Of a manager that runs, or of the folder of one that does not.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use agon_node::ToolResponse;
use agon_proto::message::StandingsRow;
use agon_proto::tool::{
    AgentEntry, AgentPlace, LeaguePhase, LeagueState, Tool, ToolAnswer, ToolParams,
};
use agon_proto::{MatchId, PlayerId, without_code};
use agon_store::is_owned;
use anyhow::{Context, bail, ensure};
use toml::Table;

use super::agents;
use super::season::start_command;
use crate::archive::Archive;
use crate::args::{Common, DEFAULT_MANAGER, Look};
use crate::caller::{ask, ask_if_there};
use crate::data::USUAL_DATA;
use crate::output;

pub(super) async fn run(common: &Common, args: &Look) -> anyhow::Result<ExitCode> {
    let told = match look(common, args, Tool::GetLeagueState, &ToolParams::default()).await? {
        Some(answer) => of_manager(common, &args.read.manager, answer).await?,
        None => of_folder(common, args)?,
    };
    let Told { state, folder, .. } = &told;
    let folder = folder.as_ref().map(|folder| folder.display().to_string());
    let shown = output::object().with("state", state).with("next", told.next(args));
    output::show(common, &shown.with_any("folder", folder), || told.text(args))
}

/// What is to be told of a league.
struct Told {
    state: LeagueState,
    champion: Option<String>,
    /// Who waits for the operator's word.
    waiting: Vec<AgentEntry>,
    /// Where that was read, if no manager runs, and how one is started.
    folder: Option<PathBuf>,
    start: Option<String>,
}

/// What the manager answers; `None` if none does. Whoever names a folder means the league in it: as
/// long as nobody is its manager, nobody else is asked.
pub(super) async fn look(
    common: &Common,
    args: &Look,
    tool: Tool,
    params: &ToolParams,
) -> anyhow::Result<Option<ToolResponse>> {
    let Look { read, data } = args;
    if let Some(dir) = data {
        ensure!(dir.try_exists().unwrap_or(true), "there is no folder {}", dir.display());
    }
    if data.as_deref().is_some_and(|dir| !is_owned(dir)) {
        return Ok(None);
    }
    ask_if_there(common, &read.manager, tool, params).await
}

async fn of_manager(common: &Common, manager: &str, answer: ToolResponse) -> anyhow::Result<Told> {
    let ToolResponse::Answered(ToolAnswer::League(state)) = answer else {
        bail!("the manager answered something else");
    };
    let mut champion = None;
    if let Some(id) = state.champion {
        let nothing = ToolParams::default();
        let table = ask(common, manager, Tool::GetStandings, &nothing).await?;
        if let ToolResponse::Answered(ToolAnswer::Standings(table)) = table {
            let is_it = |row: &&StandingsRow| row.player_id == id;
            champion = table.standings.iter().find(is_it).map(|row| row.display_name.to_string());
        }
    }
    let mut waiting = Vec::new();
    if state.agents_waiting > 0 {
        waiting = agents::all(common, manager, None).await?.agents;
        waiting.retain(|agent| agent.state == AgentPlace::Waiting);
    }
    Ok(Told { state: *state, champion, waiting, folder: None, start: None })
}

/// No manager answers: what the folder says.
fn of_folder(common: &Common, args: &Look) -> anyhow::Result<Told> {
    let (folder, Archive { league, .. }) = archive(common, args)?;
    let state = league.state();
    let name = |id: PlayerId| league.player(id).map(|(name, _)| name.to_owned());
    let champion = state.champion.and_then(name);
    let start = Some(start_command(common, &folder, league.settings())?);
    Ok(Told { state, champion, waiting: Vec::new(), folder: Some(folder), start })
}

/// The league in the folder, because no manager answers.
pub(super) fn archive(common: &Common, args: &Look) -> anyhow::Result<(PathBuf, Archive)> {
    let manager = without_code(&args.read.manager);
    let folder = args.data.as_deref().unwrap_or(Path::new(USUAL_DATA));
    let shown = folder.display();
    ensure!(
        folder.exists(),
        "no manager answers at {manager}, and there is no {shown}; say --manager URL or --data DIR"
    );
    let nobody = match &args.data {
        Some(dir) if !is_owned(dir) => format!("no manager answers for {shown}"),
        Some(_) | None => format!("no manager answers at {manager}"),
    };
    let archive =
        Archive::open(folder, &common.load(Table::new())?).with_context(|| nobody.clone())?;
    eprintln!("agon: {nobody}; what follows is what {shown} says");
    Ok((folder.to_owned(), archive))
}

impl Told {
    fn text(&self, args: &Look) -> String {
        let mut lines = vec![self.sentence()];
        let LeagueState { referees_silent, agents_expected, disputed, .. } = &self.state;
        lines.extend(self.state.paused_by.as_ref().map(|order| {
            format!("Paused by {} at {}: {}.", order.by, order.timestamp, order.reason)
        }));
        lines.extend(self.state.needs.as_ref().map(|needs| format!("It cannot begin: {needs}.")));
        if *agents_expected > 0 && self.state.phase == LeaguePhase::AcceptingRegistrations {
            let agents = output::counted(*agents_expected, "agent");
            lines.push(format!("Expected back from the season before: {agents}."));
        }
        if self.state.waiting_for_referee {
            lines.push("No referee answers, so matches wait.".to_owned());
        } else if *referees_silent > 0 {
            lines.push(format!("Silent: {}.", output::counted(*referees_silent, "referee")));
        }
        if self.state.agents_waiting > 0 {
            let named = self.waiting.iter().map(|agent| {
                let id = agents::id_of(agent);
                format!("{id} {}", output::clipped(agent.display_name.as_str()))
            });
            let named: Vec<_> = named.collect();
            let agents = output::counted(self.state.agents_waiting, "agent");
            let who = if named.is_empty() { agents } else { named.join(", ") };
            lines.push(format!("Waiting for your word: {who}."));
        }
        if !disputed.is_empty() {
            let ids: Vec<_> = disputed.iter().map(MatchId::to_string).collect();
            lines.push(format!("Disputed: {}. `agon match` says why.", ids.join(", ")));
        }
        let heads = ["Next: "].into_iter().chain(std::iter::repeat("  or: "));
        lines.extend(heads.zip(self.next(args)).map(|(head, command)| head.to_owned() + &command));
        lines.join("\n")
    }

    /// Where it stands.
    fn sentence(&self) -> String {
        let LeagueState { league_id, players, referees, round, rounds, .. } = &self.state;
        let (done, all) = (self.state.matches_completed, self.state.matches);
        let players = output::counted(*players, "player");
        let referees = output::counted(*referees, "referee");
        let season = self.state.season_id.as_ref();
        let league = season.map_or_else(
            || league_id.to_string(),
            |season| format!("{league_id}, season {season},"),
        );
        match self.state.phase {
            LeaguePhase::Startup | LeaguePhase::Scheduling => {
                format!("{league} is not open yet.")
            }
            LeaguePhase::AcceptingRegistrations => {
                format!("{league} is open for registration: {players} and {referees} are in.")
            }
            LeaguePhase::Running => {
                let under_way = match self.state.matches_under_way {
                    0 => String::new(),
                    1 => "; 1 match is under way".to_owned(),
                    count => format!("; {count} matches are under way"),
                };
                format!(
                    "{league} is in round {round} of {rounds}: {done} of {all} matches have a \
                     result.\n{players}, {referees}{under_way}."
                )
            }
            LeaguePhase::Completed => {
                let champion = self.state.champion.map_or_else(String::new, |id| {
                    let name = self.champion.as_deref().unwrap_or_default();
                    format!("\nChampion: {} ({id}).", output::clipped(name))
                });
                let ended = self.state.ended_at.map_or_else(String::new, |at| format!(" at {at}"));
                let matches = if done == 1 { "match" } else { "matches" };
                format!("{league} ended{ended} after {done} {matches}.{champion}")
            }
        }
    }

    /// What the operator can do, as it is typed.
    fn next(&self, args: &Look) -> Vec<String> {
        let data = args.data.as_ref().or(self.folder.as_ref());
        let data = data.map(|dir| dir.display().to_string()).filter(|dir| dir != USUAL_DATA);
        let data = data.map_or_else(String::new, |dir| format!(" --data {dir}"));
        let manager = without_code(&args.read.manager);
        let at = match &*manager {
            DEFAULT_MANAGER => String::new(),
            other => format!(" --manager {other}"),
        };
        let state = &self.state;
        if state.phase == LeaguePhase::Completed {
            return vec![format!("agon season new{data}"), format!("agon manager --new{data}")];
        }
        if let Some(start) = &self.start {
            return vec![start.clone()];
        }
        if state.agents_waiting > 0 {
            let first = self.waiting.first().map_or_else(|| "AGENT".to_owned(), agents::id_of);
            let orders = ["approve", "remove"];
            return orders.map(|order| format!("agon {order} {first}{data}{at}")).to_vec();
        }
        let open = state.phase == LeaguePhase::AcceptingRegistrations;
        let command = match &state.needs {
            _ if state.paused => format!("agon resume{data}{at}"),
            None if open => format!("agon start{data}{at}"),
            Some(_) if state.players < 2 => format!("agon player{at}"),
            Some(_) => format!("agon referee{at}"),
            None if state.waiting_for_referee => format!("agon referee{at}"),
            None => return Vec::new(),
        };
        vec![command]
    }
}
