//! A player's own letters in its games, and about them.
//!
//! An id follows from what the letter is about, never from chance: a letter that is written again
//! is the same letter.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::dialect::q21::{Body, Context, GameId, Letter};
use agon_proto::{MessageId, Timestamp};

use super::controller::Reply;
use super::termination::TerminationReport;
use super::thinking::Callback;
use super::{Out, Player};
use crate::agent::{self, Correspondent};

impl Player {
    pub(super) fn post_reports(
        &mut self,
        reports: Vec<TerminationReport>,
        now: Timestamp,
        out: &mut Out,
    ) {
        for report in reports {
            let reason = report.reason.as_str().to_lowercase();
            let id =
                MessageId::new(&format!("report-{}-{}-{reason}", report.game, self.me.address));
            let body = Body::StatusReport(report.status_report(&self.me.address));
            let mut letter = agent::to_manager(self, id, body, None, now);
            letter.context.game = Some(report.game);
            // The round that the report is about may be over, and its name forgotten.
            if report.round_number != self.rounds.current_round() {
                letter.context.round = None;
            }
            agent::tell_manager(self, letter, out);
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
        if self.me.post.holds(&id) {
            return;
        }
        let letter = Letter {
            id,
            sent_at: said_at,
            from: agent::origin(&self.me, &referee),
            recipient: referee.as_str().into(),
            answers: Some(answers),
            context: Context { game: Some(game.clone()), ..self.context(None) },
            auth_token: shown,
            body,
        };
        // A referee that cannot be reached must not be written to for ever.
        let until = deadline.unwrap_or(now).max(now) + self.terms.grace;
        agent::post(self, referee, letter, Some(until), out);
    }

    /// Nobody wants our letters about that game any more, or about any.
    pub(super) fn withdraw_game_letters(&mut self, game: Option<&GameId>, out: &mut Out) {
        let waiting = self.me.post.waiting().filter(|parcel| {
            let about = parcel.letter.context.game.as_ref();
            parcel.letter.body.kind().is_of_game() && (game.is_none() || about == game)
        });
        let waiting = waiting.map(|parcel| parcel.id).collect();
        agent::settle(self, waiting, out);
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
