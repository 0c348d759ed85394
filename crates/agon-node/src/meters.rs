//! What the nodes of a process count. Looked up once, so that counting costs an addition.

use std::sync::LazyLock;

use prometheus_client::encoding::text;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

type Labels = Vec<(&'static str, &'static str)>;
type Counters = Family<Labels, Counter>;

/// Batches of so many events, at most.
const BATCHES: [f64; 8] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0];

/// Everything that is counted in this process, by role.
struct Board {
    registry: Registry,
    requests: Counters,
    calls: Counters,
    calls_failed: Counters,
    commits: Counters,
    facts: Counters,
    refusals: Counters,
    notices_dropped: Counter,
    batches: Family<Labels, Histogram, fn() -> Histogram>,
}

static BOARD: LazyLock<Board> = LazyLock::new(Board::new);

impl Board {
    fn new() -> Self {
        let mut registry = Registry::with_prefix("agon");
        let mut counters = |name: &str, help: &str| {
            let counters = Counters::default();
            registry.register(name, help, counters.clone());
            counters
        };
        let requests = counters("requests", "Requests that came");
        let calls = counters("calls", "Calls that were made");
        let calls_failed = counters("calls_failed", "Calls that brought no answer");
        let commits = counters("journal_commits", "Commits to the journal");
        let facts = counters("facts", "Facts that were written down");
        let refusals = counters("refusals", "Requests that were refused, by code");
        let notices_dropped = Counter::default();
        let help = "Notices that nobody could take";
        registry.register("notices_dropped", help, notices_dropped.clone());
        let batches: Family<Labels, Histogram, fn() -> Histogram> =
            Family::new_with_constructor(|| Histogram::new(BATCHES));
        registry.register("batch_size", "Events that were handled at once", batches.clone());
        Self {
            registry,
            requests,
            calls,
            calls_failed,
            commits,
            facts,
            refusals,
            notices_dropped,
            batches,
        }
    }
}

/// LetterLogEntry of ours could not be delivered, whoever's it was.
pub(crate) fn notice_dropped() {
    BOARD.notices_dropped.inc();
}

/// What was counted so far, in the text format of Prometheus.
pub fn rendered_meters() -> String {
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
    pub(crate) fn new(role: &'static str) -> Self {
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
