//! Who takes part in a demo: players and referees, or teams of one each in a league by letters.

use std::net::SocketAddr;

use agon_core::{Player, Profile, Referee};
use agon_node::config::Config;
use agon_node::{Dice, Listener, ListenerError, Mind, Node, Role};
use agon_node::{player_times, profile, random_nonce, referee_settings};
use agon_player::{BuiltinPlayer, BuiltinReferee, Chance, ChildTerms, names_for, strategy, typed};
use agon_proto::{Endpoint, GroupId};
use anyhow::Context;

use super::company::Company;
use crate::args::Demo;

/// So many strategies are played with, in turn. None of the first ones depends on the order of the
/// news.
const STRATEGIES: usize = 4;
/// Names for the first players, and for the first teams; the others are numbered.
const NAMES: [&str; 8] = ["Ada", "Blaise", "Carl", "Daphne", "Emmy", "Fermat", "Grace", "Hypatia"];
const TEAMS: [&str; 8] = ["Amber", "Birch", "Cedar", "Dune", "Ember", "Fjord", "Grove", "Harbour"];

/// Everybody but the manager.
pub(super) struct Cast<'a> {
    pub(super) args: &'a Demo,
    pub(super) config: &'a Config,
    pub(super) manager: Endpoint,
}

impl Cast<'_> {
    /// Everybody comes, one after the other, so that ids and teams do not depend on chance.
    pub(super) async fn gather(&self, company: &mut Company) -> anyhow::Result<()> {
        if self.config.league.is_by_letters() {
            for number in 0..self.args.teams {
                company.join(self.referee(number).await?).await?;
                company.join(self.player(number).await?).await?;
            }
            return Ok(());
        }
        for number in 0..self.args.referees {
            company.join(self.referee(number).await?).await?;
        }
        for number in 0..self.args.players {
            company.join(self.player(number).await?).await?;
        }
        Ok(())
    }

    async fn player(&self, number: u32) -> anyhow::Result<Node<Player>> {
        let listener = open(next(self.config.player.listen, number), self.config).await?;
        let (profile, mind): (_, Box<dyn Mind>) = if self.config.league.is_by_letters() {
            (self.team(&listener, number, None), typed(BuiltinPlayer { seed: self.seed(number) }))
        } else {
            let (thinks, mind) = self.strategy(number)?;
            let name = format!("{} ({thinks})", named(&NAMES, "Player", number));
            (self.profile(&name, &listener, None), mind)
        };
        let role = Player::new(profile, player_times(self.config));
        Ok(Node { mind, ..Node::new(role, Role::Player, listener) })
    }

    async fn referee(&self, number: u32) -> anyhow::Result<Node<Referee>> {
        let listener = open(next(self.config.referee.listen, number), self.config).await?;
        if self.config.league.is_by_letters() {
            let profile = self.team(&listener, number, Some(1));
            let role = Referee::by_letter(profile, referee_settings(self.config));
            let mind = Box::new(BuiltinReferee { seed: self.seed(number) });
            return Ok(Node { mind, ..Node::new(role, Role::Referee, listener) });
        }
        let matches = (self.args.players / 2).div_ceil(self.args.referees);
        let capacity = matches.clamp(self.config.referee.capacity, 32);
        let profile = self.profile(&named(&[], "Referee", number), &listener, Some(capacity));
        let dice = self.args.seed.map_or(Dice::Fair, Dice::Seeded);
        Ok(Node { dice, ..Node::new(Referee::new(profile), Role::Referee, listener) })
    }

    fn profile(&self, name: &str, listener: &Listener, capacity: Option<u32>) -> Profile {
        let (here, manager) = (listener.endpoint(), self.manager.clone());
        profile(self.config, name, here, manager, capacity, random_nonce())
    }

    /// A member of a team.
    fn team(&self, listener: &Listener, number: u32, capacity: Option<u32>) -> Profile {
        let group = GroupId::new(&format!("team{:04}", number + 1));
        Profile { group, ..self.profile(&named(&TEAMS, "Team", number), listener, capacity) }
    }

    fn strategy(&self, number: u32) -> anyhow::Result<(&'static str, Box<dyn Mind>)> {
        let game = self.config.league.game_type();
        let thinks = names_for(game.as_str()).iter().take(STRATEGIES).cycle().nth(number as usize);
        let thinks = thinks.with_context(|| format!("nobody here plays {game}"))?;
        let chance = self.args.seed.map_or(Chance::Fair, Chance::Seeded);
        let mind = strategy(game.as_str(), thinks, chance, &ChildTerms::default())?;
        Ok((thinks, mind))
    }

    /// Without a seed it is chance, and the same for the whole life of the agent.
    fn seed(&self, number: u32) -> u64 {
        let seeded = |seed: u64| seed.wrapping_mul(1_000_003) + u64::from(number);
        self.args.seed.map_or_else(random_nonce, seeded)
    }
}

/// The `number`th of these names, or a number behind a word.
fn named(names: &[&str], word: &str, number: u32) -> String {
    let name = names.get(number as usize).map(|name| (*name).to_owned());
    name.unwrap_or_else(|| format!("{word} {}", number + 1))
}

/// Takes the usual port, or a free one if somebody else has it.
pub(super) async fn open(usual: SocketAddr, config: &Config) -> anyhow::Result<Listener> {
    match Listener::open(usual, config, false).await {
        Ok(listener) => Ok(listener),
        Err(ListenerError::Bind(_)) => {
            let free = SocketAddr::new(usual.ip(), 0);
            Ok(Listener::open(free, config, false).await?)
        }
        Err(error) => Err(error.into()),
    }
}

/// The `number`th port after the first; any free one if the first is no matter.
fn next(first: SocketAddr, number: u32) -> SocketAddr {
    if first.port() == 0 {
        return first;
    }
    let port = u32::from(first.port()).saturating_add(number);
    SocketAddr::new(first.ip(), u16::try_from(port).unwrap_or(0))
}
