//! Putting the tokens into a letter when it leaves, where letters travel by call.
//!
//! Letters are written down without them: what proves somebody is kept as a hash only, and all that
//! a letter shows can be computed again.
//!
//! Spec: docs/protocol/q21.md

use std::collections::BTreeSet;

use agon_proto::AuthToken;
use agon_proto::q21::{Address, AssignmentTable, Body, GameId, Part, SeasonId};

use super::super::Manager;
use crate::TokenHash;
use crate::post::Parcel;

impl Manager {
    pub(super) fn seal(&self, mut parcel: Parcel) -> Parcel {
        let season = parcel.letter.context.season.clone();
        let season = season.as_ref().unwrap_or(&self.settings.q21.season);
        let reader = match &parcel.to[..] {
            [only] if self.settings.q21.by_call => self.token_in(season, only).zip(Some(only)),
            [..] => None,
        };
        let Some((token, reader)) = reader.map(|(token, reader)| (token, reader.clone())) else {
            return parcel;
        };
        parcel.letter.auth_token = Some(token.manager_token(&self.settings.league_id));
        #[expect(clippy::wildcard_enum_match_arm, reason = "the rest shows no token")]
        match &mut parcel.letter.body {
            Body::RegistrationAnswer(answer) => {
                answer.auth_token = self.minted(season, &reader, token);
            }
            Body::AssignmentTable(table) | Body::TableAnswer(table) => {
                self.show_game_tokens(table, &reader);
            }
            _ => {}
        }
        parcel
    }

    /// What proves that agent in that season: this one, or one that was reset.
    fn token_in(&self, season: &SeasonId, address: &Address) -> Option<TokenHash> {
        if *season == self.settings.q21.season {
            return self.post.roll.member(address)?.token;
        }
        self.post.former.get(address).copied().flatten()
    }

    /// The token of somebody who has enrolled. One that the operator has replaced is not shown.
    fn minted(&self, season: &SeasonId, to: &Address, known: TokenHash) -> Option<AuthToken> {
        let token = self.options.secrets.mint_for(season, to);
        Some(token).filter(|token| TokenHash::of(token) == Some(known))
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
