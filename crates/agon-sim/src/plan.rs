//! What a seed means: how large the league is, who is odd in it, and how much goes wrong.

use std::time::Duration;

use agon_core::Rules;
use agon_core::format::FormatKind;
use agon_games::games;
use agon_proto::Timestamp;

use crate::rng::Rng;

/// When every rehearsal begins. Any instant would do.
pub(crate) const START: Timestamp = Timestamp::from_micros(1_800_000_000_000_000);

/// A season and its troubles, drawn from a seed.
#[derive(Debug, Clone)]
pub struct Plan {
    pub seed: u64,
    /// What is played.
    pub game: Rules,
    /// How often a match asks for a move at most.
    pub moves: u32,
    /// Who meets whom.
    pub format: FormatKind,
    pub referees: Vec<Crew>,
    pub players: Vec<PlannedPlayer>,
    pub faults: Faults,
    /// How long things go wrong. Then everything heals.
    pub trouble: Duration,
    /// Processes that die at some instant between two batches.
    pub crashes: u32,
    /// Pairs of nodes that cannot reach each other for a while.
    pub partitions: u32,
    /// Whether somebody replays and forges letters.
    pub rogue: bool,
    /// How often the operator voids a match or has one played again.
    pub orders: u32,
    /// So many failures in a row, and a peer is left alone for a while.
    pub breaker_failures: u32,
    /// So many calls to one peer are under way at a time.
    pub in_flight_max: usize,
    /// So much news for one peer is kept.
    pub notices_max: usize,
}

/// One referee.
#[derive(Debug, Clone, Copy)]
pub struct Crew {
    pub capacity: u32,
    pub keeps_journal: bool,
}

/// One player.
#[derive(Debug, Clone, Copy)]
pub struct PlannedPlayer {
    pub temper: Temper,
    pub keeps_journal: bool,
}

/// How a player answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Temper {
    Sound,
    /// Sends a receipt where an answer is wanted.
    Garbled,
    /// Chooses what cannot be chosen.
    Invalid,
    /// Declines invitations.
    Declining,
    /// Takes questions and never answers.
    Silent,
    /// Thinks long, or for ever, or without result.
    Brooding,
}

/// How often things go wrong, in a thousand times.
#[derive(Debug, Clone, Copy, Default)]
pub struct Faults {
    /// Of letters that get lost.
    pub lost: u32,
    /// Of requests that arrive twice.
    pub doubled: u32,
    /// Of letters that take seconds.
    pub slow: u32,
    /// Of batches under which the process dies.
    pub crash: u32,
    /// Of thoughts that come late, to nothing, or never.
    pub brooding: u32,
    /// Of calls that do not leave, because their host has no port for them.
    pub shortage: u32,
    /// Of requests that are turned away by a server that is unwell.
    pub unwell: u32,
}

impl Plan {
    /// Draws a plan. Some seasons are almost calm, so that rare coincidences are seen alone.
    pub fn from_seed(seed: u64) -> Self {
        let mut rng = Rng::new(seed ^ 0x5eed_0fa1);
        let severity = rng.between(0, 3) as u32;
        let mut rate = |max: u64| rng.between(0, max) as u32 * severity / 3;
        let mut links = Rng::new(seed ^ 0x0117_0117);
        let faults = Faults {
            lost: rate(150),
            doubled: rate(100),
            slow: rate(100),
            crash: rate(30),
            brooding: rate(100),
            shortage: links.between(0, 60) as u32 * severity / 3,
            unwell: links.between(0, 60) as u32 * severity / 3,
        };
        let referees = (0..rng.between(1, 3))
            .map(|_| Crew { capacity: rng.between(1, 3) as u32, keeps_journal: rng.happens(600) });
        let referees = referees.collect();
        let players = (0..rng.between(2, 7))
            .map(|_| PlannedPlayer { temper: temper(&mut rng), keeps_journal: rng.happens(600) });
        let players = players.collect();
        let (game, moves, format) = league(seed);
        Self {
            seed,
            game,
            moves,
            format,
            referees,
            players,
            faults,
            trouble: Duration::from_millis(rng.between(1_000, 150_000)),
            crashes: rng.between(0, 4) as u32 * u32::from(severity > 0),
            partitions: rng.between(0, 3) as u32 * u32::from(severity > 1),
            rogue: rng.happens(300),
            orders: orders(seed),
            breaker_failures: links.between(1, 5) as u32,
            in_flight_max: links.between(2, 6) as usize,
            notices_max: links.between(4, 40) as usize,
        }
    }

    /// How many matches that node can hold, if it is a referee.
    pub(crate) fn capacity(&self, node: usize) -> Option<u32> {
        self.referees.get(node.checked_sub(1)?).map(|crew| crew.capacity)
    }

    pub(crate) fn heals_at(&self) -> Timestamp {
        START + self.trouble
    }

    /// How long a match may take at most: four minutes for each move.
    pub(crate) fn match_max(&self) -> Duration {
        Duration::from_secs(240) * self.moves
    }

    /// By when a healed league must be complete. The slowest move takes under three minutes; a
    /// round may have to play its matches one by one and wait for one lease of a lost referee.
    pub(crate) fn completes_by(&self) -> Timestamp {
        let (players, moves) = (self.players.len() as u64, u64::from(self.moves));
        let laps = if self.format == FormatKind::DoubleRoundRobin { 2 } else { 1 };
        let rounds = (players.next_multiple_of(2) - 1) * laps;
        let round = players / 2 * 180 * moves + 60;
        let again = u64::from(self.orders) * 240 * moves;
        self.heals_at() + Duration::from_secs(rounds * round + again + 3 * 240 * moves + 60)
    }
}

/// What is played, in how many moves, and who meets whom. Half of the seasons are those of the
/// course; by their own chance, so that these are what they were before there were others.
fn league(seed: u64) -> (Rules, u32, FormatKind) {
    let mut rng = Rng::new(seed ^ 0x6a3e_6a3e);
    if rng.happens(500) {
        return (Rules::default(), 1, FormatKind::RoundRobin);
    }
    // Who judges by itself is played by letters.
    let by_call: Vec<_> = games().iter().filter(|info| !info.is_judged()).collect();
    let info = by_call[rng.place(by_call.len())];
    let repeated = info.settings.iter().any(|setting| setting.name == "rounds");
    let moves = if repeated { rng.between(1, 3) as u32 } else { 1 };
    let settings = if repeated { format!("{{\"rounds\":{moves}}}") } else { "{}".to_owned() };
    let rules = Rules::new(info.name, &settings).expect("so few rounds can be played");
    let twice = rng.happens(400);
    let format = if twice { FormatKind::DoubleRoundRobin } else { FormatKind::RoundRobin };
    (rules, moves, format)
}

/// Two seasons in five have an operator who interferes. By its own chance, so that the others are
/// what they were before there was one.
const fn orders(seed: u64) -> u32 {
    if seed % 5 < 3 {
        return 0;
    }
    Rng::new(seed ^ 0x0bde_0bde).between(1, 8) as u32
}

fn temper(rng: &mut Rng) -> Temper {
    match rng.between(0, 15) {
        0 => Temper::Garbled,
        1 => Temper::Invalid,
        2 => Temper::Declining,
        3 => Temper::Silent,
        4 => Temper::Brooding,
        _ => Temper::Sound,
    }
}
