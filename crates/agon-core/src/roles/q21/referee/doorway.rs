//! Who speaks? The league manager, or one of the two players of a game: everybody else is refused,
//! with the reason, and nothing changes.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::AuthToken;
use agon_proto::act::Act;
use agon_proto::{GameId, Letter};

use super::Referee;
use crate::Refusal;
use crate::effect::Proof;
use crate::gate::{self, Doubt, Proved, TheManager};
use crate::verdict::Seat;

/// Who speaks, proved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Speaker {
    Manager(Proved<TheManager>),
    Player(GameId, Proved<Seat>),
}

const OF_MANAGER: &str = "only the league manager says that to a referee";
const OF_REFEREE: &str = "only a referee says that, and to players";

impl Referee {
    pub(super) fn speaker(&self, proof: &Proof, letter: &Letter) -> Result<Speaker, Doubt> {
        let never = Doubt::Never;
        #[expect(clippy::wildcard_enum_match_arm, reason = "three acts are said in a match")]
        let token = match &letter.act {
            Act::Move(said) => &said.token,
            Act::Ask(_) | Act::Worth(_) => {
                return Err(never(Refusal::NotPermitted(OF_REFEREE)));
            }
            _ => {
                let manager = gate::manager(&self.me, proof, letter, OF_MANAGER);
                return manager.map(Speaker::Manager);
            }
        };
        let game = game_of(letter).ok_or(never(Refusal::NoSuchMatch))?;
        let seat = self.seat_of(game, proof, letter.auth_token.as_ref()).map_err(never)?;
        // By mail the address has proved the speaker; a token that is shown must still be right.
        let shown = token.as_deref().filter(|text| !text.is_empty()).map(AuthToken::from);
        match (shown, self.games.get(game)) {
            (Some(shown), Some(held)) if shown != held.tokens[seat.get().index()] => {
                Err(never(Refusal::TokenInvalid(shown)))
            }
            (Some(_) | None, Some(_) | None) => Ok(Speaker::Player(game.clone(), seat)),
        }
    }

    /// Which player of that game is proved to speak.
    pub(super) fn seat_of(
        &self,
        game: &GameId,
        proof: &Proof,
        token: Option<&AuthToken>,
    ) -> Result<Proved<Seat>, Refusal> {
        let held = self.games.get(game).ok_or(Refusal::NoSuchMatch)?;
        let [a, b] = &held.fixture.players;
        let players = [(&a.address, &held.tokens[0]), (&b.address, &held.tokens[1])];
        gate::player(players, proof, token)
    }
}

/// The game that a player's letter is about: as its payload says, or else its envelope.
fn game_of(letter: &Letter) -> Option<&GameId> {
    let said = if let Act::Move(said) = &letter.act { Some(&said.game) } else { None };
    said.filter(|game| !game.is_empty()).or(letter.context.game.as_ref())
}
