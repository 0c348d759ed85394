//! Opening the season, and beginning it: who is complete is in, and everybody gets the table.
//!
//! Spec: docs/protocol/q21.md

use std::time::Duration;

use agon_proto::q21::{Address, Body, RegistrationAnswer, Role, StartSeason, Verdict};
use agon_proto::tool::LeaguePhase;
use agon_proto::{AgentId, Timestamp};

use super::super::{Manager, Out};
use super::outbox::News;
use crate::Refusal;
use crate::fact::{LeagueFact, Order, Q21Fact};

/// More teams would have games that a game id cannot name.
pub(super) const TEAMS_MAX: u32 = 300;

impl Manager {
    /// Tells everybody who is expected of the season, once.
    pub(super) fn open_season(&mut self, now: Timestamp, out: &mut Out) {
        if self.league.calendar.announced
            || self.league.season.phase() != LeaguePhase::AcceptingRegistrations
        {
            return;
        }
        let terms = &self.league.settings.q21;
        let season = terms.season.clone();
        let until = terms.registration_ms.map(|length| now + Duration::from_millis(length));
        let expected = self.expected();
        self.record(LeagueFact::Q21(Q21Fact::SeasonAnnounced { season, until, at: now }), out);
        self.tell_season(expected, now, out);
    }

    /// START_SEASON. Who is called has no proof of us before it has come to us by itself.
    pub(super) fn tell_season(&mut self, to: Vec<Address>, now: Timestamp, out: &mut Out) {
        if self.league.settings.q21.by_call {
            return;
        }
        let terms = &self.league.settings.q21;
        let registry = &self.league.registry;
        let news = StartSeason {
            season: terms.season.clone(),
            name: terms.name.clone(),
            total_rounds: terms.rounds.unwrap_or(0),
            registration_deadline: self.league.calendar.until,
            registered_players: Some(registry.player_count()),
            registered_referees: Some(registry.referee_count()),
            text: format!("{} opens: register now", terms.name).into(),
        };
        self.tell(to, News::once("startseason", Body::StartSeason(news)), now, out);
    }

    /// The season begins, by an order or by itself.
    pub(in crate::roles::manager) fn begin_season(
        &mut self,
        order: Option<Order>,
        now: Timestamp,
        out: &mut Out,
    ) -> Result<(), Refusal> {
        let lineup = self.league.lineup().map_err(Refusal::OutOfTurn)?;
        self.record(LeagueFact::SeasonStarted { lineup, order, at: now }, out);
        self.tell_incomplete(now, out);
        self.tell_table(now, out);
        Ok(())
    }

    /// Who has enrolled and is not in, because the other half of its team did not come.
    fn tell_incomplete(&mut self, now: Timestamp, out: &mut Out) {
        let season = self.league.settings.q21.season.clone();
        let lineup = self.league.season.lineup();
        let agents = self.league.registry.everybody();
        let left_out: Vec<_> = agents
            .filter(|(id, _)| !lineup.holds(*id))
            .map(|(id, agent)| (id, agent.address(), agent.group()))
            .collect();
        for (id, address, group) in left_out {
            let missing = match id {
                AgentId::Referee(_) => Role::Player,
                AgentId::Player(_) => Role::Referee,
            };
            let text = format!(
                "The team {group} is not in {season}: its {} did not register",
                missing.name()
            );
            let answer = RegistrationAnswer {
                status: Verdict::Rejected,
                season: Some(season.clone()),
                reason: Some("incomplete_team".into()),
                text: Some(text.into()),
                registration: None,
                auth_token: None,
            };
            let id = format!("incomplete-{season}-{address}");
            let body = Body::RegistrationAnswer(answer);
            let letter = self.compose(&id, address.as_str(), body, now);
            self.post(vec![address], letter, None, out);
        }
    }
}
