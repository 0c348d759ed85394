//! Taking results: the first one counts, an equal repeat is acknowledged again, another is refused.
//!
//! A report that contradicts itself never counts.
//!
//! Spec: docs/protocol/match.md

mod bounds;
mod claims;
mod reading;
mod scores;

use agon_proto::message::{Blame, MatchResultReport};
use agon_proto::scored::ScoredReport;
use agon_proto::{Answer, MatchId, Payload, Receipt, ReceiptStatus, RefereeId, Timestamp};

use super::{Manager, Out};
use crate::Refusal;
use crate::effect::{Effect, RequestId};
use crate::fact::LeagueFact;
use crate::matches::TRANSCRIPT_MAX;
use crate::season::Attempt;
use crate::verdict::{Outcome, Verdict};
pub(super) use claims::Claim;
use reading::Report;

impl Manager {
    /// A report that says what was played.
    pub(super) fn take_report(
        &mut self,
        referee: RefereeId,
        report: Box<MatchResultReport>,
        request: RequestId,
        now: Timestamp,
        out: &mut Out,
    ) {
        let match_id = report.match_id;
        self.players_told(referee, &report.told, out);
        let league = &self.league.settings.league_id;
        if report.league_id != *league {
            return out.refuse(request, Refusal::WrongLeague(league.clone()));
        }
        match self.weigh(referee, match_id, &Report::Shown(&report)) {
            Err(refusal) => {
                self.note_dispute(referee, match_id, &Report::Shown(&report), &refusal, now, out);
                out.refuse(request, refusal);
            }
            Ok(Weighed::Repeat) => out.reply(request, recorded(match_id)),
            Ok(Weighed::New(attempt, ruling)) => {
                out.reply(request, recorded(match_id));
                // A referee that writes more than it may keeps its result, not its transcript.
                let transcript = report.transcript;
                let kept = ruling.verdict.outcome != Outcome::Void && !transcript.is_empty();
                if kept && transcript.fits(TRANSCRIPT_MAX) {
                    out.push(Effect::Archive { match_id, transcript });
                }
                self.take(match_id, attempt, ruling, now, out);
            }
        }
    }

    /// A report that says what each player's part was worth.
    pub(super) fn take_scores(
        &mut self,
        referee: RefereeId,
        match_id: MatchId,
        report: &ScoredReport,
        now: Timestamp,
        out: &mut Out,
    ) -> Result<(), Refusal> {
        let report = Report::Scored(report);
        match self.weigh(referee, match_id, &report) {
            Err(refusal) => {
                self.note_dispute(referee, match_id, &report, &refusal, now, out);
                Err(refusal)
            }
            Ok(Weighed::Repeat) => Ok(()),
            Ok(Weighed::New(attempt, ruling)) => {
                self.take(match_id, attempt, ruling, now, out);
                Ok(())
            }
        }
    }

    /// A report counts: the match has its result, or is tried again.
    fn take(
        &mut self,
        match_id: MatchId,
        attempt: Attempt,
        ruling: Ruling,
        now: Timestamp,
        out: &mut Out,
    ) {
        if ruling.verdict.outcome == Outcome::Void {
            let Verdict { cause, blame, .. } = ruling.verdict;
            let blame = blame.unwrap_or(Blame::Referee);
            self.next_attempt(match_id, cause, blame, now, out);
        } else {
            self.expect_told(match_id, attempt.referee);
            self.accept(match_id, attempt, ruling, now, out);
        }
    }

    fn weigh(
        &self,
        referee: RefereeId,
        match_id: MatchId,
        report: &Report<'_>,
    ) -> Result<Weighed, Refusal> {
        let fixture = self.league.season.fixture(match_id).ok_or(Refusal::NoSuchMatch)?;
        let current = self.league.season.attempt(match_id);
        let current = current.ok_or(Refusal::OutOfTurn("this round is not announced yet"))?;
        let reading = report.read(&self.league, (match_id, fixture))?;
        let attempt = report.attempt();
        if let Some(record) = self.league.season.result(match_id) {
            let written = (&record.verdict, self.league.season.details(record));
            let same = record.referee == referee && reading.says(written);
            let stale = attempt.is_some_and(|attempt| attempt < record.attempt);
            return match (same, stale) {
                (_, true) => Err(Refusal::StaleAttempt { current: record.attempt }),
                (true, false) => Ok(Weighed::Repeat),
                // Where no match changes hands, nobody else can have held it.
                (false, false)
                    if record.referee != referee && !self.league.settings.says().attempts =>
                {
                    Err(Refusal::NotYourMatch(match_id))
                }
                (false, false) => Err(Refusal::Conflict(match_id)),
            };
        }
        match attempt {
            Some(attempt) if attempt < current.number => {
                return Err(Refusal::StaleAttempt { current: current.number });
            }
            Some(attempt) if attempt > current.number => {
                return Err(Refusal::NoSuchAttempt { current: current.number });
            }
            // A report that names no attempt counts for the current one if its sender holds it.
            Some(_) | None => {}
        }
        if current.referee != referee {
            return Err(Refusal::NotYourMatch(match_id));
        }
        let ruling = report.check(&self.league, fixture, reading).map_err(Refusal::Contradicted)?;
        Ok(Weighed::New(current, ruling))
    }

    /// Somebody says how a match ended that has another result or another holder, or contradicts
    /// itself. The match stays as it is, but it is written down, once for each match and referee.
    fn note_dispute(
        &mut self,
        referee: RefereeId,
        match_id: MatchId,
        report: &Report<'_>,
        refusal: &Refusal,
        now: Timestamp,
        out: &mut Out,
    ) {
        let told = matches!(refusal, Refusal::Conflict(_) | Refusal::StaleAttempt { .. });
        let contradiction = self.note_contradiction(match_id, refusal);
        let known = self.league.season.is_disputed(match_id, referee);
        let worth_it = (told || contradiction.is_some()) && !known;
        let fixture = self.league.season.fixture(match_id).filter(|_| worth_it);
        let reading = fixture.and_then(|it| report.read(&self.league, (match_id, it)).ok());
        let Some(reading) = reading else { return };
        let (verdict, details) = (reading.verdict.ok(), reading.details);
        let void = verdict.is_none_or(|verdict| verdict.outcome == Outcome::Void);
        // That somebody had nothing is not worth a word.
        if void && contradiction.is_none() {
            return;
        }
        let attempt = report.attempt();
        self.record(
            LeagueFact::ResultDisputed {
                match_id,
                attempt,
                referee,
                verdict,
                details,
                contradiction,
                at: now,
            },
            out,
        );
    }

    /// What contradicts what, if that is why it was refused. Then the attempt waits for a better
    /// report, or for a better referee where there can be one.
    fn note_contradiction(&mut self, match_id: MatchId, refusal: &Refusal) -> Option<Box<str>> {
        let Refusal::Contradicted(what) = refusal else {
            return None;
        };
        let attempt = self.league.season.attempt(match_id);
        if let Some(attempt) = attempt.filter(|_| self.league.settings.says().attempts) {
            self.disbelieved.insert((match_id, attempt.number));
        }
        Some(what.to_string().into())
    }

    pub(super) fn accept(
        &mut self,
        match_id: MatchId,
        Attempt { number: attempt, referee }: Attempt,
        Ruling { verdict, details, claim }: Ruling,
        now: Timestamp,
        out: &mut Out,
    ) {
        let unverified = claim == Claim::Unverified;
        let fact = LeagueFact::ResultAccepted {
            match_id,
            attempt,
            referee,
            verdict,
            details,
            unverified,
            at: now,
        };
        self.record(fact, out);
        self.note_contradictions(match_id, now, out);
        self.assignments.finish(match_id);
        self.withdraw_absent(match_id, now, out);
        self.hand_out(referee, now, out);
    }
}

/// What a report comes to.
pub(super) struct Ruling {
    pub(super) verdict: Verdict,
    /// What was played.
    pub(super) details: Payload,
    pub(super) claim: Claim,
}

enum Weighed {
    New(Attempt, Ruling),
    Repeat,
}

fn recorded(match_id: MatchId) -> Answer {
    Answer::Receipt(Receipt { status: ReceiptStatus::Recorded, match_id: Some(match_id) })
}
