//! What the nodes of a process count. Looked up once, so that counting costs an addition.

use std::sync::LazyLock;

use agon_proto::Role;
use prometheus_client::encoding::text;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Metric, Registry};

type Labels = Vec<(&'static str, &'static str)>;
type Counters = Family<Labels, Counter>;
type Batches = Family<Labels, Histogram, fn() -> Histogram>;

/// Batches of so many events, at most.
const BATCHES: [f64; 8] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0];

/// Everything that is counted in this process, by role.
pub(crate) struct Board {
    registry: Registry,
    requests: Counters,
    calls: Counters,
    calls_failed: Counters,
    commits: Counters,
    facts: Counters,
    refusals: Counters,
    /// News of ours that could not be delivered.
    pub(crate) notices_dropped: Counter,
    /// Answers that said wrongly whose they were.
    pub(crate) wrong_claims: Counter,
    batches: Batches,
}

pub(crate) static BOARD: LazyLock<Board> = LazyLock::new(Board::new);

impl Board {
    fn new() -> Self {
        let mut registry = Registry::with_prefix("agon");
        let mut counters = |name, help| add(&mut registry, name, help, Counters::default());
        Self {
            requests: counters("requests", "Requests that came"),
            calls: counters("calls", "Calls that were made"),
            calls_failed: counters("calls_failed", "Calls that brought no answer"),
            commits: counters("journal_commits", "Commits to the journal"),
            facts: counters("facts", "Facts that were written down"),
            refusals: counters("refusals", "Requests that were refused, by code"),
            notices_dropped: {
                let help = "Notices that nobody could take";
                add(&mut registry, "notices_dropped", help, Counter::default())
            },
            wrong_claims: {
                let help = "Answers that said wrongly whose they were";
                add(&mut registry, "wrong_claims", help, Counter::default())
            },
            batches: {
                let batches = Batches::new_with_constructor(|| Histogram::new(BATCHES));
                add(&mut registry, "batch_size", "Events that were handled at once", batches)
            },
            registry,
        }
    }
}

fn add<M: Metric + Clone>(registry: &mut Registry, name: &str, help: &str, metric: M) -> M {
    registry.register(name, help, metric.clone());
    metric
}

/// What was counted so far, in the text format of Prometheus.
pub(crate) fn rendered_meters() -> String {
    let mut text = String::new();
    // Writing to a text does not fail.
    let _ = text::encode(&mut text, &BOARD.registry);
    // Others add to it.
    text.trim_end_matches("# EOF\n").to_owned()
}

/// The meters of one node.
pub(crate) struct Meters {
    role: &'static str,
    pub(crate) requests: Counter,
    pub(crate) calls: Counter,
    pub(crate) calls_failed: Counter,
    pub(crate) commits: Counter,
    pub(crate) facts: Counter,
    pub(crate) batch: Histogram,
}

impl Meters {
    pub(crate) fn new(role: Role) -> Self {
        let role = role.word();
        let of = |counters: &Counters| counters.get_or_create(&vec![("role", role)]).clone();
        Self {
            role,
            requests: of(&BOARD.requests),
            calls: of(&BOARD.calls),
            calls_failed: of(&BOARD.calls_failed),
            commits: of(&BOARD.commits),
            facts: of(&BOARD.facts),
            batch: BOARD.batches.get_or_create(&vec![("role", role)]).clone(),
        }
    }

    /// One refusal, by its code. Rare enough to look the meter up.
    pub(crate) fn refused(&self, code: &'static str) {
        BOARD.refusals.get_or_create(&vec![("role", self.role), ("code", code)]).inc();
    }
}
