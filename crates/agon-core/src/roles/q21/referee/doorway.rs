//! Who speaks? The league manager, or one of the two players of a game: everybody else is refused,
//! with the reason, and nothing changes.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::dialect::q21::{Body, GameId, Letter};
use agon_proto::{Address, AuthToken};

use super::held::Held;
use super::{Membership, Referee};
use crate::Refusal;
use crate::effect::Proof;
use crate::verdict::Seat;

/// Who speaks, proved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Speaker {
    Manager,
    Player(GameId, Seat),
}

impl Referee {
    pub(super) fn speaker(&self, proof: &Proof, letter: &Letter) -> Result<Speaker, Refusal> {
        #[expect(clippy::wildcard_enum_match_arm, reason = "seven of forty are said in a game")]
        let token = match &letter.body {
            Body::WarmupResponse(said) => &said.token,
            Body::QuestionsBatch(said) => &said.token,
            Body::GuessSubmission(said) => &said.token,
            Body::WarmupCall(_)
            | Body::RoundStart(_)
            | Body::AnswersBatch(_)
            | Body::ScoreFeedback(_) => {
                return Err(Refusal::NotPermitted("only a referee says that, and to players"));
            }
            _ => return self.manager(proof, letter),
        };
        let game = game_of(letter).ok_or(Refusal::NoSuchMatch)?;
        let seat = self.seat_of(game, proof, letter.auth_token.as_ref())?;
        // By mail the address has proved the speaker; a token that is shown must still be right.
        let shown = token.as_deref().filter(|text| !text.is_empty()).map(AuthToken::from);
        match (shown, self.games.get(game)) {
            (Some(shown), Some(held)) if shown != held.tokens[seat.index()] => {
                Err(Refusal::TokenInvalid(shown))
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
    ) -> Result<Seat, Refusal> {
        let held = self.games.get(game).ok_or(Refusal::NoSuchMatch)?;
        match proof {
            Proof::Mail(from) => held
                .seat_at(from)
                .ok_or(Refusal::NotPermitted("only the two players of a game may answer in it")),
            Proof::Token => {
                let token = token.ok_or(Refusal::TokenMissing)?;
                let owns = |seat: &Seat| {
                    let called = held.fixture.players[seat.index()].address.is_endpoint();
                    called && held.tokens[seat.index()] == *token
                };
                let seat = Seat::BOTH.into_iter().find(owns);
                seat.ok_or_else(|| Refusal::TokenInvalid(token.clone()))
            }
        }
    }

    fn manager(&self, proof: &Proof, letter: &Letter) -> Result<Speaker, Refusal> {
        if self.passport.is_from_manager(proof, letter) || self.answers_us(proof, letter) {
            return Ok(Speaker::Manager);
        }
        Err(match (proof, &letter.auth_token) {
            (Proof::Token, None) => Refusal::TokenMissing,
            (Proof::Token, Some(token)) => Refusal::TokenInvalid(token.clone()),
            (Proof::Mail(_), _) => {
                Refusal::NotPermitted("only the league manager says that to a referee")
            }
        })
    }

    /// By call the answer to our first request is known by that request's id, which nobody else can
    /// know: before it there is no token to prove anything with.
    fn answers_us(&self, proof: &Proof, letter: &Letter) -> bool {
        let Membership::Applied(request) = &self.league.membership else {
            return false;
        };
        let answer = matches!(letter.body, Body::RegistrationAnswer(_));
        let first = self.passport.is_called() && self.passport.token().is_none();
        *proof == Proof::Token && answer && first && letter.answers.as_ref() == Some(request)
    }

    /// The proved address of a speaker, whatever its letter says.
    pub(super) fn address_of(&self, speaker: &Speaker) -> Address {
        match speaker {
            Speaker::Manager => self.passport.manager.clone(),
            Speaker::Player(game, seat) => match self.games.get(game) {
                Some(held) => held.fixture.players[seat.index()].address.clone(),
                None => self.passport.address.clone(),
            },
        }
    }
}

impl Held {
    fn seat_at(&self, address: &Address) -> Option<Seat> {
        let sits = |seat: &Seat| self.fixture.players[seat.index()].address == *address;
        Seat::BOTH.into_iter().find(sits)
    }
}

/// The game that a player's letter is about: as its payload says, or else its envelope.
fn game_of(letter: &Letter) -> Option<&GameId> {
    #[expect(clippy::wildcard_enum_match_arm, reason = "three of forty are a player's answers")]
    let said = match &letter.body {
        Body::WarmupResponse(said) => Some(&said.game),
        Body::QuestionsBatch(said) => Some(&said.game),
        Body::GuessSubmission(said) => Some(&said.game),
        _ => None,
    };
    said.filter(|game| !game.is_empty()).or(letter.context.game.as_ref())
}
