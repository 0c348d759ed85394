//! What a season left behind: everybody's journal, and what the manager's log called accepted.
//!
//! Read fact by fact, without any of the roles' own folding.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use agon_core::format::Paper;
use agon_core::{LeagueFact, Outcome, OutcomePoints, PlayerFact, RefereeFact, Settings, Verdict};
use agon_proto::message::{Parity, StandingsRow};
use agon_proto::tool::PlayedMatch;
use agon_proto::{AgentId, MatchId, Payload, PlayerId, RefereeId, Timestamp};
use agon_store::Journal;
use anyhow::Context;
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// One accepted result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Accepted {
    pub(crate) attempt: u32,
    pub(crate) referee: RefereeId,
    pub(crate) verdict: Verdict,
    pub(crate) details: Payload,
}

/// The manager's journal.
#[derive(Debug, Default)]
pub(crate) struct League {
    settings: Option<Box<Settings>>,
    /// Who was to meet whom.
    pub(crate) paper: Paper,
    pub(crate) scoring: Option<OutcomePoints>,
    /// Everybody who was let in.
    pub(crate) members: BTreeSet<AgentId>,
    pub(crate) results: BTreeMap<MatchId, Vec<Accepted>>,
    /// Who was given which attempt.
    pub(crate) attempts: BTreeMap<(MatchId, u32), RefereeId>,
    pub(crate) rounds_completed: Vec<u32>,
    /// When the first round was announced, and when the last one was complete.
    pub(crate) began: Option<Timestamp>,
    pub(crate) ended: Option<Timestamp>,
    pub(crate) ends: usize,
}

/// A referee's journal.
#[derive(Debug, Default)]
pub(crate) struct RefereeBook {
    pub(crate) id: Option<RefereeId>,
    pub(crate) judged: BTreeMap<(MatchId, u32), Verdict>,
    /// Reports that were answered.
    pub(crate) settled: BTreeSet<(MatchId, u32)>,
}

/// A player's journal.
#[derive(Debug, Default)]
pub(crate) struct PlayerBook {
    pub(crate) id: Option<PlayerId>,
    pub(crate) chosen: Vec<(MatchId, u32, Parity)>,
    pub(crate) heard: Vec<PlayedMatch>,
}

/// A line of the manager's log: a result that it called accepted.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct Said {
    message: String,
    pub(crate) match_id: MatchId,
    pub(crate) attempt: u32,
    pub(crate) referee: RefereeId,
    pub(crate) status: String,
    pub(crate) cause: String,
}

/// Everything.
#[derive(Debug, Default)]
pub(crate) struct History {
    pub(crate) league: League,
    pub(crate) referees: Vec<RefereeBook>,
    pub(crate) players: Vec<PlayerBook>,
    pub(crate) said: Vec<Said>,
    /// The last table that the manager showed.
    pub(crate) table: Option<Vec<StandingsRow>>,
}

fn facts<F: DeserializeOwned + Send>(dir: &Path, each: impl FnMut(F)) -> anyhow::Result<()> {
    let read = Journal::read_only(dir).and_then(|journal| journal.replay(each));
    read.with_context(|| format!("could not read the journal in {}", dir.display()))?;
    Ok(())
}

impl League {
    pub(crate) fn read(dir: &Path) -> anyhow::Result<Self> {
        let mut league = Self::default();
        facts(dir, |fact| league.take(fact))?;
        Ok(league)
    }

    pub(crate) fn take(&mut self, fact: LeagueFact) {
        if let LeagueFact::ResultAccepted { match_id, attempt, referee, verdict, details, .. } =
            fact
        {
            let accepted = Accepted { attempt, referee, verdict, details };
            self.results.entry(match_id).or_default().push(accepted);
        } else if let LeagueFact::RoundAnnounced { round, referees, at, .. } = fact {
            self.began = self.began.or(Some(at));
            let given = self.paper.matches_in(round).zip(referees);
            let given = given.filter_map(|(id, referee)| Some(((id, 1), referee?)));
            self.attempts.extend(given);
        } else if let LeagueFact::MatchReassigned { match_id, attempt, referee, .. } = fact {
            self.attempts.insert((match_id, attempt), referee);
        } else if let LeagueFact::RoundCompleted { round, at } = fact {
            self.ended = Some(at);
            self.rounds_completed.push(round);
        } else if let LeagueFact::Registered(it) = fact {
            self.members.insert(it.agent);
        } else if let LeagueFact::SeasonStarted { lineup, .. } = fact {
            let paper = self.settings.as_ref().and_then(|settings| settings.paper(&lineup));
            self.paper = paper.unwrap_or_default();
        } else if let LeagueFact::Opened { settings, .. } = fact {
            self.scoring = Some(settings.scoring);
            self.settings = Some(settings);
        } else if let LeagueFact::LeagueCompleted { .. } = fact {
            self.ends += 1;
        }
    }

    /// The first result of a match, which is the one that counts.
    pub(crate) fn result(&self, match_id: MatchId) -> Option<&Accepted> {
        self.results.get(&match_id).and_then(|all| all.first())
    }

    /// How many matches nobody has played out.
    pub(crate) fn cancelled(&self) -> usize {
        let first = self.results.values().filter_map(|all| all.first());
        first.filter(|accepted| accepted.verdict.outcome == Outcome::Cancelled).count()
    }
}

impl RefereeBook {
    pub(crate) fn read(dir: &Path) -> anyhow::Result<Self> {
        let mut book = Self::default();
        facts(dir, |fact| book.take(fact))?;
        Ok(book)
    }

    fn take(&mut self, fact: RefereeFact) {
        if let RefereeFact::Judged { match_id, attempt, verdict, .. } = fact {
            self.judged.insert((match_id, attempt), verdict);
        } else if let RefereeFact::Recorded { match_id, attempt }
        | RefereeFact::Settled { match_id, attempt } = fact
        {
            self.settled.insert((match_id, attempt));
        } else if let RefereeFact::Registered(given) = fact
            && let AgentId::Referee(id) = given.agent
        {
            self.id = Some(id);
        }
    }
}

impl PlayerBook {
    pub(crate) fn read(dir: &Path) -> anyhow::Result<Self> {
        let mut book = Self::default();
        facts(dir, |fact| book.take(fact))?;
        Ok(book)
    }

    fn take(&mut self, fact: PlayerFact) {
        if let PlayerFact::Chosen { match_id, attempt, choice, .. } = fact {
            self.chosen.extend(Parity::of_move(&choice).map(|choice| (match_id, attempt, choice)));
        } else if let PlayerFact::Over(played) = fact {
            self.heard.push(played);
        } else if let PlayerFact::Registered(given) = fact
            && let AgentId::Player(id) = given.agent
        {
            self.id = Some(id);
        }
    }
}

/// What all lives of the manager have called accepted. A line that a death has torn is no word.
pub(crate) fn said(log: &Path) -> Vec<Said> {
    let text = std::fs::read(log).unwrap_or_default();
    let lines = text.split(|byte| *byte == b'\n');
    let said = lines.filter_map(|line| serde_json::from_slice::<Said>(line).ok());
    said.filter(|said| said.message == "result accepted").collect()
}
