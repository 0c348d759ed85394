//! Promises of gentle seasons: nothing that goes wrong costs anybody anything.

use std::collections::{BTreeMap, BTreeSet};

use agon_core::{Effect, Question, What};
use agon_proto::message::Cause;

use crate::audit::{Promise, Sight, all_wrong, hold};
use crate::league::Script;

/// A program is asked once, and once more for each time that it failed or its process died.
pub(super) fn asked_once() -> Promise {
    // How often each question was asked, less how often it failed.
    let mut asked: BTreeMap<(usize, String), u32> = BTreeMap::new();
    let mut deaths: BTreeMap<usize, u32> = BTreeMap::new();
    Box::new(move |sight, _| {
        if let Sight::Died { node, .. } = sight {
            *deaths.entry(*node).or_default() += 1;
        }
        if let Sight::Failed { node, question } = sight {
            *asked.entry((*node, question_name(question))).or_default() -= 1;
        }
        let Sight::Leaves { node, effect: Effect::Think(question) } = sight else { return Ok(()) };
        let question = question_name(question);
        let count = asked.entry((*node, question.clone())).or_default();
        *count += 1;
        let allowed = 1 + deaths.get(node).copied().unwrap_or(0);
        hold(*count <= allowed, || format!("node {node} was asked once too often: {question}"))
    })
}

/// Which question it is, by match, kind and player.
pub(crate) fn question_name(question: &Question) -> String {
    let about = match question.what {
        What::Oracle { about, .. } => about,
        What::Move { .. } | What::Heard { .. } => None,
    };
    format!("{} {} {about:?}", question.match_id, question.kind)
}

/// Every match is played to its end, and scored; then every player goes home.
pub(super) fn costs_nobody(script: &Script) -> Promise {
    let (_, expected) = script.size();
    let first = 1 + script.plan.referees();
    // Who still plays.
    let mut players: BTreeSet<usize> = (first..script.plan.nodes.len()).collect();
    Box::new(move |sight, books| {
        if let Sight::Gone(node) = sight {
            players.remove(node);
        }
        let Sight::Ended = sight else { return Ok(()) };
        let (count, matches) = (books.season.count(), &books.season.matches);
        let missing =
            (count != expected).then(|| format!("{count} of {expected} matches have a result"));
        let ended = matches.iter().filter_map(|(id, entry)| Some((id, entry.verdict?)));
        let unplayed = ended.filter(|(_, it)| it.cause != Cause::Played || it.gains.is_none());
        let unplayed = unplayed.map(|(id, verdict)| format!("{id} ended as {verdict:?}"));
        let stays = players.iter().map(|node| format!("node {node} does not go home"));
        all_wrong(missing.into_iter().chain(unplayed).chain(stays))
    })
}
