//! Who speaks to an agent: its manager, and in a match its referee or its players. By call and by
//! letter.
//!
//! Spec: docs/protocol/errors.md

use agon_proto::act::{Act, ActKind};
use agon_proto::{
    Address, AuthToken, ConversationId, Envelope, GameId, Letter, MatchId, Sender, Timestamp,
};

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
            let (expected, shown) = (me.keys.manager_token.as_ref(), letter.auth_token.as_ref());
            if expected.is_some() && expected != shown {
                return Err(wrong(shown));
            }
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

/// Whose words these are, by letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Voice {
    Manager,
    /// To the players of its match.
    Referee,
    /// To the referee of its match.
    Player,
    /// Nobody writes it to an agent: an agent's words to its manager, and what is said in calls.
    Nobody,
    /// The manager's or a referee's: trouble, and what nobody here knows.
    Either,
}

/// The whole table of who says what.
pub(crate) const fn voice(kind: ActKind) -> Voice {
    match kind {
        ActKind::StartSeason
        | ActKind::Decide
        | ActKind::AssignmentTable
        | ActKind::TableAnswer
        | ActKind::NewRound
        | ActKind::EndRound
        | ActKind::RoundResults
        | ActKind::SeasonCompleted
        | ActKind::KeepAlive
        | ActKind::Pause
        | ActKind::Continue
        | ActKind::Reset
        | ActKind::FreeText
        | ActKind::LeagueRegistrationAnswer
        | ActKind::ConnectivityCall
        | ActKind::ExtensionDecision
        | ActKind::ForceMajeureDecision => Voice::Manager,
        ActKind::Ask(_) | ActKind::Worth => Voice::Referee,
        ActKind::Move(_) => Voice::Player,
        ActKind::Problem | ActKind::Rejection | ActKind::AlreadyRejected | ActKind::Other => {
            Voice::Either
        }
        ActKind::Apply
        | ActKind::RefereeAck
        | ActKind::PlayerAck
        | ActKind::TableRequest
        | ActKind::ResultReport
        | ActKind::StatusReport
        | ActKind::FreeTextAnswer
        | ActKind::LeagueRegistration
        | ActKind::StillHere
        | ActKind::ConnectivityEcho
        | ActKind::Extension
        | ActKind::ForceMajeure
        | ActKind::State(_)
        | ActKind::InCall => Voice::Nobody,
    }
}

/// The game that a letter is about: as what is said in it names it, or else its envelope.
#[expect(clippy::wildcard_enum_match_arm, reason = "three acts are said in a match")]
pub(crate) fn game_of(letter: &Letter) -> Option<&GameId> {
    let named = match &letter.act {
        Act::Ask(said) => Some(&said.game),
        Act::Worth(said) => Some(&said.game),
        Act::Move(said) => Some(&said.game),
        _ => None,
    };
    let said = named.filter(|game| !game.is_empty());
    said.or(letter.head.context.game.as_ref().filter(|game| !game.is_empty()))
}

/// Who wrote a letter to an agent, proved.
#[derive(Debug)]
pub(crate) enum Author {
    Manager(Proved<TheManager>),
    /// The referee of that game, spelled as in our table, at that address.
    Referee(Proved<(GameId, Address)>),
    /// A player of that match.
    Player(Proved<(MatchId, Seat)>),
}

/// Who wrote a letter, and where that one is reached; or why that is in doubt.
pub(crate) type Written = Result<(Address, Author), Doubt>;

/// A letter as it came: what vouches for its sender, and when it arrived.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arrival<'a> {
    pub(crate) proof: &'a Proof,
    pub(crate) letter: &'a Letter,
    pub(crate) at: Timestamp,
}

/// Whether somebody wrote a letter who is reached there and has that token: by the word of whoever
/// carried it, or by the token that it shows.
fn wrote(
    (address, given): (&Address, Option<&AuthToken>),
    proof: &Proof,
    shown: Option<&AuthToken>,
) -> bool {
    match proof {
        Proof::Vouched(from) => from == address,
        Proof::Token => shown.is_some() && given == shown,
    }
}

/// Whether the league manager wrote this letter; if not, `why` nobody else may.
pub(crate) fn manager(me: &Agent, came: Arrival, why: &'static str) -> Written {
    let known = (&me.manager, me.keys.manager_token.as_ref());
    let is_answer = *came.proof == Proof::Token && answers_us(me, came.letter);
    if wrote(known, came.proof, came.letter.auth_token.as_ref()) || is_answer {
        return Ok((me.manager.clone(), Author::Manager(Proved(TheManager))));
    }
    Err(unproved(me, came, why))
}

/// By call nothing proves the manager before it has given us a token; but only it can know the id
/// of our request, which nobody can guess.
fn answers_us(me: &Agent, letter: &Letter) -> bool {
    let Act::Decide(answer) = &letter.act else { return false };
    let ours = letter.head.answers.as_ref().is_some_and(|id| me.season.requests.contains(id));
    ours && (answer.token.is_some() || me.credentials().is_none())
}

/// Whether the referee of that game, at that address, wrote this letter; if not, `why` nobody else
/// may.
pub(crate) fn referee(
    me: &Agent,
    came: Arrival,
    (game, address): (&GameId, &Address),
    why: &'static str,
) -> Written {
    let given = me.keys.game_token(game, address);
    if wrote((address, given.as_ref()), came.proof, came.letter.auth_token.as_ref()) {
        let proved = Proved((game.clone(), address.clone()));
        return Ok((address.clone(), Author::Referee(proved)));
    }
    Err(unproved(me, came, why))
}

/// Which of the two players of that match wrote, who are reached there and were given those tokens.
pub(crate) fn player(
    match_id: MatchId,
    players: [(&Address, &AuthToken); 2],
    proof: &Proof,
    shown: Option<&AuthToken>,
) -> Result<Proved<(MatchId, Seat)>, Refusal> {
    let writes = |seat: &Seat| {
        let (address, given) = players[seat.index()];
        wrote((address, Some(given).filter(|_| address.is_endpoint())), proof, shown)
    };
    let seat = Seat::BOTH.into_iter().find(writes);
    let why = "only the two players of a game may answer in it";
    seat.map(|seat| Proved((match_id, seat))).ok_or_else(|| refusal(proof, shown, why))
}

fn unproved(me: &Agent, Arrival { proof, letter, .. }: Arrival, why: &'static str) -> Doubt {
    let shown = letter.auth_token.as_ref();
    // Nobody has given us anything yet by which we could tell.
    if *proof == Proof::Token && shown.is_some() && me.credentials().is_none() {
        return Doubt::Early(Refusal::NotRegistered);
    }
    Doubt::Never(refusal(proof, shown, why))
}

fn refusal(proof: &Proof, shown: Option<&AuthToken>, why: &'static str) -> Refusal {
    match proof {
        Proof::Vouched(_) => Refusal::NotPermitted(why),
        Proof::Token => wrong(shown),
    }
}

/// What somebody hears who has shown another token than we know, or none.
pub(crate) fn wrong(shown: Option<&AuthToken>) -> Refusal {
    shown.cloned().map_or(Refusal::TokenMissing, Refusal::TokenInvalid)
}
