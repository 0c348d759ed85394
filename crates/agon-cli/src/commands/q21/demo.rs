//! `agon demo --game q21`: a whole season of teams on this machine, over real HTTP, in one process.
//!
//! Agents register one after the other, so that teams do not depend on chance.

use std::path::Path;

use agon_core::roles::q21::{Passport, Player, Referee};
use agon_core::{LeagueFact, Machine, Manager};
use agon_node::config::Config;
use agon_node::{
    Dice, Ledger, LetterUse, Mind, Node, Role, Street, q21_player_terms, q21_referee_terms,
    random_nonce,
};
use agon_player::{BuiltinPlayer, BuiltinReferee, typed};
use agon_proto::{Address, DisplayName, GroupId};
use anyhow::Context;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::mpsc;

use crate::args::{Common, Demo};
use crate::commands::demo::{company::Company, next, open, show::Show};

/// Names of the first teams; the others are numbered.
const NAMES: [&str; 8] = ["Amber", "Birch", "Cedar", "Dune", "Ember", "Fjord", "Grove", "Harbour"];

/// Plays the season to its end.
pub(in crate::commands) async fn season(
    common: &Common,
    args: &Demo,
    config: &Config,
    dir: &Path,
) -> anyhow::Result<()> {
    let (told, mut enrolled) = mpsc::unbounded_channel();
    let matches = u64::from(args.teams) * u64::from(args.teams / 3);
    let mut show = Show::new(common.json, matches);
    let witness = Box::new(move |manager: &Manager, fact: &LeagueFact| {
        show.see(manager.league(), fact);
        if let LeagueFact::Opened { .. } | LeagueFact::Registered(_) = fact {
            let _ = told.send(());
        }
    });
    let mut company = Company::open(config, dir, args.teams, witness).await?;
    let manager = Address::new(company.manager.as_str());
    enrolled.recv().await.context("the manager did not start")?;
    for number in 0..args.teams {
        let team = Team { args, config, number, manager: manager.clone() };
        company.join(team.referee().await?);
        enrolled.recv().await.context("the manager stopped")?;
        company.join(team.player().await?);
        enrolled.recv().await.context("the manager stopped")?;
    }
    company.end().await
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

    fn passport(&self, street: &Street) -> Passport {
        let address = Address::new(street.endpoint().as_str());
        let group = GroupId::new(&format!("team{:04}", self.number + 1));
        let name = DisplayName::new(&self.name());
        let mut passport = Passport::new(address, self.manager.clone(), group, name);
        passport.nonce = random_nonce();
        passport
    }

    async fn player(&self) -> anyhow::Result<Node<Player>> {
        let street = open(next(self.config.player.listen, self.number), self.config).await?;
        let role = Player::new(self.passport(&street), q21_player_terms(self.config));
        Ok(node(role, Role::Player, street, typed(BuiltinPlayer::new(self.seed()))))
    }

    async fn referee(&self) -> anyhow::Result<Node<Referee>> {
        let street = open(next(self.config.referee.listen, self.number), self.config).await?;
        let role = Referee::new(self.passport(&street), q21_referee_terms(self.config));
        Ok(node(role, Role::Referee, street, Box::new(BuiltinReferee::new(self.seed()))))
    }
}

fn node<M>(role: M, kind: Role, street: Street, mind: Box<dyn Mind>) -> Node<M>
where
    M: Machine + Send,
    M::Fact: Clone + Serialize + DeserializeOwned + Send + 'static,
{
    Node {
        role,
        kind,
        street: Some(street),
        ledger: Ledger::forgetful(),
        mind,
        dice: Dice::Fair,
        witness: None,
        stay: false,
        metrics: None,
        letters: LetterUse::default(),
    }
}
