//! What is told when the season begins: to those who are in it the schedule, to the others why they
//! are not.
//!
//! Where each gets a copy of its own, it gets its own matches only, if there are many.
//!
//! Spec: docs/protocol/season.md

use agon_proto::act::{Act, Decided, Denial};
use agon_proto::tool::LeaguePhase;
use agon_proto::{AgentId, ErrorCode, Role};

use super::news::{News, Telling, Times};

impl Telling<'_> {
    /// Sends the schedule to everybody who is in the season.
    pub(super) fn schedule(&mut self) {
        // Where matches are given out one by one, nobody needs it.
        if self.book.league().settings.says().assigns {
            return;
        }
        let registry = &self.book.league().registry;
        let is_vouched =
            |who: &AgentId| registry.agent(*who).is_some_and(|agent| agent.contact.vouches());
        let (vouched, called): (Vec<_>, Vec<_>) =
            self.book.members().into_iter().partition(is_vouched);
        // Whoever has a copy of its own gets it alone.
        let together = if self.book.league().has_own_copies() { 1 } else { called.len().max(1) };
        for readers in called.chunks(together) {
            self.schedule_to(readers);
        }
        if !vouched.is_empty() {
            self.book.say(News::Schedule { own: None, vouched: true }, &vouched);
        }
    }

    /// Sends the schedule to those who are called. Who has it already sees that it is the same.
    fn schedule_to(&mut self, readers: &[AgentId]) {
        let own = readers.first().copied().filter(|_| self.book.league().has_own_copies());
        self.book.say(News::Schedule { own, vouched: false }, readers);
    }

    /// Who is called and registers again has perhaps forgotten everything, and nobody would tell
    /// it again. Who has not sees that it knows all this.
    pub(super) fn all_again_to(&mut self, id: AgentId) {
        let season = &self.book.league().season;
        let (phase, under_way) = (season.phase(), season.round() > 0 && !season.round_over());
        let agent = self.book.league().registry.agent(id);
        if agent.is_none_or(|it| it.contact.vouches() || !season.lineup().holds(id)) {
            return;
        }
        match phase {
            LeaguePhase::Startup
            | LeaguePhase::AcceptingRegistrations
            | LeaguePhase::Scheduling => {}
            LeaguePhase::Running => {
                self.schedule_to(&[id]);
                if under_way {
                    self.round_to(&[id], Times::First);
                }
            }
            LeaguePhase::Completed => self.end_to(id),
        }
    }

    /// Who has enrolled and is not in, because the other half of its team did not come.
    pub(super) fn incomplete(&mut self) {
        let league = self.book.league();
        let (season, lineup) = (league.settings.seasons.season.clone(), league.season.lineup());
        let left_out = league.registry.everybody().filter(|agent| !lineup.holds(agent.id()));
        let left_out: Vec<_> = left_out.cloned().collect();
        for agent in left_out {
            let (address, group) = (agent.address(), agent.group());
            let missing = if agent.is_referee() { Role::Player } else { Role::Referee };
            let text = format!(
                "The team {group} is not in {season}: its {} did not register",
                missing.name()
            );
            let denied = Decided {
                denial: Some(Denial::TeamIncomplete),
                code: Some(ErrorCode::NotPermitted),
                text: Some(text.into()),
                season: Some(season.clone()),
                ..Decided::default()
            };
            let id = format!("incomplete-{season}-{address}");
            self.book.write(address, &id, Act::Decide(Box::new(denied)));
        }
    }
}
