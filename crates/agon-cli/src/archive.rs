//! A league read from its journal, without a manager.
//!
//! Facts and transcripts are handed out one by one, so a long season needs little memory.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use agon_core::{League, LeagueFact, Viewer};
use agon_node::config::Config;
use agon_node::{MessageReader, is_piece, piece_places, settings};
use agon_proto::MatchId;
use agon_proto::message::Transcript;
use agon_proto::tool::MatchState;
use agon_store::{Journal, Reader};
use anyhow::Context;

/// Everything that a folder holds, as of one moment.
pub(crate) struct Archive {
    pub(crate) league: League,
    reader: Reader<LeagueFact>,
}

impl Archive {
    /// Reads a folder. Its manager may be running.
    pub(crate) fn open(dir: &Path, config: &Config) -> anyhow::Result<Self> {
        let reader: Reader<LeagueFact> = Journal::read_only(dir)
            .with_context(|| format!("could not open the journal in {}", dir.display()))?;
        let mut league = League::new(settings(config));
        reader.replay(|fact| league.apply(&fact)).context("could not read the journal")?;
        Ok(Self { league, reader })
    }

    /// Hands every fact to `each`, oldest first, until it fails, with the league as it was then:
    /// a season that was reset is another one by now.
    pub(crate) fn facts(
        &self,
        mut each: impl FnMut(&League, LeagueFact) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let mut league = League::new(self.league.settings().clone());
        let mut so_far = Ok(());
        let read = self.reader.replay(|fact| {
            if so_far.is_ok() {
                league.apply(&fact);
                so_far = each(&league, fact);
            }
        });
        read.context("could not read the journal")?;
        so_far
    }

    /// Hands every transcript to `each`, in no order that means anything, until it fails.
    pub(crate) fn transcripts(
        &self,
        mut each: impl FnMut(MatchId, Transcript) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let mut so_far = Ok(());
        let read = self.reader.exhibits(|key, body| {
            if so_far.is_ok() && !is_piece(key) {
                so_far = transcript(key, body).and_then(|(id, text)| each(id, text));
            }
        });
        read.context("could not read the transcripts")?;
        so_far
    }

    /// That match with its messages, as they may be shown to everybody, or whole.
    pub(crate) fn with_messages(
        &self,
        mut state: MatchState,
        viewer: Viewer,
    ) -> anyhow::Result<MatchState> {
        let kept = self.league.pieces(state.match_id);
        let told = !state.messages.is_empty();
        let mut messages = MessageReader::new(&mut state, &kept, viewer);
        for (referee, key) in piece_places(&kept).into_iter().filter(|_| told) {
            let body = self.reader.exhibit(&key);
            let body = body.context("could not read the messages")?;
            messages.read(referee, &body.unwrap_or_default());
        }
        Ok(state)
    }

    /// How long the longest match took, by its referee's clock, or, where that is not known, from
    /// its round's announcement to its result.
    pub(crate) fn longest_match(&self) -> anyhow::Result<Duration> {
        let mut longest = Duration::ZERO;
        let mut known = BTreeSet::new();
        self.transcripts(|id, text| {
            let length = text.length().unwrap_or_default();
            known.extend(Some(id).filter(|_| !length.is_zero()));
            longest = longest.max(length);
            Ok(())
        })?;
        let season = self.league.season();
        let others = self.matches().filter(|id| !known.contains(id)).filter_map(|id| {
            let (announced, _) = season.round_times(id.round)?;
            Some(season.result(id)?.at.since(announced))
        });
        Ok(others.fold(longest, Duration::max))
    }

    /// Every match that was announced, in order.
    pub(crate) fn matches(&self) -> impl Iterator<Item = MatchId> + '_ {
        let season = self.league.season();
        (1..=season.round()).flat_map(|round| season.matches_in(round))
    }
}

fn transcript(key: &str, body: &[u8]) -> anyhow::Result<(MatchId, Transcript)> {
    let id = key.parse();
    let id = id.with_context(|| format!("the journal keeps a transcript under {key:?}"))?;
    let text = serde_json::from_slice(body);
    let text = text.with_context(|| format!("could not understand the transcript of {key}"))?;
    Ok((id, text))
}
