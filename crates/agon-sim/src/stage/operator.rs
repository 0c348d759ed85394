//! The operator: voids matches and has them played again, at any moment and for no reason.

use std::time::Duration;

use agon_core::{Caller, Event, Origin};
use agon_proto::tool::{Command, Tool, ToolParams};
use agon_proto::{Call, DisplayName, MatchId};

use super::{Happening, Presence, Stage};
use crate::league;

impl Stage<'_> {
    /// Most orders come early: that is when most seasons are played.
    pub(super) fn plan_orders(&mut self) {
        let trouble = self.plan.trouble.as_millis() as u64;
        for _ in 0..self.plan.orders {
            let latest = if self.whim.happens(700) { trouble.min(8_000) } else { trouble };
            let wait = self.whim.between(300, latest.max(301));
            self.after(Duration::from_millis(wait), Happening::Orders);
        }
    }

    /// One order about some match that was announced, whatever became of it.
    pub(super) fn order(&mut self) {
        let books = self.audit.books();
        let rounds = books.season.announced;
        if self.nodes[0].presence != Presence::Up || rounds == 0 {
            return;
        }
        let round = self.whim.between(1, rounds.into()) as u32;
        let matches = self.audit.league().season().matches_in(round).len();
        let number = self.whim.between(1, matches as u64) as u32;
        let match_id = MatchId::new(round, number);
        let rerun = self.whim.happens(700);
        let command = if rerun { Command::RerunMatch } else { Command::VoidMatch };
        let tool = Tool::Command(command);
        self.tell(|| format!("the operator says {} {match_id}", tool.method()));
        let request = self.open_request(0, None, false, None);
        let params = ToolParams {
            auth_token: Some(league::operator()),
            match_id: Some(match_id),
            reason: Some(DisplayName::new("a whim")),
            ..ToolParams::default()
        };
        let caller = Caller::at_home(Origin::Elsewhere);
        let call = Call::Tool(tool, params.into());
        self.deliver(0, Event::Called { request, caller, call });
    }
}
