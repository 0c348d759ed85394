//! What is told when the season begins: to those who are in it the schedule, to the others why they
//! are not.
//!
//! Where each gets a copy of its own, it gets its own matches only, if there are many.
//!
//! Spec: docs/protocol/season.md

use agon_proto::act::{Act, Decided, Denial};
use agon_proto::tool::LeaguePhase;
use agon_proto::{AgentId, ErrorCode, Role};

use super::book::Reader;
use super::news::{News, Telling, Times};

impl Telling<'_> {
    /// Sends the schedule to everybody who is in the season.
    pub(super) fn schedule(&mut self) {
        // Where matches are given out one by one, nobody needs it.
        if self.book.league().settings.says().assigns {
            return;
        }
        let readers = self.book.readers().into_iter();
        let (own, whole): (Vec<_>, Vec<_>) =
            readers.partition(|reader| self.book.league().has_own_copy(&reader.contact));
        for reader in own {
            self.schedule_to(reader);
        }
        let (vouched, called): (Vec<_>, Vec<_>) =
            whole.into_iter().partition(|reader| reader.contact.vouches());
        for (readers, vouched) in [(called, false), (vouched, true)] {
            if !readers.is_empty() {
                self.book.say(News::Schedule { own: None, vouched }, readers);
            }
        }
    }

    /// Sends the schedule to one. Who has it already sees that it is the same.
    fn schedule_to(&mut self, reader: Reader) {
        let league = self.book.league();
        let own = reader.who.filter(|_| league.has_own_copy(&reader.contact));
        let vouched = reader.contact.vouches();
        self.book.say(News::Schedule { own, vouched }, vec![reader]);
    }

    /// Who is called and registers again has perhaps forgotten everything, and nobody would tell
    /// it again. Who has not sees that it knows all this.
    pub(super) fn all_again_to(&mut self, id: AgentId) {
        let season = &self.book.league().season;
        let (phase, under_way) = (season.phase(), season.round() > 0 && !season.round_over());
        let reader = self.book.reader_of(id);
        let reader = reader.filter(|it| !it.contact.vouches() && season.lineup().holds(id));
        let Some(reader) = reader else { return };
        match phase {
            LeaguePhase::Startup
            | LeaguePhase::AcceptingRegistrations
            | LeaguePhase::Scheduling => {}
            LeaguePhase::Running => {
                self.schedule_to(reader.clone());
                if under_way {
                    self.round_to(reader, Times::First);
                }
            }
            LeaguePhase::Completed => self.end_to(id),
        }
    }

    /// Who has enrolled and is not in, because the other half of its team did not come.
    pub(super) fn incomplete(&mut self) {
        let league = self.book.league();
        let (season, lineup) = (league.settings.seasons.season.clone(), league.season.lineup());
        let agents = league.registry.everybody();
        let left_out: Vec<_> = agents
            .filter(|(id, _)| !lineup.holds(*id))
            .map(|(id, agent)| (id, agent.address(), agent.group()))
            .collect();
        for (id, address, group) in left_out {
            let missing = match id {
                AgentId::Referee(_) => Role::Player,
                AgentId::Player(_) => Role::Referee,
            };
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
