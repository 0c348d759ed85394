//! What everybody is told: the season, its rounds, the table, the end. Written once, addressed to
//! each.
//!
//! Spec: docs/protocol/season.md

mod letters;
mod messages;

use agon_proto::act::Task;
use agon_proto::message::{AnnouncedMatch, StandingsRow};
use agon_proto::tool::LeaguePhase;
use agon_proto::{AgentId, DisplayName, MatchId, PlayerId, RefereeId, RoundId, Timestamp};

use super::book::{Book, Reader};
use crate::effect::Tag;
use crate::fact::Order;
use crate::verdict::Seat;

pub(super) use letters::Bulletin;
pub(super) use messages::Told;

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
    /// A match does not count.
    Voided { match_id: MatchId, reason: DisplayName },
    /// A match is played again, for the how manieth time.
    PlayedAgain { announced: AnnouncedMatch, attempt: u32 },
}

/// What is told to whom.
pub(super) struct Telling<'a> {
    pub(super) book: Book<'a>,
}

impl Telling<'_> {
    fn everybody(&mut self, news: News) {
        let readers = self.book.readers();
        self.book.say(news, readers);
    }

    /// The season is open. Who is called has no proof of us before it has come to us by itself.
    pub(super) fn opening(&mut self, to: Vec<Reader>) {
        let to = to.into_iter().filter(|reader| reader.contact.vouches()).collect();
        self.book.say(News::Opened, to);
    }

    pub(super) fn check_in(&mut self, round: RoundId) {
        let until = self.book.now + self.book.league().settings.seasons.keep_alive();
        self.everybody(News::CheckIn { round, until });
    }

    /// The round under way has begun.
    pub(super) fn round(&mut self, times: Times) {
        let readers = self.book.readers().into_iter();
        let readers: Vec<_> = readers.map(|reader| self.of_round(reader)).collect();
        if self.book.league().is_told_whole() {
            let league = self.book.league();
            let mut matches =
                Vec::with_capacity(league.season.size(league.season.round()) as usize);
            matches.extend(league.round_matches());
            return self.beginning((times, matches), readers);
        }
        for reader in readers {
            self.round_to(reader, times);
        }
    }

    /// Tells one of the round under way.
    pub(super) fn round_to(&mut self, reader: Reader, times: Times) {
        let (reader, league) = (self.of_round(reader), self.book.league());
        let matches = match reader.who.filter(|_| !league.is_told_whole()) {
            Some(who) => league.own_matches(who),
            None => league.round_matches().collect(),
        };
        self.beginning((times, matches), vec![reader]);
    }

    pub(super) fn round_to_referee(&mut self, referee: RefereeId) {
        if let Some(reader) = self.book.reader_of(AgentId::Referee(referee)) {
            self.round_to(reader, Times::First);
        }
    }

    fn beginning(&mut self, (times, matches): (Times, Vec<AnnouncedMatch>), to: Vec<Reader>) {
        self.book.say(News::RoundBegins { matches, times }, to);
    }

    /// The announcement of a round is, for its reader, about its own match, or its work.
    fn of_round(&self, reader: Reader) -> Reader {
        let season = &self.book.league().season;
        let round = season.round();
        let tag = match reader.who {
            Some(AgentId::Referee(referee)) => Tag::AnnounceTo { referee, round },
            Some(AgentId::Player(player)) => {
                let id = season.match_of(player, round);
                let fixture = id.and_then(|id| Some((id, season.fixture(id)?)));
                fixture.map_or(Tag::Notice, |(match_id, fixture)| {
                    let seat = if fixture.a == player { Seat::A } else { Seat::B };
                    Tag::Announce { match_id, seat }
                })
            }
            None => Tag::Notice,
        };
        Reader { tag, ..reader }
    }

    /// A match is on once more: those who play and judge it hear that.
    pub(super) fn played_again(&mut self, match_id: MatchId) {
        let league = self.book.league();
        let fixture = league.season.fixture(match_id);
        let attempt = league.season.attempt(match_id);
        let Some(((fixture, attempt), announced)) =
            fixture.zip(attempt).zip(league.announced(match_id))
        else {
            return;
        };
        let tagged = |who, tag| self.book.reader_of(who).map(|it| Reader { tag, ..it });
        let readers = [
            tagged(AgentId::Player(fixture.a), Tag::Announce { match_id, seat: Seat::A }),
            tagged(AgentId::Player(fixture.b), Tag::Announce { match_id, seat: Seat::B }),
            self.book.reader_of(AgentId::Referee(attempt.referee)),
        ];
        let news = News::PlayedAgain { announced, attempt: attempt.number };
        self.book.say(news, readers.into_iter().flatten().collect());
    }

    /// The table has changed since the last round. In a large league each hears its top and its
    /// own row.
    pub(super) fn table(&mut self) {
        let league = self.book.league();
        if league.is_told_whole() {
            let rows = league.table(usize::MAX);
            return self.everybody(News::Table(rows));
        }
        let (top, ranks) = league.top_and_ranks();
        for reader in self.book.readers() {
            let (league, mut rows) = (self.book.league(), top.clone());
            if let Some(AgentId::Player(player)) = reader.who
                && !top.iter().any(|row| row.player_id == player)
            {
                let rank = ranks.get(player.number() as usize - 1).copied().unwrap_or(0);
                rows.extend(league.row(rank, player));
            }
            self.book.say(News::Table(rows), vec![reader]);
        }
    }

    pub(super) fn round_over(&mut self, (round, times): (RoundId, Times), reported: u32) {
        if !self.book.league().is_told_whole() {
            self.table();
        }
        self.everybody(News::RoundOver { round, times, reported });
    }

    pub(super) fn end(&mut self) {
        self.everybody(News::SeasonOver);
    }

    /// Somebody who comes back after the end has missed it, and would wait for it for ever.
    pub(super) fn end_to(&mut self, id: AgentId) {
        if let Some(reader) = self.book.reader_of(id) {
            self.book.say(News::SeasonOver, vec![reader]);
        }
    }

    /// The league stands still, or goes on.
    pub(super) fn halt(&mut self, task: Task, order: &Order) {
        let league = self.book.league();
        if league.season.phase() != LeaguePhase::Completed {
            let (number, reason) = (league.calendar.pauses, order.reason.clone());
            self.everybody(News::Halt { task, number, reason });
        }
    }

    /// Those who play and judge a match hear that it does not count.
    pub(super) fn voided(&mut self, match_id: MatchId, order: &Order) {
        let readers = self.book.league().parties(match_id).into_iter();
        let readers = readers.filter_map(|(_, who)| self.book.reader_of(who)).collect();
        let reason = order.reason.clone();
        self.book.say(News::Voided { match_id, reason }, readers);
    }

    pub(super) fn withdrawn(&mut self, player: PlayerId, reason: Box<str>) {
        if let Some(agent) = self.book.league().registry.player(player) {
            let name = agent.name.clone();
            self.everybody(News::Withdrawn { player, name, reason });
        }
    }
}
