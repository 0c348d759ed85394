//! Promises that the manager's journal alone keeps or breaks: one result for each match, by whom it
//! may come, in which order rounds follow each other, and that the season comes to its end.

use agon_core::{Effect, LeagueFact, Outcome, Seat};
use agon_proto::act::Act;
use agon_proto::message::Cause;
use agon_proto::tool::LeaguePhase;

use super::results::Entry;
use super::{Books, Finding, FindingKind, Kept, Sight, all_wrong, hold, wrong};

/// Every match of the season has exactly one result that counts; at the end none is missing.
pub(super) fn exactly_once(sight: &Sight<'_>, books: &Books) -> Kept {
    let season = &books.season;
    if let Sight::LeagueWrote(LeagueFact::ResultAccepted { match_id, .. }) = sight {
        let is_match = books.fixture(*match_id).is_some();
        hold(is_match, || format!("{match_id} has a result and is no match"))?;
        hold(season.verdict(*match_id).is_none(), || {
            Finding::about(FindingKind::Duplicated, *match_id, "it has two results")
        })?;
    }
    if let Sight::LeagueWrote(LeagueFact::MatchRerun { match_id, .. }) = sight {
        let has_result = season.verdict(*match_id).is_some();
        hold(has_result, || format!("{match_id} is played again and has no result yet"))?;
    }
    if let (Sight::Ended, true) = (sight, season.over) {
        let missing = books.league.season().ids().filter(|id| season.verdict(*id).is_none());
        let lost = |id| Finding::about(FindingKind::Lost, id, "it has no result");
        all_wrong(missing.map(lost))?;
    }
    Ok(())
}

/// A result counts only for the attempt and the referee that hold the match; attempts are counted
/// one after the other.
pub(super) fn attempts(sight: &Sight<'_>, books: &Books) -> Kept {
    let Sight::LeagueWrote(fact) = sight else { return Ok(()) };
    let (LeagueFact::MatchRerun { match_id, .. }
    | LeagueFact::MatchReassigned { match_id, .. }
    | LeagueFact::MatchVoided { match_id, .. }
    | LeagueFact::ResultAccepted { match_id, .. }) = fact
    else {
        return Ok(());
    };
    let Some(Entry { attempt: current, referee: holder, .. }) = books.season.matches.get(match_id)
    else {
        return wrong(format!("{match_id} was never given to anybody"));
    };
    if let LeagueFact::MatchRerun { attempt: next, .. }
    | LeagueFact::MatchReassigned { attempt: next, .. } = fact
    {
        let what = || format!("{match_id} goes from attempt {current} to {next}");
        // The next one; or, where somebody knows its end already, one that nobody can know.
        let past = current + books.league.settings().attempts_max;
        return hold([current + 1, past].contains(next), what);
    }
    if let LeagueFact::ResultAccepted { attempt, referee, .. } = fact {
        return hold((current, holder) == (attempt, referee), || {
            let what = format!("{match_id} took attempt {attempt} of {referee}");
            format!("{what}; {holder} holds attempt {current}")
        });
    }
    Ok(())
}

/// Only a player that is blamed loses without playing; a void attempt never counts.
pub(super) fn only_the_blamed_lose(sight: &Sight<'_>, _: &Books) -> Kept {
    let Sight::LeagueWrote(LeagueFact::ResultAccepted { match_id, verdict, .. }) = sight else {
        return Ok(());
    };
    let blamed = Seat::BOTH.map(|seat| verdict.blames(seat));
    let played = verdict.cause == Cause::Played && verdict.gains.is_some();
    let fair = match verdict.outcome {
        Outcome::Won(_) | Outcome::Drawn => played && blamed == [false, false],
        Outcome::Forfeited(loser) => !played && blamed == Seat::BOTH.map(|seat| seat == loser),
        Outcome::BothForfeited => !played && blamed == [true, true],
        Outcome::Cancelled => !played,
        Outcome::Void => false,
    };
    hold(fair, || format!("{match_id} ended with {verdict:?}"))
}

/// A round is announced when the one before is complete, and complete when all its matches are.
/// Nothing goes on while a match is played again. A season begins once and ends once.
pub(super) fn rounds_in_order(sight: &Sight<'_>, books: &Books) -> Kept {
    if let Sight::LeagueWrote(fact) = sight {
        return follows(fact, books);
    }
    if let Sight::Leaves(_, Effect::Broadcast(news)) = sight
        && let Act::RoundAnnouncement(said) = &news.act
    {
        let (season, round) = (&books.season, said.round_id);
        let in_time = round <= season.announced && round <= season.completed + 1;
        return hold(in_time, || format!("round {round} is announced too early"));
    }
    Ok(())
}

fn follows(fact: &LeagueFact, books: &Books) -> Kept {
    let (season, league) = (&books.season, books.league.season());
    let open = season.open();
    let goes_on = open.map_or(Ok(()), |open| wrong(format!("{fact:?} while {open} is open")));
    #[expect(clippy::wildcard_enum_match_arm, reason = "the rest has no place in that order")]
    match fact {
        LeagueFact::SeasonStarted { .. } => {
            let is_open = league.phase == LeaguePhase::AcceptingRegistrations;
            hold(is_open, || "the season begins once more")
        }
        LeagueFact::RoundAnnounced { round, .. } => {
            let next = *round == season.announced + 1 && *round == season.completed + 1;
            hold(next, || format!("round {round} follows {}", season.completed))?;
            goes_on
        }
        LeagueFact::RoundCompleted { round, .. } => {
            goes_on?;
            let open = league.matches_in(*round).find(|id| season.verdict(*id).is_none());
            let (announced, completed) = (season.announced, season.completed);
            let whole = *round == announced && *round == completed + 1 && open.is_none();
            hold(whole, || {
                let known = format!("{announced} are announced and {completed} complete");
                format!("round {round} is complete without {open:?}; {known}")
            })
        }
        LeagueFact::LeagueCompleted { .. } => {
            goes_on?;
            let last = !season.over && season.completed == league.rounds();
            let again = if season.over { ", and not for the first time" } else { "" };
            hold(last, || format!("the league ends after round {}{again}", season.completed))
        }
        _ => Ok(()),
    }
}

/// Once everything is healed, the season comes to its end.
pub(super) fn completion(sight: &Sight<'_>, books: &Books) -> Kept {
    let Sight::Ended = sight else { return Ok(()) };
    let season = &books.season;
    hold(season.over, || {
        let open = season.matches.iter().filter(|(_, entry)| entry.verdict.is_none());
        let open =
            open.map(|(id, entry)| format!("{id} attempt {} at {}", entry.attempt, entry.referee));
        let (round, rounds) = (season.announced, books.league.season().rounds());
        let what =
            format!("stopped in round {round} of {rounds}; open: {:?}", open.collect::<Vec<_>>());
        Finding::general(FindingKind::Unfinished, what)
    })
}
