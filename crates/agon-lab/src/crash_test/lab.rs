//! What all seasons of a run have in common: the program, its addresses, its terms, its folder.

use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;

use agon_node::config::Config;
use agon_node::{Role, ToolResponse};
use agon_proto::tool::{Tool, ToolAnswer, ToolParams};
use anyhow::{Context, ensure};

use crate::CrashOptions;
use crate::lab::ask;

/// Ports below those that systems give to outgoing connections: a process that is dead for a
/// moment finds its own port free again.
const PORTS: std::ops::Range<u16> = 10_000..31_000;

/// The terms of every season. Who is alive gets the time that a busy machine needs; who finds
/// somebody dead tries again soon; a match is repeated often before it is cancelled; and whoever
/// was absent may come back, because everybody here does.
const TERMS: &str = include_str!("terms.toml");

pub(super) struct Lab {
    config: Config,
    /// Everybody: the manager first, then the referees, then the players.
    pub(super) cast: Vec<Part>,
}

impl Lab {
    pub(super) fn new(config: Config, options: &CrashOptions) -> anyhow::Result<Self> {
        let manager = [(Role::Manager, 0)].into_iter();
        let referees = (1..=options.referees).map(|number| (Role::Referee, number));
        let players = (1..=options.players).map(|number| (Role::Player, number));
        let all: Vec<_> = manager.chain(referees).chain(players).collect();
        let ports = free_ports(all.len())?;
        let manager = endpoint(ports[0]);
        let cast = all.into_iter().zip(ports);
        let cast = cast.map(|(who, port)| Part::new(who, port, &manager, options)).collect();
        Ok(Self { config, cast })
    }

    /// Makes the folder of a season. Every process of it runs there, and finds its terms.
    pub(super) fn furnish(&self, dir: &Path) -> anyhow::Result<()> {
        std::fs::create_dir(dir)
            .and_then(|()| std::fs::write(dir.join("agon.toml"), TERMS))
            .with_context(|| format!("could not make the folder {}", dir.display()))
    }

    /// What a process answers to anybody who asks; nothing, if it is dead or has nothing to say.
    pub(super) async fn ask(&self, part: &Part, tool: Tool) -> Option<ToolAnswer> {
        match ask(&self.config, &part.endpoint, tool, &ToolParams::default()).await {
            Ok(ToolResponse::Answered(answer)) => Some(answer),
            Ok(ToolResponse::Refused(_)) | Err(_) => None,
        }
    }
}

/// One process of a season: who it is and how it is started.
#[derive(Debug)]
pub(super) struct Part {
    /// Its data folder and its log are called so, too.
    pub(super) name: String,
    pub(super) role: Role,
    pub(super) args: Vec<String>,
    pub(super) endpoint: String,
}

impl Part {
    fn new((role, number): (Role, u32), port: u16, manager: &str, options: &CrashOptions) -> Self {
        let &CrashOptions { players, referees, .. } = options;
        let kind = role.word();
        let name = if number == 0 { kind.to_owned() } else { format!("{kind}-{number}") };
        let capacity = ((players / 2).div_ceil(referees) + 1).to_string();
        let (listen, players) = (format!("127.0.0.1:{port}"), players.to_string());
        let common = [kind, "--data", &name, "--listen", &listen];
        let log = ["--json", "--log", "info", "--log-format", "json"];
        let own = match role {
            Role::Manager => &["--start-when", &players][..],
            Role::Referee => &["--manager", manager, "--capacity", &capacity],
            Role::Player => &["--manager", manager, "--name", &name],
        };
        let args = common.iter().chain(&log).chain(own).map(|word| (*word).to_owned()).collect();
        Self { name, role, args, endpoint: endpoint(port) }
    }
}

fn endpoint(port: u16) -> String {
    format!("http://127.0.0.1:{port}/mcp")
}

/// So many ports that are free now.
fn free_ports(count: usize) -> anyhow::Result<Vec<u16>> {
    let span = u32::from(PORTS.end - PORTS.start);
    // Runs on one machine at the same time begin at different places.
    let start = std::process::id().wrapping_mul(97) % span;
    let places = (0..span).map(|step| (start + step) % span);
    let ports = places.filter_map(|place| PORTS.start.checked_add(u16::try_from(place).ok()?));
    let free = ports.filter(|port| TcpListener::bind((Ipv4Addr::LOCALHOST, *port)).is_ok());
    let free: Vec<u16> = free.take(count).collect();
    ensure!(free.len() == count, "there are not enough free ports on 127.0.0.1");
    Ok(free)
}
