//! A fresh token for an agent whose author has lost the old one, or let others get hold of it.
//!
//! The old token dies at once. Until the agent has shown the fresh one nothing else lets it in,
//! not even its own address: whoever sits there now may be somebody else.
//!
//! Spec: docs/protocol/registration.md

use agon_proto::tool::{FreshToken, ToolParams};
use agon_proto::{AgentId, AuthToken, Timestamp};

use super::{Manager, Out};
use crate::effect::{Alert, Effect};
use crate::fact::LeagueFact;
use crate::league::registry::Agent;
use crate::{Refusal, TokenHash};

impl Manager {
    /// The operator resets an agent. A player that was withdrawn may play again.
    pub(super) fn reset_agent(
        &mut self,
        params: &ToolParams,
        now: Timestamp,
        out: &mut Out,
    ) -> Result<Box<FreshToken>, Refusal> {
        let order = self.order(params)?;
        let agent = match (params.player_id, params.referee_id) {
            (Some(id), None) => AgentId::Player(id),
            (None, Some(id)) => AgentId::Referee(id),
            (None, None) => return Err(Refusal::BadValue("player_id or referee_id is missing")),
            (Some(_), Some(_)) => {
                return Err(Refusal::BadValue("player_id and referee_id: one at a time"));
            }
        };
        let number =
            self.league.registry.agent(agent).map(|agent| agent.number).ok_or(match agent {
                AgentId::Player(id) => Refusal::UnknownPlayer(id),
                AgentId::Referee(id) => Refusal::UnknownReferee(id),
            })?;
        let auth_token = self.options.secrets.mint((agent, number + 1), None);
        let token = TokenHash::of(&auth_token).expect("a minted token is one of ours");
        let readmitted =
            params.player_id.is_some_and(|player| self.league.season.is_withdrawn(player));
        match agent {
            AgentId::Player(player) => {
                self.record(LeagueFact::PlayerReset { player, token, order, at: now }, out);
            }
            AgentId::Referee(referee) => {
                self.record(LeagueFact::RefereeReset { referee, token, order, at: now }, out);
                // Whoever runs with the old token is not heard any more: its matches go elsewhere.
                self.give_up_on(referee, now, out);
            }
        }
        let (player_id, referee_id) = (params.player_id, params.referee_id);
        Ok(Box::new(FreshToken { player_id, referee_id, auth_token, readmitted }))
    }

    /// Says how many agents have tokens that another key made.
    pub(super) fn look_for_estranged(&self, out: &mut Out) {
        let agents = self.signing.estranged();
        if agents > 0 {
            out.push(Effect::Alert(Alert::KeyLost { agents }));
        }
    }

    /// The token that this agent was given last, made again.
    pub(super) fn token_of(&self, id: AgentId, agent: &Agent) -> AuthToken {
        self.options.secrets.mint((id, agent.number), agent.provenance.request)
    }

    /// Makes what we show to an agent, which has another token now. Called from `apply`.
    pub(super) fn sign_for(&mut self, id: AgentId) {
        let Some(agent) = self.league.registry.agent(id) else { return };
        if agent.token.is_some() {
            let token = self.token_of(id, agent);
            let is_good = TokenHash::of(&token) == agent.token;
            self.signing.renew(id, (&token, is_good), &self.league.settings.league_id);
        }
    }
}
