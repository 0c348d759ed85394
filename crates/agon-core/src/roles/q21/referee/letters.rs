//! What a referee writes to players: questions and scores.
//!
//! Every letter's id follows from what it is about, so that a letter that is sent twice is the same
//! letter. The secret of a game stands in none of them.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::Score;
use agon_proto::act::{Act, ActKind, Asked, Worth};
use agon_proto::{Address, AuthToken, MessageId, Timestamp};
use agon_proto::{Context, GameId, Letter};

use super::fact::Entrant;
use super::held::{Held, Live};
use super::{Out, Referee};
use crate::agent::{self, short_hash};
use crate::matches::Open;
use crate::post::Parcel;
use crate::verdict::Seat;

impl Referee {
    /// Queues a letter and lets it go.
    pub(super) fn queue(
        &mut self,
        to: Address,
        letter: Letter,
        until: Option<Timestamp>,
        out: &mut Out,
    ) {
        agent::post(self, to, letter, until, out);
    }

    /// What a letter of that game is about.
    pub(super) fn about(&self, held: &Held) -> Context {
        Context {
            league: self.me.season.league.clone(),
            season: self.me.season.id.clone(),
            round: Some(held.round.clone()),
            game: Some(held.fixture.game.clone()),
            broadcast: None,
        }
    }

    /// The letter that puts this question to this player.
    pub(super) fn question(
        &self,
        held: &Held,
        live: &Live,
        seat: Seat,
        open: Open,
        now: Timestamp,
    ) -> Letter {
        let act = Act::Ask(Asked {
            game: held.fixture.game.clone(),
            number: open.step,
            view: live.play.view(Some(seat)),
            deadline: Some(open.until),
            token: held.token(seat),
        });
        let again = if open.ask > 1 { format!("-{}", open.ask) } else { String::new() };
        let letter = self.to_player(held, seat, act, now);
        let id = MessageId::new(&format!("{}{again}", letter.id));
        // It answers what the player said last.
        let answers = open.step.checked_sub(1).and_then(|before| live.letter(seat, before));
        Letter { id, answers: answers.cloned(), ..letter }
    }

    /// The letter that tells this player its score.
    pub(super) fn score(
        &self,
        held: &Held,
        live: &Live,
        seat: Seat,
        now: Timestamp,
    ) -> Option<Letter> {
        let gain = live.play.gain(seat)?;
        let act = Act::Worth(Worth {
            game: held.fixture.game.clone(),
            league_points: live.thresholds.points(gain),
            private_score: Score::from_hundredths(u32::try_from(gain).unwrap_or(0)),
            view: live.play.view(Some(seat)),
            token: held.token(seat),
        });
        let letter = self.to_player(held, seat, act, now);
        let answers = live.letter(seat, live.play.reached(seat)?).cloned();
        Some(Letter { answers, ..letter })
    }

    fn to_player(&self, held: &Held, seat: Seat, act: Act, now: Timestamp) -> Letter {
        let (game, player) = (&held.fixture.game, &held.fixture.players[seat.index()]);
        let (called, name) = (player.address.is_endpoint(), act.kind().tag());
        Letter {
            id: MessageId::new(&format!("{name}-{game}-{}", player.group)),
            sent_at: now,
            from: agent::origin(&self.me, &player.address),
            recipient: player.group.as_str().into(),
            answers: None,
            context: self.about(held),
            // By mail the mail server vouches for us, and a token would only be copied about.
            auth_token: called.then(|| held.tokens[seat.index()].clone()),
            act,
        }
    }

    /// What proves this player's letters in this game. By mail it follows from what we were started
    /// with, and nobody can guess it; by call the manager gave it to both of us.
    pub(super) fn game_token(&self, game: &GameId, player: &Entrant) -> AuthToken {
        player.token.clone().unwrap_or_else(|| {
            let nonce = format!("{:016x}", self.me.profile.nonce);
            let digits = short_hash(&[&nonce, game.as_str(), player.address.as_str()]);
            AuthToken::from(format!("tok_{digits}").as_str())
        })
    }
}

impl Held {
    /// What stands in every letter of this game to that player.
    fn token(&self, seat: Seat) -> Option<Box<str>> {
        Some(self.tokens[seat.index()].reveal().into())
    }

    /// Which player that letter of ours asks, and for which step.
    pub(super) fn asked_by(&self, parcel: &Parcel) -> Option<(Seat, u16)> {
        let letter = &parcel.letter;
        if letter.context.game.as_ref() != Some(&self.fixture.game) {
            return None;
        }
        let ActKind::Ask(step) = letter.act.kind() else { return None };
        let player = |seat: &Seat| &self.fixture.players[seat.index()];
        let seat = Seat::BOTH.into_iter().find(|seat| {
            letter.recipient.as_ref() == player(seat).group.as_str()
                && parcel.to.contains(&player(seat).address)
        });
        seat.map(|seat| (seat, step))
    }
}
