//! What all seasons of a run have in common: the program, its addresses, its terms, its folder.

use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use agon_node::config::Config;
use agon_node::{Role, ToolResponse};
use agon_proto::tool::{Tool, ToolAnswer, ToolParams};
use anyhow::{Context, ensure};

use crate::CrashOptions;
use crate::lab::ask;

/// Time limits are so much shorter than usual.
const SCALE: f64 = 0.05;
/// The lease of a match, before it is scaled: some pauses are longer than that.
const LEASE: Duration = Duration::from_secs(15);
/// Ports below those that systems give to outgoing connections: a process that is dead for a
/// moment finds its own port free again.
const PORTS: std::ops::Range<u16> = 10_000..31_000;

/// The terms of every season. Who is alive gets the time that a busy machine needs; who finds
/// somebody dead tries again soon; a match is repeated often before it is cancelled; and whoever
/// was absent may come back, because everybody here does.
fn terms() -> String {
    format!(
        "# The terms of a crash test.\n\
         [league]\n\
         attempts_max = 20\n\
         withdraw_after = 0\n\
         [times]\n\
         scale = {SCALE}\n\
         join_s = 40\n\
         choice_s = 40\n\
         notice_s = 40\n\
         report_s = 20\n\
         registration_s = 40\n\
         registration_tries = 12\n\
         match_time_max_s = 400\n\
         breaker_open_s = 5\n"
    )
}

pub(super) struct Lab {
    pub(super) config: Config,
    pub(super) players: u32,
    pub(super) referees: u32,
    ports: Vec<u16>,
}

impl Lab {
    pub(super) fn new(config: Config, options: &CrashOptions) -> anyhow::Result<Self> {
        let (players, referees) = (options.players, options.referees);
        let ports = free_ports((1 + referees + players) as usize)?;
        Ok(Self { config, players, referees, ports })
    }

    /// How long a pause must be to outlast a lease.
    pub(super) fn lease(&self) -> Duration {
        LEASE.mul_f64(SCALE)
    }

    /// Makes the folder of a season. Every process of it runs there, and finds its terms.
    pub(super) fn furnish(&self, dir: &Path) -> anyhow::Result<()> {
        std::fs::create_dir(dir)
            .and_then(|()| std::fs::write(dir.join("agon.toml"), terms()))
            .with_context(|| format!("could not make the folder {}", dir.display()))
    }

    /// Everybody: the manager first, then the referees, then the players.
    pub(super) fn cast(&self) -> Arc<[Part]> {
        let manager = [(Role::Manager, 0)].into_iter();
        let referees = (1..=self.referees).map(|number| (Role::Referee, number));
        let players = (1..=self.players).map(|number| (Role::Player, number));
        let all = manager.chain(referees).chain(players);
        all.zip(&self.ports).map(|((role, number), port)| self.part(role, number, *port)).collect()
    }

    fn part(&self, role: Role, number: u32, port: u16) -> Part {
        let kind = role.word();
        let name = if number == 0 { kind.to_owned() } else { format!("{kind}-{number}") };
        let listen = format!("127.0.0.1:{port}");
        let (manager, players) = (self.manager(), self.players.to_string());
        let capacity = ((self.players / 2).div_ceil(self.referees) + 1).to_string();
        let common = [kind, "--data", &name, "--listen", &listen];
        let log = ["--json", "--log", "info", "--log-format", "json"];
        let own = match role {
            Role::Manager => &["--start-when", &players][..],
            Role::Referee => &["--manager", &manager, "--capacity", &capacity],
            Role::Player => &["--manager", &manager, "--name", &name],
        };
        let args = common.iter().chain(&log).chain(own).map(|word| (*word).to_owned()).collect();
        Part { name, role, args, endpoint: format!("http://{listen}/mcp") }
    }

    /// Where the manager is called.
    pub(super) fn manager(&self) -> String {
        let port = self.ports.first().copied().unwrap_or_default();
        format!("http://127.0.0.1:{port}/mcp")
    }

    /// What a process answers to anybody who asks; nothing, if it is dead or has nothing to say.
    pub(super) async fn ask(&self, endpoint: &str, tool: Tool) -> Option<ToolAnswer> {
        match ask(&self.config, endpoint, tool, &ToolParams::default()).await {
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
