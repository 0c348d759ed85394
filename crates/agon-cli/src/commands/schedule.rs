//! `agon schedule`: who plays whom, and what came of it. Of a manager that runs, or of the folder
//! of one that does not.

use std::process::ExitCode;

use agon_core::schedule_page;
use agon_node::ToolResponse;
use agon_proto::message::{MatchPhase, ResultStatus};
use agon_proto::tool::{ScheduleAnswer, ScheduledEntry, Tool, ToolAnswer, ToolParams};
use anyhow::bail;

use super::operator::refused;
use super::status::{archive, look};
use crate::args::{Common, EXIT_REFUSED, Schedule};
use crate::output;

pub(super) async fn run(common: &Common, args: &Schedule) -> anyhow::Result<ExitCode> {
    let mut whole: Option<ScheduleAnswer> = None;
    let mut folder = None;
    loop {
        let match_id = whole.as_ref().and_then(|it| it.matches.last()).map(|it| it.match_id);
        let (round_id, player_id) = (args.round, args.player);
        let params = ToolParams { match_id, round_id, player_id, ..ToolParams::default() };
        let asked = match &folder {
            None => look(common, &args.look, Tool::GetSchedule, &params).await?,
            Some(_) => None,
        };
        let page = match asked {
            Some(ToolResponse::Answered(ToolAnswer::Schedule(page))) => *page,
            Some(ToolResponse::Answered(_)) => bail!("the manager answered something else"),
            Some(ToolResponse::Refused(fault)) => return Ok(refused(&fault)),
            None => {
                if folder.is_none() {
                    folder = Some(archive(common, &args.look)?.1.league);
                }
                let league = folder.as_ref().expect("it was read just now");
                match schedule_page(league, &params, |id| league.match_state(id)) {
                    Ok(page) => page,
                    Err(refusal) => {
                        eprintln!("agon: {refusal}");
                        return Ok(ExitCode::from(EXIT_REFUSED));
                    }
                }
            }
        };
        let more = page.more && !page.matches.is_empty();
        match &mut whole {
            None => whole = Some(page),
            Some(whole) => {
                whole.matches.extend(page.matches);
                whole.more = page.more;
            }
        }
        if !more {
            break;
        }
    }
    let Some(whole) = whole else { bail!("the manager answered something else") };
    output::show(common, &whole, || tell(&whole))
}

fn tell(schedule: &ScheduleAnswer) -> String {
    let ScheduleAnswer { league_id, round, rounds, matches, .. } = schedule;
    if *rounds == 0 {
        return format!("{league_id} has not begun: its schedule is made when it does");
    }
    if matches.is_empty() {
        return format!("{league_id}, round {round} of {rounds}: no such matches");
    }
    let rows = matches.iter().map(|it| {
        [
            it.match_id.to_string(),
            format!("{} {}", it.player_a_id, output::clipped(it.player_a_name.as_str())),
            format!("{} {}", it.player_b_id, output::clipped(it.player_b_name.as_str())),
            it.referee_id.map_or_else(|| "-".to_owned(), |id| id.to_string()),
            result(it, *round),
        ]
    });
    let head = ["match", "first", "second", "referee", "result"];
    format!("{league_id}, round {round} of {rounds}\n{}", output::grid(&head, rows, |_| false))
}

/// How a match ended, or where it is.
fn result(entry: &ScheduledEntry, round: u32) -> String {
    let points: Vec<_> = entry.points.iter().map(|(_, points)| points.to_string()).collect();
    let points = points.join(":");
    match (entry.status, entry.winner) {
        (Some(ResultStatus::Win), Some(winner)) => format!("{winner} won {points}"),
        (Some(ResultStatus::Draw), _) => format!("draw {points}"),
        (Some(_), Some(winner)) => format!("{winner} by default {points}"),
        (Some(_), None) => "nobody won".to_owned(),
        (None, _) if entry.state == MatchPhase::WaitingForPlayers => "under way".to_owned(),
        (None, _) if entry.match_id.round <= round => "no result yet".to_owned(),
        (None, _) if entry.match_id.round == round + 1 => "next".to_owned(),
        (None, _) => "later".to_owned(),
    }
}
