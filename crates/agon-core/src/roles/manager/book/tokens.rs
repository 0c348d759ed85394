//! Putting the tokens into a letter when it leaves, where letters travel by call.
//!
//! Letters are written down without them: what proves somebody is kept as a hash only, and all that
//! a letter shows can be computed again.
//!
//! Spec: docs/protocol/q21.md

use std::collections::BTreeSet;

use agon_proto::GameId;
use agon_proto::act::{Act, AssignmentTable};
use agon_proto::{Address, AgentId, Contact, Part, SeasonId};

use super::Records;
use crate::league::registry::Agent;
use crate::letterbox::Parcel;
use crate::secret::SigningKey;

impl Records {
    pub(super) fn attach_tokens(&self, mut parcel: Parcel) -> Parcel {
        let season = parcel.letter.context.season.clone();
        let season = season.as_ref().unwrap_or(&self.league.settings.seasons.season);
        let reader = match &parcel.to[..] {
            [only] => self.agent_in(season, only),
            [..] => None,
        };
        let Some((id, agent)) = reader.filter(|(_, agent)| agent.token.is_some()) else {
            return parcel;
        };
        let token = self.token_of(id, agent);
        let key = SigningKey::of(&token);
        parcel.letter.auth_token =
            key.map(|key| key.manager_token(&self.league.settings.league_id));
        #[expect(clippy::wildcard_enum_match_arm, reason = "the rest shows no token")]
        match &mut parcel.letter.act {
            // A token that the operator gave is shown to nobody else.
            Act::Decide(answer) => {
                answer.token = agent.provenance.request.map(|_| token);
            }
            Act::AssignmentTable(table) | Act::TableAnswer(table) => {
                self.show_game_tokens(table, &parcel.to[0]);
            }
            _ => {}
        }
        parcel
    }

    /// Who that was in that season: this one, or one that was reset.
    fn agent_in(&self, season: &SeasonId, address: &Address) -> Option<(AgentId, &Agent)> {
        let contact = Contact::of(address);
        if *season == self.league.settings.seasons.season {
            let id = self.league.registry.at(&contact)?;
            return Some((id, self.league.registry.agent(id)?));
        }
        self.league.former.get(&contact).map(|(id, agent)| (*id, agent))
    }

    /// A referee sees what proves it to the players of its own games.
    fn show_game_tokens(&self, table: &mut AssignmentTable, referee: &Address) {
        let own = table
            .rows
            .iter()
            .filter(|row| row.part == Part::Referee && row.address.as_ref() == Some(referee));
        let own: BTreeSet<GameId> = own.map(|row| row.game.clone()).collect();
        let players = table.rows.iter_mut().filter(|row| row.part != Part::Referee);
        for row in players.filter(|row| own.contains(&row.game)) {
            let player = row.address.as_ref().and_then(|player| self.league.agent_at(player));
            let key = player.and_then(|player| self.signing.key(player));
            let league = &self.league.settings.league_id;
            row.auth_token = key.map(|key| key.game_token(league, &row.game, referee));
        }
    }
}
