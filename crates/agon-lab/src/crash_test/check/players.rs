//! What players heard and chose, against the manager's journal.

use std::collections::BTreeMap;

use agon_core::format::Fixture;
use agon_core::{Outcome, Seat};
use agon_proto::message::ReportDetails;
use agon_proto::tool::{PlayedMatch, PlayedResult};
use agon_proto::{MatchId, PlayerId};

use super::{Fault, Finding};
use crate::history::{Accepted, League, PlayerBook};

pub(super) fn check(league: &League, players: &[PlayerBook]) -> Vec<Finding> {
    let mut found = heard(league, players);
    found.extend(players.iter().flat_map(|book| chose(league, book)));
    found
}

/// What a player heard of a match is what counts. If the other one heard what counts, then one
/// match was told in two ways; if not, what was told is lost.
fn heard(league: &League, players: &[PlayerBook]) -> Vec<Finding> {
    let schedule = league.paper;
    let mut stories = BTreeMap::<MatchId, Vec<(PlayerId, &PlayedMatch, bool)>>::new();
    let mut found = Vec::new();
    for book in players {
        let Some(me) = book.id else { continue };
        for story in &book.heard {
            let id = story.match_id;
            let kept = league.result(id).zip(schedule.fixture(id));
            let true_story = kept.is_some_and(|(kept, it)| agrees(me, story, kept, it));
            let stories = stories.entry(id).or_default();
            if stories.iter().any(|(other, ..)| *other == me) {
                found.push(Finding::about(Fault::Duplicated, id, format!("{me} heard it twice")));
            }
            stories.push((me, story, true_story));
        }
    }
    for (id, stories) in stories {
        let known = stories.iter().any(|(_, _, true_story)| *true_story);
        for (me, story, _) in stories.iter().filter(|(_, _, true_story)| !true_story) {
            let fault = if known { Fault::Duplicated } else { Fault::Lost };
            let kept = league.result(id);
            let what = format!("{me} heard {story:?}, the manager's journal has {kept:?}");
            found.push(Finding::about(fault, id, what));
        }
    }
    found
}

/// Whether that is the verdict, seen by that player.
fn agrees(me: PlayerId, story: &PlayedMatch, kept: &Accepted, Fixture { a, b }: Fixture) -> bool {
    let (seat, opponent) = match me {
        me if me == a => (Seat::A, b),
        me if me == b => (Seat::B, a),
        _ => return false,
    };
    let played = ReportDetails::of(&kept.details, [a, b]);
    let result = match kept.verdict.outcome {
        Outcome::Won(winner) if winner == seat => PlayedResult::Win,
        Outcome::Forfeited(loser) if loser != seat => PlayedResult::Win,
        Outcome::Won(_) | Outcome::Forfeited(_) | Outcome::BothForfeited => PlayedResult::Loss,
        Outcome::Drawn => PlayedResult::Draw,
        Outcome::Cancelled | Outcome::Void => PlayedResult::Cancelled,
    };
    story.result == result
        && story.drawn_number == played.drawn_number
        && story.my_choice == played.choices.get(me)
        && story.opponent_choice == played.choices.get(opponent)
}

/// A player says the same to the same question, and what counts for it is what it said.
fn chose(league: &League, book: &PlayerBook) -> Vec<Finding> {
    let mut found = Vec::new();
    let Some(me) = book.id else { return found };
    let mut chosen = BTreeMap::new();
    for &(id, attempt, choice) in &book.chosen {
        if chosen.insert((id, attempt), choice).is_some_and(|before| before != choice) {
            let what = format!("{me} chose twice, and differently, in attempt {attempt}");
            found.push(Finding::about(Fault::Wrong, id, what));
        }
    }
    let schedule = league.paper;
    for &id in league.results.keys() {
        let (Some(fixture), Some(kept)) = (schedule.fixture(id), league.result(id)) else {
            continue;
        };
        let played = ReportDetails::of(&kept.details, [fixture.a, fixture.b]);
        let counted = played.choices.get(me);
        let own = chosen.get(&(id, kept.attempt)).copied();
        if counted.is_some() && counted != own {
            let what = format!("{counted:?} counts for {me}, which wrote down {own:?}");
            found.push(Finding::about(Fault::Wrong, id, what));
        }
    }
    found
}
