//! Promises about what happens once: a request is answered, a letter counts, a program is asked.

use std::collections::{BTreeMap, BTreeSet};

use agon_core::letterbox::{LetterboxFact, Parcel};
use agon_core::{Effect, Question, RequestId, What};
use agon_proto::{Address, MatchId, MessageId};

use crate::audit::{Promise, Sight, all_wrong, hold};

/// A request gets one answer, never two; none only if its process died or still thinks.
pub(super) fn answered_once() -> Promise {
    // By node.
    let mut open: BTreeMap<(usize, RequestId), Option<MatchId>> = BTreeMap::new();
    // Thoughts that never end, by node.
    let mut brooded = BTreeSet::new();
    Box::new(move |sight, _| {
        if let Sight::Opened(node, request, question) = sight {
            open.insert((*node, *request), *question);
        }
        if let Sight::Died(node) = sight {
            open.retain(|(asked, _), _| asked != node);
        }
        if let Sight::Brooded(node, match_id) = sight {
            brooded.insert((*node, *match_id));
        }
        if let Sight::Leaves(node, effect) = sight
            && let Effect::Reply { request, .. }
            | Effect::Refuse { request, .. }
            | Effect::Fetch { request, .. }
            | Effect::ListAgents { request, .. } = effect
        {
            let was_open = open.remove(&(*node, *request)).is_some();
            hold(was_open, || format!("node {node} answered {request:?} once more"))?;
        }
        let Sight::Ended = sight else { return Ok(()) };
        let broods =
            |node, question: Option<_>| question.is_some_and(|id| brooded.contains(&(node, id)));
        let open = open.iter().filter(|((node, _), question)| !broods(*node, **question));
        all_wrong(open.map(|((node, request), question)| {
            format!("node {node} never answered {request:?} (question: {question:?})")
        }))
    })
}

/// Every letter leads to what it leads to once, as long as its writer remembers. The same may be
/// told to several; and who is called is asked once more when somebody comes back.
pub(super) fn counts_once() -> Promise {
    let mut queued: BTreeMap<(usize, MessageId, Vec<Address>), u32> = BTreeMap::new();
    let mut deaths = 0;
    Box::new(move |sight, _| {
        if let Sight::Died(_) = sight {
            deaths += 1;
        }
        if let Sight::Forgot(node) = sight {
            queued.retain(|(writer, ..), _| writer != node);
        }
        let Some((node, LetterboxFact::Queued(parcel))) = sight.letterbox() else { return Ok(()) };
        let Parcel { to, letter, .. } = parcel;
        let times = queued.entry((node, letter.head.id.clone(), to.clone())).or_default();
        *times += 1;
        let is_called = to.iter().any(Address::is_endpoint);
        let allowed = if is_called { 1 + deaths } else { 1 };
        hold(*times <= allowed, || {
            let (kind, id) = (letter.kind.name(), &letter.head.id);
            format!("node {node} wrote {kind} {id} to {to:?} once too often")
        })
    })
}

/// A program is asked once, and once more for each time that it failed or its process died.
pub(super) fn asked_once() -> Promise {
    // How often each question was asked, less how often it failed.
    let mut asked: BTreeMap<(usize, String), u32> = BTreeMap::new();
    let mut deaths: BTreeMap<usize, u32> = BTreeMap::new();
    Box::new(move |sight, _| {
        if let Sight::Died(node) = sight {
            *deaths.entry(*node).or_default() += 1;
        }
        if let Sight::Failed(node, question) = sight {
            *asked.entry((*node, question_name(question))).or_default() -= 1;
        }
        let Sight::Leaves(node, Effect::Think(question)) = sight else { return Ok(()) };
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
