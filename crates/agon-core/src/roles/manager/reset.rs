//! A fresh token for an agent whose author has lost the old one, or let others get hold of it.
//!
//! The old token dies at once. Until the agent has shown the fresh one nothing else lets it in,
//! not even its own address: whoever sits there now may be somebody else.
//!
//! Spec: docs/protocol/registration.md

use agon_proto::q21::Address;
use agon_proto::tool::{FreshToken, ToolParams};
use agon_proto::{AgentId, Timestamp};

use super::{Manager, Out};
use crate::fact::LeagueFact;
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
        self.registry.agent(agent).ok_or(match agent {
            AgentId::Player(id) => Refusal::UnknownPlayer(id),
            AgentId::Referee(id) => Refusal::UnknownReferee(id),
        })?;
        let auth_token = self.options.secrets.mint_anew(agent, now);
        let token = TokenHash::of(&auth_token).expect("a minted token is one of ours");
        let readmitted = params.player_id.is_some_and(|player| self.season.is_withdrawn(player));
        match agent {
            AgentId::Player(player) => {
                self.record(LeagueFact::PlayerReset { player, token, order, at: now }, out);
            }
            AgentId::Referee(referee) => {
                self.record(LeagueFact::RefereeReset { referee, token, order, at: now }, out);
                // Whoever runs with the old token is not heard any more: its matches go elsewhere.
                if !self.is_q21() {
                    self.give_up_on(referee, now, out);
                }
            }
        }
        let (player_id, referee_id) = (params.player_id, params.referee_id);
        Ok(Box::new(FreshToken { player_id, referee_id, auth_token, readmitted }))
    }

    /// From now on another token proves that agent.
    pub(super) fn renew(&mut self, agent: AgentId, token: TokenHash) {
        if let Some(known) = self.registry.agent(agent) {
            self.post.renew(&Address::new(known.endpoint.as_str()), token);
        }
        self.registry.reset(agent, token, &self.settings.league_id);
    }
}
