//! What a referee writes to players: questions and scores.
//!
//! Every letter's id follows from what it is about, so that a letter that is sent twice is the same
//! letter. The secret of a game stands in none of them.
//!
//! Spec: docs/protocol/q21.md

use std::sync::Arc;

use agon_proto::act::{Act, ActKind, Asked, Break, Worth};
use agon_proto::known::{Contestant, RefereeContext};
use agon_proto::{
    AsPayload, AuthToken, Context, GameId, Heading, LeagueId, Letter, MessageId, Payload, Score,
    SeasonId, Timestamp,
};

use super::schedule::{Entrant, Start};
use crate::agent::{self, Agent};
use crate::letterbox::Parcel;
use crate::matches::{Match, MatchEffect, Open};
use crate::verdict::Seat;

/// The letters of one match.
#[derive(Debug)]
pub(crate) struct Exchange {
    start: Arc<Start>,
    /// The letters in which each player has answered, by the number of the question.
    answers: [Vec<(u16, MessageId)>; 2],
    /// Why it is being broken off.
    pub(super) aborted: Option<Break>,
}

impl Exchange {
    pub(crate) fn new(start: Arc<Start>) -> Self {
        Self { start, answers: [Vec::new(), Vec::new()], aborted: None }
    }

    /// The letter that says to a player what the match wants to have said. Nobody is warned by
    /// letter.
    pub(crate) fn say(
        &self,
        live: &Match,
        effect: &MatchEffect,
        me: &Agent,
        now: Timestamp,
    ) -> Option<Parcel> {
        let (seat, letter, until) = match *effect {
            MatchEffect::Ask { seat, step, ask, until, .. } => {
                let open = Open { step, ask, until };
                (seat, self.question(live, seat, open, me, now), until)
            }
            // By call nobody tries for ever to reach a player that has gone.
            MatchEffect::Through(seat) => {
                (seat, self.score(live, seat, me, now)?, now + live.ask_time(seat))
            }
            MatchEffect::Warn { .. } | MatchEffect::Lapsed(_) => return None,
            MatchEffect::Roll(_) | MatchEffect::Consult { .. } | MatchEffect::Report(..) => {
                return None;
            }
        };
        let to = self.player(seat).address.clone();
        let until = to.is_endpoint().then_some(until);
        Some(me.letterbox.parcel(vec![to], letter, until))
    }

    /// A player has answered that question, in the letter of that id. Called from `apply`.
    pub(crate) fn answered(&mut self, seat: Seat, step: u16, letter: &MessageId) {
        self.answers[seat.index()].push((step, letter.clone()));
    }

    /// The match is over: of its letters nothing is kept. Called from `apply`.
    pub(crate) fn forget(&mut self) {
        self.answers = [Vec::new(), Vec::new()];
        self.aborted = None;
    }

    /// The match, as the table spells it.
    pub(crate) fn game(&self) -> &GameId {
        &self.start.fixture.game
    }

    pub(super) fn player(&self, seat: Seat) -> &Entrant {
        &self.start.fixture.players[seat.index()]
    }

    /// What every letter of this match carries, to and from that player.
    pub(super) fn token(&self, seat: Seat) -> &AuthToken {
        &self.start.tokens[seat.index()]
    }

    /// Whether that player is called, and not written to.
    pub(super) fn is_called(&self, seat: Seat) -> bool {
        self.player(seat).address.is_endpoint()
    }

    /// What a letter of this match is about.
    pub(super) fn about(&self, me: &Agent) -> Context {
        Context {
            league: me.season.league.clone(),
            season: me.season.id.clone(),
            round: Some(self.start.round.clone()),
            game: Some(self.game().clone()),
            broadcast: None,
        }
    }

    /// What our own program is told besides its question.
    pub(crate) fn told_besides(&self, me: &Agent) -> Payload {
        let Start { fixture, round, .. } = &*self.start;
        let contestant = |player: &Entrant| Contestant {
            id: player.group.clone(),
            address: player.address.clone(),
        };
        let context = RefereeContext {
            season: me.season.id.clone().unwrap_or_else(|| SeasonId::new("")),
            league: me.season.league.clone().unwrap_or_else(|| LeagueId::new("")),
            game: fixture.game.clone(),
            referee: me.profile.name.as_str().into(),
            round_number: fixture.match_id.round,
            round: round.clone(),
            players: fixture.players.each_ref().map(contestant),
        };
        context.payload()
    }

    /// Which player that letter of ours asks, and for which step.
    pub(super) fn asked_by(&self, parcel: &Parcel) -> Option<(Seat, u16)> {
        let letter = &parcel.letter;
        if letter.head.context.game.as_ref() != Some(self.game()) {
            return None;
        }
        let ActKind::Ask(step) = letter.act.kind() else { return None };
        let seat = Seat::BOTH.into_iter().find(|seat| {
            letter.head.recipient.as_ref() == self.player(*seat).group.as_str()
                && parcel.to.contains(&self.player(*seat).address)
        });
        seat.map(|seat| (seat, step))
    }

    /// The letter that puts this question to this player.
    fn question(&self, live: &Match, seat: Seat, open: Open, me: &Agent, now: Timestamp) -> Letter {
        let act = Act::Ask(
            Asked {
                game: self.game().clone(),
                number: open.step,
                view: live.view(Some(seat)),
                deadline: Some(open.until),
                token: Some(self.token(seat).reveal().into()),
            }
            .into(),
        );
        let again = if open.ask > 1 { format!("-{}", open.ask) } else { String::new() };
        let letter = self.to_player(seat, act, me, now);
        let id = MessageId::new(&format!("{}{again}", letter.head.id));
        // It answers what the player said last.
        let answers = open.step.checked_sub(1).and_then(|before| self.letter(seat, before));
        Letter { head: Heading { id, answers, ..letter.head }, ..letter }
    }

    /// The letter that tells this player its score.
    fn score(&self, live: &Match, seat: Seat, me: &Agent, now: Timestamp) -> Option<Letter> {
        let gain = live.gain(seat)?;
        let act = Act::Worth(Worth {
            game: self.game().clone(),
            league_points: self.start.played.thresholds.points(gain),
            private_score: Score::from_hundredths(u32::try_from(gain).unwrap_or(0)),
            view: live.view(Some(seat)),
            token: Some(self.token(seat).reveal().into()),
        });
        let answers = self.letter(seat, live.reached(seat)?);
        let letter = self.to_player(seat, act, me, now);
        Some(Letter { head: Heading { answers, ..letter.head }, ..letter })
    }

    fn to_player(&self, seat: Seat, act: Act, me: &Agent, now: Timestamp) -> Letter {
        let name = act.kind().tag();
        let player = self.player(seat);
        let head = Heading {
            id: MessageId::new(&format!("{name}-{}-{}", self.game(), player.group)),
            sent_at: now,
            from: agent::origin(me, &player.address),
            recipient: player.group.as_str().into(),
            answers: None,
            context: self.about(me),
        };
        // By mail the mail server vouches for us, and a token would only be copied about.
        let auth_token = self.is_called(seat).then(|| self.token(seat).clone());
        Letter { head, auth_token, act }
    }

    /// The letter in which that player answered the question of that number.
    fn letter(&self, seat: Seat, number: u16) -> Option<MessageId> {
        let letters = self.answers[seat.index()].iter();
        letters.rev().find(|(answered, _)| *answered == number).map(|(_, id)| id.clone())
    }
}
