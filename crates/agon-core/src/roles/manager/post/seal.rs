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
use crate::league::Member;
use crate::post::Parcel;
use crate::secret::SigningKey;

impl Manager {
    pub(super) fn seal(&self, mut parcel: Parcel) -> Parcel {
        let season = parcel.letter.context.season.clone();
        let season = season.as_ref().unwrap_or(&self.league.settings.q21.season);
        let reader = match &parcel.to[..] {
            [only] if self.league.settings.q21.by_call => self.member_in(season, only),
            [..] => None,
        };
        let Some((token, key)) = reader.and_then(|reader| self.token_of(reader, season)) else {
            return parcel;
        };
        parcel.letter.auth_token = Some(key.manager_token(&self.league.settings.league_id));
        #[expect(clippy::wildcard_enum_match_arm, reason = "the rest shows no token")]
        match &mut parcel.letter.body {
            // A token that the operator has replaced is not shown.
            Body::RegistrationAnswer(answer) => {
                answer.auth_token = reader.filter(|reader| reader.given.is_none()).map(|_| token);
            }
            Body::AssignmentTable(table) | Body::TableAnswer(table) => {
                if let [referee] = &parcel.to[..] {
                    self.show_game_tokens(table, referee);
                }
            }
            _ => {}
        }
        parcel
    }

    /// Who that was in that season: this one, or one that was reset.
    fn member_in(&self, season: &SeasonId, address: &Address) -> Option<&Member> {
        if *season == self.league.settings.q21.season {
            return self.league.roll.member(address);
        }
        self.league.former.get(address)
    }

    /// The token of somebody who has enrolled, made again, and what it signs with.
    fn token_of(&self, member: &Member, season: &SeasonId) -> Option<(AuthToken, SigningKey)> {
        let secrets = &self.options.secrets;
        let token = match member.given {
            Some(given) => secrets.mint(given, None),
            None => secrets.mint_for(season, &member.address),
        };
        let key = SigningKey::of(&token)?;
        (TokenHash::of(&token) == member.token).then_some((token, key))
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
            let player = row.address.as_ref().and_then(|player| self.league.roll.member(player));
            let season = &self.league.settings.q21.season;
            let key = player.and_then(|player| self.token_of(player, season)).map(|(_, key)| key);
            let league = &self.league.settings.league_id;
            row.auth_token = key.map(|key| key.game_token(league, &row.game, referee));
        }
    }
}
