//! The league that is rehearsed: the course's numbers, and what everybody is told at every start.

use std::sync::Arc;
use std::time::Duration;

use agon_core::format::FormatKind;
use agon_core::{
    AdmissionRules, Joins, LetterTimes, Lineup, ManagerOptions, PlayerTimes, Profile, RosterEntry,
    Secrets, Settings, ThinkingTime, TokenHash,
};
use agon_link::{BreakerLimits, LinkSettings};
use agon_proto::{
    Address, AuthToken, Contact, DisplayName, Endpoint, GameType, GroupId, LeagueId, Timestamp,
};

use crate::plan::{Plan, PlannedNode, Way};

/// How long one try of a notice, a report or a registration may take.
pub(crate) const CALL: Duration = Duration::from_secs(10);

/// How long a peer is left alone that has failed too often.
pub(crate) const OPEN_FOR: Duration = Duration::from_secs(30);

/// How long whoever thinks for somebody may do so.
pub(crate) const CALLBACKS: [Duration; 4] = [Duration::from_secs(60); 4];

/// A league that is planned: what its manager and its agents are told.
pub(crate) struct Script {
    pub(crate) plan: Plan,
    pub(crate) settings: Settings,
    pub(crate) options: ManagerOptions,
    pub(crate) link: Arc<LinkSettings>,
    /// How many matches more than it can hold a referee says it can.
    pub(crate) overload: u32,
}

impl Script {
    pub(crate) fn new(plan: Plan) -> Self {
        let usual = settings();
        let settings = Settings {
            match_time_max_ms: u64::try_from(plan.match_max().as_millis()).unwrap_or(u64::MAX),
            // What may be answered is asked for where it has to be told.
            hints: plan.game != usual.game,
            game: plan.game.clone(),
            slow_budget_ms: u64::try_from(plan.slow_budget.as_millis()).unwrap_or(u64::MAX),
            format: plan.format,
            ..usual
        };
        let options = ManagerOptions {
            secrets: Secrets::new([2; 32]),
            operator: TokenHash::of(&operator()).expect("a derived token is one of ours"),
            start_when: u32::try_from(plan.players()).ok(),
            admission: AdmissionRules::local(),
        };
        let link = Arc::new(link(&plan));
        let mut script = Self { plan, settings, options, link, overload: 0 };
        if script.plan.nodes[0].way.has_mailbox() {
            let roster = script.roster();
            script.settings = script.settings.written_to(address(0), roster);
        }
        script
    }

    /// How long a player waits to hear of a match of that many moves, and how long it thinks.
    pub(crate) fn times(&self) -> PlayerTimes {
        PlayerTimes {
            match_max: self.plan.match_max(),
            thinking: ThinkingTime {
                usual: Duration::from_secs(30),
                margin: Duration::from_secs(1),
            },
            letters: LetterTimes {
                grace: Duration::from_secs(60),
                leaving_max: Duration::from_secs(60),
                callbacks: CALLBACKS,
                margin: Duration::from_secs(60),
            },
        }
    }

    /// An agent's papers. Who is written to and is not expected has to introduce itself.
    pub(crate) fn profile(&self, node: usize, nonce: u64) -> Profile {
        let PlannedNode { way, capacity, .. } = self.plan.nodes[node];
        let reached = |node: usize| match way {
            Way::Mail => Contact::Mail(address(node)),
            Way::Call | Way::Both => Contact::Call(endpoint(node)),
        };
        let joins = match (self.plan.is_by_letters(), way) {
            (false, _) => Joins::AtOnce,
            (true, Way::Mail) if self.is_open() => Joins::Introducing,
            (true, _) => Joins::WhenInvited,
        };
        Profile {
            name: DisplayName::new(&format!("node {node}")),
            games: vec![GameType::trusted(self.plan.game.info().name)],
            contact: reached(node),
            vouched: (way == Way::Both).then(|| address(node)),
            manager: reached(0),
            group: self.group(node),
            joins,
            capacity: capacity.map(|capacity| capacity + self.overload),
            nonce,
            keeps_token: false,
            invitation_code: None,
            timeout: CALL,
            tries: 3,
            wait: Duration::from_secs(300),
            backoff: Duration::from_secs(2),
            lateness_max: Duration::from_secs(1),
        }
    }

    /// How many rounds and matches the season has if everybody takes part.
    pub(crate) fn size(&self) -> (u64, u64) {
        let count = |agents: usize| u32::try_from(agents).unwrap_or(u32::MAX);
        let (players, referees) = (count(self.plan.players()), count(self.plan.referees()));
        let lineup = Lineup::All { players, referees };
        let paper = self.settings.paper(&lineup);
        paper.map_or((0, 0), |paper| (paper.rounds().into(), paper.matches()))
    }

    /// By when a healed league must be complete. The slowest move takes under three minutes; a
    /// round may have to play its matches one by one and wait for one lease of a lost referee. By
    /// letters it ends after half an hour.
    pub(crate) fn completes_by(&self) -> Timestamp {
        let (rounds, moves) = (self.size().0, u64::from(self.plan.moves));
        let round = if self.plan.is_by_letters() {
            1_800 + 600
        } else {
            self.plan.players() as u64 / 2 * 180 * moves + 60
        };
        let again = u64::from(self.plan.orders) * 240 * moves;
        let limit = Duration::from_secs(rounds * round + again + 3 * 240 * moves + 60);
        self.plan.heals_at() + limit
    }

    /// Teams that are all written to are expected; to everybody else the league is open.
    fn is_open(&self) -> bool {
        self.plan.format != FormatKind::Teams || self.plan.nodes[0].way != Way::Mail
    }

    fn roster(&self) -> Vec<RosterEntry> {
        if self.is_open() {
            return Vec::new();
        }
        let referees = self.plan.referees();
        let team = |number: usize| RosterEntry {
            group: self.group(number),
            name: DisplayName::new(&format!("Team {number}")),
            player: address(referees + number),
            referee: Some(address(number)),
        };
        (1..=referees).map(team).collect()
    }

    /// In a league of teams the n-th referee and the n-th player are one.
    fn group(&self, node: usize) -> GroupId {
        let referees = self.plan.referees();
        let is_player = self.plan.format == FormatKind::Teams && node > referees;
        let team = if is_player { node - referees } else { node };
        GroupId::new(&format!("node {team}"))
    }
}

/// How every node delivers. Few places and short queues, so that calls have to wait.
fn link(plan: &Plan) -> LinkSettings {
    LinkSettings {
        breaker: BreakerLimits { failures_max: plan.breaker_failures, open_for: OPEN_FOR },
        in_flight_max: plan.in_flight_max,
        shortage_pause: Duration::from_millis(250),
        notice_timeout: CALL,
        notices_max: plan.notices_max,
        report_timeout: CALL,
        waits: [2, 4, 8].map(Duration::from_secs).to_vec(),
    }
}

pub(crate) fn settings() -> Settings {
    Settings::course(LeagueId::new("rehearsal"))
}

/// What proves the operator.
pub(crate) fn operator() -> AuthToken {
    AuthToken::derived([1; 32])
}

/// Where that node can be called.
pub(crate) fn endpoint(node: usize) -> Endpoint {
    Endpoint::new(&format!("http://127.0.0.1:{}/mcp", 8000 + node))
}

/// Where that node can be written to.
pub(crate) fn address(node: usize) -> Address {
    Address::new(&format!("node{node}@league.test"))
}
