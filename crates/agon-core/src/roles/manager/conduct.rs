//! The way of a match: it is given to a referee, as many as each has room for, and ends with a
//! result, or because a player is gone.
//!
//! For how long a referee holds it is in `in_play`; who must have heard what before it may begin,
//! in `hearing`.
//!
//! Spec: docs/protocol/assignment.md, docs/protocol/season.md

use std::sync::Arc;

use agon_proto::act::{Act, Progress, StatusReport};
use agon_proto::message::{Blame, Cause, MatchAssignment, Record, Transcript};
use agon_proto::{
    AgentId, Answer, ConversationId, Dialogue, ErrorCode, MatchId, Played, PlayerId, ReceiptStatus,
    RefereeId, Sender,
};

use super::book::Book;
use super::in_play::InPlay;
use super::reports::{Claim, Ruling};
use crate::agent::objection;
use crate::assignments::Place;
use crate::effect::{Effect, Lane, Outgoing, Setback, Tag};
use crate::fact::{LeagueFact, Order, SeasonFact};
use crate::format::Fixture;
use crate::gate::DECLINED;
use crate::league::League;
use crate::moves_made::MovesMade;
use crate::season::Attempt;
use crate::verdict::{End, Ended, Seat, Verdict};

/// How often one referee is called about one match before it is given up.
const CALLS_MAX: u32 = 3;

/// The conduct of the matches, from hand to hand, until each has its result.
pub(super) struct Conduct<'a> {
    pub(super) book: Book<'a>,
    pub(super) in_play: &'a mut InPlay,
}

impl Conduct<'_> {
    /// The same, for somebody who needs it for a moment.
    pub(super) fn lend(&mut self) -> Conduct<'_> {
        Conduct { book: self.book.lend(), in_play: self.in_play }
    }

    pub(super) fn hand_out_all(&mut self) {
        for referee in self.book.league().registry.referee_ids().collect::<Vec<_>>() {
            self.hand_out(referee);
        }
    }

    /// Gives that referee as many matches as it has room for.
    pub(super) fn hand_out(&mut self, referee: RefereeId) {
        let league = self.book.league();
        if league.season.paused || !league.registry.is_in(AgentId::Referee(referee)) {
            return;
        }
        let capacity = self.book.league().registry.capacity(referee);
        while let Some(match_id) = self.in_play.assignments.take(referee, capacity) {
            self.assign(match_id);
        }
    }

    pub(super) fn assign(&mut self, match_id: MatchId) {
        if let Some(assignment) = self.assignment(match_id) {
            let until = self.book.now + self.book.league().settings.match_time_max();
            self.in_play.assignments.wait(match_id, until);
            self.book.out.push(Effect::Send(assignment));
        }
    }

    fn assignment(&self, match_id: MatchId) -> Option<Outgoing> {
        let records = self.book.records();
        let League { season, registry, settings, .. } = &records.league;
        let Attempt { number, referee: by } = season.attempt(match_id)?;
        let fixture = season.fixture(match_id)?;
        let referee = registry.referee(by).filter(|referee| referee.is_in())?;
        let (a, b) = (registry.player(fixture.a)?, registry.player(fixture.b)?);
        let token = |player: PlayerId| {
            let signer = records.signer(AgentId::Player(player))?;
            Some(signer.key.match_token(&settings.league_id, match_id, number, by))
        };
        let game_type = settings.game_type();
        let game_settings = settings.told_apart(&game_type);
        let assignment = Arc::new(MatchAssignment {
            league_id: settings.league_id.clone(),
            round_id: match_id.round,
            match_id,
            attempt: number,
            game_type,
            referee_id: by,
            player_a_id: fixture.a,
            player_a_endpoint: a.contact.endpoint(),
            player_a_display_name: a.name.clone(),
            player_a_token: token(fixture.a)?,
            player_a_standings: self.record_of(fixture.a),
            player_b_id: fixture.b,
            player_b_endpoint: b.contact.endpoint(),
            player_b_display_name: b.name.clone(),
            player_b_token: token(fixture.b)?,
            player_b_standings: self.record_of(fixture.b),
            limits: settings.limits,
            hints: settings.hints && game_settings.is_some(),
            game_settings,
            asked_once: self.asked_once(fixture.players()),
        });
        let proof = records.signer(AgentId::Referee(by)).map(|it| it.manager_token.clone());
        let head = Dialogue {
            sender: Sender::LeagueManager,
            timestamp: self.book.now,
            conversation_id: ConversationId::Match { match_id, attempt: number },
        };
        let lane = Lane::Once { timeout: settings.call() };
        let how = (lane, Tag::Assign { match_id, attempt: number });
        let act = Act::MatchAssignment(assignment);
        Some(Outgoing::new(referee.contact.endpoint(), how, (head, proof), act))
    }

    fn record_of(&self, player: PlayerId) -> Record {
        let row = self.book.league().season.standings.row(player);
        Record { wins: row.wins, losses: row.losses, draws: row.draws }
    }

    /// What became of the call that gives a match out: an answer, or why there is none. An older
    /// attempt's says nothing of the one that is under way.
    pub(super) fn assigned(
        &mut self,
        (match_id, attempt): (MatchId, u32),
        outcome: Result<Answer, Setback>,
    ) {
        let (league, now) = (self.book.league(), self.book.now);
        let held = league.season.attempt(match_id).filter(|held| held.number == attempt);
        let Some(Attempt { referee, .. }) = held else { return };
        let is_out = self.in_play.assignments.place(match_id) == Some(Place::Out);
        let again_at = now + league.settings.retry();
        match outcome {
            Ok(Answer::Receipt(receipt)) => {
                if league.registry.is_in(AgentId::Referee(referee)) {
                    self.in_play.assignments.heard(referee, now + league.settings.lease());
                }
                if is_out && receipt.status == ReceiptStatus::Refused {
                    self.in_play.assignments.put_back(match_id, again_at);
                }
                self.hand_out(referee);
            }
            _ if !is_out => {}
            // Its attempt is over, although we know nothing of that: our journal is an older one.
            Ok(said) if objection(&said).is_some_and(|it| it.0 == ErrorCode::StaleAttempt) => {
                self.pass_over(match_id, Cause::RefereeLost, Blame::Referee);
            }
            // It never left, for want of something that our own host lacks: the referee knows
            // nothing of it, and it does not count against it.
            Err(Setback::NotSent) => self.in_play.assignments.put_back(match_id, again_at),
            // An error is no answer: the match is not in anybody's hands.
            Ok(Answer::Message(_) | Answer::Tool(_) | Answer::Fault(_)) | Err(_) => {
                let tries = self.in_play.assignments.rest(match_id, again_at);
                // With nobody to turn to the league waits: no attempt is spent on calls that do
                // not arrive.
                if tries >= CALLS_MAX && self.in_play.is_replaced(referee, league) {
                    self.next_attempt(match_id, Cause::RefereeLost, Blame::Referee);
                }
            }
        }
    }
}

impl Conduct<'_> {
    /// That is the result of that match.
    pub(super) fn accept(&mut self, match_id: MatchId, attempt: Attempt, ruling: Ruling) {
        self.write_result(match_id, attempt, ruling);
        self.note_contradictions(match_id);
        self.in_play.assignments.finish(match_id);
        self.withdraw_absent(match_id);
        self.hand_out(attempt.referee);
    }

    fn write_result(
        &mut self,
        match_id: MatchId,
        Attempt { number: attempt, referee }: Attempt,
        Ruling { verdict, details, moves, claim, charged_ms }: Ruling,
    ) {
        let charged_ms = self.charges(match_id, charged_ms);
        let (unverified, at) = (claim == Claim::Unverified, self.book.now);
        if attempt > 1 {
            // What is kept of an earlier attempt is no transcript of this one.
            self.book.out.push(Effect::Archive { match_id, transcript: Transcript::default() });
        }
        self.book.record(LeagueFact::ResultAccepted {
            match_id,
            attempt,
            referee,
            verdict,
            details,
            moves,
            unverified,
            charged_ms,
            at,
        });
    }

    /// Withdraws whoever was absent from too many matches in a row.
    fn withdraw_absent(&mut self, match_id: MatchId) {
        let league = self.book.league();
        let bound = league.settings.withdraw_after;
        let Some(fixture) = league.season.fixture(match_id).filter(|_| bound > 0) else {
            return;
        };
        for player in [fixture.a, fixture.b] {
            if self.book.league().season.absences(player) >= bound {
                self.withdraw(player, None);
            }
        }
    }

    /// That player plays no more. Saying so twice is no error, and changes nothing.
    pub(super) fn withdraw(&mut self, player: PlayerId, order: Option<Order>) {
        let season = &self.book.league().season;
        let takes_part = !season.has_begun() || season.lineup.holds(AgentId::Player(player));
        if season.is_withdrawn(player) || !takes_part {
            return;
        }
        let reason = match &order {
            Some(order) => order.reason.as_str().into(),
            None => format!("absent from {} matches in a row", season.absences(player)),
        };
        let at = self.book.now;
        self.book.record(LeagueFact::PlayerWithdrawn { player, order, at });
        self.book.tell_withdrawn(player, reason.into());
        self.forfeit(self.in_play.assignments.waiting());
    }

    /// One who waits for the operator's word waits no longer, and is told.
    pub(super) fn decline(&mut self, agent: AgentId, why: &str) {
        let at = self.book.now;
        self.book.tell_dismissed(agent, format!("{DECLINED}: {why}").into());
        self.book.record(LeagueFact::Removed { agent, order: None, at });
    }

    /// Gives those matches that somebody cannot play any more to the others. One that is with its
    /// referee is played to its end.
    pub(super) fn forfeit(&mut self, open: Vec<MatchId>) {
        for match_id in open {
            let league = self.book.league();
            let held = league.season.attempt(match_id);
            if let Some((attempt, ruling)) = held.zip(forfeited(match_id, league)) {
                self.write_result(match_id, attempt, ruling);
                self.in_play.assignments.finish(match_id);
            }
        }
    }

    /// Writes down which players say something else than the result, once for each.
    pub(super) fn note_contradictions(&mut self, match_id: MatchId) {
        if self.book.league().correspondence.reports.is_empty() {
            return;
        }
        let season = &self.book.league().season;
        let result = season.fixture(match_id).zip(season.result(match_id));
        let Some((Fixture { a, b }, verdict)) = result.map(|(it, record)| (it, record.verdict))
        else {
            return;
        };
        for (seat, player) in Seat::BOTH.into_iter().zip([a, b]) {
            let said = &self.book.league().correspondence;
            let report = said.report(match_id, player);
            let against = report.is_some_and(|report| contradicts(report, &verdict, seat));
            if against && !said.contradicted.contains_key(&(match_id, player)) {
                let at = self.book.now;
                let fact = SeasonFact::Contradicted { match_id, player, played: None, at };
                self.book.record_season(fact);
            }
        }
    }

    /// A player says what it played. Where the result shows other moves of its seat, that is
    /// written down, once for each attempt; the result stays as it is.
    pub(super) fn compare_moves(&mut self, (match_id, seat): (MatchId, Seat), said: Played) {
        let League { season, settings, correspondence, .. } = self.book.league();
        let result = season.fixture(match_id).zip(season.result(match_id));
        let Some((fixture, record)) = result.filter(|(_, it)| it.attempt == said.attempt) else {
            return;
        };
        let player = fixture.players()[seat.index()];
        let known = correspondence.contradicted.get(&(match_id, player)).copied().flatten();
        let is_new = known.is_none_or(|known| known.attempt != said.attempt);
        // What was not played to its end, or what nobody could check, shows no moves for certain.
        if is_new && record.verdict.cause == Cause::Played && !record.unverified {
            let attempt = (match_id, record.attempt);
            // Where no acts were told the view shows the one move that there is.
            let shown = || {
                let made = settings.game.only_move(season.details(record).as_bytes(), seat)?;
                Some(MovesMade::new(&[made]).of(&settings.league_id, attempt).moves)
            };
            let told = season.moves(match_id).map(|moves| moves[seat.index()]);
            if told.or_else(shown).is_some_and(|made| made != said.moves) {
                let (played, at) = (Some(said), self.book.now);
                self.book.record_season(SeasonFact::Contradicted { match_id, player, played, at });
            }
        }
    }
}

/// What becomes of a match that cannot be played because somebody has left the league.
fn forfeited(match_id: MatchId, league: &League) -> Option<Ruling> {
    let away = league.season.away(match_id);
    // Where playing is worth something by itself, who is left plays alone.
    let gone = match away {
        [true, true] => true,
        [true, false] | [false, true] => !league.settings.scoring().is_earned_alone(),
        [false, false] => false,
    };
    let ended = Ended { away, ..Ended::new([End::Open; 2], [None; 2]) };
    gone.then(|| Ruling::ours(&ended, league))
}

/// Whether a player cannot be right if the verdict is.
fn contradicts(report: &StatusReport, verdict: &Verdict, seat: Seat) -> bool {
    match (report.phase, report.points) {
        (Progress::Completed, Some((points, score))) => {
            verdict.score(seat) != Some(score) || verdict.points[seat.index()] != points
        }
        (Progress::Completed, None) => false,
        (Progress::Answered(_) | Progress::Terminated, _) => verdict.cause == Cause::Played,
    }
}
