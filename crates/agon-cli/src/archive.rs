//! A league read from its journal: the manager's own fold, without a manager.

use std::collections::BTreeMap;
use std::path::Path;

use agon_core::{LeagueFact, Machine, Manager, ManagerOptions, Secrets, TokenHash};
use agon_node::config::Config;
use agon_node::settings;
use agon_proto::message::Transcript;
use agon_proto::{AuthToken, MatchId};
use agon_store::{Journal, Reader};
use anyhow::Context;

/// Everything that a folder holds, as of one moment.
pub struct Archive {
    pub league: Manager,
    pub transcripts: BTreeMap<MatchId, Transcript>,
    reader: Reader<LeagueFact>,
}

impl Archive {
    /// Reads a folder. Its manager may be running.
    pub fn open(dir: &Path, config: &Config) -> anyhow::Result<Self> {
        let reader: Reader<LeagueFact> = Journal::read_only(dir)
            .with_context(|| format!("could not open the journal in {}", dir.display()))?;
        // Nobody asks this manager for anything, so its secrets are of no importance.
        let nobody = AuthToken::derived([0; 32]);
        let operator = TokenHash::of(&nobody).context("a token of ours has a hash")?;
        let secrets = Secrets::new([0; 32]);
        let options = ManagerOptions {
            secrets,
            operator,
            start_when: None,
        };
        let mut league = Manager::new(settings(config), options);
        reader
            .replay(|fact| league.apply(&fact))
            .context("could not read the journal")?;
        let mut transcripts = BTreeMap::new();
        reader
            .exhibits(|key, body| {
                if let (Ok(id), Ok(text)) = (key.parse(), serde_json::from_slice(body)) {
                    transcripts.insert(id, text);
                }
            })
            .context("could not read the transcripts")?;
        Ok(Self {
            league,
            transcripts,
            reader,
        })
    }

    /// Every fact as it was written: sequence, time in microseconds, JSON.
    pub fn facts(&self, each: impl FnMut(u64, i64, &str)) -> anyhow::Result<()> {
        self.reader
            .raw(each)
            .context("could not read the journal")?;
        Ok(())
    }

    /// Every match that was announced, in order.
    pub fn matches(&self) -> impl Iterator<Item = MatchId> + '_ {
        let season = self.league.season();
        let per_round = season.format().matches_per_round();
        (1..=season.round())
            .flat_map(move |round| (1..=per_round).map(move |number| MatchId::new(round, number)))
    }
}
