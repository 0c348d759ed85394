//! Taking results: the first one counts, an equal repeat is acknowledged again, another is refused.
//!
//! A report that contradicts itself never counts.
//!
//! Spec: docs/protocol/match.md

mod bounds;
mod claims;
mod reading;
mod scores;

use agon_proto::act::ResultReport;
use agon_proto::message::{Blame, MatchResultReport};
use agon_proto::{Answer, MatchId, Payload, Receipt, ReceiptStatus, RefereeId};

use super::conduct::Conduct;
use crate::Refusal;
use crate::effect::{Effect, RequestId};
use crate::fact::LeagueFact;
use crate::gate::Proved;
use crate::league::League;
use crate::matches::TRANSCRIPT_MAX;
use crate::season::Attempt;
use crate::verdict::{Outcome, Verdict};
pub(super) use claims::Claim;
use reading::Report;
use scores::Candidate;

/// The reports of referees.
pub(super) struct Results<'a>(pub(super) Conduct<'a>);

impl Results<'_> {
    /// A report that says what was played.
    pub(super) fn take_report(
        &mut self,
        by: Proved<RefereeId>,
        report: Box<MatchResultReport>,
        request: RequestId,
    ) {
        let (referee, match_id) = (*by.get(), report.match_id);
        self.0.players_told(referee, &report.told);
        let league = &self.0.book.league().settings.league_id;
        if report.league_id != *league {
            let refusal = Refusal::WrongLeague(league.clone());
            return self.0.book.out.refuse(request, refusal);
        }
        let weighed = match self.weigh(referee, match_id, &Report::Shown(&report)) {
            Ok(weighed) => weighed,
            Err(refusal) => return self.0.book.out.refuse(request, refusal),
        };
        self.0.book.out.reply(request, recorded(match_id));
        if let Some((attempt, ruling)) = weighed {
            // A referee that writes more than it may keeps its result, not its transcript.
            let transcript = report.transcript;
            let kept = ruling.verdict.outcome != Outcome::Void && !transcript.is_empty();
            if kept && transcript.fits(TRANSCRIPT_MAX) {
                self.0.book.out.push(Effect::Archive { match_id, transcript });
            }
            self.take(match_id, attempt, ruling);
        }
    }

    /// A report that says what each player's part was worth.
    pub(super) fn take_scores(
        &mut self,
        by: Proved<RefereeId>,
        match_id: MatchId,
        report: &ResultReport,
    ) -> Result<(), Refusal> {
        let league = self.0.book.league();
        let fixture = league.season.fixture(match_id).ok_or(Refusal::NoSuchMatch)?;
        let player = |id| league.registry.player(id).map(Candidate::of).ok_or(Refusal::NoSuchMatch);
        let players = [player(fixture.a)?, player(fixture.b)?];
        let weighed = self.weigh(*by.get(), match_id, &Report::Scored(report, players))?;
        if let Some((attempt, ruling)) = weighed {
            self.take(match_id, attempt, ruling);
        }
        Ok(())
    }

    /// What a report comes to; nothing, if it repeats one that counted. If it does not count, that
    /// may be worth to be written down.
    fn weigh(&mut self, referee: RefereeId, match_id: MatchId, report: &Report<'_>) -> Weighed {
        let weighed = weigh(self.0.book.league(), referee, match_id, report);
        if let Err(refusal) = &weighed {
            self.note_dispute(referee, match_id, report, refusal);
        }
        weighed
    }

    /// A report counts: the match has its result, or is tried again.
    fn take(&mut self, match_id: MatchId, attempt: Attempt, ruling: Ruling) {
        if ruling.verdict.outcome == Outcome::Void {
            let Verdict { cause, blame, .. } = ruling.verdict;
            self.0.next_attempt(match_id, cause, blame.unwrap_or(Blame::Referee));
        } else {
            self.0.expect_told(match_id, attempt.referee);
            self.0.accept(match_id, attempt, ruling);
        }
    }

    /// Somebody says how a match ended that has another result or another holder, or contradicts
    /// itself. The match stays as it is, but it is written down, once for each match and referee.
    fn note_dispute(
        &mut self,
        referee: RefereeId,
        match_id: MatchId,
        report: &Report<'_>,
        refusal: &Refusal,
    ) {
        let told = matches!(refusal, Refusal::Conflict(_) | Refusal::StaleAttempt { .. });
        let contradiction = self.note_contradiction(match_id, refusal);
        let league = self.0.book.league();
        let known = league.season.is_disputed(match_id, referee);
        let worth_it = (told || contradiction.is_some()) && !known;
        let fixture = league.season.fixture(match_id).filter(|_| worth_it);
        let reading = fixture.and_then(|it| report.read(league, (match_id, it)).ok());
        let Some(reading) = reading else { return };
        let (verdict, details) = (reading.verdict.ok(), reading.details);
        let void = verdict.is_none_or(|verdict| verdict.outcome == Outcome::Void);
        // That somebody had nothing is not worth a word.
        if void && contradiction.is_none() {
            return;
        }
        let (attempt, at) = (report.attempt(), self.0.book.now);
        self.0.book.record(LeagueFact::ResultDisputed {
            match_id,
            attempt,
            referee,
            verdict,
            details,
            contradiction,
            at,
        });
    }

    /// What contradicts what, if that is why it was refused. Then the attempt waits for a better
    /// report, or for a better referee where there can be one.
    fn note_contradiction(&mut self, match_id: MatchId, refusal: &Refusal) -> Option<Box<str>> {
        let Refusal::Contradicted(what) = refusal else {
            return None;
        };
        let league = self.0.book.league();
        let attempt = league.season.attempt(match_id);
        if let Some(attempt) = attempt.filter(|_| league.settings.says().attempts) {
            self.0.in_play.disbelieved.insert((match_id, attempt.number));
        }
        Some(what.to_string().into())
    }
}

/// What a report comes to.
pub(super) struct Ruling {
    pub(super) verdict: Verdict,
    /// What was played.
    pub(super) details: Payload,
    pub(super) claim: Claim,
}

impl Ruling {
    /// Ours, on a match that nobody played to its end.
    pub(super) fn ours(verdict: Verdict) -> Self {
        Self { verdict, details: Payload::default(), claim: Claim::Verified }
    }
}

/// What a report comes to, and for which attempt; nothing, if it is a repeat. Or why it does not
/// count.
type Weighed = Result<Option<(Attempt, Ruling)>, Refusal>;

/// Whether that report counts, or why not.
fn weigh(league: &League, referee: RefereeId, match_id: MatchId, report: &Report<'_>) -> Weighed {
    let fixture = league.season.fixture(match_id).ok_or(Refusal::NoSuchMatch)?;
    let Some(current) = league.season.attempt(match_id) else {
        return Err(Refusal::OutOfTurn("this round is not announced yet"));
    };
    let reading = report.read(league, (match_id, fixture))?;
    let attempt = report.attempt();
    if let Some(record) = league.season.result(match_id) {
        let written = (&record.verdict, league.season.details(record));
        let same = record.referee == referee && reading.says(written);
        let stale = attempt.is_some_and(|attempt| attempt < record.attempt);
        return match (same, stale) {
            (_, true) => Err(Refusal::StaleAttempt { current: record.attempt }),
            (true, false) => Ok(None),
            // Where no match changes hands, nobody else can have held it.
            (false, false) if record.referee != referee && !league.settings.says().attempts => {
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
    let ruling = report.check(league, fixture, reading).map_err(Refusal::Contradicted)?;
    Ok(Some((current, ruling)))
}

fn recorded(match_id: MatchId) -> Answer {
    Answer::Receipt(Receipt { status: ReceiptStatus::Recorded, match_id: Some(match_id) })
}
