//! A round is announced when the one before is complete, and complete when all its matches are.
//! Nothing goes on while a match is played again. A season begins once and ends once.

use agon_core::{Effect, LeagueFact};
use agon_proto::act::Act;
use agon_proto::tool::LeaguePhase;

use super::{Books, Kept, Sight, hold, wrong};

pub(super) fn rounds_in_order(sight: &Sight<'_>, books: &Books) -> Kept {
    if let Sight::LeagueWrote(fact) = sight {
        return follows(fact, books);
    }
    if let Sight::Leaves { effect: Effect::Broadcast(news), .. } = sight
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
            let is_open = league.phase() == LeaguePhase::AcceptingRegistrations;
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
