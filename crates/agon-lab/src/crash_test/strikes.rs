//! Who is struck next, how, and when.

use std::time::{Duration, Instant};

use agon_node::Role;
use agon_sim::Rng;

use super::member::Order;
use crate::CrashOptions;

/// How many minutes a run strikes unless somebody says otherwise.
const MINUTES: f64 = 1.0;
/// The longest time that a season plays in peace.
const PEACE_MAX: Duration = Duration::from_millis(250);
/// The longest time between two blows that follow each other at once.
const FLURRY_MAX: Duration = Duration::from_millis(50);
/// The lease of a match, by the terms of these seasons.
const LEASE: Duration = Duration::from_millis(750);
/// The shortest pause of a process.
const STOP_MIN: Duration = Duration::from_millis(20);

/// When a run has struck enough.
#[derive(Debug, Clone, Copy)]
pub(super) enum Enough {
    /// So many processes were killed.
    Kills(u64),
    /// It is so late.
    Time(Instant),
}

impl Enough {
    /// From now on.
    pub(super) fn of(options: &CrashOptions) -> Self {
        let minutes = Duration::from_secs_f64(options.minutes.unwrap_or(MINUTES) * 60.0);
        let kills = options.kills.map(|kills| Self::Kills(kills.into()));
        kills.unwrap_or_else(|| Self::Time(Instant::now() + minutes))
    }

    pub(super) fn is_reached(self, kills: u64) -> bool {
        match self {
            Self::Kills(enough) => kills >= enough,
            Self::Time(end) => Instant::now() >= end,
        }
    }
}

/// How the next blow comes: when everybody is up, or already while somebody is still down; and so
/// long after that.
pub(super) struct NextBlow {
    pub(super) is_patient: bool,
    pub(super) after: Duration,
}

impl NextBlow {
    pub(super) fn draw(chance: &mut Rng) -> Self {
        let is_patient = chance.below(4) > 0;
        let most = if is_patient { PEACE_MAX } else { FLURRY_MAX };
        Self { is_patient, after: chance.time(Duration::ZERO, most) }
    }
}

/// The orders of one blow, for some of those who are at work.
pub(super) fn blow(chance: &mut Rng, at_work: &[(usize, Role)]) -> Vec<(usize, Order)> {
    let of = |role: Role| -> Vec<usize> {
        at_work.iter().filter(|(_, other)| *other == role).map(|(number, _)| *number).collect()
    };
    let (managers, referees, players) = (of(Role::Manager), of(Role::Referee), of(Role::Player));
    let group = match chance.below(24) {
        // The power fails.
        0 => at_work.iter().map(|(number, _)| *number).collect(),
        1 => referees,
        2 => [&managers[..], &referees].concat(),
        3 => [&managers[..], &players].concat(),
        several => {
            let role = [&managers, &referees, &players][several as usize % 3];
            let role = if role.is_empty() { &managers } else { role };
            let one: Vec<usize> = chance.pick(role).copied().into_iter().collect();
            if several % 8 >= 5 {
                // Usually shorter than a lease, sometimes longer.
                let most = if chance.below(4) == 0 { LEASE * 2 } else { LEASE / 2 };
                let time = chance.time(STOP_MIN, most);
                return one.into_iter().map(|number| (number, Order::Stop(time))).collect();
            }
            one
        }
    };
    group.into_iter().map(|number| (number, Order::Kill)).collect()
}
