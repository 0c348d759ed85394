//! Taking results: the first one counts, an equal repeat is acknowledged again, another is refused.
//!
//! A report that contradicts itself never counts.
//!
//! Spec: docs/protocol/match.md

mod claims;

use agon_proto::message::{Blame, Cause, MatchResultReport, ReportedResult, ResultStatus};
use agon_proto::{Answer, MatchId, Payload, Receipt, ReceiptStatus, RefereeId, Timestamp};

use super::{Manager, Out};
use crate::effect::{Effect, RequestId};
use crate::fact::LeagueFact;
use crate::format::Fixture;
use crate::matches::TRANSCRIPT_MAX;
use crate::season::Attempt;
use crate::verdict::{Outcome, Scoring, Seat, Verdict, blamed};
use crate::{Contradiction, Refusal};
pub(super) use claims::Claim;
use claims::Claims;

impl Manager {
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
        match self.weigh(referee, &report) {
            Err(refusal) => {
                self.note_dispute(referee, &report, &refusal, now, out);
                out.refuse(request, refusal);
            }
            Ok(Weighed::Repeat) => out.reply(request, recorded(match_id)),
            Ok(Weighed::New(attempt, ruling)) => {
                out.reply(request, recorded(match_id));
                if ruling.verdict.outcome == Outcome::Void {
                    let Verdict { cause, blame, .. } = ruling.verdict;
                    let blame = blame.unwrap_or(Blame::Referee);
                    self.next_attempt(match_id, cause, blame, now, out);
                } else {
                    // A referee that writes more than it may keeps its result, not its transcript.
                    let transcript = report.transcript;
                    if !transcript.is_empty() && transcript.fits(TRANSCRIPT_MAX) {
                        out.push(Effect::Archive { match_id, transcript });
                    }
                    self.expect_told(match_id, referee);
                    self.accept(match_id, attempt, ruling, now, out);
                }
            }
        }
    }

    fn weigh(&self, referee: RefereeId, report: &MatchResultReport) -> Result<Weighed, Refusal> {
        let league = &self.league.settings.league_id;
        if report.league_id != *league {
            return Err(Refusal::WrongLeague(league.clone()));
        }
        let match_id = report.match_id;
        let fixture = self.league.season.fixture(match_id).ok_or(Refusal::NoSuchMatch)?;
        let current = self.league.season.attempt(match_id);
        let current = current.ok_or(Refusal::OutOfTurn("this round is not announced yet"))?;
        let winner = report.result.winner;
        if winner.is_some_and(|winner| ![fixture.a, fixture.b].contains(&winner)) {
            return Err(Refusal::BadValue("winner is not a player of this match"));
        }
        let verdict = read(&report.result, fixture, &self.league.settings.scoring());
        let details = report.result.details.view([fixture.a, fixture.b]);
        if report.round_id != match_id.round {
            return Err(Refusal::BadValue("round_id and match_id disagree"));
        }
        if let Some(record) = self.league.season.result(match_id) {
            let written = (&record.verdict, self.league.season.details(record));
            let said = verdict.is_ok_and(|verdict| settled((&verdict, &details), written));
            let same = said && record.referee == referee;
            let stale = report.result.attempt.is_some_and(|attempt| attempt < record.attempt);
            return match (same, stale) {
                (_, true) => Err(Refusal::StaleAttempt { current: record.attempt }),
                (true, false) => Ok(Weighed::Repeat),
                (false, false) => Err(Refusal::Conflict(match_id)),
            };
        }
        match report.result.attempt {
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
        let verdict = verdict.map_err(Refusal::Contradicted)?;
        let rules = self.league.rules.as_ref().ok_or(Refusal::Unsupported("game_type"))?;
        let scoring = self.league.settings.scoring();
        let claims =
            Claims { said: &report.result, verdict: &verdict, fixture, rules, scoring: &scoring };
        let (verdict, claim) = claims.check(&details).map_err(Refusal::Contradicted)?;
        Ok(Weighed::New(current, Ruling { verdict, details, claim }))
    }

    /// Somebody says how a match ended that has another result or another holder, or contradicts
    /// itself. The match stays as it is, but it is written down, once for each match and referee.
    fn note_dispute(
        &mut self,
        referee: RefereeId,
        report: &MatchResultReport,
        refusal: &Refusal,
        now: Timestamp,
        out: &mut Out,
    ) {
        let told = matches!(refusal, Refusal::Conflict(_) | Refusal::StaleAttempt { .. });
        let match_id = report.match_id;
        let contradiction = self.note_contradiction(match_id, refusal);
        let known = self.league.season.is_disputed(match_id, referee);
        let worth_it = (told || contradiction.is_some()) && !known;
        let Some(fixture) = self.league.season.fixture(match_id).filter(|_| worth_it) else {
            return;
        };
        let verdict = read(&report.result, fixture, &self.league.settings.scoring()).ok();
        let details = report.result.details.view([fixture.a, fixture.b]);
        let void = verdict.is_none_or(|verdict| verdict.outcome == Outcome::Void);
        // That somebody had nothing is not worth a word.
        if void && contradiction.is_none() {
            return;
        }
        let attempt = report.result.attempt;
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
    /// report, or for a better referee.
    fn note_contradiction(&mut self, match_id: MatchId, refusal: &Refusal) -> Option<Box<str>> {
        let Refusal::Contradicted(what) = refusal else {
            return None;
        };
        if let Some(attempt) = self.league.season.attempt(match_id) {
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

/// Whether a report says what was written down. The last void attempt was written as cancelled,
/// without what was played in it; gains and points are ours, and no report says them.
fn settled(said: (&Verdict, &Payload), written: (&Verdict, &Payload)) -> bool {
    let Verdict { gains, points, .. } = *written.0;
    let verdict = Verdict { gains, points, ..*said.0 };
    let cancelled = Verdict { outcome: Outcome::Cancelled, ..verdict };
    let void = verdict.outcome == Outcome::Void && cancelled == *written.0;
    void || verdict == *written.0 && said.1 == written.1
}

enum Weighed {
    New(Attempt, Ruling),
    Repeat,
}

fn recorded(match_id: MatchId) -> Answer {
    Answer::Receipt(Receipt { status: ReceiptStatus::Recorded, match_id: Some(match_id) })
}

/// Makes a verdict of what a referee says. The points are ours to give, so its score is not read.
fn read(
    result: &ReportedResult,
    fixture: Fixture,
    scoring: &Scoring,
) -> Result<Verdict, Contradiction> {
    let seat = |id| if id == fixture.a { Seat::A } else { Seat::B };
    let winner = result.winner.map(seat);
    let status = result.status.unwrap_or(match winner {
        Some(_) => ResultStatus::Win,
        None => ResultStatus::Draw,
    });
    let outcome = match (status, winner) {
        (ResultStatus::Win, Some(seat)) => Outcome::Won(seat),
        (ResultStatus::Draw, None) => Outcome::Drawn,
        (ResultStatus::TechnicalLoss, Some(seat)) => Outcome::Forfeited(seat.other()),
        (ResultStatus::TechnicalLoss, None) => Outcome::BothForfeited,
        (ResultStatus::Cancelled, None) => Outcome::Cancelled,
        (ResultStatus::Aborted, None) => Outcome::Void,
        (ResultStatus::Win, None)
        | (ResultStatus::Draw | ResultStatus::Cancelled | ResultStatus::Aborted, Some(_)) => {
            let winner = result.winner.map_or("null".to_owned(), |id| id.to_string());
            let said = format!("`status` {}", status.as_str());
            return Err(Contradiction::new(said, format!("`winner` {winner}")));
        }
    };
    Ok(Verdict {
        outcome,
        cause: result.reason.unwrap_or(default_cause(outcome)),
        blame: result.blame.or_else(|| default_blame(outcome)),
        gains: None,
        points: scoring.by_outcome(outcome),
    })
}

/// What a referee means that does not say what happened.
const fn default_cause(outcome: Outcome) -> Cause {
    match outcome {
        Outcome::Won(_) | Outcome::Drawn => Cause::Played,
        Outcome::Forfeited(_) | Outcome::BothForfeited => Cause::TimedOut,
        Outcome::Cancelled => Cause::NoShow,
        Outcome::Void => Cause::RefereeLost,
    }
}

const fn default_blame(outcome: Outcome) -> Option<Blame> {
    match outcome {
        Outcome::Won(_) | Outcome::Drawn => None,
        Outcome::Forfeited(seat) => Some(blamed(seat)),
        Outcome::BothForfeited | Outcome::Cancelled => Some(Blame::Both),
        Outcome::Void => Some(Blame::Referee),
    }
}
