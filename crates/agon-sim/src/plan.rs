//! What a seed means: what is played, by whom, how everybody is reached, and how much goes wrong.

use std::time::Duration;

use agon_core::Rules;
use agon_core::format::FormatKind;
use agon_games::{GameInfo, games};
use agon_proto::Timestamp;

use crate::rng::Rng;

/// When every rehearsal begins. Any instant would do.
pub(crate) const START: Timestamp = Timestamp::from_micros(1_800_000_000_000_000);

/// Of a thousand seasons, so many are played by letters: every sixth.
const LETTERS: u32 = 167;

/// A season and its troubles, drawn from a seed.
#[derive(Debug, Clone)]
pub struct Plan {
    pub(crate) seed: u64,
    /// What is played.
    pub(crate) game: Rules,
    /// How often a match asks for a move at most.
    pub(crate) moves: u32,
    /// Who meets whom.
    pub(crate) format: FormatKind,
    /// The manager, the referees, then the players.
    pub(crate) nodes: Vec<PlannedNode>,
    pub(crate) faults: Faults,
    /// Whether nothing that goes wrong makes anybody late: everybody is sound and is down for a
    /// short time only, no message is lost. Then nothing of it may cost anybody anything.
    pub(crate) is_gentle: bool,
    /// How long things go wrong. Then everything heals.
    pub(crate) trouble: Duration,
    /// Processes that die at some instant between two batches.
    pub(crate) crashes: u32,
    /// So many die at most, however it comes to that.
    pub(crate) crashes_max: u64,
    /// Pairs of nodes that cannot reach each other for a while.
    pub(crate) partitions: u32,
    /// Whether somebody replays and forges letters.
    pub(crate) rogue: bool,
    /// How often the operator voids a match or has one played again.
    pub(crate) orders: u32,
    /// So many failures in a row, and a peer is left alone for a while.
    pub(crate) breaker_failures: u32,
    /// So many calls to one peer are under way at a time.
    pub(crate) in_flight_max: usize,
    /// So much news for one peer is kept.
    pub(crate) notices_max: usize,
    /// How long a player may hold others up.
    pub(crate) slow_budget: Duration,
    /// So long a mail lies in its box at most before somebody looks.
    pub(crate) look_after: Duration,
}

/// How somebody is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    Call,
    Mail,
    /// By call, and by mail too for those who know no endpoints.
    Both,
}

impl Way {
    pub(crate) const fn has_mailbox(self) -> bool {
        matches!(self, Self::Mail | Self::Both)
    }
}

/// One process.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlannedNode {
    /// How many matches it can hold, if it is a referee.
    pub(crate) capacity: Option<u32>,
    /// How it answers, if it is a player.
    pub(crate) temper: Temper,
    pub(crate) keeps_journal: bool,
    pub(crate) way: Way,
}

/// How a player answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Temper {
    Sound,
    /// Sends a receipt where an answer is wanted.
    Garbled,
    /// Chooses what cannot be chosen.
    Invalid,
    /// Declines invitations.
    Declining,
    /// Takes questions and never answers.
    Silent,
    /// Answers one question in four.
    Slow,
    /// Thinks long, or for ever, or without result.
    Brooding,
}

/// How often things go wrong, in a thousand times.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Faults {
    /// Of letters that get lost.
    pub(crate) lost: u32,
    /// Of requests and mails that arrive twice.
    pub(crate) doubled: u32,
    /// Of letters that take seconds.
    pub(crate) slow: u32,
    /// Of batches under which the process dies.
    pub(crate) crash: u32,
    /// Of thoughts that come late, to nothing, or never.
    pub(crate) brooding: u32,
    /// Of calls that do not leave, because their host has no port for them.
    pub(crate) shortage: u32,
    /// Of requests and mails that are turned away by a server that is unwell.
    pub(crate) unwell: u32,
}

impl Plan {
    /// Draws a plan. Some seasons are almost calm, so that rare coincidences are seen alone.
    pub fn from_seed(seed: u64) -> Self {
        let mut rng = Rng::new(seed ^ 0x1e77_e251);
        // Who judges by itself is played by letters.
        let judged: Vec<_> = games().iter().filter(|info| info.is_judged()).collect();
        if !judged.is_empty() && rng.happens(LETTERS) {
            return Self::of_game(seed, judged[rng.place(judged.len())]);
        }
        let (game, moves, format) = league(seed);
        Self::by_call(seed, game, moves, format)
    }

    /// Draws a plan of a league that plays this game.
    pub fn of_game(seed: u64, info: &GameInfo) -> Self {
        let mut rng = Rng::new(seed ^ 0x9a3e_9a3e);
        let (game, moves) = rules(info, &mut rng);
        let fits = |format: &FormatKind| format.settles_referees() == info.is_judged();
        let known: Vec<_> = FormatKind::ALL.into_iter().filter(fits).collect();
        let plan = Self::by_call(seed, game, moves, known[rng.place(known.len())]);
        if info.is_judged() { plan.by_letters(&mut rng) } else { plan }
    }

    fn by_call(seed: u64, game: Rules, moves: u32, format: FormatKind) -> Self {
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
        let (capacity, temper, way) = (None, Temper::Sound, Way::Call);
        let manager = PlannedNode { capacity, temper, keeps_journal: true, way };
        let mut nodes = vec![manager];
        for _ in 0..rng.between(1, 3) {
            let capacity = Some(rng.between(1, 3) as u32);
            nodes.push(PlannedNode { capacity, keeps_journal: rng.happens(600), ..manager });
        }
        for _ in 0..rng.between(2, 7) {
            let temper = draw_temper(&mut rng);
            nodes.push(PlannedNode { temper, keeps_journal: rng.happens(600), ..manager });
        }
        let slow_budget = slow_budget(seed, &game, &mut nodes);
        Self {
            seed,
            game,
            moves,
            format,
            nodes,
            faults,
            is_gentle: false,
            trouble: Duration::from_millis(rng.between(1_000, 150_000)),
            crashes: rng.between(0, 4) as u32 * u32::from(severity > 0),
            crashes_max: u64::MAX,
            partitions: rng.between(0, 3) as u32 * u32::from(severity > 1),
            rogue: rng.happens(300),
            orders: orders(seed),
            breaker_failures: links.between(1, 5) as u32,
            in_flight_max: links.between(2, 6) as usize,
            notices_max: links.between(4, 40) as usize,
            slow_budget,
            look_after: Duration::ZERO,
        }
    }

    /// The same league, played by letters: by mail, by call, or by both in one season. Four of
    /// five are gentle, and as long as a slow mail needs.
    fn by_letters(mut self, rng: &mut Rng) -> Self {
        let teams = self.format == FormatKind::Teams;
        let is_gentle = rng.happens(800);
        let [for_players, for_referees] = match rng.between(0, 3) {
            0 => [&[Way::Call][..], &[Way::Call]],
            1 => [&[Way::Call, Way::Mail][..], &[Way::Both]],
            _ => [&[Way::Mail][..], &[Way::Mail]],
        };
        let mut referees = self.referees();
        let mut players = self.nodes.split_off(1 + referees);
        while teams && players.len() < 3 {
            players.push(players[0]);
        }
        for player in &mut players {
            player.way = for_players[rng.place(for_players.len())];
            player.keeps_journal |= player.way.has_mailbox() || is_gentle;
            if is_gentle {
                player.temper = Temper::Sound;
            }
        }
        if teams {
            referees = players.len();
        }
        // Every referee is reached by whatever anybody uses, and so is the manager.
        let manager = PlannedNode { way: for_referees[0], ..self.nodes[0] };
        self.nodes = vec![manager];
        for _ in 0..referees {
            let way = for_referees[rng.place(for_referees.len())];
            let keeps_journal = way.has_mailbox() || is_gentle || rng.happens(600);
            self.nodes.push(PlannedNode { capacity: Some(1), keeps_journal, way, ..manager });
        }
        self.nodes.append(&mut players);
        self.look_after = Duration::from_millis(rng.between(1, 5_000));
        if is_gentle { self.made_gentle(rng) } else { self }
    }

    fn made_gentle(self, rng: &mut Rng) -> Self {
        let calm = rng.happens(100);
        let mut rate = |max: u64| if calm { 0 } else { rng.between(0, max) as u32 };
        let faults = Faults {
            lost: 0,
            doubled: rate(300),
            crash: rate(60),
            brooding: rate(200),
            ..self.faults
        };
        Self {
            faults,
            is_gentle: true,
            trouble: Duration::from_secs(4 * 3600),
            crashes: 0,
            crashes_max: rng.between(0, 60),
            partitions: 0,
            rogue: false,
            orders: 0,
            ..self
        }
    }

    /// Whether it is played by letters, as every game is that asks for a referee's own judgement.
    pub(crate) fn is_by_letters(&self) -> bool {
        self.game.info().is_judged()
    }

    pub(crate) fn referees(&self) -> usize {
        self.nodes.iter().filter(|node| node.capacity.is_some()).count()
    }

    pub(crate) fn players(&self) -> usize {
        self.nodes.len() - 1 - self.referees()
    }

    pub(crate) fn heals_at(&self) -> Timestamp {
        START + self.trouble
    }

    /// How long the stage stays open after the league is complete: everything heals, late messages
    /// arrive, what must be delivered is, and the longest thoughts end. Mail takes longer.
    pub(crate) fn afterwards(&self, now: Timestamp) -> Duration {
        let (trouble, letters) = (self.heals_at().since(now), self.is_by_letters());
        match (letters, self.is_gentle) {
            (false, _) => trouble + Duration::from_secs(90),
            (true, false) => trouble + Duration::from_secs(300),
            (true, true) => Duration::from_secs(600),
        }
    }

    /// How long a match may take at most: four minutes for each move.
    pub(crate) fn match_max(&self) -> Duration {
        Duration::from_secs(240) * self.moves
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
    let (rules, moves) = rules(by_call[rng.place(by_call.len())], &mut rng);
    let twice = rng.happens(400);
    let format = if twice { FormatKind::DoubleRoundRobin } else { FormatKind::RoundRobin };
    (rules, moves, format)
}

/// The game with some settings, and how many moves it asks for at most.
fn rules(info: &GameInfo, rng: &mut Rng) -> (Rules, u32) {
    let repeated = info.settings.iter().any(|setting| setting.name == "rounds");
    let moves = if repeated { rng.between(1, 3) as u32 } else { 1 };
    let settings = if repeated { format!("{{\"rounds\":{moves}}}") } else { "{}".to_owned() };
    let rules = Rules::new(info.name, &settings).expect("so few rounds can be played");
    (rules, moves)
}

/// Two seasons in five have an operator who interferes. By its own chance, so that the others are
/// what they were before there was one.
const fn orders(seed: u64) -> u32 {
    if seed % 5 < 3 {
        return 0;
    }
    Rng::new(seed ^ 0x0bde_0bde).between(1, 8) as u32
}

/// In every fourth season by call somebody is slow, and little is on the clocks. By its own chance,
/// so that the others are what they were before there were clocks.
fn slow_budget(seed: u64, game: &Rules, nodes: &mut [PlannedNode]) -> Duration {
    let mut rng = Rng::new(seed ^ 0x510c_510c);
    if !rng.happens(250) || game.info().is_judged() {
        return Duration::from_secs(600);
    }
    let mut players: Vec<_> = nodes.iter_mut().skip(1).filter(|it| it.capacity.is_none()).collect();
    let slow = rng.place(players.len());
    players[slow].temper = Temper::Slow;
    Duration::from_millis(rng.between(1_000, 90_000))
}

/// Most players are sound.
fn draw_temper(rng: &mut Rng) -> Temper {
    let odd =
        [Temper::Garbled, Temper::Invalid, Temper::Declining, Temper::Silent, Temper::Brooding];
    odd.get(rng.place(16)).copied().unwrap_or(Temper::Sound)
}
