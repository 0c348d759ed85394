//! Promises of gentle seasons: nothing that goes wrong costs anybody anything.

use std::collections::{BTreeMap, BTreeSet};

use agon_core::{Effect, Question, What};
use agon_proto::message::Cause;

use crate::audit::{Books, Finding, Promise, Sight, hold};
use crate::league::Script;

/// A program is asked once, and once more for each time that it failed or its process died.
#[derive(Default)]
pub(super) struct AskedOnce {
    /// How often each question was asked, less how often it failed.
    asked: BTreeMap<(usize, String), u32>,
    /// How often each node died.
    deaths: BTreeMap<usize, u32>,
}

impl Promise for AskedOnce {
    fn see(&mut self, sight: &Sight<'_>, _: &Books) -> Result<(), Finding> {
        if let Sight::Died { node, .. } = sight {
            *self.deaths.entry(*node).or_default() += 1;
        }
        if let Sight::Failed { node, question } = sight {
            *self.asked.entry((*node, question_name(question))).or_default() -= 1;
        }
        if let Sight::Leaves { node, effect: Effect::Think(question) } = sight {
            let question = question_name(question);
            let count = self.asked.entry((*node, question.clone())).or_default();
            *count += 1;
            let allowed = 1 + self.deaths.get(node).copied().unwrap_or(0);
            hold(*count <= allowed, || {
                format!("node {node} was asked once too often: {question}")
            })?;
        }
        Ok(())
    }
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
pub(super) struct CostsNobody {
    matches: u64,
    /// Who still plays.
    players: BTreeSet<usize>,
}

impl CostsNobody {
    pub(super) fn new(script: &Script) -> Self {
        let first = 1 + script.plan.referees();
        Self { matches: script.size().1, players: (first..script.plan.nodes.len()).collect() }
    }
}

impl Promise for CostsNobody {
    fn see(&mut self, sight: &Sight<'_>, _: &Books) -> Result<(), Finding> {
        if let Sight::Gone(node) = sight {
            self.players.remove(node);
        }
        Ok(())
    }

    fn end(&self, books: &Books) -> Vec<Finding> {
        let (expected, count) = (self.matches, books.season.count());
        let missing =
            (count != expected).then(|| format!("{count} of {expected} matches have a result"));
        let ended =
            books.season.matches.iter().filter_map(|(id, entry)| Some((id, entry.verdict?)));
        let unplayed = ended.filter(|(_, it)| it.cause != Cause::Played || it.gains.is_none());
        let unplayed = unplayed.map(|(id, verdict)| format!("{id} ended as {verdict:?}"));
        let stays = self.players.iter().map(|node| format!("node {node} does not go home"));
        missing.into_iter().chain(unplayed).chain(stays).map(Finding::from).collect()
    }
}
