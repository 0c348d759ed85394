//! Promises of seasons by letters, besides those of every season: nothing costs anybody anything.

use std::collections::{BTreeMap, BTreeSet};

use agon_core::{Effect, Question, What};
use agon_proto::message::Cause;

use super::advisor;
use crate::audit::{Audit, Books, Finding, Promise, Sight};
use crate::invariant::{AnsweredOnce, Replay};
use crate::league::POINTS;

/// Everything that is promised of a season of so many games.
pub(super) fn audit(games: u64) -> Audit {
    let live: Vec<Box<dyn Promise>> = vec![
        Box::<Replay>::default(),
        Box::<AnsweredOnce>::default(),
        Box::<AskedOnce>::default(),
        Box::<SecretKept>::default(),
        Box::<CountsOnce>::default(),
        Box::new(CostsNobody { games }),
    ];
    Audit::watching(POINTS, live)
}

/// A program is asked once, and once more for each time that it failed or its process died.
#[derive(Default)]
struct AskedOnce {
    /// How often each question was asked, less how often it failed.
    asked: BTreeMap<(usize, String), u32>,
    /// How often each node died.
    deaths: BTreeMap<usize, u32>,
}

impl Promise for AskedOnce {
    fn name(&self) -> &'static str {
        "asked-once"
    }

    fn see(&mut self, sight: &Sight<'_>, _: &Books) -> Result<(), Finding> {
        if let Sight::Died { node, .. } = sight {
            *self.deaths.entry(*node).or_default() += 1;
        }
        if let Sight::Failed { node, question } = sight {
            *self.asked.entry((*node, name(question))).or_default() -= 1;
        }
        if let Sight::Leaves { node, effect: Effect::Think(question) } = sight {
            let question = name(question);
            let count = self.asked.entry((*node, question.clone())).or_default();
            *count += 1;
            if *count > 1 + self.deaths.get(node).copied().unwrap_or(0) {
                return Err(format!("node {node} was asked once too often: {question}").into());
            }
        }
        Ok(())
    }
}

/// Which question it is, by game, kind and player.
pub(super) fn name(question: &Question) -> String {
    let about = match question.what {
        What::Oracle { about, .. } => about,
        What::Move { .. } | What::Heard { .. } => None,
    };
    format!("{} {} {about:?}", question.match_id, question.kind)
}

/// No letter holds a secret.
#[derive(Default)]
struct SecretKept;

impl Promise for SecretKept {
    fn name(&self) -> &'static str {
        "secret-kept"
    }

    fn see(&mut self, sight: &Sight<'_>, _: &Books) -> Result<(), Finding> {
        if let Sight::Leaves { effect: Effect::Post(parcel), .. } = sight
            && format!("{:?}", parcel.letter).contains(advisor::SECRET)
        {
            let kind = parcel.letter.act.kind().name();
            return Err(format!("{kind} to {:?} holds the secret", parcel.to).into());
        }
        Ok(())
    }
}

/// Every letter leads to what it leads to once.
#[derive(Default)]
struct CountsOnce {
    queued: BTreeSet<(usize, String)>,
}

impl Promise for CountsOnce {
    fn name(&self) -> &'static str {
        "counts-once"
    }

    fn see(&mut self, sight: &Sight<'_>, _: &Books) -> Result<(), Finding> {
        if let Sight::Queued(node, parcel) = sight
            && !self.queued.insert((*node, parcel.letter.id.to_string()))
        {
            let (kind, id) = (parcel.letter.act.kind().name(), &parcel.letter.id);
            return Err(format!("node {node} wrote {kind} {id} twice").into());
        }
        Ok(())
    }
}

/// Every game is played to its end, and scored.
struct CostsNobody {
    games: u64,
}

impl Promise for CostsNobody {
    fn name(&self) -> &'static str {
        "costs-nobody"
    }

    fn end(&self, books: &Books) -> Vec<Finding> {
        let (expected, count) = (self.games, books.season.count());
        let missing =
            (count != expected).then(|| format!("{count} of {expected} games have a result"));
        let ended =
            books.season.matches.iter().filter_map(|(id, entry)| Some((id, entry.verdict?)));
        let unplayed = ended.filter(|(_, it)| it.cause != Cause::Played || it.gains.is_none());
        let unplayed = unplayed.map(|(id, verdict)| format!("{id} ended as {verdict:?}"));
        missing.into_iter().chain(unplayed).map(Finding::from).collect()
    }
}
