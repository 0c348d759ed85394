//! A player's own letters: their ids, their envelopes and their way into the letterbox.
//!
//! An id follows from what the letter is about, never from chance: a letter that is written again
//! is the same letter.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::dialect::q21::{Body, Context, GameId, Letter, Origin, Role};
use agon_proto::{DisplayName, MessageId, Timestamp};

use super::controller::Reply;
use super::fact::Fact;
use super::termination::TerminationReport;
use super::thinking::Callback;
use super::{Out, Player};
use crate::effect::Effect;
use crate::post::{ParcelId, PostFact};

impl Player {
    fn origin(&self) -> Origin {
        Origin {
            address: Some(self.me.address.clone()),
            role: Some(Role::Player),
            logical_id: Some(DisplayName::new(self.me.group.as_str())),
        }
    }

    /// What our letters are about, as far as we know; in the words of the one that they answer.
    fn context(&self, answered: Option<&Letter>) -> Context {
        let told = answered.map(|letter| letter.context.clone()).unwrap_or_default();
        Context {
            league: told.league.or_else(|| self.league.league.clone()),
            season: self.league.season.clone().or(told.season),
            round: told.round.or_else(|| self.rounds.name().map(Into::into)),
            game: told.game,
            broadcast: told.broadcast,
        }
    }

    pub(super) fn to_manager(
        &self,
        id: String,
        body: Body,
        answered: Option<&Letter>,
        now: Timestamp,
    ) -> Letter {
        Letter {
            id: MessageId::new(&id),
            sent_at: now,
            from: self.origin(),
            recipient: Role::Manager.name().into(),
            answers: answered.map(|letter| letter.id.clone()),
            context: self.context(answered),
            auth_token: self.me.token().filter(|_| self.me.is_called()),
            body,
        }
    }

    /// Answers a letter of the manager's.
    pub(super) fn answer_manager(
        &mut self,
        tag: &str,
        body: Body,
        answered: &Letter,
        now: Timestamp,
        out: &mut Out,
    ) {
        let id = format!("{tag}-{}-{}", self.me.address, answered.id);
        let letter = self.to_manager(id, body, Some(answered), now);
        self.post_to_manager(letter, out);
    }

    /// Sends a letter to the manager, unless the very same one still waits.
    pub(super) fn post_to_manager(&mut self, letter: Letter, out: &mut Out) {
        if !self.waits(&letter.id) {
            let parcel = self.post.parcel(vec![self.me.manager.clone()], letter, None);
            self.record(Fact::Post(PostFact::Queued(parcel.clone())), out);
            out.push(Effect::Post(parcel));
        }
    }

    pub(super) fn post_reports(
        &mut self,
        reports: Vec<TerminationReport>,
        now: Timestamp,
        out: &mut Out,
    ) {
        for report in reports {
            let reason = report.reason.as_str().to_lowercase();
            let id = format!("report-{}-{}-{reason}", report.game, self.me.address);
            let body = Body::StatusReport(report.status_report(&self.me.address));
            let mut letter = self.to_manager(id, body, None, now);
            letter.context.game = Some(report.game);
            // The round that the report is about may be over, and its name forgotten.
            if report.round_number != self.rounds.current_round() {
                letter.context.round = None;
            }
            self.post_to_manager(letter, out);
        }
    }

    /// Sends our answer in a game, or sends it again: the very same letter.
    pub(super) fn send(
        &mut self,
        game: &GameId,
        callback: Callback,
        now: Timestamp,
        out: &mut Out,
    ) {
        let Some(controller) = self.rounds.game(game) else { return };
        let parameters = controller.parameters();
        let (shown, referee) = (parameters.shown.clone(), parameters.assignment.referee.clone());
        let Some((reply, referee)) = controller.reply(callback).zip(referee) else { return };
        let Reply { body, answers, said_at, deadline } = reply;
        let id = MessageId::new(&format!("{}-{game}-{}", tag(callback), self.me.address));
        if self.waits(&id) {
            return;
        }
        let letter = Letter {
            id,
            sent_at: said_at,
            from: self.origin(),
            recipient: referee.as_str().into(),
            answers: Some(answers),
            context: Context { game: Some(game.clone()), ..self.context(None) },
            auth_token: shown,
            body,
        };
        // A referee that cannot be reached must not be written to for ever.
        let until = deadline.unwrap_or(now).max(now) + self.terms.grace;
        let parcel = self.post.parcel(vec![referee], letter, Some(until));
        self.record(Fact::Post(PostFact::Queued(parcel.clone())), out);
        out.push(Effect::Post(parcel));
    }

    fn waits(&self, id: &MessageId) -> bool {
        self.post.waiting().any(|parcel| parcel.letter.id == *id)
    }

    /// Nobody wants our letters about that game any more, or about any.
    pub(super) fn withdraw_game_letters(&mut self, game: Option<&GameId>, out: &mut Out) {
        let waiting = self.post.waiting().filter(|parcel| {
            let about = parcel.letter.context.game.as_ref();
            parcel.letter.body.kind().is_of_game() && (game.is_none() || about == game)
        });
        let waiting = waiting.map(|parcel| parcel.id).collect();
        self.settle(waiting, out);
    }

    /// Nobody wants any letter of ours any more.
    pub(super) fn withdraw_letters(&mut self, out: &mut Out) {
        let waiting = self.post.waiting().map(|parcel| parcel.id).collect();
        self.settle(waiting, out);
    }

    pub(super) fn settle(&mut self, parcels: Vec<ParcelId>, out: &mut Out) {
        for parcel in parcels {
            self.record(Fact::Post(PostFact::Settled(parcel)), out);
        }
    }
}

/// How the ids of our letters begin.
const fn tag(callback: Callback) -> &'static str {
    match callback {
        Callback::Warmup => "warmup-answer",
        Callback::Questions => "questions",
        Callback::Guess => "guess",
        Callback::Score => "score",
    }
}
