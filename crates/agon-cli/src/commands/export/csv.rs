//! The results as one table for spreadsheets.
//!
//! A cell never begins like a formula: names come from outside, and a spreadsheet would run them.
//!
//! Spec: docs/decisions.md

use std::fmt::Display;
use std::io::Write;

use agon_proto::message::Blame;
use agon_proto::{MatchId, PlayerId};

use crate::archive::Archive;

const HEAD: &str = "match_id,round,player_a,player_b,referee,attempt,status,winner,points_a,\
                    points_b,choice_a,choice_b,drawn_number,reason,blame,completed_at,name_a,\
                    name_b,private_score_a,private_score_b,game_id\r\n";

/// Writes every match that has a result.
pub(super) fn write(archive: &Archive, out: &mut impl Write) -> anyhow::Result<()> {
    out.write_all(HEAD.as_bytes())?;
    for id in archive.matches() {
        if let Some(cells) = cells(archive, id) {
            row(&cells, out)?;
        }
    }
    Ok(())
}

fn cells(archive: &Archive, id: MatchId) -> Option<[String; 21]> {
    let league = &archive.league;
    let record = league.season().result(id)?;
    let state = league.match_state(id)?;
    let result = state.result?;
    let (a, b) = (state.player_a_id, state.player_b_id);
    let choice = |player| said(result.choices.get(player).map(|it| it.as_str()));
    let name = |player: PlayerId| said(league.player(player).map(|(name, _)| name));
    Some([
        id.to_string(),
        id.round.to_string(),
        a.to_string(),
        b.to_string(),
        record.referee.to_string(),
        record.attempt.to_string(),
        result.status.as_str().to_owned(),
        said(result.winner),
        said(result.score.get(a)),
        said(result.score.get(b)),
        choice(a),
        choice(b),
        said(result.drawn_number),
        result.reason.as_str().to_owned(),
        said(result.blame.map(Blame::as_str)),
        format!("{:?}", record.at),
        name(a),
        name(b),
        said(result.private_score.get(a)),
        said(result.private_score.get(b)),
        said(state.game_id),
    ])
}

/// The text of something, or nothing.
fn said(value: Option<impl Display>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

fn row(cells: &[String], out: &mut impl Write) -> anyhow::Result<()> {
    let cells: Vec<String> = cells.iter().map(|cell| harmless(cell)).collect();
    Ok(write!(out, "{}\r\n", cells.join(","))?)
}

/// A cell that is text to every spreadsheet, whatever separator it believes in.
fn harmless(cell: &str) -> String {
    let formula = cell.starts_with(['\t', '\r', '\n'])
        || cell.trim_start().starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']);
    let apostrophe = if formula { "'" } else { "" };
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "_-.:".contains(letter);
    if !formula && cell.chars().all(plain) {
        return cell.to_owned();
    }
    format!("\"{apostrophe}{}\"", cell.replace('"', "\"\""))
}

#[cfg(test)]
mod tests;
