//! What the journals say so far: the league, folded by its own code, its results, folded a second
//! time, and what each referee and each player wrote down.

use std::collections::{BTreeMap, BTreeSet};

use agon_core::format::Fixture;
use agon_core::{League, PlayerFact, RefereeFact, Verdict};
use agon_proto::message::ReportDetails;
use agon_proto::tool::PlayedMatch;
use agon_proto::{AgentId, MatchId, Payload, PlayerId, RefereeId};

use super::Sight;
use super::players::is_same;
use super::results::Results;
use crate::league;

pub(crate) struct Books {
    /// It stands still from the first broken promise on: it takes only facts that can be true.
    pub(crate) league: League,
    pub(crate) season: Results,
    pub(crate) referees: BTreeMap<usize, RefereeBook>,
    pub(crate) players: BTreeMap<usize, PlayerBook>,
}

/// A match, and which attempt at it.
pub(crate) type Attempt = (MatchId, u32);

/// A referee's journal.
#[derive(Default)]
pub(crate) struct RefereeBook {
    /// Who that is, once it was let in.
    pub(crate) id: Option<RefereeId>,
    pub(crate) taken: BTreeSet<MatchId>,
    /// What it took and has not judged, in its present life.
    pub(crate) playing: BTreeSet<MatchId>,
    /// Whether the season's table sets its matches: how many at once is not its to say.
    pub(crate) is_scheduled: bool,
    pub(crate) judged: BTreeMap<Attempt, Verdict>,
    /// Those that the manager says it has.
    pub(crate) recorded: BTreeSet<Attempt>,
    /// Reports that were answered, in whatever way.
    pub(crate) settled: BTreeSet<Attempt>,
    /// Whether it has forgotten something: at the end it knows nothing for certain.
    pub(crate) is_forgetful: bool,
    /// Whether it ended with the league, and did not wait for an answer to its last report.
    pub(crate) is_gone: bool,
}

/// All that a player wrote down, in any life.
#[derive(Default)]
pub(crate) struct PlayerBook {
    /// Who that is, once it was let in.
    pub(crate) id: Option<PlayerId>,
    pub(crate) chosen: Vec<Choice>,
    pub(crate) heard: Vec<PlayedMatch>,
    /// How much of both it has forgotten.
    forgotten: [usize; 2],
}

/// What a player said to a question.
pub(crate) struct Choice {
    pub(crate) attempt: Attempt,
    pub(crate) step: u32,
    pub(crate) said: Payload,
}

impl Books {
    pub(super) fn new() -> Self {
        // What it plays and pays is in the first fact.
        let (league, season) = (League::new(league::settings()), Results::default());
        Self { league, season, referees: BTreeMap::new(), players: BTreeMap::new() }
    }

    /// Who plays that match.
    pub(crate) fn fixture(&self, match_id: MatchId) -> Option<Fixture> {
        self.league.season().fixture(match_id)
    }

    /// What was played in that attempt.
    pub(crate) fn played(&self, match_id: MatchId, attempt: u32) -> ReportDetails {
        let kept = self.season.accepted.get(&(match_id, attempt)).zip(self.fixture(match_id));
        kept.map_or_else(ReportDetails::default, |(kept, Fixture { a, b })| {
            ReportDetails::of(&kept.details, [a, b])
        })
    }

    /// Writes down what was seen. Of what is not sound the league hears nothing.
    pub(super) fn see(&mut self, sight: &Sight<'_>, sound: bool) {
        #[expect(clippy::wildcard_enum_match_arm, reason = "the rest is not written down")]
        match sight {
            Sight::LeagueWrote(fact) => {
                self.season.write(fact);
                if sound {
                    self.league.apply(fact);
                }
            }
            Sight::RefereeWrote(node, fact) => self.referees.entry(*node).or_default().write(fact),
            Sight::PlayerWrote(node, fact) => self.players.entry(*node).or_default().write(fact),
            Sight::Died(node) => {
                self.referees.entry(*node).and_modify(|book| book.playing.clear());
            }
            Sight::Forgot(node) => {
                self.referees.entry(*node).and_modify(RefereeBook::forget);
                let forget = |book: &mut PlayerBook| {
                    book.forgotten = [book.chosen.len(), book.heard.len()];
                };
                self.players.entry(*node).and_modify(forget);
            }
            Sight::Gone(node) => {
                self.referees.entry(*node).and_modify(|book| book.is_gone = true);
            }
            _ => {}
        }
    }
}

impl RefereeBook {
    fn write(&mut self, fact: &RefereeFact) {
        #[expect(clippy::wildcard_enum_match_arm, reason = "the rest is no promise to anybody")]
        match fact {
            RefereeFact::Agent(fact) => {
                if let Some(AgentId::Referee(id)) = fact.admitted_as() {
                    self.id = Some(id);
                }
            }
            RefereeFact::Assigned(assignment) => {
                self.taken.insert(assignment.match_id);
                self.playing.insert(assignment.match_id);
            }
            RefereeFact::Started(_) => self.is_scheduled = true,
            RefereeFact::Judged { match_id, attempt, verdict, .. } => {
                self.judged.insert((*match_id, *attempt), *verdict);
                self.playing.remove(match_id);
            }
            RefereeFact::Recorded { match_id, attempt } => {
                self.recorded.insert((*match_id, *attempt));
                self.settled.insert((*match_id, *attempt));
            }
            RefereeFact::Settled { match_id, attempt } => {
                self.settled.insert((*match_id, *attempt));
            }
            _ => {}
        }
    }

    fn forget(&mut self) {
        let (id, is_scheduled, is_gone) = (self.id, self.is_scheduled, self.is_gone);
        *self = Self { id, is_scheduled, is_gone, is_forgetful: true, ..Self::default() };
    }
}

impl PlayerBook {
    fn write(&mut self, fact: &PlayerFact) {
        if let PlayerFact::Agent(fact) = fact
            && let Some(AgentId::Player(id)) = fact.admitted_as()
        {
            self.id = Some(id);
        }
        if let PlayerFact::Chosen { match_id, attempt, step, choice, .. } = fact {
            let (attempt, said) = ((*match_id, *attempt), choice.clone());
            self.chosen.push(Choice { attempt, step: *step, said });
        }
        if let PlayerFact::Over(played) = fact {
            self.heard.push(*played);
        }
    }

    /// What it said in that attempt, as far as it remembers.
    pub(crate) fn remembered(&self, attempt: Attempt) -> impl Iterator<Item = &Choice> {
        self.chosen[self.forgotten[0]..].iter().filter(move |choice| choice.attempt == attempt)
    }

    /// What it heard before of that attempt, if that is something else or it remembers it.
    pub(super) fn heard_otherwise(&self, played: &PlayedMatch) -> Option<&PlayedMatch> {
        let attempt = (played.match_id, played.attempt);
        let before = self.heard.iter().enumerate();
        let mut before = before.filter(|(_, it)| (it.match_id, it.attempt) == attempt);
        before
            .find(|(place, it)| *place >= self.forgotten[1] || !is_same(it, played))
            .map(|(_, it)| it)
    }
}
