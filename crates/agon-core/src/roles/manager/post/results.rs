//! Taking results by letter: from the referee that the table names, and from nobody else.
//!
//! The first result counts and is final. An equal repeat changes nothing; another one, one for a
//! round that is over, or one that contradicts itself is refused and written down as a dispute.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::q21::{Address, GameId, GroupId, Part, ResultReport};
use agon_proto::{AgentId, MatchId, Payload, Timestamp};

use super::super::reports::Ruling;
use super::super::{Manager, Out};
use super::admission::Voice;
use super::claims;
use super::judge::ended;
use crate::fact::LeagueFact;
use crate::league::registry::Agent;
use crate::season::Attempt;
use crate::verdict::{Ended, Verdict, conclude};
use crate::{Contradiction, Refusal};

/// A player, as a report names it.
#[derive(Debug)]
pub(super) struct Party {
    pub(super) address: Address,
    pub(super) group: GroupId,
}

impl Party {
    fn of(agent: &Agent) -> Self {
        Self { address: agent.address(), group: agent.group() }
    }
}

impl Manager {
    pub(super) fn take_result(
        &mut self,
        voice: &Voice,
        report: &ResultReport,
        now: Timestamp,
        out: &mut Out,
    ) -> Result<(), Refusal> {
        let match_id = self.match_of_game(&report.game)?;
        let Some(AgentId::Referee(referee)) = self.agent_at(&voice.address) else {
            return Err(Refusal::NotPermitted("results come from referees"));
        };
        let held = self.league.season.attempt(match_id);
        let held = held.ok_or(Refusal::OutOfTurn("this round has not begun yet"))?;
        if held.referee != referee {
            return Err(Refusal::NotYourMatch(match_id));
        }
        let parties = [Part::Player1, Part::Player2].map(|part| self.league.party(match_id, part));
        let [Some(a), Some(b)] = parties.map(|agent| agent.map(Party::of)) else {
            return Err(Refusal::NoSuchMatch);
        };
        let (a, b) = (&a, &b);
        let (ended, scoring) = (ended(report, [a, b]), self.league.settings.scoring());
        let said = conclude(&ended, &scoring);
        let verdict =
            conclude(&Ended { away: self.league.season.away(match_id), ..ended }, &scoring);
        match self.league.season.result(match_id).map(|record| record.verdict) {
            None => match claims::check(report, [a, b], &self.league.settings) {
                Ok(claim) => {
                    let ruling = Ruling { verdict, details: Payload::default(), claim };
                    self.accept(match_id, held, ruling, now, out);
                    Ok(())
                }
                Err(what) => {
                    self.dispute(match_id, held, verdict, Some(&what), now, out);
                    Err(Refusal::Contradicted(what))
                }
            },
            // Who has left the league since then has not changed what was reported.
            Some(written) if written == said || written == verdict => Ok(()),
            Some(_) => {
                self.dispute(match_id, held, verdict, None, now, out);
                Err(Refusal::Conflict(match_id))
            }
        }
    }

    /// Writes down that a report did not count, once for each match and referee.
    fn dispute(
        &mut self,
        match_id: MatchId,
        Attempt { number, referee }: Attempt,
        verdict: Verdict,
        contradiction: Option<&Contradiction>,
        now: Timestamp,
        out: &mut Out,
    ) {
        if self.league.season.is_disputed(match_id, referee) {
            return;
        }
        let fact = LeagueFact::ResultDisputed {
            match_id,
            attempt: Some(number),
            referee,
            verdict: Some(verdict),
            details: Payload::default(),
            contradiction: contradiction.map(|what| what.to_string().into()),
            at: now,
        };
        self.record(fact, out);
    }

    /// The match that a game id names, if it is one of this season.
    pub(super) fn match_of_game(&self, game: &GameId) -> Result<MatchId, Refusal> {
        let parts = game.parts().filter(|(season, match_id)| {
            *season == self.league.settings.q21.season_number % 100
                && self.league.season.fixture(*match_id).is_some()
        });
        parts.map(|(_, match_id)| match_id).ok_or(Refusal::NoSuchMatch)
    }
}
