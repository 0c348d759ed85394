//! What is only shown: `agon standings` and `agon match ID`, which a manager tells anybody, and
//! `agon schema [MESSAGE]`.

mod messages;

use std::fmt::Display;
use std::process::ExitCode;

use agon_node::ToolResponse;
use agon_proto::message::{MatchPhase, Party, StandingsRow, TranscriptEntry};
use agon_proto::tool::{
    ContradictedReport, Evidence, MatchState, MatchSummary, Tool, ToolAnswer, ToolParams,
};
use agon_proto::{MessageType, ShortText, schema};
use anyhow::{Context, bail};

use crate::args::{Common, EXIT_REFUSED, Match, Read};
use crate::caller::ask;
use crate::{data, output};

/// Of a game in which no rule says what was right.
const JUDGED: &str = "\nscores are the referees' own judgement, which nobody can check";

pub(crate) async fn standings(common: &Common, args: &Read) -> anyhow::Result<ExitCode> {
    let nobody = ToolParams::default();
    let answer = match ask(common, &args.manager, Tool::GetStandings, &nobody).await? {
        ToolResponse::Answered(ToolAnswer::Standings(answer)) => answer,
        ToolResponse::Answered(_) => bail!("the manager answered something else"),
        ToolResponse::Refused(fault) => bail!("the manager refused: {}", fault.message),
    };
    output::show(common, &answer, || {
        let (league, rounds) = (&answer.league_id, answer.rounds_completed);
        let rounds = output::counted(rounds, "round");
        let judged = if answer.judged { JUDGED } else { "" };
        format!("{league} after {rounds}\n{}{judged}", table(&answer.standings))
    })
}

pub(crate) async fn one_match(common: &Common, args: &Match) -> anyhow::Result<ExitCode> {
    let auth_token = data::viewer_token(args.data.as_deref())?;
    let params = ToolParams { match_id: Some(args.id), auth_token, ..ToolParams::default() };
    match ask(common, &args.read.manager, Tool::GetMatchState, &params).await? {
        ToolResponse::Answered(ToolAnswer::Match(state)) => {
            output::show(common, &state, || tell(&state, args.whole))
        }
        ToolResponse::Answered(_) => bail!("the manager answered something else"),
        ToolResponse::Refused(fault) => {
            eprintln!("agon: {}: {}", args.id, fault.message);
            Ok(ExitCode::from(EXIT_REFUSED))
        }
    }
}

/// The JSON Schema of that message, or of all of them.
pub(crate) fn schemas(message: Option<&str>) -> anyhow::Result<ExitCode> {
    let schemas = match message {
        Some(name) => {
            let kind = MessageType::from_name(name).with_context(|| {
                let names: Vec<_> = MessageType::ALL.iter().map(|kind| kind.name()).collect();
                format!("there is no message {name}; there are {}", names.join(", "))
            })?;
            schema::schema(kind)
        }
        None => schema::all().into_iter().collect(),
    };
    output::line(serde_json::to_string_pretty(&schemas)?);
    Ok(ExitCode::SUCCESS)
}

/// The table for people.
pub(crate) fn table(rows: &[StandingsRow]) -> String {
    // Clocks are told once somebody has held others up.
    let clocks = rows.iter().any(|row| row.clock_ms.is_some());
    let marks = rows.iter().filter_map(mark).collect::<String>();
    let head = ["#", "player", "name", "played", "won", "drawn", "lost", "points", "clock"];
    let rows = rows.iter().map(|row| {
        let StandingsRow { rank, player_id, display_name, .. } = row;
        let StandingsRow { played, wins, draws, losses, points, clock_ms, .. } = row;
        let cells: [&dyn Display; 8] =
            [rank, player_id, display_name, played, wins, draws, losses, points];
        let left = clock_ms.map_or("".to_owned(), |ms| format!("{} s", ms.div_ceil(1_000)));
        let clock = clocks.then_some(left);
        cells.map(ToString::to_string).into_iter().chain(clock).collect::<Vec<_>>()
    });
    let head = if clocks { &head[..] } else { &head[..8] };
    output::grid(head, rows, |place| place == 0 || place > 2) + &marks
}

/// Why a row may not be what it seems to be, if there is a reason: a line below the table.
fn mark(row: &StandingsRow) -> Option<String> {
    let unproved = row.unproved.then(|| "came again without its token".to_owned());
    let unverified = row.unverified.map(|count| format!("{count} of its results not verified"));
    let marks: Vec<_> = unproved.into_iter().chain(unverified).collect();
    (!marks.is_empty()).then(|| format!("\n{}: {}", row.player_id, marks.join("; ")))
}

/// One match for people: the verdict first, then how it came about.
fn tell(state: &MatchState, whole: bool) -> String {
    let MatchState { match_id, league_id, player_a_id: a, player_b_id: b, attempt, .. } = state;
    let referee = state.referee_id.map_or("nobody yet".to_owned(), |id| id.to_string());
    let named =
        state.game_id.as_ref().map_or(match_id.to_string(), |id| format!("{id} ({match_id})"));
    let mut text = format!("{named} of {league_id}: {a} (A) against {b} (B), referee {referee}");
    text.extend((*attempt > 1).then(|| format!(", attempt {attempt}")));
    let has_begun = state.state != MatchPhase::Created;
    let stands = if has_begun { &*output::spoken(state.state.as_str()) } else { "not begun" };
    let unfinished = || format!("\nno result yet: {stands}");
    text += &state.result.as_ref().map_or_else(unfinished, tell_result);
    text.extend(state.contradictions.iter().map(|said| {
        let ContradictedReport { referee_id, attempt, contradiction, timestamp } = said;
        let attempt = attempt.map_or(String::new(), |attempt| format!(" in attempt {attempt}"));
        let what = contradiction.as_deref();
        let what = what.unwrap_or("what it said is told when the match is over");
        format!("\n{referee_id} contradicted itself{attempt} at {timestamp}: {what}")
    }));
    for said in &state.evidence {
        let Evidence { player_id, phase, reason, league_points, private_score, moves } = said;
        if moves.is_some() {
            text +=
                &format!("\n{player_id} says otherwise: it made other moves than {referee} says");
            continue;
        }
        text += &format!("\n{player_id} says otherwise: {phase}, {reason}");
        let told = |(points, score)| format!(", {points} points, private score {score}");
        text.extend(league_points.zip(*private_score).map(told));
    }
    for (what, order) in [("voided", &state.voided), ("played again", &state.rerun)] {
        text.extend(order.as_ref().map(|order| {
            let (by, at, reason) = (&order.by, &order.timestamp, &order.reason);
            format!("\n{what} by {by} at {at}: {reason}")
        }));
    }
    if !state.transcript.is_empty() {
        let lines = state.transcript.0.iter().map(|entry| line(entry, state));
        text = text + "\n" + &output::grid(&[], lines, |_| false) + &faults(state);
    }
    text + &messages::played(state) + &messages::all(state, whole)
}

fn tell_result(result: &MatchSummary) -> String {
    let winner = result.winner.map_or("nobody".to_owned(), |id| id.to_string());
    let mut text = format!("\n{}: winner {winner}", result.status.as_str());
    let points = result.score.iter().map(|(player, points)| format!(", {player} {points} points"));
    text.extend(points);
    text += &format!("\nwhat happened: {}", result.reason.as_str());
    text.extend(result.blame.map(|blame| format!("; caused by: {}", blame.as_str())));
    if result.unverified {
        text += "\nnot verified: the report does not say what this follows from";
    }
    text.extend(result.drawn_number.map(|number| format!("\nnumber drawn: {number}")));
    let view = result.view.as_ref().map(|view| ShortText::new(view.as_str()));
    text.extend(view.map(|view| format!("\nat the end: {view}")));
    let scores = result.private_score.iter();
    text.extend(scores.map(|(player, score)| format!("\nprivate score of {player}: {score}")));
    if result.judged {
        text += JUDGED;
    }
    text
}

/// What was wrong with answers, below the table: a sentence would make its lines too long.
fn faults(state: &MatchState) -> String {
    let mut text = String::new();
    for entry in state.transcript.0.iter() {
        let Some(problem) = &entry.problem else { continue };
        let ask = entry.ask.map_or(String::new(), |ask| format!(", ask {ask}"));
        text += &format!("\n{}{ask}: {problem}", name(entry.from, state));
        text.extend(entry.received.as_ref().map(|received| format!("\n  received: {received}")));
    }
    if text.is_empty() { text } else { format!("\nwhat was wrong:{text}") }
}

fn name(party: Party, state: &MatchState) -> String {
    match party {
        Party::Referee => state.referee_id.map_or("referee".to_owned(), |id| id.to_string()),
        Party::PlayerA => state.player_a_id.to_string(),
        Party::PlayerB => state.player_b_id.to_string(),
    }
}

fn line(entry: &TranscriptEntry, state: &MatchState) -> [String; 5] {
    let name = |party: Party| name(party, state);
    let mut detail = String::new();
    if let Some(choice) = &entry.choice {
        detail = ShortText::new(choice.as_str()).as_str().to_owned();
    } else if let Some(number) = entry.drawn_number {
        detail = number.to_string();
    } else if let Some(ask) = entry.ask.filter(|ask| *ask > 1) {
        detail = format!("ask {ask}");
    }
    if let Some(count) = entry.left_out {
        detail += &format!("{}{count} left out before", if detail.is_empty() { "" } else { ", " });
    }
    [
        format!("{:?}", entry.timestamp),
        name(entry.from),
        if entry.from == entry.to { String::new() } else { format!("→ {}", name(entry.to)) },
        entry.message_type.as_str().to_owned(),
        detail,
    ]
}
