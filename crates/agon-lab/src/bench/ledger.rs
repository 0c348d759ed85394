//! A season on paper, made of one that was played: what a manager is told, the facts that it writes
//! down, and what the referee kept of a match.

use agon_core::format::{Fixtures, Paper};
use agon_core::{LeagueFact, Lineup, ManagerOptions, Registration, Secrets, TokenHash};
use agon_node::config::Config;
use agon_proto::{
    AgentId, AuthToken, DisplayName, Endpoint, MatchId, PlayerId, RefereeId, Timestamp,
};
use agon_store::{Batch, Exhibit, Journal};
use anyhow::{Context, bail};

use super::inprocess;

/// A time to begin at.
pub(super) const AT: Timestamp = Timestamp::from_micros(1_700_000_000_000_000);

/// Nobody asks such a manager for anything, so its secrets are of no importance.
pub(super) fn options() -> anyhow::Result<ManagerOptions> {
    Ok(ManagerOptions {
        secrets: Secrets::new([1; 32]),
        operator: token(0)?,
        start_when: None,
        referee_code: None,
    })
}

fn token(number: u32) -> anyhow::Result<TokenHash> {
    let mut secret = [7; 32];
    secret[..4].copy_from_slice(&number.to_le_bytes());
    TokenHash::of(&AuthToken::derived(secret)).context("a token of ours has a hash")
}

/// A season of two players: longer ones are written as this one was.
pub(super) struct Sample {
    facts: Vec<LeagueFact>,
    result: LeagueFact,
    transcript: Vec<u8>,
}

impl Sample {
    pub(super) fn of(config: &Config) -> anyhow::Result<Self> {
        let (facts, transcript) = inprocess::sample(config)?;
        let is_result = |fact: &&LeagueFact| matches!(fact, LeagueFact::ResultAccepted { .. });
        let result = facts.iter().find(is_result).context("a season has no result")?.clone();
        let transcript = serde_json::to_vec(&transcript).context("could not write a transcript")?;
        Ok(Self { facts, result, transcript })
    }

    /// Everything that a manager writes down before the first round.
    pub(super) fn opening(&self, players: u32) -> anyhow::Result<Vec<LeagueFact>> {
        let [opened, referee, LeagueFact::Registered(player), ..] = &self.facts[..] else {
            bail!("a season begins in an unknown way");
        };
        let mut facts = vec![opened.clone(), referee.clone()];
        for number in 1..=players {
            let endpoint = Endpoint::new(&format!("http://127.0.0.1:{}/mcp", 8100 + number));
            facts.push(LeagueFact::Registered(Box::new(Registration {
                agent: AgentId::Player(PlayerId::new(number)),
                name: DisplayName::new(&format!("Player {number}")),
                contact: endpoint.into(),
                token: Some(token(number)?),
                ..Registration::clone(player)
            })));
        }
        let lineup = Lineup::All { players, referees: 1 };
        facts.push(LeagueFact::SeasonStarted { lineup, order: None, at: AT });
        Ok(facts)
    }

    /// One round: announced, every result, completed.
    pub(super) fn round(&self, paper: Paper, round: u32) -> impl Iterator<Item = LeagueFact> {
        let ids = paper.matches_in(round);
        let announced = LeagueFact::RoundAnnounced {
            round,
            fixtures: Fixtures::OnPaper,
            referees: vec![Some(RefereeId::new(1)); ids.len()],
            at: AT,
        };
        let completed = LeagueFact::RoundCompleted { round, at: AT };
        let results = ids.map(|id| self.result(id));
        std::iter::once(announced).chain(results).chain([completed])
    }

    /// The same result of another match.
    pub(super) fn result(&self, id: MatchId) -> LeagueFact {
        let mut result = self.result.clone();
        if let LeagueFact::ResultAccepted { match_id, .. } = &mut result {
            *match_id = id;
        }
        result
    }

    /// Makes facts durable, each result with its transcript, and says how many the journal has now.
    pub(super) async fn append(
        &self,
        journal: &mut Journal<LeagueFact>,
        facts: Vec<LeagueFact>,
    ) -> anyhow::Result<u64> {
        let exhibit = |fact: &LeagueFact| {
            let LeagueFact::ResultAccepted { match_id, .. } = fact else { return None };
            Some(Exhibit { key: match_id.to_string(), body: self.transcript.clone() })
        };
        let exhibits = facts.iter().filter_map(exhibit).collect();
        let expected = journal.last();
        Ok(journal.append(expected, Batch { facts, exhibits }).await?)
    }
}
