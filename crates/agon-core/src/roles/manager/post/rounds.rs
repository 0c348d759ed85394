//! Rounds by letter: check-in, beginning, end, and the table after it; and the end of the season.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::message::{Blame, Cause};
use agon_proto::q21::{
    Address, Body, EndRound, KeepAlive, LeagueCompleted, NewRound, RoundResults, RoundWinner,
    Score, StandingRow,
};
use agon_proto::{MatchId, Payload, PlayerId, RoundId, Timestamp};

use super::super::reports::Claim;
use super::super::{Manager, Out};
use super::outbox::News;
use crate::fact::{LeagueFact, Q21Fact};
use crate::format::Fixture;
use crate::league::registry::Agent;
use crate::season::Attempt;
use crate::verdict::{Cut, Ended, Outcome, Seat, Verdict, conclude};

impl Manager {
    /// Asks everybody whether they are there for the next round.
    pub(super) fn open_check_in(&mut self, now: Timestamp, out: &mut Out) {
        let round = self.league.season.round() + 1;
        self.record(LeagueFact::Q21(Q21Fact::CheckInOpened { round, at: now }), out);
        let text = format!("Round {round} is about to begin: are you there?").into();
        let body = Body::KeepAlive(KeepAlive { text });
        let until = Some(now + self.league.settings.q21.keep_alive());
        let news = News { until, ..News::of_round("keepalive", round, body) };
        let everybody = self.everybody();
        self.tell(everybody, news, now, out);
    }

    pub(super) fn begin_round(&mut self, now: Timestamp, out: &mut Out) {
        let round = self.league.season.round() + 1;
        let format = self.league.season.format();
        let ids = (1..=format.matches_per_round()).map(|number| MatchId::new(round, number));
        let season = &self.league.season;
        let referees = ids.clone().filter_map(|id| season.referee_of(id)).collect();
        self.record(LeagueFact::RoundAnnounced { round, referees, at: now }, out);
        self.deaf_until = None;
        let everybody = self.everybody();
        self.tell_round_to(everybody, now, out);
        // Who plays alone still plays; with both players gone there is no game.
        for match_id in ids {
            let forfeit = self.league.season.forfeit(match_id);
            if let Some(verdict) = forfeit.filter(|verdict| verdict.blame == Some(Blame::Both)) {
                self.settle(match_id, (verdict, Claim::Verified), now, out);
            }
        }
    }

    /// The round under way has begun.
    pub(super) fn tell_round_to(&mut self, to: Vec<Address>, now: Timestamp, out: &mut Out) {
        let round = self.league.season.round();
        let (began, _) = self.league.season.round_times(round).unwrap_or_default();
        let present = self.league.calendar.check_in_for(round);
        let rounds = self.league.season.format().rounds();
        let news = NewRound {
            number: round,
            total_rounds: Some(rounds),
            ends_at: Some(began + self.round_length()),
            present: present.map(|check_in| check_in.present.iter().cloned().collect()),
            text: format!("Round {round} of {rounds} begins").into(),
        };
        self.tell(to, News::of_round("newround", round, Body::NewRound(news)), now, out);
    }

    /// The time is up, or everything is in. A game without a result has lost its referee.
    pub(super) fn end_round(&mut self, now: Timestamp, out: &mut Out) {
        let round = self.league.season.round();
        let total = self.league.season.format().matches_per_round();
        let ids = (1..=total).map(|number| MatchId::new(round, number));
        let mut reported = total;
        for match_id in ids.clone() {
            if self.league.season.result(match_id).is_none() {
                reported -= 1;
                let verdict = self.without_referee(match_id);
                self.settle(match_id, (verdict, Claim::Verified), now, out);
            }
        }
        self.record(LeagueFact::RoundCompleted { round, at: now }, out);
        let everybody = self.everybody();
        let end = EndRound { number: round, matches_completed: reported, matches_total: total };
        let news = News::of_round("endround", round, Body::EndRound(end));
        self.tell(everybody.clone(), news, now, out);
        let results = ids.map(|match_id| self.winner(match_id)).collect();
        let results = RoundResults { number: round, standings: self.standing_rows(), results };
        let news = News::of_round("results", round, Body::RoundResults(results));
        self.tell(everybody, news, now, out);
    }

    /// The verdict on a game whose referee never reported.
    fn without_referee(&self, match_id: MatchId) -> Verdict {
        let cut = Cut { cause: Cause::RefereeLost, blame: Blame::Referee, last: true };
        let ended = Ended { away: self.withdrawn(match_id), ..Ended::cut(cut) };
        conclude(&ended, &self.league.settings.scoring())
    }

    /// Which players of that game have left the league.
    pub(super) fn withdrawn(&self, match_id: MatchId) -> [bool; 2] {
        let fixture = self.league.season.fixture(match_id);
        fixture.map_or([false; 2], |Fixture { a, b }| {
            [a, b].map(|player| self.league.season.is_withdrawn(player))
        })
    }

    /// Writes the result of a game down.
    pub(super) fn settle(
        &mut self,
        match_id: MatchId,
        (verdict, claim): (Verdict, Claim),
        now: Timestamp,
        out: &mut Out,
    ) {
        let Some(Attempt { number: attempt, referee }) = self.league.season.attempt(match_id)
        else {
            return;
        };
        let unverified = claim == Claim::Unverified;
        let fact = LeagueFact::ResultAccepted {
            match_id,
            attempt,
            referee,
            verdict,
            details: Payload::default(),
            unverified,
            at: now,
        };
        self.record(fact, out);
        self.note_contradictions(match_id, now, out);
        self.withdraw_absent(match_id, now, out);
    }

    pub(super) fn complete_season(&mut self, now: Timestamp, out: &mut Out) {
        let champion = self.leader();
        self.record(LeagueFact::LeagueCompleted { champion, at: now }, out);
        let everybody = self.everybody();
        self.tell_end_by_letter(everybody, now, out);
    }

    pub(super) fn tell_end_by_letter(&mut self, to: Vec<Address>, now: Timestamp, out: &mut Out) {
        let terms = &self.league.settings.q21;
        let text = format!("{} is over", terms.name).into();
        let season = Some(terms.season.clone());
        let end = LeagueCompleted { season, standings: self.standing_rows(), text };
        self.tell(to, News::once("completed", Body::LeagueCompleted(end)), now, out);
    }

    fn winner(&self, match_id: MatchId) -> RoundWinner {
        let verdict = self.league.season.result(match_id).map(|record| record.verdict);
        let seat = verdict.and_then(|verdict| verdict.winner());
        let fixture = self.league.season.fixture(match_id);
        let winner = seat.zip(fixture).map(|(seat, Fixture { a, b })| [a, b][seat.index()]);
        let winner = winner.and_then(|player| self.league.registry.player(player));
        let winner = winner.map(Agent::group);
        RoundWinner { game: self.game(match_id), winner }
    }

    fn standing_rows(&self) -> Vec<StandingRow> {
        let ranked = self.league.season.standings().top(usize::MAX, &self.league.season);
        let rows = ranked.into_iter().filter_map(|(rank, player)| {
            let agent = self.league.registry.player(player)?;
            let row = self.league.season.standings().row(player);
            Some(StandingRow {
                rank,
                participant: agent.group(),
                address: Some(agent.address()),
                name: Some(agent.name.clone()),
                points: row.points,
                played: row.played,
                won: row.wins,
                drawn: row.draws,
                lost: row.losses,
                average: self.average(player),
            })
        });
        rows.collect()
    }

    /// The mean private score of the games that this player played.
    fn average(&self, player: PlayerId) -> Option<Score> {
        let mut scores = Vec::new();
        let rounds: std::ops::RangeInclusive<RoundId> = 1..=self.league.season.round();
        for id in rounds.filter_map(|round| self.league.season.match_of(player, round)) {
            let result = self.league.season.fixture(id).zip(self.league.season.result(id));
            let Some((fixture, record)) = result else { continue };
            let seat = if fixture.a == player { Seat::A } else { Seat::B };
            if record.verdict.outcome != Outcome::Cancelled {
                scores.extend(record.verdict.score(seat).map(Score::hundredths));
            }
        }
        let count = u32::try_from(scores.len()).ok().filter(|count| *count > 0)?;
        Some(Score::from_hundredths((scores.iter().sum::<u32>() + count / 2) / count))
    }
}
