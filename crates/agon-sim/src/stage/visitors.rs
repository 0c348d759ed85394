//! Those who do not belong to the league: a spectator who looks, an operator who interferes, and a
//! rogue who repeats what others said and says what others did not.

use std::rc::Rc;
use std::time::Duration;

use agon_core::letterbox::Parcel;
use agon_core::{Caller, Event, Manager, Origin};
use agon_proto::act::Act;
use agon_proto::message::MatchResultReport;
use agon_proto::tool::{Command, Tool, ToolParams};
use agon_proto::{AuthToken, Call, DisplayName, Envelope, MatchId, Sender};

use super::Stage;
use super::scene::Scene;
use super::street::{Requester, Said, read};
use crate::audit::Sight;
use crate::league;
use crate::plan::Plan;
use crate::sabotage::Sabotage;

/// How much of what it reads the rogue remembers.
const CAPTURED_MAX: usize = 24;

/// When they come for the first time.
pub(super) fn plan(plan: &Plan, scene: &mut Scene<'_>) {
    scene.after(Duration::from_millis(700), |stage| stage.look());
    if plan.rogue {
        scene.after(Duration::from_millis(900), |stage| stage.intrude());
    }
    let trouble = plan.trouble.as_millis() as u64;
    for _ in 0..plan.orders {
        // Most orders come early: that is when most seasons are played.
        let latest = if scene.whim.happens(700) { trouble.min(8_000) } else { trouble };
        let wait = scene.whim.between(300, latest.max(301));
        scene.after(Duration::from_millis(wait), |stage| stage.order());
    }
}

impl Stage<'_> {
    /// Somebody from outside calls a node, and waits for no answer.
    fn visit(&mut self, to: usize, tool: Tool, params: ToolParams) {
        let (request, call) =
            (self.open(to, Requester::Nobody, None), Call::Tool(tool, params.into()));
        let called = Event::Called { request, caller: Caller::at_home(Origin::Elsewhere), call };
        self.nodes[to].deliver(called, &mut self.scene);
    }

    /// The operator voids some match that was announced or has it played again, whatever became of
    /// it and for no reason.
    fn order(&mut self) {
        let scene = &mut self.scene;
        let rounds = scene.audit.books.season.announced;
        if !self.nodes[0].is_up() || rounds == 0 {
            return;
        }
        let round = scene.whim.between(1, rounds.into()) as u32;
        let matches = scene.audit.league().season().matches_in(round).len();
        let match_id = MatchId::new(round, scene.whim.between(1, matches as u64) as u32);
        let rerun = scene.whim.happens(700);
        let tool = Tool::Command(if rerun { Command::RerunMatch } else { Command::VoidMatch });
        scene.tell(|| format!("the operator says {} {match_id}", tool.method()));
        let params = ToolParams {
            auth_token: Some(league::operator()),
            match_id: Some(match_id),
            reason: Some(DisplayName::new("a whim")),
            ..ToolParams::default()
        };
        self.visit(0, tool, params);
    }

    /// A spectator asks the manager or a referee about some match.
    fn look(&mut self) {
        let rng = &mut self.scene.rng;
        let node = rng.place(1 + self.script.plan.referees());
        let (round, number) = (rng.between(1, 7) as u32, rng.between(1, 3) as u32);
        if self.nodes[node].is_up() {
            let match_id = Some(MatchId::new(round, number));
            let params = ToolParams { match_id, ..ToolParams::default() };
            self.visit(node, Tool::GetMatchState, params);
        }
        self.scene.between(200, 8_000, |stage| stage.look());
    }

    /// The rogue takes a hand.
    fn intrude(&mut self) {
        self.scene.between(500, 10_000, |stage| stage.intrude());
        let rogue = &self.street.rogue;
        // Something that it read, and to whom that was said.
        let Some((to, said)) = self.scene.rng.pick(&rogue.captured) else { return };
        let (to, said) = (*to, said.clone());
        if let Some(forged) = rogue.forge(to, &said, &mut self.scene) {
            return self.slip_in(&forged);
        }
        self.scene.tell(|| format!("? → {to}  {} again", said.describe()));
        self.arrive(to, Requester::Nobody, &said);
    }

    /// What is forged is a batch of its own, so that all that comes of it is known.
    fn slip_in(&mut self, forged: &Said) {
        if !self.nodes[0].is_up() {
            return;
        }
        self.scene.tell(|| format!("? → 0  forged {}", forged.describe()));
        let request = self.open(0, Requester::Nobody, None);
        let (mind, now) = (&mut self.nodes[0].mind, self.scene.now);
        mind.handle(vec![(forged.event(request, Origin::Elsewhere, now), now)], None);
        if let Some(cast) = mind.of::<Manager>() {
            self.scene.audit.see(&Sight::Forged(&cast.out.facts));
        }
        self.commit(0);
    }
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

    /// What it makes of that for the manager, if it does not just repeat it.
    fn forge(&self, to: usize, said: &Said, scene: &mut Scene<'_>) -> Option<Said> {
        match said {
            Said::Message(message) => {
                let Act::MatchResultReport(report) = &message.act else { return None };
                scene.rng.happens(700).then(|| self.forge_report(message, report, scene))
            }
            // The same letter without what proves its sender.
            Said::Letter(parcel) => {
                let mut letter = read(parcel);
                let is_proved = to == 0 && letter.auth_token.is_some();
                (is_proved && scene.rng.happens(700)).then(|| {
                    letter.auth_token = scene.rng.happens(500).then(|| AuthToken::derived([7; 32]));
                    let letter = letter.written().into();
                    Said::Letter(Rc::new(Parcel { letter, ..parcel.as_ref().clone() }))
                })
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
        let (mut forged, mut report) = (message.clone(), report.clone());
        let rng = &mut scene.rng;
        if rng.happens(500) {
            report.result.winner = report.result.score.iter().map(|(id, _)| id).next();
            report.result.status = None;
        }
        let is_other = |other: &&Rc<Envelope>| {
            matches!(other.head.sender, Sender::Referee(_))
                && matches!(other.act, Act::MatchResultReport(_))
                && other.head.sender != message.head.sender
        };
        let other = self.captured.iter().find_map(|(_, said)| match said {
            Said::Message(said) => Some(said).filter(is_other),
            Said::Letter(_) => None,
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

fn is_wanted(said: &Said) -> bool {
    let Said::Message(message) = said else { return true };
    matches!(
        message.act,
        Act::MatchResultReport(_) | Act::GameInvitation(_) | Act::MoveCall(_) | Act::GameOver(_)
    )
}
