//! Carrying out what a role asks for, once its facts are durable.

use std::time::Duration;

use agon_core::{Drew, Effect, Mishap, MishapKind, Question, Refusal, RequestId, What};
use agon_proto::message::{AskedMove, ErrorContext, LeagueError, misstate, stated_move};
use agon_proto::tool::ToolAnswer;
use agon_proto::{
    Answer, ConversationId, Envelope, Fault, MatchId, Message, Payload, Receipt, ReceiptStatus,
    Sender, Timestamp,
};

use super::{Happening, Stage, spoil};
use crate::audit::Sight;
use crate::cast::Mind;
use crate::plan::Temper;
use crate::report::Sabotage;

impl Stage<'_> {
    pub(super) fn carry_out(&mut self, node: usize, mut effect: Effect) {
        spoil::effect(self.sabotage, (&mut effect, &self.settings), self.agenda.now);
        let leaves = Sight::Leaves { node, effect: &effect };
        self.audit.see(&leaves);
        match effect {
            Effect::Send(outgoing) => self.post(node, outgoing),
            Effect::Broadcast(news) => {
                for recipient in &news.recipients {
                    let letter = Envelope {
                        sender: news.sender.clone(),
                        timestamp: news.timestamp,
                        conversation_id: news.conversation_id.clone(),
                        auth_token: Some(recipient.auth_token.clone()),
                        message: news.message.clone(),
                    };
                    self.post_notice(node, &recipient.to, (news.topic, recipient.tag), letter);
                }
            }
            Effect::Reply { request, answer } => {
                if self.sabotage == Sabotage::AnswerTwice {
                    let answer = answer.clone();
                    let again = Effect::Reply { request, answer };
                    let effect = &again;
                    self.audit.see(&Sight::Leaves { node, effect });
                }
                self.reply(node, request, answer);
            }
            Effect::Refuse { request, refusal } => {
                let answer = match self.nodes[node].mind {
                    Mind::Manager(_) => league_error(&refusal, self.agenda.now),
                    Mind::Referee(_) | Mind::Player(_) => fault(&refusal),
                };
                self.tell(|| format!("node {node} refuses: {refusal}"));
                self.reply(node, request, answer);
            }
            Effect::Fetch { request, state, .. } => {
                self.reply(node, request, Answer::Tool(ToolAnswer::Match(state)));
            }
            // Kept with the facts already.
            Effect::Archive { .. } => {}
            Effect::Draw { match_id, attempt, min, max } => {
                let number = self.rng.between(min.into(), max.into()) as u32;
                let drew = Drew { match_id, attempt, number };
                let life = self.nodes[node].life;
                self.soon(5_000, Happening::Falls(node, life, drew));
            }
            Effect::Think(question) => self.think(node, &question),
            Effect::Alert(alert) => self.tell(|| format!("node {node} alerts: {alert:?}")),
            // No letters are written in an Even/Odd league.
            Effect::Post(_) => {}
            Effect::Heard(peer) => self.heard(node, &peer),
            // The process ends when everything else is carried out.
            Effect::Finish(_) => {}
        }
    }

    fn reply(&mut self, node: usize, RequestId(request): RequestId, answer: Answer) {
        self.nodes[node].open.retain(|open| *open != request);
        let temper = self.nodes[node].temper;
        let odd = temper != Temper::Sound && self.rng.happens(500);
        let answer = if odd { distort(temper, answer) } else { Some(answer) };
        let call = self.requests[request as usize].call;
        if let (Some(call), Some(answer)) = (call, answer) {
            self.send_back(node, call, answer);
        }
    }

    /// One of the moves that may be made.
    fn choose(&mut self, question: &Question) -> Payload {
        let What::Move { options, .. } = &question.what else {
            return Payload::default();
        };
        let place = match options.len() {
            2 => usize::from(!self.rng.happens(500)),
            many => self.rng.place(many),
        };
        options.get(place).cloned().unwrap_or_default()
    }

    /// Thoughts usually come at once; some come late, without result, or never.
    fn think(&mut self, node: usize, question: &Question) {
        let broods = self.nodes[node].temper == Temper::Brooding && self.rng.happens(500);
        let broods = broods || self.rng.happens(self.faults.brooding);
        let Question { number, match_id, .. } = *question;
        let choice = self.choose(question);
        let mishap = Mishap { kind: MishapKind::Raised, text: "it cannot decide".into() };
        let (answer, wait) = match (broods, self.rng.between(0, 3)) {
            (false, _) => (Ok(choice), self.rng.between(0, 200)),
            (true, 0) => {
                self.tell(|| format!("node {node} broods over {match_id} for ever"));
                self.audit.see(&Sight::Brooded { node, match_id });
                return;
            }
            (true, 1) => (Err(mishap), self.rng.between(0, 1_000)),
            (true, _) => (Ok(choice), self.rng.between(5_000, 60_000)),
        };
        let life = self.nodes[node].life;
        self.after(Duration::from_millis(wait), Happening::Thinks(node, life, (number, answer)));
    }
}

/// What an odd player makes of its answer; `None` is silence.
fn distort(temper: Temper, answer: Answer) -> Option<Answer> {
    let Answer::Letter(mut letter) = answer else {
        return Some(answer);
    };
    let joins = matches!(letter.message, Message::GameJoinAck(_));
    let moves = stated_move(&letter.message).is_some();
    match (temper, &mut letter.message) {
        (Temper::Silent, _) if joins || moves => return None,
        (Temper::Garbled, _) if joins || moves => {
            return Some(Answer::Receipt(Receipt {
                status: ReceiptStatus::Acknowledged,
                match_id: None,
            }));
        }
        (Temper::Declining, Message::GameJoinAck(said)) => said.accept = false,
        (Temper::Invalid, message) => misstate(message),
        (
            Temper::Sound | Temper::Garbled | Temper::Declining | Temper::Silent | Temper::Brooding,
            _,
        ) => {}
    }
    Some(Answer::Letter(letter))
}

fn league_error(refusal: &Refusal, timestamp: Timestamp) -> Answer {
    let code = refusal.code();
    Answer::Letter(Box::new(Envelope {
        sender: Sender::LeagueManager,
        timestamp,
        conversation_id: ConversationId::new("conv-error"),
        auth_token: None,
        message: LeagueError {
            error_code: code,
            error_name: code.name().into(),
            error_description: refusal.to_string().into(),
            original_message_type: None,
            retryable: code.is_retryable(),
            context: ErrorContext::default(),
        }
        .into(),
    }))
}

fn fault(refusal: &Refusal) -> Answer {
    Answer::Fault(Fault {
        code: -32000,
        message: refusal.to_string().into(),
        league_code: Some(refusal.code()),
    })
}

/// The match that a letter asks a choice for.
pub(super) fn question(letter: &Envelope) -> Option<MatchId> {
    AskedMove::of(&letter.message).map(|asked| asked.match_id)
}
