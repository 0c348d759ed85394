//! From the season's table to our own matches: three rows for each, found by our own address.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::act::{AssignmentRow, NewRound};
use agon_proto::{Address, AuthToken, GameId, GroupId, MatchId, Part};
use serde::{Deserialize, Serialize};

use crate::agent::{Agent, short_hash};
use crate::matches::PlayedOnce;

/// One of our matches, on paper.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduledMatch {
    pub match_id: MatchId,
    /// The same, as the table spells it.
    pub game: GameId,
    pub players: [Entrant; 2],
}

/// A player of one of our matches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entrant {
    pub group: GroupId,
    pub address: Address,
    /// What proves us to it and it to us, where letters travel by call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<AuthToken>,
}

/// A round, as the manager announced it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundTold {
    pub number: u32,
    /// In the manager's words.
    pub name: Box<str>,
    /// Who has checked in, if somebody keeps that list.
    pub present: Option<Vec<Address>>,
}

impl RoundTold {
    pub(super) fn of(said: &NewRound, name: Option<Box<str>>) -> Self {
        Self {
            number: said.number,
            name: name.unwrap_or_else(|| said.number.to_string().into()),
            present: said.present.clone(),
        }
    }
}

/// A match that begins, with everything that must not change under way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Start {
    pub fixture: ScheduledMatch,
    /// The round, in the manager's words.
    pub round: Box<str>,
    pub played: PlayedOnce,
    /// What every letter of this match carries, for each player another.
    pub tokens: [AuthToken; 2],
}

/// What a referee was told of the season's matches.
#[derive(Debug, Default)]
pub(crate) struct Schedule {
    /// Our matches; `None` before the table came.
    pub(crate) fixtures: Option<Vec<ScheduledMatch>>,
    /// The newest round.
    pub(crate) round: Option<RoundTold>,
    pub(crate) round_ended: bool,
}

impl Schedule {
    /// The number of the newest round; 0 before the first one.
    pub(super) fn newest(&self) -> u32 {
        self.round.as_ref().map_or(0, |round| round.number)
    }

    /// The round that is played.
    pub(super) fn under_way(&self) -> Option<&RoundTold> {
        self.round.as_ref().filter(|_| !self.round_ended)
    }

    /// The matches of the round that is played, as they would begin, and who has not checked in.
    pub(super) fn starts(&self, me: &Agent, played: &PlayedOnce) -> Vec<(Start, [bool; 2])> {
        let Some(round) = self.under_way() else {
            return Vec::new();
        };
        let is_absent = |player: &Entrant| {
            round.present.as_ref().is_some_and(|present| !present.contains(&player.address))
        };
        let start = |fixture: &ScheduledMatch| {
            let players = fixture.players.each_ref();
            let start = Start {
                fixture: fixture.clone(),
                round: round.name.clone(),
                played: played.clone(),
                tokens: players.map(|player| token(me, &fixture.game, player)),
            };
            (start, players.map(is_absent))
        };
        let of_round = |fixture: &&ScheduledMatch| fixture.match_id.round == round.number;
        self.fixtures.iter().flatten().filter(of_round).map(start).collect()
    }
}

/// What proves this player's letters in this match. By mail it follows from what we were started
/// with, and nobody can guess it; by call the manager gave it to both of us.
fn token(me: &Agent, game: &GameId, player: &Entrant) -> AuthToken {
    player.token.clone().unwrap_or_else(|| {
        let nonce = format!("{:016x}", me.profile.nonce);
        let digits = short_hash(&[&nonce, game.as_str(), player.address.as_str()]);
        AuthToken::from(format!("tok_{digits}").as_str())
    })
}

/// Our matches, in the order of the table. If nobody can tell its players or its round, it is none.
pub(super) fn fixtures(rows: &[AssignmentRow], us: &Address) -> Vec<ScheduledMatch> {
    let ours = |row: &&AssignmentRow| row.part == Part::Referee && row.address.as_ref() == Some(us);
    let mut found: Vec<ScheduledMatch> = Vec::new();
    for row in rows.iter().filter(ours) {
        if !found.iter().any(|fixture| fixture.game == row.game) {
            found.extend(fixture(rows, &row.game));
        }
    }
    found
}

fn fixture(rows: &[AssignmentRow], game: &GameId) -> Option<ScheduledMatch> {
    let match_id = game.match_id()?;
    let player = |part: Part| {
        let row = rows.iter().find(|row| row.game == *game && row.part == part)?;
        let address = row.address.clone().filter(|address| !address.is_empty())?;
        Some(Entrant { group: row.group.clone(), address, token: row.auth_token.clone() })
    };
    let players = [player(Part::Player1)?, player(Part::Player2)?];
    Some(ScheduledMatch { match_id, game: game.clone(), players })
}
