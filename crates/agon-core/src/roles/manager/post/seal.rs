//! Putting the tokens into a letter when it leaves, where letters travel by call.
//!
//! Letters are written down without them: what proves somebody is kept as a hash only, and all that
//! a letter shows can be computed again.
//!
//! Spec: docs/protocol/q21.md

use std::collections::BTreeSet;

use agon_proto::AuthToken;
use agon_proto::q21::{Address, AssignmentTable, Body, GameId, Part};

use super::super::Manager;
use super::roll::Member;
use crate::TokenHash;
use crate::post::Parcel;

impl Manager {
    pub(super) fn seal(&self, mut parcel: Parcel) -> Parcel {
        let reader = match &parcel.to[..] {
            [only] if self.settings.q21.by_call => self.post.roll.member(only),
            [..] => None,
        };
        let Some((reader, token)) = reader.and_then(|reader| Some((reader, reader.token?))) else {
            return parcel;
        };
        parcel.letter.auth_token = Some(token.manager_token(&self.settings.league_id));
        #[expect(clippy::wildcard_enum_match_arm, reason = "the rest shows no token")]
        match &mut parcel.letter.body {
            Body::RegistrationAnswer(answer) => answer.auth_token = self.minted(reader),
            Body::AssignmentTable(table) | Body::TableAnswer(table) => {
                self.show_game_tokens(table, &reader.address);
            }
            _ => {}
        }
        parcel
    }

    /// The token of somebody who has enrolled. One that the operator has replaced is not shown.
    fn minted(&self, member: &Member) -> Option<AuthToken> {
        let token = self.options.secrets.mint_for(&self.settings.q21.season, &member.address);
        Some(token).filter(|token| TokenHash::of(token) == member.token)
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
            let player = row.address.as_ref().and_then(|player| self.post.roll.member(player));
            let token = player.and_then(|player| player.token);
            let league = &self.settings.league_id;
            row.auth_token = token.map(|token| token.game_token(league, &row.game, referee));
        }
    }
}
