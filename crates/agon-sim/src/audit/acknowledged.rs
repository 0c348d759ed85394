//! What a referee was told is recorded is in the manager's journal, at any moment at which the
//! manager is dead; and at the end a referee knows of each of its results that counts.

use std::collections::{BTreeMap, BTreeSet};

use agon_core::{Outcome, RefereeFact, Verdict};
use agon_proto::message::Cause;
use agon_proto::{MatchId, RefereeId};

use super::books::Results;
use super::{Books, Finding, FindingKind, Promise, Sight};

#[derive(Default)]
pub(super) struct Acknowledged {
    books: BTreeMap<usize, RefereeBook>,
    /// Who has forgotten something: at the end it knows nothing for certain.
    forgetful: BTreeSet<usize>,
    /// Who ended with the league, and did not wait for an answer to its last report.
    gone: BTreeSet<usize>,
}

/// A referee's journal.
#[derive(Default)]
struct RefereeBook {
    judged: BTreeMap<(MatchId, u32), Verdict>,
    /// Those that the manager says it has.
    recorded: BTreeSet<(MatchId, u32)>,
    /// Reports that were answered, in whatever way.
    settled: BTreeSet<(MatchId, u32)>,
}

impl Promise for Acknowledged {
    fn see(&mut self, sight: &Sight<'_>, _: &Books) -> Result<(), Finding> {
        if let Sight::Died { node, keeps_journal: false } = sight {
            self.books.remove(node);
            self.forgetful.insert(*node);
        }
        if let Sight::Gone(node) = sight {
            self.gone.insert(*node);
        }
        let Sight::RefereeWrote(node, fact) = sight else { return Ok(()) };
        let book = self.books.entry(*node).or_default();
        if let RefereeFact::Judged { match_id, attempt, verdict, .. } = fact {
            book.judged.insert((*match_id, *attempt), *verdict);
        }
        if let RefereeFact::Recorded { match_id, attempt } = fact {
            book.recorded.insert((*match_id, *attempt));
        }
        if let RefereeFact::Recorded { match_id, attempt }
        | RefereeFact::Settled { match_id, attempt } = fact
        {
            book.settled.insert((*match_id, *attempt));
        }
        Ok(())
    }

    fn compare(&self, books: &Books) -> Vec<Finding> {
        let known = self
            .books
            .iter()
            .filter_map(|(node, book)| books.referees.get(node).map(|referee| (*referee, book)));
        known.flat_map(|(referee, book)| book.answered(referee, &books.season)).collect()
    }

    /// A result that counts was judged by its referee, and that one knows that it counts.
    fn end(&self, books: &Books) -> Vec<Finding> {
        let mut found = Vec::new();
        for (node, referee) in &books.referees {
            let Some(book) = self.books.get(node).filter(|_| !self.forgetful.contains(node)) else {
                continue;
            };
            let results = books.season.accepted.iter().filter(|(_, it)| it.referee == *referee);
            for (&(id, attempt), kept) in results {
                let judged = book.judged.get(&(id, attempt));
                let known = book.settled.contains(&(id, attempt)) || self.gone.contains(node);
                let played = matches!(kept.verdict.outcome, Outcome::Won(_) | Outcome::Drawn);
                if judged.is_none() && played {
                    let what = format!("{attempt} counts, and {referee} never judged it");
                    found.push(Finding::about(FindingKind::Wrong, id, what));
                } else if judged.is_some_and(|it| is_same(it, &kept.verdict)) && !known {
                    let what = format!("it is durable, and {referee} was never told so");
                    found.push(Finding::about(FindingKind::Unacknowledged, id, what));
                }
            }
        }
        found
    }
}

impl RefereeBook {
    /// A report that was answered is either the result, or it came too late: then the match had
    /// another attempt, was never this referee's, or the operator would have no result of it.
    fn answered(&self, referee: RefereeId, season: &Results) -> Vec<Finding> {
        let mut found = Vec::new();
        for &(id, attempt) in &self.settled {
            let Some(verdict) = self.judged.get(&(id, attempt)) else {
                let what = format!("{referee} settled attempt {attempt}, which it never judged");
                found.push(Finding::about(FindingKind::Wrong, id, what));
                continue;
            };
            let kept = season.accepted.get(&(id, attempt)).filter(|it| it.referee == referee);
            let fine = match kept {
                Some(kept) => {
                    // A void attempt, or a report that was refused after the last one was lost.
                    let refused = !self.recorded.contains(&(id, attempt));
                    let cancelled = kept.verdict.outcome == Outcome::Cancelled;
                    is_same(verdict, &kept.verdict) || refused && cancelled
                }
                None => {
                    let later = season.matches.get(&id).is_some_and(|it| it.attempt > attempt);
                    let held = season.attempts.get(&(id, attempt)) == Some(&referee);
                    later || !held || is_voided(season, id)
                }
            };
            if !fine {
                let what = format!(
                    "{referee} was answered on attempt {attempt} ({verdict:?}), the manager's \
                     journal has {kept:?}"
                );
                found.push(Finding::about(FindingKind::Lost, id, what));
            }
        }
        found
    }
}

fn is_voided(season: &Results, match_id: MatchId) -> bool {
    season.verdict(match_id).is_some_and(|verdict| verdict.cause == Cause::CancelledByOperator)
}

/// Points are the league's; all the rest is as it was judged.
pub(crate) fn is_same(judged: &Verdict, counts: &Verdict) -> bool {
    Verdict { points: judged.points, ..*counts } == *judged
}
