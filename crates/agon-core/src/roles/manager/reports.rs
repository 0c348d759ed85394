//! Taking results: the first one counts, an equal repeat is acknowledged again, another is refused.
//!
//! A report that contradicts itself never counts.
//!
//! Spec: docs/protocol/match.md

mod scored;
mod shown;

use agon_games::moves_in;
use agon_proto::act::ResultReport;
use agon_proto::message::{
    Blame, Cause, MatchResultReport, ReportDetails, ResultStatus, Transcript,
};
use agon_proto::{
    Answer, LeagueId, MatchId, MovesHash, Payload, Receipt, ReceiptStatus, RefereeId,
};

use super::conduct::Conduct;
use crate::effect::{Alert, Effect, RequestId};
use crate::fact::LeagueFact;
use crate::format::Fixture;
use crate::gate::Speaker;
use crate::league::League;
use crate::matches::TRANSCRIPT_MAX;
use crate::moves_made::MovesMade;
use crate::season::Attempt;
use crate::verdict::{Ended, Outcome, Verdict, conclude};
use crate::{Contradiction, Refusal};
use scored::Scores;
use shown::Claims;

/// A referee's report.
pub(super) enum Report<'a> {
    /// It says what was played, as its game shows it to everybody; in a call, which is answered.
    Shown(Box<MatchResultReport>, RequestId),
    /// It says what each player's part was worth.
    Scored(&'a ResultReport),
}

/// What a report says: what it amounts to, and what it follows from.
struct ReadReport {
    fixture: Fixture,
    /// What it amounts to, or what contradicts what in it.
    verdict: Result<Verdict, Contradiction>,
    /// The same, had nobody left the league since.
    before: Option<Verdict>,
    /// What was played.
    details: Payload,
}

/// What a report comes to.
pub(super) struct Ruling {
    pub(super) verdict: Verdict,
    /// What was played, as its game shows it at the end.
    pub(super) details: Payload,
    /// The moves of each seat, where the report tells all that was played.
    pub(super) moves: Option<[MovesHash; 2]>,
    pub(super) claim: Claim,
    /// How long each player was asked again, as its referee says.
    pub(super) charged_ms: [u32; 2],
}

/// What a report is worth that does not contradict itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Claim {
    /// It says all that its outcome follows from.
    Verified,
    /// It says who won, and not what was played.
    Unverified,
}

impl Ruling {
    /// Ours, on a match that nobody played to its end.
    pub(super) fn ours(ended: &Ended, league: &League) -> Self {
        let verdict = conclude(ended, &league.settings.scoring());
        let (details, claim) = (Payload::default(), Claim::Verified);
        Self { verdict, details, moves: None, claim, charged_ms: [0; 2] }
    }
}

/// What a report comes to, and for which attempt; nothing, if it is a repeat. Or why it does not
/// count.
type Weighed = Result<Option<(Attempt, Ruling)>, Refusal>;

/// The reports of referees.
pub(super) struct Results<'a>(pub(super) Conduct<'a>);

impl Results<'_> {
    /// Takes a report on that match, by call or by letter. A call is answered before anything that
    /// follows from it.
    pub(super) fn take_report(
        &mut self,
        by: Speaker,
        match_id: MatchId,
        report: Report<'_>,
    ) -> Result<(), Refusal> {
        let Speaker::Referee(referee) = by else {
            return Err(Refusal::NotPermitted("results come from referees"));
        };
        let referee = *referee.get();
        if let Report::Shown(said, _) = &report {
            self.0.players_told(referee, &said.told);
            let league = &self.0.book.league().settings.league_id;
            if said.league_id != *league {
                return Err(Refusal::WrongLeague(league.clone()));
            }
        }
        let weighed = self.weigh(referee, match_id, &report)?;
        if let Report::Shown(_, request) = report {
            let receipt =
                Receipt { status: ReceiptStatus::Recorded, match_id: Some(match_id), played: None };
            self.0.book.out.reply(request, Answer::Receipt(receipt));
        }
        if let Some((attempt, ruling)) = weighed {
            let counts = ruling.verdict.outcome != Outcome::Void;
            self.take(match_id, attempt, ruling);
            if counts {
                self.archive(match_id, report);
            }
        }
        Ok(())
    }

    /// Keeps how a match was played. A referee that writes more than it may keeps its result, not
    /// its transcript, and the operator is told.
    fn archive(&mut self, match_id: MatchId, report: Report<'_>) {
        let Report::Shown(said, _) = report else { return };
        let transcript = said.transcript;
        if transcript.is_empty() {
            return;
        }
        self.0.book.out.push(if transcript.fits(TRANSCRIPT_MAX) {
            Effect::Archive { match_id, transcript }
        } else {
            let bytes = transcript.0.size(Transcript::ENTRY_MAX);
            Effect::Alert(Alert::TranscriptTooLong { match_id, bytes })
        });
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
            let blame = blame.unwrap_or(Blame::Referee);
            if cause == Cause::Refused {
                return self.0.pass_over(match_id, cause, blame);
            }
            self.0.next_attempt(match_id, cause, blame);
        } else {
            self.0.expect_told(match_id, attempt.referee);
            self.0.accept(match_id, attempt, ruling);
        }
    }

    /// Who holds a match or has held it says that it ended in another way, or contradicts
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
        let known = league.season.disputed.contains_key(&(match_id, referee));
        let worth_it = (told || contradiction.is_some()) && !known;
        let reading = Some(report).filter(|_| worth_it).map(|it| it.read(league, match_id));
        let Some(Ok(reading)) = reading else { return };
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

/// Whether that report counts, or why not.
fn weigh(league: &League, referee: RefereeId, match_id: MatchId, report: &Report<'_>) -> Weighed {
    league.season.fixture(match_id).ok_or(Refusal::NoSuchMatch)?;
    let Some(current) = league.season.attempt(match_id) else {
        return Err(Refusal::OutOfTurn("this round is not announced yet"));
    };
    if !league.season.has_held(match_id, referee) {
        return Err(Refusal::NotYourMatch(match_id));
    }
    let reading = report.read(league, match_id)?;
    // A report that names no attempt counts for the current one if its sender holds it.
    let attempt = report.attempt().unwrap_or(current.number);
    if attempt < current.number {
        return Err(Refusal::StaleAttempt { current: current.number });
    }
    if let Some(record) = league.season.result(match_id) {
        let written = (&record.verdict, league.season.details(record));
        return match record.referee == referee {
            true if reading.says(written) => Ok(None),
            true | false => Err(Refusal::Conflict(match_id)),
        };
    }
    if attempt > current.number {
        return Err(Refusal::NoSuchAttempt { current: current.number });
    }
    if current.referee != referee {
        return Err(Refusal::NotYourMatch(match_id));
    }
    let ruling = report.check(league, reading)?;
    let whole = ruling.claim == Claim::Verified && ruling.verdict.cause == Cause::Played;
    let attempt = (match_id, current.number);
    let moves = whole.then(|| report.moves(&league.settings.league_id, attempt)).flatten();
    Ok(Some((current, Ruling { moves, ..ruling })))
}

impl Report<'_> {
    /// Which attempt it is about, if it says so.
    fn attempt(&self) -> Option<u32> {
        match self {
            Self::Shown(report, _) => report.result.attempt,
            Self::Scored(_) => None,
        }
    }

    /// The moves of each seat, if it tells all that was played.
    fn moves(&self, league: &LeagueId, attempt: (MatchId, u32)) -> Option<[MovesHash; 2]> {
        let Self::Shown(report, _) = self else { return None };
        let moves = moves_in(report.result.details.acts()?.as_bytes());
        Some(moves.map(|of_seat| MovesMade::new(&of_seat).of(league, attempt).moves))
    }

    /// What it says of that match.
    fn read(&self, league: &League, match_id: MatchId) -> Result<ReadReport, Refusal> {
        let fixture = league.season.fixture(match_id).ok_or(Refusal::NoSuchMatch)?;
        let scoring = league.settings.scoring();
        match self {
            Self::Shown(report, _) => {
                let winner = report.result.winner;
                if winner.is_some_and(|winner| fixture.seat_of(winner).is_none()) {
                    return Err(Refusal::BadValue("winner is not a player of this match"));
                }
                if report.round_id != match_id.round {
                    return Err(Refusal::BadValue("round_id and match_id disagree"));
                }
                let verdict = shown::read(&report.result, fixture, &scoring);
                let game = league.settings.game_type();
                let details = report.result.details.shown(&game, fixture.players());
                Ok(ReadReport { fixture, verdict, before: None, details })
            }
            Self::Scored(report) => {
                let ended = Scores::of(report, league, fixture)?.ended();
                let before = conclude(&ended, &scoring);
                let ended = Ended { away: league.season.away(match_id), ..ended };
                let verdict = Ok(conclude(&ended, &scoring));
                let (before, details) = (Some(before), Payload::default());
                Ok(ReadReport { fixture, verdict, before, details })
            }
        }
    }

    /// What it comes to, if nothing contradicts it.
    fn check(&self, league: &League, reading: ReadReport) -> Result<Ruling, Refusal> {
        let ReadReport { fixture, verdict, details, .. } = reading;
        let (verdict, scoring) =
            (verdict.map_err(Refusal::Contradicted)?, league.settings.scoring());
        let checked = match self {
            Self::Shown(report, _) => {
                let (rules, scoring) = (&league.settings.game, &scoring);
                let claims =
                    Claims { said: &report.result, verdict: &verdict, fixture, rules, scoring };
                let checked = claims.check(&details);
                checked.map(|(verdict, claim)| {
                    (verdict, if shows_nothing(report) { Claim::Unverified } else { claim })
                })
            }
            Self::Scored(report) => {
                let claim = Scores::of(report, league, fixture)?.check(&scoring);
                claim.map(|claim| (verdict, claim))
            }
        };
        let (verdict, claim) = checked.map_err(Refusal::Contradicted)?;
        let charged_ms = match self {
            Self::Shown(report, _) => {
                fixture.players().map(|it| report.charged_ms.get(it).unwrap_or_default())
            }
            Self::Scored(_) => [0; 2],
        };
        Ok(Ruling { verdict, details, moves: None, claim, charged_ms })
    }
}

/// Whether it says that somebody has lost by its own fault, and nothing of how that came about.
fn shows_nothing(report: &MatchResultReport) -> bool {
    let MatchResultReport { result, transcript, .. } = report;
    let lost = result.status == Some(ResultStatus::TechnicalLoss);
    lost && transcript.is_empty() && result.details == ReportDetails::default()
}

impl ReadReport {
    /// Whether that is what was written down. The last void attempt was written as cancelled,
    /// without what was played in it. What was not said is ours: gains and points.
    fn says(&self, (written, details): (&Verdict, &Payload)) -> bool {
        let said = self.verdict.as_ref().ok().into_iter().chain(&self.before);
        said.into_iter().any(|said| {
            let unsaid = Verdict { gains: written.gains, points: written.points, ..*said };
            let said = if said.gains.is_none() { unsaid } else { *said };
            let cancelled = Verdict { outcome: Outcome::Cancelled, ..said };
            let void = said.outcome == Outcome::Void && cancelled == *written;
            void || said == *written && self.details == *details
        })
    }
}
