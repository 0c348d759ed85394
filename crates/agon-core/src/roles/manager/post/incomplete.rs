//! Telling those who are not in the season when it begins.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::q21::{Body, RegistrationAnswer, Role, Verdict};
use agon_proto::{AgentId, Timestamp};

use super::super::{Manager, Out};

impl Manager {
    /// Who has enrolled and is not in, because the other half of its team did not come.
    pub(in crate::roles::manager) fn tell_incomplete(&mut self, now: Timestamp, out: &mut Out) {
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
