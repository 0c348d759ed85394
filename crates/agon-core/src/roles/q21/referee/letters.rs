//! What a referee writes: questions to players, scores, and answers to the manager.
//!
//! Every letter's id follows from what it is about, so that a letter that is sent twice is the same
//! letter. The secret of a game stands in none of them.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::dialect::q21::{self, Body, Context, GameId, GameLetter, Letter, Origin, Role};
use agon_proto::{Address, AuthToken, MessageId, Timestamp};

use super::fact::{Entrant, Fact};
use super::held::{Held, Live};
use super::{Out, Referee};
use crate::effect::Effect;
use crate::matches::Open;
use crate::post::{Parcel, PostFact};
use crate::verdict::Seat;

/// How many digits of a hash stand in an id or in a token by mail.
const DIGITS: usize = 8;

/// The id of an answer to the manager, and what it answers.
pub(super) struct Said<'a> {
    pub(super) id: MessageId,
    pub(super) answers: &'a Letter,
}

impl Referee {
    /// Queues a letter and lets it go.
    pub(super) fn queue(
        &mut self,
        to: Address,
        letter: Letter,
        until: Option<Timestamp>,
        out: &mut Out,
    ) {
        let parcel = self.post.parcel(vec![to], letter, until);
        self.record(Fact::Post(PostFact::Queued(parcel.clone())), out);
        out.push(Effect::Post(parcel));
    }

    pub(super) fn tell_manager(
        &mut self,
        said: Said<'_>,
        body: Body,
        now: Timestamp,
        out: &mut Out,
    ) {
        let mut letter = self.to_manager(said.id, body, now);
        letter.answers = Some(said.answers.id.clone());
        letter.context.broadcast = said.answers.context.broadcast.clone();
        self.queue(self.passport.manager.clone(), letter, None, out);
    }

    pub(super) fn to_manager(&self, id: MessageId, body: Body, now: Timestamp) -> Letter {
        Letter {
            id,
            sent_at: now,
            from: self.origin(&self.passport.manager),
            recipient: Role::Manager.name().into(),
            answers: None,
            context: Context {
                league: self.league.id.clone(),
                season: self.league.season.clone(),
                ..Context::default()
            },
            auth_token: self.passport.token(),
            body,
        }
    }

    fn origin(&self, reader: &Address) -> Origin {
        Origin {
            address: Some(self.passport.address_for(reader)),
            role: Some(Role::Referee),
            logical_id: Some(self.passport.name.clone()),
        }
    }

    /// What a letter of that game is about.
    pub(super) fn context(&self, held: &Held) -> Context {
        Context {
            league: self.league.id.clone(),
            season: self.league.season.clone(),
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
        let inside = held.inside(seat, Some(open.until));
        let (name, body) = q21::question(open.step, &live.play.view(Some(seat)), inside);
        let again = if open.ask > 1 { format!("-{}", open.ask) } else { String::new() };
        let letter = self.to_player(held, seat, name, body, now);
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
        let league_points = live.thresholds.points(live.play.gain(seat)?);
        let inside = held.inside(seat, None);
        let body = q21::worth(&live.play.view(Some(seat)), league_points, inside)?;
        let letter = self.to_player(held, seat, "score", body, now);
        let answers = live.letter(seat, live.play.reached(seat)?).cloned();
        Some(Letter { answers, ..letter })
    }

    fn to_player(&self, held: &Held, seat: Seat, name: &str, body: Body, now: Timestamp) -> Letter {
        let (game, player) = (&held.fixture.game, &held.fixture.players[seat.index()]);
        let called = player.address.is_endpoint();
        Letter {
            id: MessageId::new(&format!("{name}-{game}-{}", player.group)),
            sent_at: now,
            from: self.origin(&player.address),
            recipient: player.group.as_str().into(),
            answers: None,
            context: self.context(held),
            // By mail the mail server vouches for us, and a token would only be copied about.
            auth_token: called.then(|| held.tokens[seat.index()].clone()),
            body,
        }
    }

    /// What proves this player's letters in this game. By mail it follows from what we were started
    /// with, and nobody can guess it; by call the manager gave it to both of us.
    pub(super) fn game_token(&self, game: &GameId, player: &Entrant) -> AuthToken {
        player.token.clone().unwrap_or_else(|| {
            let nonce = format!("{:016x}", self.passport.nonce);
            let digits = hash(&[&nonce, game.as_str(), player.address.as_str()]);
            AuthToken::from(format!("tok_{digits}").as_str())
        })
    }
}

impl Held {
    /// What stands in every letter of this game to that player.
    fn inside(&self, seat: Seat, deadline: Option<Timestamp>) -> GameLetter {
        let token = Some(self.tokens[seat.index()].reveal().into());
        GameLetter { game: self.fixture.game.clone(), deadline, token }
    }

    /// Which player that letter of ours asks, and for which step.
    pub(super) fn asked_by(&self, parcel: &Parcel) -> Option<(Seat, u16)> {
        let letter = &parcel.letter;
        if letter.context.game.as_ref() != Some(&self.fixture.game) {
            return None;
        }
        let step = q21::asked(letter.body.kind())?;
        let player = |seat: &Seat| &self.fixture.players[seat.index()];
        let seat = Seat::BOTH.into_iter().find(|seat| {
            letter.recipient.as_ref() == player(seat).group.as_str()
                && parcel.to.contains(&player(seat).address)
        });
        seat.map(|seat| (seat, step))
    }
}

/// A few digits that follow from that letter's id.
pub(super) fn short_hash(ids: &[&MessageId]) -> String {
    let texts: Vec<&str> = ids.iter().map(|id| id.as_str()).collect();
    hash(&texts)
}

fn hash(texts: &[&str]) -> String {
    let digits = blake3::hash(texts.join("\n").as_bytes()).to_hex();
    digits[..DIGITS].to_owned()
}
