//! A round is announced when the one before is complete, and complete when all its matches are.
//! Nothing goes on while a match is played again. A season begins once and ends once.

use agon_core::{Effect, LeagueFact};
use agon_proto::Message;
use agon_proto::tool::LeaguePhase;

use super::{Books, Finding, Promise, Sight};

#[derive(Default)]
pub(super) struct RoundsInOrder;

impl Promise for RoundsInOrder {
    fn name(&self) -> &'static str {
        "rounds-in-order"
    }

    fn see(&mut self, sight: &Sight<'_>, books: &Books) -> Result<(), Finding> {
        if let Sight::LeagueWrote(fact) = sight {
            return follows(fact, books).map_err(Finding::from);
        }
        let season = &books.season;
        if let Sight::Leaves { effect: Effect::Broadcast(news), .. } = sight
            && let Message::RoundAnnouncement(said) = &news.message
            && (said.round_id > season.announced || said.round_id > season.completed + 1)
        {
            return Err(format!("round {} is announced too early", said.round_id).into());
        }
        Ok(())
    }
}

fn follows(fact: &LeagueFact, books: &Books) -> Result<(), String> {
    let season = &books.season;
    if let LeagueFact::SeasonStarted { .. } = fact
        && books.league.season().phase() != LeaguePhase::AcceptingRegistrations
    {
        return Err("the season begins once more".to_owned());
    }
    if let LeagueFact::RoundAnnounced { round, .. } = fact {
        let next = *round == season.announced + 1 && *round == season.completed + 1;
        if !next {
            return Err(format!("round {round} follows {}", season.completed));
        }
    }
    if let LeagueFact::RoundAnnounced { .. }
    | LeagueFact::RoundCompleted { .. }
    | LeagueFact::LeagueCompleted { .. } = fact
        && let Some(open) = season.open()
    {
        return Err(format!("{fact:?} while {open} is open"));
    }
    if let LeagueFact::RoundCompleted { round, .. } = fact {
        let mut matches = books.league.season().matches_in(*round);
        let open = matches.find(|id| season.verdict(*id).is_none());
        if *round != season.announced || *round != season.completed + 1 || open.is_some() {
            let (announced, completed) = (season.announced, season.completed);
            let known = format!("{announced} are announced and {completed} complete");
            return Err(format!("round {round} is complete without {open:?}; {known}"));
        }
    }
    if let LeagueFact::LeagueCompleted { .. } = fact
        && (season.over || season.completed != books.league.season().rounds())
    {
        let again = if season.over { ", and not for the first time" } else { "" };
        return Err(format!("the league ends after round {}{again}", season.completed));
    }
    Ok(())
}
