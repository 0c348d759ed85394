//! Playing as a guest: one call from registration to the end of the league.

use std::net::{Ipv4Addr, SocketAddr};

use agon_core::{Ending, Player};
use agon_node::config::{Config, ConfigError};
use agon_node::{Listener, ListenerError, Mind, Node, NodeError, Role, Witness};
use agon_node::{player_times, profile, random_nonce};
use agon_proto::Endpoint;
use agon_proto::message::Record;
use tokio::sync::watch;

/// Where every agent takes calls.
const MCP_PATH: &str = "/mcp";

/// Who wants to play, and where.
#[derive(Debug, Clone)]
pub struct Guest {
    /// The league manager's URL. The path `/mcp` may be left out.
    pub manager: String,
    /// Where referees and the manager call us. Port 0 takes a free one.
    pub listen: SocketAddr,
    /// The name that people see.
    pub name: String,
    /// Listens beyond this machine although nothing is encrypted.
    pub insecure: bool,
    /// Times and bounds.
    pub config: Config,
}

impl Guest {
    /// A guest on this machine, on any free port. Settings come from `agon.toml` in the current
    /// folder and from the environment, as for the `agon` program.
    ///
    /// # Errors
    /// When these settings make no sense.
    pub fn new(manager: &str, name: &str) -> Result<Self, ConfigError> {
        // Names and values that are no text cannot be settings of ours.
        let env = std::env::vars_os()
            .filter_map(|(key, value)| Some((key.into_string().ok()?, value.into_string().ok()?)));
        Ok(Self {
            manager: manager.into(),
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            name: name.into(),
            insecure: false,
            config: Config::load(None, env, Default::default())?,
        })
    }
}

/// Why a guest did not play to the end.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    #[error("could not take a place on the listener")]
    Listener(#[from] ListenerError),
    #[error("the league at {manager} did not admit us: {reason}")]
    NotAdmitted { manager: String, reason: String },
    #[error("{0}")]
    NoManager(String),
    #[error("had to stop")]
    Node(#[from] NodeError),
}

/// Registers, plays every match, and returns the record when the league is complete.
///
/// Nothing is kept on disk: a guest that starts again begins with an empty history.
///
/// # Errors
/// When the address cannot be taken, or the league does not admit us.
pub async fn play(guest: Guest, mind: Box<dyn Mind>) -> Result<Record, PlayError> {
    let Guest { manager, listen, name, insecure, config } = guest;
    let listener = Listener::open(listen, &config, insecure).await?;
    let listener = listener.advertised(config.player.advertise.as_deref())?;
    let to = endpoint(&manager);
    let listener = listener.towards(&to, *config.times.manager_wait_s).await?;
    let profile = profile(&config, &name, listener.endpoint(), to, None, random_nonce());
    let (noted, record) = watch::channel(Record::default());
    let role = Player::new(profile, player_times(&config));
    let witness: Witness<Player> = Box::new(move |player, _| {
        noted.send_replace(player.history().record());
    });
    let node = Node { mind, witness: Some(witness), ..Node::new(role, Role::Player, listener) };
    // Held until the end, because a node stops when nobody can tell it to any more.
    let (_stopper, stop) = watch::channel(false);
    match node.run(&config, stop).await? {
        Some(Ending::NotAdmitted(reason)) => {
            Err(PlayError::NotAdmitted { manager, reason: reason.into() })
        }
        Some(Ending::NoManager(why)) => Err(PlayError::NoManager(why.into())),
        Some(Ending::LeagueCompleted) | None => Ok(*record.borrow()),
    }
}

/// The manager's endpoint, with the path that everybody forgets.
fn endpoint(manager: &str) -> Endpoint {
    let url = manager.trim().trim_end_matches('/');
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    if rest.contains('/') { Endpoint::new(url) } else { Endpoint::new(&format!("{url}{MCP_PATH}")) }
}
