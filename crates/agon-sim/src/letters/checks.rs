//! What must hold in every season by letters.

use std::collections::{BTreeMap, BTreeSet};

use agon_core::post::Parcel;
use agon_core::{LeagueFact, Question, RequestId, What};
use agon_proto::MatchId;
use agon_proto::message::Cause;

use super::advisor;
use super::cast::{self, Season};
use super::node::{Mind, Node};

/// An invariant that does not hold, and what was seen.
type Seen = Result<(), (&'static str, String)>;

/// One question to one program.
type Asked = (usize, String);

pub(super) struct Checks {
    /// Requests that are open, by node.
    open: Vec<BTreeSet<RequestId>>,
    /// How often each question was asked.
    asked: BTreeMap<Asked, u32>,
    /// How often it failed.
    failed: BTreeMap<Asked, u32>,
    /// How often each node died.
    deaths: Vec<u32>,
    results: BTreeMap<MatchId, Cause>,
    /// Letters that each node has written.
    queued: BTreeSet<(usize, String)>,
}

impl Checks {
    pub(super) fn new(nodes: usize) -> Self {
        Self {
            open: vec![BTreeSet::new(); nodes],
            asked: BTreeMap::new(),
            failed: BTreeMap::new(),
            deaths: vec![0; nodes],
            results: BTreeMap::new(),
            queued: BTreeSet::new(),
        }
    }

    pub(super) fn results(&self) -> u64 {
        self.results.len() as u64
    }

    pub(super) fn died(&mut self, node: usize) {
        self.deaths[node] += 1;
        self.open[node].clear();
    }

    pub(super) fn opened(&mut self, node: usize, request: RequestId) {
        self.open[node].insert(request);
    }

    /// Every letter is answered once in each life.
    pub(super) fn answered(&mut self, node: usize, request: RequestId) -> Seen {
        if self.open[node].remove(&request) {
            return Ok(());
        }
        Err(("answered_once", format!("node {node} answered {request:?}, which is not open")))
    }

    /// A program is asked once, and once more for each time that it failed or its process died.
    pub(super) fn asked(&mut self, node: usize, question: &Question) -> Seen {
        let key = (node, name(question));
        let count = self.asked.entry(key.clone()).or_default();
        *count += 1;
        let failed = self.failed.get(&key).copied().unwrap_or(0);
        if *count > 1 + failed + self.deaths[node] {
            let (_, question) = key;
            return Err(("asked_once", format!("node {node} was asked {count} times: {question}")));
        }
        Ok(())
    }

    /// A program fails at most once at each question: twice would be its author's loss.
    pub(super) fn may_fail(&mut self, node: usize, question: &Question) -> bool {
        self.failed.insert((node, name(question)), 1).is_none()
    }

    /// No letter holds a secret.
    pub(super) fn sent(&self, parcel: &Parcel) -> Seen {
        if format!("{:?}", parcel.letter).contains(advisor::SECRET) {
            let kind = parcel.letter.body.kind().name();
            return Err(("secret_kept", format!("{kind} to {:?} holds the secret", parcel.to)));
        }
        Ok(())
    }

    /// Every match has one result, and every letter leads to what it leads to once.
    pub(super) fn facts(&mut self, node: usize, batch: &Node) -> Seen {
        for parcel in batch.queued() {
            let id = parcel.letter.id.to_string();
            if !self.queued.insert((node, id)) {
                let (kind, id) = (parcel.letter.body.kind().name(), &parcel.letter.id);
                return Err(("counts_once", format!("node {node} wrote {kind} {id} twice")));
            }
        }
        let Mind::Manager(cast) = &batch.mind else { return Ok(()) };
        for fact in &cast.out.facts {
            if let LeagueFact::ResultAccepted { match_id, verdict, .. } = fact
                && self.results.insert(*match_id, verdict.cause).is_some()
            {
                return Err(("exactly_once", format!("node {node} accepted {match_id} twice")));
            }
        }
        Ok(())
    }

    /// At the end: everything was played, and the table is what the results add up to.
    pub(super) fn end(&self, nodes: &[Node], cast: &Season) -> Seen {
        let expected = cast.matches();
        if self.results() != expected {
            let what = format!("{} of {expected} games have a result", self.results());
            return Err(("completes", what));
        }
        let unplayed = self.results.iter().find(|(_, cause)| **cause != Cause::Played);
        if let Some((match_id, cause)) = unplayed {
            return Err(("costs_nobody", format!("{match_id} ended as {}", cause.as_str())));
        }
        if let Some((node, open)) = self.open.iter().enumerate().find(|(_, open)| !open.is_empty())
            && nodes[node].up
        {
            return Err(("answered_once", format!("node {node} never answered {open:?}")));
        }
        cast::check_table(&nodes[0]).map_err(|what| ("table_is_a_fold", what))
    }
}

/// Which question it is, by game, kind and player.
fn name(question: &Question) -> String {
    let about = match question.what {
        What::Oracle { about, .. } => about,
        What::Move { .. } | What::Heard { .. } => None,
    };
    format!("{} {} {about:?}", question.match_id, question.kind)
}
