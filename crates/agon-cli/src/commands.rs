//! One file a command.

mod agent;
mod agents;
mod config;
mod demo;
mod export;
mod invite;
#[cfg(feature = "lab")]
mod lab;
mod log;
mod mailbox;
mod manager;
mod manual;
mod operator;
mod player;
mod programs;
mod referee;
mod schedule;
mod season;
mod show;
#[cfg(feature = "sim")]
mod sim;
mod status;

use std::net::SocketAddr;
use std::process::ExitCode;

use agon_proto::Contact;
use serde_json::{Map, Value};

use crate::args::{Agon, Command, Common, SeasonCommand};
use crate::output;

/// Does what was asked for.
pub(crate) async fn run(agon: Agon) -> anyhow::Result<ExitCode> {
    let Agon { common, command } = agon;
    match command {
        Command::Demo(args) => demo::run(&common, &args).await,
        Command::Manager(args) => manager::run(&common, &args).await,
        Command::Referee(args) => referee::run(&common, &args).await,
        Command::Player(args) => player::run(&common, &args).await,
        Command::Operator(args) => operator::run(&common, &args).await,
        Command::Season(SeasonCommand::New(args)) => season::new(&common, &args).await,
        Command::Status(args) => status::run(&common, &args).await,
        Command::Schedule(args) => schedule::run(&common, &args).await,
        Command::Standings(args) => show::standings(&common, &args).await,
        Command::Agents(args) => agents::run(&common, &args).await,
        Command::Match(args) => show::one_match(&common, &args).await,
        Command::Log(args) => log::run(&common, &args).await,
        Command::Export(args) => export::run(&common, &args),
        Command::Config { defaults: true, .. } => config::defaults(&common),
        Command::Config { .. } => config::effective(&common),
        Command::Completions { shell } => manual::completions(shell),
        Command::Man { to } => manual::pages(&common, &to),
        Command::Options => manual::options(),
        Command::Schema { message } => show::schemas(message.as_deref()),
        #[cfg(feature = "lab")]
        Command::CrashTest(args) => lab::crash_test(&common, &args).await,
        #[cfg(feature = "lab")]
        Command::Siege(args) => lab::siege(&common, &args).await,
        #[cfg(feature = "sim")]
        Command::Sim(args) => sim::run(&common, &args),
        #[cfg(feature = "lab")]
        Command::Bench(args) => lab::bench(&common, &args).await,
        #[cfg(feature = "lab")]
        Command::BenchBare { listeners } => {
            agon_lab::bench::serve_bare(listeners).await.map(|()| ExitCode::SUCCESS)
        }
    }
}

/// What a process says once it is there: a line for people, an object for scripts. What more the
/// object has is said to people elsewhere.
fn announce(
    common: &Common,
    role: &str,
    contact: &Contact,
    mut more: Map<String, Value>,
) -> anyhow::Result<()> {
    let (key, what) = match contact {
        Contact::Call(_) => ("endpoint", "listening on"),
        Contact::Mail(_) => ("address", "reads the mail of"),
    };
    more.insert("role".to_owned(), role.into());
    more.insert(key.to_owned(), contact.as_str().into());
    output::show(common, &more, || format!("{role} {what} {}", contact.as_str())).map(drop)
}

/// Where the `number`th of several listens: on the ports that follow the first. Port 0 takes a free
/// one for each; `None` if there are no more.
fn nth_address(first: SocketAddr, number: u32) -> Option<SocketAddr> {
    if first.port() == 0 {
        return Some(first);
    }
    let port = u32::from(first.port()).saturating_add(number);
    Some(SocketAddr::new(first.ip(), u16::try_from(port).ok()?))
}
