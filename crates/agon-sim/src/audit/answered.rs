//! Promises about what the manager has answered: whoever was told something by it finds that in its
//! journal.

use agon_core::{Outcome, Verdict};
use agon_proto::message::Cause;
use agon_proto::{AgentId, RefereeId};

use super::books::RefereeBook;
use super::results::Results;
use super::{Books, Finding, FindingKind, Kept, Sight, all_wrong};

/// What a referee was told is recorded is in the manager's journal, at any moment at which the
/// manager is dead; and at the end a referee knows of each of its results that counts.
pub(super) fn acknowledged(sight: &Sight<'_>, books: &Books) -> Kept {
    let known = books.referees.values().filter_map(|book| Some((book.id?, book)));
    if let Sight::Paused = sight {
        all_wrong(known.clone().flat_map(|(id, book)| answered(book, id, &books.season)))?;
    }
    if let Sight::Ended = sight {
        let certain = known.filter(|(_, book)| !book.is_forgetful);
        all_wrong(certain.flat_map(|(id, book)| told(book, id, &books.season)))?;
    }
    Ok(())
}

/// A result that counts was judged by its referee, and that one knows that it counts.
fn told(book: &RefereeBook, referee: RefereeId, season: &Results) -> Vec<Finding> {
    let mut found = Vec::new();
    for (&(id, attempt), kept) in season.accepted.iter().filter(|(_, it)| it.referee == referee) {
        let judged = book.judged.get(&(id, attempt));
        let known = book.settled.contains(&(id, attempt)) || book.is_gone;
        let played = matches!(kept.verdict.outcome, Outcome::Won(_) | Outcome::Drawn);
        if judged.is_none() && played {
            let what = format!("{attempt} counts, and {referee} never judged it");
            found.push(Finding::about(FindingKind::Wrong, id, what));
        } else if judged.is_some_and(|it| is_same(it, &kept.verdict)) && !known {
            let what = format!("it is durable, and {referee} was never told so");
            found.push(Finding::about(FindingKind::Unacknowledged, id, what));
        }
    }
    found
}

/// A report that was answered is either the result, or it came too late: then the match had
/// another attempt, was never this referee's, or the operator would have no result of it.
fn answered(book: &RefereeBook, referee: RefereeId, season: &Results) -> Vec<Finding> {
    let mut found = Vec::new();
    for &(id, attempt) in &book.settled {
        let Some(verdict) = book.judged.get(&(id, attempt)) else {
            let what = format!("{referee} settled attempt {attempt}, which it never judged");
            found.push(Finding::about(FindingKind::Wrong, id, what));
            continue;
        };
        let kept = season.accepted.get(&(id, attempt)).filter(|it| it.referee == referee);
        let fine = match kept {
            Some(kept) => {
                // A void attempt, or a report that was refused after the last one was lost.
                let refused = !book.recorded.contains(&(id, attempt));
                let cancelled = kept.verdict.outcome == Outcome::Cancelled;
                is_same(verdict, &kept.verdict) || refused && cancelled
            }
            None => {
                let later = season.matches.get(&id).is_some_and(|it| it.attempt > attempt);
                let held = season.attempts.get(&(id, attempt)) == Some(&referee);
                let cause = season.verdict(id).map(|verdict| verdict.cause);
                later || !held || cause == Some(Cause::CancelledByOperator)
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

/// Points are the league's; all the rest is as it was judged.
pub(crate) fn is_same(judged: &Verdict, counts: &Verdict) -> bool {
    Verdict { points: judged.points, ..*counts } == *judged
}

/// Whoever was told that it is in is in.
pub(super) fn let_in(sight: &Sight<'_>, books: &Books) -> Kept {
    let Sight::Paused = sight else { return Ok(()) };
    let Books { league, referees, players, .. } = books;
    let referees = referees.values().filter_map(|book| book.id);
    let referees = referees.filter(|id| league.referee(*id).is_none()).map(AgentId::Referee);
    let players = players.values().filter_map(|book| book.id);
    let players = players.filter(|id| league.player(*id).is_none()).map(AgentId::Player);
    let what = |id| format!("{id:?} was let in, and the manager's journal does not know it");
    all_wrong(referees.chain(players).map(what))
}
