//! Who speaks to an agent: its manager, and in a match its referee or its players. By call and by
//! letter.
//!
//! Spec: docs/protocol/errors.md

use agon_proto::act::Act;
use agon_proto::{Address, AuthToken, ConversationId, Envelope, GameId, Letter, MatchId, Sender};

use super::{Admitted, Doubt, Proved, Speaker, TheManager, not_for_us};
use crate::Refusal;
use crate::agent::Agent;
use crate::effect::Proof;
use crate::verdict::Seat;

/// An agent's gate. The manager and, for a player, the match's referee may pass. Whoever does not
/// pass gets its letter back: it may have come before we knew what proves its sender.
#[inline]
pub(crate) fn at_agent(
    me: &mut Agent,
    letter: Box<Envelope>,
) -> Result<Admitted, (Refusal, Box<Envelope>)> {
    match speaker(me, &letter) {
        Ok((speaker, attempt)) => Ok(Admitted { speaker, attempt, letter }),
        Err(refusal) => Err((refusal, letter)),
    }
}

#[inline]
fn speaker(me: &mut Agent, letter: &Envelope) -> Result<(Speaker, Option<u32>), Refusal> {
    if me.credentials().is_none() {
        return Err(Refusal::NotRegistered);
    }
    match letter.head.sender {
        Sender::LeagueManager => {
            let expected = me.keys.manager_token.as_ref();
            expected.map_or(Ok(()), |expected| same(expected, letter.auth_token.as_ref()))?;
            Ok((Speaker::Manager(Proved(TheManager)), None))
        }
        Sender::Referee(referee) => {
            let (match_id, attempt) = place(letter)?;
            me.keys.proves((match_id, attempt, referee), letter.auth_token.as_ref())?;
            Ok((Speaker::Referee(Proved(referee)), Some(attempt)))
        }
        Sender::NewReferee(_) => Err(Refusal::NotRegistered),
        Sender::Player(_) | Sender::NewPlayer(_) => {
            Err(Refusal::NotPermitted("players do not call each other"))
        }
    }
}

#[inline]
fn same(expected: &AuthToken, token: Option<&AuthToken>) -> Result<(), Refusal> {
    match token {
        None => Err(Refusal::TokenMissing),
        Some(token) if token == expected => Ok(()),
        Some(token) => Err(Refusal::TokenInvalid(token.clone())),
    }
}

/// The match that a referee's letter is about, and the attempt that its conversation names.
#[inline]
fn place(letter: &Envelope) -> Result<(MatchId, u32), Refusal> {
    let said = &letter.act;
    let match_id = said.match_of_referee().ok_or_else(|| not_for_us(said))?;
    match letter.head.conversation_id {
        ConversationId::Match { match_id: talked_of, attempt } if talked_of == match_id => {
            Ok((match_id, attempt))
        }
        ConversationId::Match { .. } => {
            Err(Refusal::BadValue("conversation_id names another match"))
        }
        // A foreign referee numbers its conversations as it likes; it knows of one attempt only.
        ConversationId::Report(_)
        | ConversationId::RoundAnnounce(_)
        | ConversationId::RoundStandings(_)
        | ConversationId::RoundComplete(_)
        | ConversationId::LeagueComplete
        | ConversationId::Other(_) => Ok((match_id, 1)),
    }
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
            shown.is_some() && agent.keys.manager_token.as_ref() == shown
                || answers_us(agent, letter)
        }
    };
    if is_proved { Ok(Proved(TheManager)) } else { Err(unproved(agent, proof, letter, why)) }
}

/// By call nothing proves the manager before it has given us a token; but only it can know the id
/// of our request, which nobody can guess.
fn answers_us(agent: &Agent, letter: &Letter) -> bool {
    let Act::Decide(answer) = &letter.act else { return false };
    let ours = letter.head.answers.as_ref().is_some_and(|id| agent.season.has_requested(id));
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
            shown.is_some() && agent.keys.game_token(game, address).as_ref() == shown
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
    let writes = |seat: &Seat| {
        let (address, given) = players[seat.index()];
        match proof {
            Proof::Vouched(from) => address == from,
            Proof::Token => address.is_endpoint() && Some(given) == token,
        }
    };
    let refusal = || match (proof, token) {
        (Proof::Vouched(_), _) => {
            Refusal::NotPermitted("only the two players of a game may answer in it")
        }
        (Proof::Token, None) => Refusal::TokenMissing,
        (Proof::Token, Some(shown)) => Refusal::TokenInvalid(shown.clone()),
    };
    Seat::BOTH.into_iter().find(writes).map(Proved).ok_or_else(refusal)
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
