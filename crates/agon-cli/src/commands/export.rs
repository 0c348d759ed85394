//! `agon export`: everything a league knows, as files that other programs read.
//!
//! Every number comes from the journal, as of one moment, so the same journal gives the same bytes.
//! The folder appears whole or not at all. Tokens and their hashes stay in the journal.
//!
//! Spec: docs/decisions.md

mod csv;
mod documents;
mod draft;
mod log;

use std::collections::BTreeSet;
use std::process::ExitCode;
use std::time::Duration;

use agon_core::Viewer;
use agon_proto::tool::MatchState;
use agon_proto::{LeagueId, MatchId, Timestamp};
use anyhow::{Context, bail, ensure};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish};
use toml::Table;

use crate::archive::Archive;
use crate::args::{Common, Export};
use crate::output::{self, object};
use documents::{history, one_match, rounds, standings};
use draft::Draft;

/// What is over sooner needs no progress display.
const PATIENCE: Duration = Duration::from_secs(1);

pub(super) fn run(common: &Common, args: &Export) -> anyhow::Result<ExitCode> {
    let config = common.load(Table::new())?;
    let archive = Archive::open(&args.data, &config)?;
    spare_the_journal(args)?;
    let mut draft = Draft::begin(&args.to)?;
    let viewer = if args.whole { Viewer::Operator } else { Viewer::Everybody };
    let (matches, players, rounds) = write(&archive, viewer, &mut draft)?;
    let (to, files) = (args.to.display(), draft.settle()?);
    let written = object()
        .with("to", &args.to)
        .with("matches", matches)
        .with("players", players)
        .with("rounds", rounds)
        .with("files", files);
    output::show(common, &written, || {
        format!("{to}: {matches} matches, {players} players, {rounds} rounds in {files} files")
    })
}

/// An earlier export is replaced with all that is in it, and that must not be the league itself.
fn spare_the_journal(args: &Export) -> anyhow::Result<()> {
    let data = args.data.canonicalize();
    let data = data.with_context(|| format!("could not look at {}", args.data.display()))?;
    match args.to.canonicalize() {
        Ok(to) if data.starts_with(&to) => bail!(
            "{} holds the league's own data; name another folder with --to",
            args.to.display()
        ),
        // What is not there holds nothing.
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Writes every file, and counts the matches, the players and the rounds.
fn write(archive: &Archive, viewer: Viewer, draft: &mut Draft) -> anyhow::Result<(u64, u32, u32)> {
    let league = &archive.league;
    let folder = folder_name(&league.settings().league_id);
    let mut last: Option<Timestamp> = None;
    draft.file(&format!("logs/league/{folder}/league.log.jsonl"), |out| {
        archive.facts(|league, fact| {
            last = log::write(league, &fact, out)?.or(last);
            Ok(())
        })
    })?;
    draft.json(&format!("data/leagues/{folder}/standings.json"), &standings(league, last))?;
    draft.json(&format!("data/leagues/{folder}/rounds.json"), &rounds(league, last))?;
    draft.file("results.csv", |out| csv::write(archive, out))?;
    let (players, rounds) = (league.state().players, league.season().round());
    let matches = archive.matches().count() as u64;
    let bar = output::bar(true, matches + u64::from(players), "{bar:30} {pos}/{len} files {eta}");
    let bar = bar.with_finish(ProgressFinish::AndClear);
    for player in league.player_ids() {
        let path = format!("data/players/{player}/history.json");
        draft.json(&path, &history(league, player))?;
        step(&bar);
    }
    // One file a match: first those that have a transcript, as they come, then the others.
    let mut missing: BTreeSet<MatchId> = archive.matches().collect();
    let path = |id: MatchId| format!("data/matches/{folder}/{id}.json");
    archive.transcripts(|id, text| {
        let Some(state) = league.match_state(id) else {
            bail!("the journal keeps a transcript of {id}, and there is no such match");
        };
        let announced = id.round <= league.season().round();
        ensure!(announced, "{id} has a transcript before its round");
        missing.remove(&id);
        step(&bar);
        let state = archive.with_messages(MatchState { transcript: text, ..state }, viewer)?;
        draft.json(&path(id), &one_match(league, &state))
    })?;
    for id in missing {
        if let Some(state) = league.match_state(id) {
            let state = archive.with_messages(state, viewer)?;
            draft.json(&path(id), &one_match(league, &state))?;
        }
        step(&bar);
    }
    Ok((matches, players, rounds))
}

/// The league's id as one plain part of a path. Whatever it holds, it cannot lead elsewhere.
fn folder_name(league: &LeagueId) -> String {
    /// Far below what a file system takes.
    const LENGTH_MAX: usize = 100;
    let mut name = String::new();
    for letter in league.as_str().chars().take(LENGTH_MAX) {
        let plain = match letter {
            '.' => !name.is_empty() && !name.ends_with('.'),
            '_' | '-' => true,
            other => other.is_ascii_alphanumeric(),
        };
        name.push(if plain { letter } else { '_' });
    }
    if name.is_empty() {
        name.push('_');
    }
    name
}

/// One file more, on a bar that is seen once there was time to become impatient.
fn step(bar: &ProgressBar) {
    bar.inc(1);
    if bar.is_hidden() && bar.elapsed() > PATIENCE {
        bar.set_draw_target(ProgressDrawTarget::stderr());
    }
}

#[cfg(test)]
mod tests;
