//! The gate for letters: by mail the address proves who speaks, by call a token.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::{Address, AuthToken};

use crate::Refusal;
use crate::agent::Agent;
use crate::effect::Proof;
use crate::verdict::Seat;
use agon_proto::act::Act;
use agon_proto::{GameId, Letter};

/// Somebody who has proved who it is. There is no way to make one but the gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Proved<T>(T);

impl<T> Proved<T> {
    pub(crate) fn get(&self) -> &T {
        &self.0
    }
}

/// The league manager.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TheManager;

/// Why a letter does not pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Doubt {
    /// It may pass later, when we know more.
    Early(Refusal),
    Never(Refusal),
}

/// Whether the league manager wrote this letter; if not, `why` nobody else may.
pub(crate) fn manager(
    agent: &Agent,
    proof: &Proof,
    letter: &Letter,
    why: &'static str,
) -> Result<Proved<TheManager>, Doubt> {
    let is_proved = match proof {
        Proof::Vouched(from) => *from == agent.manager,
        Proof::Token => {
            let shown = letter.auth_token.as_ref();
            shown.is_some() && agent.manager_token() == shown || answers_us(agent, letter)
        }
    };
    if is_proved { Ok(Proved(TheManager)) } else { Err(unproved(agent, proof, letter, why)) }
}

/// By call nothing proves the manager before it has given us a token; but only it can know the id
/// of our request, which nobody can guess.
fn answers_us(agent: &Agent, letter: &Letter) -> bool {
    let Act::Decide(answer) = &letter.act else { return false };
    let ours = letter.answers.as_ref().is_some_and(|id| agent.season.has_requested(id));
    ours && (answer.token.is_some() || agent.credentials().is_none())
}

/// Whether the referee of that game, at that address, wrote this letter; if not, `why` nobody else
/// may.
pub(crate) fn referee(
    agent: &Agent,
    (proof, letter): (&Proof, &Letter),
    (game, address): (&GameId, &Address),
    why: &'static str,
) -> Result<Proved<(GameId, Address)>, Doubt> {
    let is_proved = match proof {
        Proof::Vouched(from) => from == address,
        Proof::Token => {
            let shown = letter.auth_token.as_ref();
            shown.is_some() && agent.game_token(game, address).as_ref() == shown
        }
    };
    if is_proved {
        Ok(Proved((game.clone(), address.clone())))
    } else {
        Err(unproved(agent, proof, letter, why))
    }
}

/// Which of the two players wrote, who are reached there and were given those tokens.
pub(crate) fn player(
    players: [(&Address, &AuthToken); 2],
    proof: &Proof,
    token: Option<&AuthToken>,
) -> Result<Proved<Seat>, Refusal> {
    let seated = |owns: &dyn Fn(&Address, &AuthToken) -> bool| {
        let sits = |seat: &Seat| {
            let (address, token) = players[seat.index()];
            owns(address, token)
        };
        Seat::BOTH.into_iter().find(sits).map(Proved)
    };
    match proof {
        Proof::Vouched(from) => seated(&|address, _| address == from)
            .ok_or(Refusal::NotPermitted("only the two players of a game may answer in it")),
        Proof::Token => {
            let shown = token.ok_or(Refusal::TokenMissing)?;
            seated(&|address, token| address.is_endpoint() && token == shown)
                .ok_or_else(|| Refusal::TokenInvalid(shown.clone()))
        }
    }
}

fn unproved(agent: &Agent, proof: &Proof, letter: &Letter, why: &'static str) -> Doubt {
    match (proof, &letter.auth_token) {
        (Proof::Vouched(_), _) => Doubt::Never(Refusal::NotPermitted(why)),
        (Proof::Token, None) => Doubt::Never(Refusal::TokenMissing),
        // Nobody has given us anything yet by which we could tell.
        (Proof::Token, Some(_)) if agent.credentials().is_none() => {
            Doubt::Early(Refusal::NotRegistered)
        }
        (Proof::Token, Some(token)) => Doubt::Never(Refusal::TokenInvalid(token.clone())),
    }
}
