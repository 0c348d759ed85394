//! Those who do not belong to the league: a spectator who looks, and a rogue who repeats what
//! others said and says what others did not.

use std::rc::Rc;

use agon_core::letterbox::Parcel;
use agon_proto::act::Act;
use agon_proto::message::{MatchResultReport, asks_for_move};
use agon_proto::tool::{Tool, ToolParams};
use agon_proto::{AuthToken, Call, Envelope, MatchId, Sender};

use super::said::Said;
use super::scene::Scene;
use crate::report::Sabotage;
use crate::rng::Rng;

/// How much of what it reads the rogue remembers.
const CAPTURED_MAX: usize = 24;

/// What a spectator asks about some match.
pub(super) fn curiosity(rng: &mut Rng) -> Call {
    let round = rng.between(1, 7) as u32;
    let number = rng.between(1, 3) as u32;
    let match_id = Some(MatchId::new(round, number));
    let params = ToolParams { match_id, ..ToolParams::default() };
    Call::Tool(Tool::GetMatchState, params.into())
}

/// Somebody who reads what passes by call. Registrations it cannot see: they would give it a token.
pub(super) struct Rogue {
    is_there: bool,
    captured: Vec<(usize, Said)>,
}

impl Rogue {
    pub(super) const fn new(is_there: bool) -> Self {
        Self { is_there, captured: Vec::new() }
    }

    /// The rogue reads what passes.
    pub(super) fn capture(&mut self, to: usize, said: &Said, scene: &mut Scene<'_>) {
        if !self.is_there || !is_wanted(said) || !scene.rng.happens(300) {
            return;
        }
        if self.captured.len() == CAPTURED_MAX {
            let oldest = scene.rng.place(CAPTURED_MAX);
            self.captured.swap_remove(oldest);
        }
        self.captured.push((to, said.clone()));
    }

    /// Something that it read, and to whom that was said.
    pub(super) fn recall(&self, rng: &mut Rng) -> Option<(usize, Said)> {
        let count = self.captured.len();
        (count > 0).then(|| self.captured[rng.place(count)].clone())
    }

    /// What it makes of that for the manager, if it does not just repeat it.
    pub(super) fn forge(&self, to: usize, said: &Said, scene: &mut Scene<'_>) -> Option<Said> {
        match said {
            Said::Message(message) => {
                let Act::MatchResultReport(report) = &message.act else { return None };
                scene.rng.happens(700).then(|| self.forge_report(message, report, scene))
            }
            Said::Letter(parcel) => {
                let is_proved = to == 0 && parcel.letter.auth_token.is_some();
                (is_proved && scene.rng.happens(700)).then(|| unproved(parcel, &mut scene.rng))
            }
        }
    }

    /// Another result, under a name or a token that is not the holder's.
    fn forge_report(
        &self,
        message: &Envelope,
        report: &MatchResultReport,
        scene: &mut Scene<'_>,
    ) -> Said {
        let mut forged = message.clone();
        let mut report = report.clone();
        let rng = &mut scene.rng;
        if rng.happens(500) {
            report.result.winner = report.result.score.iter().map(|(id, _)| id).next();
            report.result.status = None;
        }
        let mut reports = self.captured.iter().filter_map(|(_, said)| match said {
            Said::Message(said) => Some(said),
            Said::Letter(_) => None,
        });
        let other = reports.find(|other| {
            matches!(other.head.sender, Sender::Referee(_))
                && matches!(other.act, Act::MatchResultReport(_))
                && other.head.sender != message.head.sender
        });
        match (rng.between(0, 3), other) {
            (_, _) if scene.sabotage == Sabotage::StealToken => {}
            (0, _) => forged.auth_token = None,
            (1, _) => forged.head.sender = Sender::LeagueManager,
            (2, Some(other)) => {
                forged.head.sender = other.head.sender.clone();
                forged.auth_token = other.auth_token.clone();
            }
            (_, _) => forged.auth_token = Some(AuthToken::derived([7; 32])),
        }
        forged.act = report.into();
        Said::Message(Rc::new(forged))
    }
}

/// The same letter without what proves its sender.
fn unproved(parcel: &Parcel, rng: &mut Rng) -> Said {
    let mut forged = parcel.clone();
    forged.letter.auth_token = rng.happens(500).then(|| AuthToken::derived([7; 32]));
    Said::Letter(Rc::new(forged))
}

fn is_wanted(said: &Said) -> bool {
    let Said::Message(message) = said else { return true };
    let told = matches!(
        message.act,
        Act::MatchResultReport(_) | Act::GameInvitation(_) | Act::GameOver(_)
    );
    told || asks_for_move(&message.act)
}
