//! Who takes part in a season by letters, and how hard it is made for them.

use std::time::Duration;

use agon_core::format::FormatKind;
use agon_core::matches::PlayedOnce;
use agon_core::{
    Joins, Manager, Player, Profile, Referee, RefereeSettings, RosterEntry, Rules, SeasonSettings,
    Settings, post::PostFact,
};
use agon_proto::tool::LeaguePhase;
use agon_proto::{Address, Contact, DisplayName, GroupId, Timestamp};

use super::LettersSabotage;
use super::node::{Mind, Node};
use crate::cast::Cast;
use crate::league;
use crate::rng::Rng;

/// When every rehearsal begins.
pub(super) const START: Timestamp = Timestamp::from_micros(1_771_347_600_000_000);

/// A season by letters.
pub(super) struct Season {
    teams: u32,
    pub(super) crashes_max: u64,
    pub(super) crash_per_mille: u32,
    pub(super) double_per_mille: u32,
    pub(super) mishap_per_mille: u32,
}

impl Season {
    pub(super) fn new(rng: &mut Rng) -> Self {
        let calm = rng.happens(100);
        let hurt = |rng: &mut Rng, most| if calm { 0 } else { rng.between(0, most) as u32 };
        Self {
            teams: rng.between(3, 7) as u32,
            crashes_max: rng.between(0, 60),
            crash_per_mille: hurt(rng, 60),
            double_per_mille: hurt(rng, 300),
            mishap_per_mille: hurt(rng, 200),
        }
    }

    /// Games of the whole season.
    pub(super) fn matches(&self) -> u64 {
        u64::from(self.teams) * u64::from(self.teams / 3)
    }

    /// The manager, then every team's player and referee.
    pub(super) fn nodes(&self) -> Vec<Node> {
        let mind = Mind::Manager(Box::new(Cast::new(self.manager())));
        let mut nodes = vec![Node::new(manager(), mind)];
        for team in 1..=self.teams {
            let (address, mind) = (address('p', team), fresh_player(team));
            nodes.push(Node::new(address, Mind::Player(Box::new(Cast::new(mind)))));
            let (address, mind) = (self::address('r', team), fresh_referee(team));
            nodes.push(Node::new(address, Mind::Referee(Box::new(Cast::new(mind)))));
        }
        nodes
    }

    fn manager(&self) -> Manager {
        Manager::new(self.settings(), league::options(self.teams as usize))
    }

    fn settings(&self) -> Settings {
        let roster = (1..=self.teams).map(|team| RosterEntry {
            group: group(team),
            name: DisplayName::new(&format!("Team {team}")),
            player: address('p', team),
            referee: Some(address('r', team)),
        });
        let q21 = SeasonSettings {
            address: Some(manager()),
            roster: roster.collect(),
            open_registration: false,
            ..SeasonSettings::default()
        };
        let game = agon_core::Rules::new("q21", "{}").expect("it is in the list");
        let format = FormatKind::Teams;
        Settings { game, format, seasons: q21, ..league::settings() }
    }

    /// A process starts: its role is what its journal says.
    pub(super) fn revive(
        &self,
        node: &mut Node,
        place: usize,
        sabotage: LettersSabotage,
        now: Timestamp,
    ) {
        let team = u32::try_from(place.div_ceil(2)).unwrap_or(0);
        let reads = |fact: Option<&PostFact>| !fact.is_some_and(|it| is_forgotten(it, sabotage));
        match &mut node.mind {
            Mind::Manager(cast) => cast.begin(self.manager(), |_, fact| reads(fact.post()), now),
            Mind::Referee(cast) => {
                cast.begin(fresh_referee(team), |_, fact| reads(fact.post()), now);
            }
            Mind::Player(cast) => cast.begin(fresh_player(team), |_, fact| reads(fact.post()), now),
        }
    }
}

/// Whether a spoiled restart does not read that fact.
fn is_forgotten(fact: &PostFact, sabotage: LettersSabotage) -> bool {
    match fact {
        PostFact::Queued(_) => sabotage == LettersSabotage::ForgetWaiting,
        PostFact::Handled { .. } => sabotage == LettersSabotage::ForgetHandled,
        PostFact::Settled(_) => false,
    }
}

fn manager() -> Address {
    Address::new("manager@league.test")
}

fn address(role: char, team: u32) -> Address {
    Address::new(&format!("{role}{team}@league.test"))
}

fn group(team: u32) -> GroupId {
    GroupId::new(&format!("team{team:04}"))
}

fn profile(role: char, team: u32, capacity: Option<u32>) -> Profile {
    Profile {
        name: DisplayName::new(&format!("{role}{team}")),
        contact: Contact::Mail(address(role, team)),
        manager: Contact::Mail(manager()),
        group: group(team),
        joins: Joins::WhenInvited,
        ..league::profile(&Rules::default(), 0, capacity, 0)
    }
}

fn fresh_player(team: u32) -> Player {
    Player::new(profile('p', team, None), league::TIMES)
}

fn fresh_referee(team: u32) -> Referee {
    let callbacks = vec![Duration::from_secs(60); 4];
    let game = agon_core::Rules::new("q21", "{}").expect("it is in the list");
    let settings = RefereeSettings { played: PlayedOnce::course(game), callbacks };
    Referee::by_letter(profile('r', team, Some(1)), settings)
}

pub(super) fn is_complete(manager: &Node) -> bool {
    let Mind::Manager(cast) = &manager.mind else { return false };
    cast.machine.league().season().phase() == LeaguePhase::Completed
}
