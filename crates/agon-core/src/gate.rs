//! The gate: who speaks, and may they? Nothing passes into a role but what is [`Admitted`] here.
//!
//! A sender is a claim; the token proves it. A refused letter changes nothing.
//!
//! Spec: docs/protocol/errors.md

mod letters;

use agon_proto::{
    AgentId, AuthToken, ConversationId, Envelope, MatchId, Message, MessageType, PlayerId,
    RefereeId, Sender,
};

use crate::agent;
use crate::league::registry::{Agent, Registry};
use crate::signing::Signing;
use crate::{Refusal, TokenHash};

pub(crate) use letters::{Doubt, Proved, TheManager, manager, player, referee};

/// Who speaks, proved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Speaker {
    Manager,
    Referee(RefereeId),
    Player(PlayerId),
    /// Somebody who wants in. Proves nothing but may say that one thing.
    Newcomer,
}

/// A letter whose speaker is known. There is no way to make one but the gate.
#[derive(Debug)]
pub(crate) struct Admitted {
    speaker: Speaker,
    /// For a referee's letter, the attempt it is about.
    attempt: Option<u32>,
    letter: Box<Envelope>,
}

impl Admitted {
    pub(crate) fn attempt(&self) -> Option<u32> {
        self.attempt
    }

    pub(crate) fn open(self) -> (Speaker, Box<Envelope>) {
        (self.speaker, self.letter)
    }
}

/// The manager's gate: only registration needs no token.
pub(crate) fn at_manager(
    (registry, signing): (&Registry, &Signing),
    letter: Box<Envelope>,
) -> Result<Admitted, Refusal> {
    let prove =
        |id: AgentId, agent: &Agent| prove((id, agent), signing, letter.auth_token.as_ref());
    if matches!(letter.message, Message::Apply(_)) {
        return Ok(Admitted { speaker: Speaker::Newcomer, attempt: None, letter });
    }
    let speaker = match &letter.sender {
        Sender::Player(id) => {
            let agent = registry.player(*id).ok_or(Refusal::UnknownPlayer(*id))?;
            prove(AgentId::Player(*id), agent)?;
            Speaker::Player(*id)
        }
        Sender::Referee(id) => {
            let agent = registry.referee(*id).ok_or(Refusal::UnknownReferee(*id))?;
            prove(AgentId::Referee(*id), agent)?;
            Speaker::Referee(*id)
        }
        Sender::NewPlayer(_) | Sender::NewReferee(_) => return Err(Refusal::NotRegistered),
        Sender::LeagueManager => return Err(Refusal::NotPermitted("there is one manager")),
    };
    Ok(Admitted { speaker, attempt: None, letter })
}

fn prove(
    (id, agent): (AgentId, &Agent),
    signing: &Signing,
    token: Option<&AuthToken>,
) -> Result<(), Refusal> {
    let token = token.ok_or(Refusal::TokenMissing)?;
    if agent.token.as_ref().is_some_and(|hash| signing.knows(id, token, hash)) {
        return Ok(());
    }
    match TokenHash::of(token) {
        Some(hash) if Some(hash) == agent.token => Ok(()),
        Some(_) | None => Err(Refusal::TokenInvalid(token.clone())),
    }
}

/// An agent's gate. The manager and, for a player, the match's referee may pass. Whoever does not
/// pass gets its letter back: it may have come before we knew what proves its sender.
#[inline]
pub(crate) fn at_agent(
    me: &mut agent::Agent,
    letter: Box<Envelope>,
) -> Result<Admitted, (Refusal, Box<Envelope>)> {
    match speaker(me, &letter) {
        Ok((speaker, attempt)) => Ok(Admitted { speaker, attempt, letter }),
        Err(refusal) => Err((refusal, letter)),
    }
}

#[inline]
fn speaker(me: &mut agent::Agent, letter: &Envelope) -> Result<(Speaker, Option<u32>), Refusal> {
    if me.credentials().is_none() {
        return Err(Refusal::NotRegistered);
    }
    match letter.sender {
        Sender::LeagueManager => {
            let expected = me.manager_token();
            expected.map_or(Ok(()), |expected| same(expected, letter.auth_token.as_ref()))?;
            Ok((Speaker::Manager, None))
        }
        Sender::Referee(referee) => {
            let (match_id, attempt) = place(letter)?;
            me.proves((match_id, attempt, referee), letter.auth_token.as_ref())?;
            Ok((Speaker::Referee(referee), Some(attempt)))
        }
        Sender::NewReferee(_) => Err(Refusal::NotRegistered),
        Sender::Player(_) | Sender::NewPlayer(_) => {
            Err(Refusal::NotPermitted("players do not call each other"))
        }
    }
}

fn same(expected: &AuthToken, token: Option<&AuthToken>) -> Result<(), Refusal> {
    match token {
        None => Err(Refusal::TokenMissing),
        Some(token) if token == expected => Ok(()),
        Some(token) => Err(Refusal::TokenInvalid(token.clone())),
    }
}

/// The match that a referee's letter is about, and the attempt that its conversation names.
fn place(letter: &Envelope) -> Result<(MatchId, u32), Refusal> {
    let said = &letter.message;
    let match_id = said.match_of_referee().ok_or_else(|| not_for_us(said.message_type()))?;
    match letter.conversation_id {
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

/// The answer to a letter where none are written.
pub(crate) const NO_LETTERS: Refusal =
    Refusal::Unsupported("letters: agents of this league are called");

/// The answer to a message that this role does not take.
pub(crate) const fn not_for_us(message: MessageType) -> Refusal {
    Refusal::Unsupported(message.name())
}

#[cfg(test)]
mod tests;
