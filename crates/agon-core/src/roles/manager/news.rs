//! What everybody is told: the season, its rounds, the table, the end. Written once, addressed to
//! each.
//!
//! Spec: docs/protocol/season.md

mod words;

use agon_proto::act::{Act, Decided, Denial, Task};
use agon_proto::message::{AnnouncedMatch, StandingsRow};
use agon_proto::tool::LeaguePhase;
use agon_proto::{
    AgentId, Contact, DisplayName, ErrorCode, MatchId, PlayerId, Role, RoundId, Timestamp,
};

use super::book::Book;
use crate::effect::Tag;
use crate::fact::Order;
use crate::league::League;

pub(super) use words::Bulletin;

/// Whether something is said for the first time, or again because the manager was restarted: then
/// nobody knows who has heard it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Times {
    First,
    Again,
}

/// What is told. The rest of it stands in the league, as it is when it is said.
#[derive(Debug)]
pub(super) enum News {
    /// A season is open.
    Opened,
    /// Who meets whom in the whole season, and who referees; or what of it concerns that reader,
    /// with the addresses of who is vouched for, or of who is called.
    Schedule { own: Option<AgentId>, vouched: bool },
    /// Are you there for that round?
    CheckIn { round: RoundId, until: Timestamp },
    /// The round under way has begun, with these matches.
    RoundBegins { matches: Vec<AnnouncedMatch>, times: Times },
    /// A round is over. So many of its results came by themselves.
    RoundOver { round: RoundId, times: Times, reported: u32 },
    /// The table has changed.
    Table(Vec<StandingsRow>),
    /// The season is over.
    SeasonOver,
    /// Stop for now, go on, or forget the season: for the how manieth time, and why.
    Halt { task: Task, number: u32, reason: DisplayName },
    /// A player plays no more.
    Withdrawn { player: PlayerId, name: DisplayName, reason: Box<str> },
    /// An agent is no longer in, or not with the token that it has: for the how manieth time.
    Dismissed { who: AgentId, number: u32, problem: Box<str> },
    /// A match does not count.
    Voided { match_id: MatchId, reason: DisplayName },
    /// A match is played again, for the how manieth time.
    PlayedAgain { announced: AnnouncedMatch, attempt: u32 },
}

impl News {
    /// By what it is known what became of it with that reader: somebody waits until it has heard of
    /// its own match, or of the round in which it has work.
    pub(super) fn tag(&self, league: &League, who: AgentId) -> Tag {
        let (round, player) = match (self, who) {
            (Self::RoundBegins { .. }, AgentId::Referee(referee)) => {
                return Tag::AnnounceTo { referee, round: league.season.round() };
            }
            (Self::RoundBegins { .. }, AgentId::Player(player)) => (league.season.round(), player),
            (Self::PlayedAgain { announced, .. }, AgentId::Player(player)) => {
                (announced.match_id.round, player)
            }
            (Self::RoundOver { round, .. }, AgentId::Player(player)) => {
                let own = league.season.seat_in(*round, player);
                return own
                    .map_or(Tag::Notice, |(match_id, seat)| Tag::RoundOver { match_id, seat });
            }
            (_, AgentId::Player(_) | AgentId::Referee(_)) => return Tag::Notice,
        };
        let own = league.season.seat_in(round, player);
        own.map_or(Tag::Notice, |(match_id, seat)| Tag::Announce { match_id, seat })
    }
}

/// What is told to whom.
impl Book<'_> {
    fn tell_everybody(&mut self, news: News) {
        let members = self.members();
        self.say(news, &members);
    }

    /// The season is open. Who is called has no proof of us before it has come to us by itself.
    pub(super) fn tell_opening(&mut self, to: Vec<Contact>) {
        let to = to.into_iter().filter(Contact::vouches).collect();
        self.publish(News::Opened, to);
    }

    pub(super) fn tell_check_in(&mut self, round: RoundId) {
        let until = self.now + self.league().settings.seasons.keep_alive();
        self.tell_everybody(News::CheckIn { round, until });
    }

    /// The round under way has begun.
    pub(super) fn tell_round(&mut self, times: Times) {
        let members = self.members();
        if self.league().is_told_whole() {
            return self.tell_round_to(&members, times);
        }
        for who in members {
            self.tell_round_to(&[who], times);
        }
    }

    /// Tells those of the round under way. In a large league it is told to each alone.
    pub(super) fn tell_round_to(&mut self, to: &[AgentId], times: Times) {
        let league = self.league();
        let matches = match to {
            [who] if !league.is_told_whole() => league.own_matches(*who),
            [..] => league.matches_in(league.season.round()),
        };
        self.say(News::RoundBegins { matches, times }, to);
    }

    /// A match is on once more: those who play and judge it hear that.
    pub(super) fn tell_played_again(&mut self, match_id: MatchId) {
        let league = self.league();
        let announced = league.announced(match_id);
        let Some((announced, attempt)) = announced.zip(league.season.attempt(match_id)) else {
            return;
        };
        let readers = [
            AgentId::Player(announced.player_a_id),
            AgentId::Player(announced.player_b_id),
            AgentId::Referee(attempt.referee),
        ];
        let news = News::PlayedAgain { announced, attempt: attempt.number };
        self.say(news, &readers);
    }

    /// The table has changed since the last round. In a large league each hears its top and its
    /// own row.
    pub(super) fn tell_table(&mut self) {
        let league = self.league();
        if league.is_told_whole() {
            let rows = league.table(usize::MAX);
            return self.tell_everybody(News::Table(rows));
        }
        let (top, ranks) = league.top_and_ranks();
        for who in self.members() {
            let (league, mut rows) = (self.league(), top.clone());
            if let AgentId::Player(player) = who
                && !top.iter().any(|row| row.player_id == player)
            {
                let rank = ranks.get(player.number() as usize - 1).copied().unwrap_or(0);
                rows.extend(league.row(rank, player));
            }
            self.say(News::Table(rows), &[who]);
        }
    }

    pub(super) fn tell_round_over(&mut self, (round, times): (RoundId, Times), reported: u32) {
        if !self.league().is_told_whole() {
            self.tell_table();
        }
        self.tell_everybody(News::RoundOver { round, times, reported });
    }

    pub(super) fn tell_end(&mut self) {
        self.tell_everybody(News::SeasonOver);
    }

    /// The league stands still, or goes on.
    pub(super) fn tell_halt(&mut self, task: Task, order: &Order) {
        let league = self.league();
        if league.season.phase != LeaguePhase::Completed {
            let (number, reason) = (league.calendar.pauses, order.reason.clone());
            self.tell_everybody(News::Halt { task, number, reason });
        }
    }

    /// Those who play and judge a match hear that it does not count.
    pub(super) fn tell_voided(&mut self, match_id: MatchId, order: &Order) {
        let parties = self.league().parties(match_id).into_iter();
        let readers: Vec<_> = parties.map(|(_, who)| who).collect();
        let reason = order.reason.clone();
        self.say(News::Voided { match_id, reason }, &readers);
    }

    pub(super) fn tell_withdrawn(&mut self, player: PlayerId, reason: Box<str>) {
        if let Some(agent) = self.league().registry.player(player) {
            let name = agent.name.clone();
            self.tell_everybody(News::Withdrawn { player, name, reason });
        }
    }

    /// An agent hears why nothing that it says counts any more. It is told before that is true:
    /// what proves us to it now, it could not check later. Who is called by letters learns it when
    /// it asks.
    pub(super) fn tell_dismissed(&mut self, who: AgentId, problem: Box<str>) {
        let league = self.league();
        let Some(agent) = league.registry.agent(who) else { return };
        let is_told = !league.settings.is_by_letters() || agent.contact.vouches();
        let number = agent.number;
        if is_told {
            self.say(News::Dismissed { who, number, problem }, &[who]);
        }
    }

    /// Sends the schedule to everybody who is in the season.
    pub(super) fn tell_schedule(&mut self) {
        // Where matches are given out one by one, nobody needs it.
        if self.league().settings.says().assigns {
            return;
        }
        let registry = &self.league().registry;
        let is_vouched =
            |who: &AgentId| registry.agent(*who).is_some_and(|agent| agent.contact.vouches());
        let (vouched, called): (Vec<_>, Vec<_>) = self.members().into_iter().partition(is_vouched);
        // Whoever has a copy of its own gets it alone.
        let together = if self.league().has_own_copies() { 1 } else { called.len().max(1) };
        for readers in called.chunks(together) {
            self.tell_schedule_to(readers);
        }
        if !vouched.is_empty() {
            self.say(News::Schedule { own: None, vouched: true }, &vouched);
        }
    }

    /// Sends the schedule to those who are called. Who has it already sees that it is the same.
    fn tell_schedule_to(&mut self, readers: &[AgentId]) {
        let own = readers.first().copied().filter(|_| self.league().has_own_copies());
        self.say(News::Schedule { own, vouched: false }, readers);
    }

    /// Who is called and registers again has perhaps forgotten everything, and nobody would tell
    /// it again. Who has not sees that it knows all this.
    pub(super) fn tell_all_again_to(&mut self, id: AgentId) {
        let season = &self.league().season;
        let (phase, under_way) = (season.phase, season.rounds_completed() < season.round());
        let agent = self.league().registry.agent(id);
        if agent.is_none_or(|it| it.contact.vouches() || !season.lineup.holds(id)) {
            return;
        }
        match phase {
            LeaguePhase::Startup
            | LeaguePhase::AcceptingRegistrations
            | LeaguePhase::Scheduling => {}
            LeaguePhase::Running => {
                self.tell_schedule_to(&[id]);
                if under_way {
                    self.tell_round_to(&[id], Times::First);
                }
            }
            // It has missed the end, and would wait for it for ever.
            LeaguePhase::Completed => self.say(News::SeasonOver, &[id]),
        }
    }

    /// Who has enrolled and is not in, because the other half of its team did not come.
    pub(super) fn tell_incomplete(&mut self) {
        let league = self.league();
        let (season, lineup) = (league.settings.seasons.season.clone(), &league.season.lineup);
        let left_out = league.registry.everybody().filter(|agent| !lineup.holds(agent.id));
        let left_out = left_out.map(|it| (it.contact.address(), it.group(), it.is_referee()));
        for (address, group, is_referee) in left_out.collect::<Vec<_>>() {
            let missing = if is_referee { Role::Player } else { Role::Referee }.name();
            let text =
                format!("The team {group} is not in {season}: its {missing} did not register");
            let denied = Decided {
                denial: Some(Denial::TeamIncomplete),
                code: Some(ErrorCode::NotPermitted),
                text: Some(text.into()),
                season: Some(season.clone()),
                ..Decided::default()
            };
            let id = format!("incomplete-{season}-{address}");
            self.write(address, &id, Act::Decide(Box::new(denied)));
        }
    }
}
