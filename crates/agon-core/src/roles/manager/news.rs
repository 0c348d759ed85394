//! What everybody is told: the season, its rounds, the table, the end. Written once, addressed to
//! each.
//!
//! Spec: docs/protocol/season.md

use agon_proto::announcement::{
    Announcement, Participant, RoundBeginning, RoundEnd, SeasonEnd, SeasonOpening, TableAfter,
    TableRow,
};
use agon_proto::message::{AnnouncedMatch, Champion};
use agon_proto::q21::Task;
use agon_proto::tool::LeaguePhase;
use agon_proto::{AgentId, MatchId, PlayerId, RefereeId, RoundId, Timestamp};

use super::saying::Reader;
use super::{Manager, Out};
use crate::effect::Tag;
use crate::fact::Order;
use crate::verdict::Seat;

/// Whether something is said for the first time, or again because the manager was restarted: then
/// nobody knows who has heard it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Times {
    First,
    Again,
}

impl Manager {
    /// The season is open. Who is called has no proof of us before it has come to us by itself.
    pub(super) fn tell_opening(&mut self, to: Vec<Reader>, now: Timestamp, out: &mut Out) {
        let (terms, registry) = (&self.league.settings.q21, &self.league.registry);
        let news = Announcement::Opened(SeasonOpening {
            name: terms.name.clone(),
            rounds: terms.rounds,
            until: self.league.calendar.until,
            players: registry.player_count(),
            referees: registry.referee_count(),
        });
        let to = to.into_iter().filter(|reader| reader.contact.vouches()).collect();
        self.say(news, to, now, out);
    }

    pub(super) fn tell_check_in(&mut self, round: RoundId, now: Timestamp, out: &mut Out) {
        let until = now + self.league.settings.q21.keep_alive();
        self.say(Announcement::CheckIn { round, until }, self.readers(), now, out);
    }

    /// The round under way has begun.
    pub(super) fn tell_round(&mut self, times: Times, now: Timestamp, out: &mut Out) {
        let readers = self.readers().into_iter();
        let readers: Vec<_> = readers.map(|reader| self.of_round(reader)).collect();
        if self.is_told_whole() {
            let news = self.beginning_of_round(times, self.league.round_matches().collect());
            return self.say(news, readers, now, out);
        }
        for reader in readers {
            self.tell_round_to(reader, times, now, out);
        }
    }

    /// Tells one of the round under way.
    pub(super) fn tell_round_to(
        &mut self,
        reader: Reader,
        times: Times,
        now: Timestamp,
        out: &mut Out,
    ) {
        let reader = self.of_round(reader);
        let matches = match reader.who.filter(|_| !self.is_told_whole()) {
            Some(who) => self.league.own_matches(who),
            None => self.league.round_matches().collect(),
        };
        self.say(self.beginning_of_round(times, matches), vec![reader], now, out);
    }

    pub(super) fn tell_round_to_referee(
        &mut self,
        referee: RefereeId,
        now: Timestamp,
        out: &mut Out,
    ) {
        if let Some(reader) = self.reader_of(AgentId::Referee(referee)) {
            self.tell_round_to(reader, Times::First, now, out);
        }
    }

    fn beginning_of_round(&self, times: Times, matches: Vec<AnnouncedMatch>) -> Announcement {
        let round = self.league.season.round();
        let (began, _) = self.league.season.round_times(round).unwrap_or_default();
        let present = self.league.calendar.check_in_for(round);
        Announcement::RoundBegins(RoundBeginning {
            round,
            rounds: self.league.season.rounds(),
            matches,
            ends_at: self.round_length().map(|length| began + length),
            present: present.map(|check_in| check_in.present.iter().cloned().collect()),
            repeated: times == Times::Again,
        })
    }

    /// The announcement of a round is, for its reader, about its own match, or its work.
    fn of_round(&self, reader: Reader) -> Reader {
        let round = self.league.season.round();
        let tag = match reader.who {
            Some(AgentId::Referee(referee)) => Tag::AnnounceTo { referee, round },
            Some(AgentId::Player(player)) => {
                let id = self.league.season.match_of(player, round);
                let fixture = id.and_then(|id| Some((id, self.league.season.fixture(id)?)));
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
    pub(super) fn tell_again_played(&mut self, match_id: MatchId, now: Timestamp, out: &mut Out) {
        let fixture = self.league.season.fixture(match_id);
        let attempt = self.league.season.attempt(match_id);
        let Some(((fixture, attempt), announced)) =
            fixture.zip(attempt).zip(self.league.announced(match_id))
        else {
            return;
        };
        let tagged = |who: AgentId, tag: Tag| self.reader_of(who).map(|it| Reader { tag, ..it });
        let readers = [
            tagged(AgentId::Player(fixture.a), Tag::Announce { match_id, seat: Seat::A }),
            tagged(AgentId::Player(fixture.b), Tag::Announce { match_id, seat: Seat::B }),
            self.reader_of(AgentId::Referee(attempt.referee)),
        ];
        let news = Announcement::PlayedAgain { announced, attempt: attempt.number };
        self.say(news, readers.into_iter().flatten().collect(), now, out);
    }

    /// The table has changed since the last round. In a large league each hears its top and its
    /// own row.
    pub(super) fn tell_table(&mut self, now: Timestamp, out: &mut Out) {
        let round = self.league.season.rounds_completed();
        if self.is_told_whole() {
            let rows = self.table_rows(usize::MAX);
            return self.say(
                Announcement::Table(TableAfter { round, rows }),
                self.readers(),
                now,
                out,
            );
        }
        let (top, ranks) = self.league.top_and_ranks();
        let top: Vec<_> = top.into_iter().filter_map(|row| self.table_row(row)).collect();
        for reader in self.readers() {
            let mut rows = top.clone();
            if let Some(AgentId::Player(player)) = reader.who
                && !top.iter().any(|row| row.row.player_id == player)
            {
                let rank = ranks.get(player.number() as usize - 1).copied().unwrap_or(0);
                rows.extend(self.league.row(rank, player).and_then(|row| self.table_row(row)));
            }
            self.say(Announcement::Table(TableAfter { round, rows }), vec![reader], now, out);
        }
    }

    pub(super) fn tell_round_over(
        &mut self,
        (round, times): (RoundId, Times),
        reported: u32,
        now: Timestamp,
        out: &mut Out,
    ) {
        let whole = self.is_told_whole();
        if !whole {
            self.tell_table(now, out);
        }
        let rows = whole.then(|| self.table_rows(usize::MAX));
        let winners = self.league.season.matches_in(round);
        let news = Announcement::RoundOver(RoundEnd {
            round,
            table: rows.map(|rows| TableAfter { round, rows }),
            summary: self.league.season.summary(round),
            reported,
            winners: winners.map(|id| (id, self.winner(id))).collect(),
            next: self.league.goes_on_after(round).then_some(round + 1),
            repeated: times == Times::Again,
        });
        self.say(news, self.readers(), now, out);
    }

    /// Whether everybody hears everything. Where it is settled who referees what, everybody knows
    /// the whole season anyway.
    fn is_told_whole(&self) -> bool {
        !self.league.is_large() || self.league.settings.format.settles_referees()
    }

    pub(super) fn tell_end(&mut self, now: Timestamp, out: &mut Out) {
        if let Some(news) = self.end() {
            self.say(news, self.readers(), now, out);
        }
    }

    /// Somebody who comes back after the end has missed it, and would wait for it for ever.
    pub(super) fn tell_end_to(&mut self, id: AgentId, now: Timestamp, out: &mut Out) {
        if let (Some(reader), Some(news)) = (self.reader_of(id), self.end()) {
            self.say(news, vec![reader], now, out);
        }
    }

    /// How the season ended; `None` as long as it has not.
    fn end(&self) -> Option<Announcement> {
        let champion = self.league.season.champion()?;
        let row = self.league.row(1, champion)?;
        let limit = if self.is_told_whole() {
            usize::MAX
        } else {
            self.league.settings.standings_top as usize
        };
        Some(Announcement::SeasonOver(SeasonEnd {
            name: self.league.settings.q21.name.clone(),
            rounds: self.league.season.rounds(),
            matches: self.league.season.completed(),
            champion: Champion {
                player_id: champion,
                display_name: row.display_name,
                points: row.points,
            },
            rows: self.table_rows(limit),
        }))
    }

    /// The league stands still, or goes on.
    pub(super) fn tell_halt(&mut self, task: Task, order: &Order, now: Timestamp, out: &mut Out) {
        if self.league.season.phase() != LeaguePhase::Completed {
            let (number, reason) = (self.league.calendar.pauses, order.reason.clone());
            self.say(Announcement::Halt { task, number, reason }, self.readers(), now, out);
        }
    }

    /// Those who play and judge a match hear that it does not count.
    pub(super) fn tell_voided(
        &mut self,
        match_id: MatchId,
        order: &Order,
        now: Timestamp,
        out: &mut Out,
    ) {
        let readers = self.league.parties(match_id).into_iter();
        let readers = readers.filter_map(|(_, who)| self.reader_of(who)).collect();
        self.say(
            Announcement::Voided { match_id, reason: order.reason.clone() },
            readers,
            now,
            out,
        );
    }

    pub(super) fn tell_withdrawn(
        &mut self,
        player: PlayerId,
        reason: Box<str>,
        now: Timestamp,
        out: &mut Out,
    ) {
        if let Some(agent) = self.league.registry.player(player) {
            let news = Announcement::Withdrawn { player, name: agent.name.clone(), reason };
            self.say(news, self.readers(), now, out);
        }
    }

    fn table_rows(&self, limit: usize) -> Vec<TableRow> {
        self.league.table(limit).into_iter().filter_map(|row| self.table_row(row)).collect()
    }

    fn table_row(&self, row: agon_proto::message::StandingsRow) -> Option<TableRow> {
        let agent = self.league.registry.player(row.player_id)?;
        let party = Participant { contact: agent.contact.clone(), group: agent.group.clone() };
        Some(TableRow { party, average: self.league.average(row.player_id), row })
    }

    fn winner(&self, match_id: MatchId) -> Option<agon_proto::q21::GroupId> {
        let seat = self.league.season.result(match_id)?.verdict.winner()?;
        let fixture = self.league.season.fixture(match_id)?;
        let winner = [fixture.a, fixture.b][seat.index()];
        self.league.registry.player(winner)?.group.clone()
    }
}
