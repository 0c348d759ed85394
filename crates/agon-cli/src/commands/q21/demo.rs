//! `agon demo --game q21`: a whole season of teams on this machine, over real HTTP, in one process.
//!
//! Agents register one after the other, so that teams do not depend on chance.

use agon_core::{Player, Profile, Referee};
use agon_node::config::Config;
use agon_node::{Node, Role, Street, letter_profile, player_times, random_nonce, referee_settings};
use agon_player::{BuiltinPlayer, BuiltinReferee, typed};
use agon_proto::{Address, GroupId};

use super::agent::Kind;
use crate::args::Demo;
use crate::commands::demo::{company::Company, next, open};
use crate::life;

/// Names of the first teams; the others are numbered.
const NAMES: [&str; 8] = ["Amber", "Birch", "Cedar", "Dune", "Ember", "Fjord", "Grove", "Harbour"];

/// Everybody comes, one after the other: of each team its referee and its player.
pub(in crate::commands) async fn gather(
    args: &Demo,
    config: &Config,
    company: &mut Company,
) -> anyhow::Result<()> {
    let manager = Address::new(company.manager.as_str());
    for number in 0..args.teams {
        let team = Team { args, config, number, manager: manager.clone() };
        company.join(team.referee().await?).await?;
        company.join(team.player().await?).await?;
    }
    Ok(())
}

/// One team of the demo.
struct Team<'a> {
    args: &'a Demo,
    config: &'a Config,
    number: u32,
    manager: Address,
}

impl Team<'_> {
    fn name(&self) -> String {
        let name = NAMES.get(self.number as usize).map(|name| (*name).to_owned());
        name.unwrap_or_else(|| format!("Team {}", self.number + 1))
    }

    /// Without a seed it is chance, and the same for the whole life of the agent.
    fn seed(&self) -> u64 {
        let number = u64::from(self.number);
        self.args.seed.map_or_else(random_nonce, |seed| seed.wrapping_mul(1_000_003) + number)
    }

    fn profile(&self, street: &Street, kind: Kind) -> Profile {
        let address = Address::new(street.endpoint().as_str());
        let group = GroupId::new(&format!("team{:04}", self.number + 1));
        let (named, reached) = ((&*self.name(), group), (&address, &self.manager));
        letter_profile(self.config, named, reached, kind.capacity(), random_nonce())
    }

    async fn player(&self) -> anyhow::Result<Node<Player>> {
        let street = open(next(self.config.player.listen, self.number), self.config).await?;
        let role = Player::new(self.profile(&street, Kind::Player), player_times(self.config));
        let mind = typed(BuiltinPlayer::new(self.seed()));
        Ok(Node { mind, ..life::node(role, Role::Player, street) })
    }

    async fn referee(&self) -> anyhow::Result<Node<Referee>> {
        let street = open(next(self.config.referee.listen, self.number), self.config).await?;
        let role =
            Referee::by_letter(self.profile(&street, Kind::Referee), referee_settings(self.config));
        let mind = Box::new(BuiltinReferee::new(self.seed()));
        Ok(Node { mind, ..life::node(role, Role::Referee, street) })
    }
}
