//! Those who do not belong to the league: a spectator who looks, and a rogue who repeats what
//! others wrote and writes what others did not.

use std::rc::Rc;
use std::time::Duration;

use agon_core::{Caller, Event, Origin};
use agon_proto::message::{MatchResultReport, asks_for_move};
use agon_proto::tool::{Tool, ToolParams};
use agon_proto::{AuthToken, Call, Envelope, MatchId, Message, Sender};

use super::{Happening, Presence, Stage};
use crate::audit::Sight;
use crate::cast::Mind;
use crate::report::Sabotage;

/// How many letters the rogue remembers.
const CAPTURED_MAX: usize = 24;

impl Stage<'_> {
    /// Asks the manager or a referee about some match.
    pub(super) fn look(&mut self) {
        let node = self.rng.place(1 + self.plan.referees.len());
        let round = self.rng.between(1, 7) as u32;
        let number = self.rng.between(1, 3) as u32;
        if self.nodes[node].presence == Presence::Up {
            let request = self.open_request(node, None, false, None);
            let match_id = Some(MatchId::new(round, number));
            let params = ToolParams { match_id, ..ToolParams::default() };
            let call = Call::Tool(Tool::GetMatchState, params.into());
            let caller = Caller::at_home(Origin::Elsewhere);
            let called = Event::Called { request, caller, call };
            self.deliver(node, called);
        }
        let wait = self.rng.between(200, 8_000);
        self.after(Duration::from_millis(wait), Happening::Looks);
    }

    /// The rogue reads what passes. Registrations it cannot see: they would give it a token.
    pub(super) fn capture(&mut self, to: usize, letter: &Rc<Envelope>) {
        let told = matches!(
            letter.message,
            Message::MatchResultReport(_) | Message::GameInvitation(_) | Message::GameOver(_)
        );
        let wanted = told || asks_for_move(&letter.message);
        if !self.plan.rogue || !wanted || !self.rng.happens(300) {
            return;
        }
        if self.captured.len() == CAPTURED_MAX {
            let oldest = self.rng.place(CAPTURED_MAX);
            self.captured.swap_remove(oldest);
        }
        self.captured.push((to, Rc::clone(letter)));
    }

    pub(super) fn intrude(&mut self) {
        let wait = self.rng.between(500, 10_000);
        self.after(Duration::from_millis(wait), Happening::Intrudes);
        if self.captured.is_empty() {
            return;
        }
        let place = self.rng.place(self.captured.len());
        let (to, letter) = self.captured[place].clone();
        if let Message::MatchResultReport(report) = &letter.message
            && self.rng.happens(700)
        {
            let forged = self.forge(&letter, report);
            return self.slip_in(forged);
        }
        self.tell(|| format!("? → {to}  {} again", letter.message.message_type().name()));
        self.arrive(to, None, &letter, false);
    }

    /// Another result, under a name or a token that is not the holder's.
    fn forge(&mut self, letter: &Envelope, report: &MatchResultReport) -> Envelope {
        let mut forged = letter.clone();
        let mut report = report.clone();
        if self.rng.happens(500) {
            report.result.winner = report.result.score.iter().map(|(id, _)| id).next();
            report.result.status = None;
        }
        let other = self.captured.iter().find(|(_, other)| {
            matches!(other.sender, Sender::Referee(_))
                && matches!(other.message, Message::MatchResultReport(_))
                && other.sender != letter.sender
        });
        match (self.rng.between(0, 3), other) {
            (_, _) if self.sabotage == Sabotage::StealToken => {}
            (0, _) => forged.auth_token = None,
            (1, _) => forged.sender = Sender::LeagueManager,
            (2, Some((_, other))) => {
                forged.sender = other.sender.clone();
                forged.auth_token = other.auth_token.clone();
            }
            (_, _) => forged.auth_token = Some(AuthToken::derived([7; 32])),
        }
        forged.message = report.into();
        forged
    }

    /// The forged letter is a batch of its own, so that all that comes of it is known.
    fn slip_in(&mut self, forged: Envelope) {
        if self.nodes[0].presence != Presence::Up {
            return;
        }
        self.tell(|| format!("? → 0  forged {}", forged.conversation_id));
        let request = self.open_request(0, None, false, None);
        let call = Call::Letter(Box::new(forged));
        let caller = Caller::at_home(Origin::Elsewhere);
        let called = Event::Called { request, caller, call };
        self.nodes[0].mind.handle(called, self.agenda.now);
        if let Mind::Manager(cast) = &self.nodes[0].mind {
            self.audit.see(&Sight::Forged(&cast.out.facts));
        }
        self.commit(0);
    }
}
