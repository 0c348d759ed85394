//! One file a command.

#[cfg(feature = "lab")]
mod bench;
#[cfg(feature = "lab")]
mod crash_test;
mod demo;
mod export;
mod manager;
mod operator;
mod player;
mod q21;
mod referee;
mod schema;
mod show;
#[cfg(feature = "lab")]
mod siege;
#[cfg(feature = "sim")]
mod sim;

use std::process::ExitCode;

#[cfg(feature = "lab")]
use agon_node::config::Config;
use agon_proto::{Address, tool};
use serde_json::{Map, Value, json};

use crate::args::{Agon, Command, Common};
use crate::output;

/// Does what was asked for.
pub(crate) fn run(agon: Agon) -> anyhow::Result<ExitCode> {
    let Agon { common, command } = agon;
    match command {
        Command::Demo(args) => demo::run(&common, &args),
        Command::Manager(args) => manager::run(&common, args),
        Command::Referee(args) => referee::run(&common, args),
        Command::Player(args) => player::run(&common, args),
        Command::Start(args) => operator::run(&common, &args, tool::Command::StartLeague),
        Command::Pause(args) => operator::run(&common, &args, tool::Command::PauseLeague),
        Command::Resume(args) => operator::run(&common, &args, tool::Command::ResumeLeague),
        Command::Void(args) => operator::of_match(&common, &args, tool::Command::VoidMatch),
        Command::Withdraw(args) => operator::withdraw(&common, &args),
        Command::Rerun(args) => operator::of_match(&common, &args, tool::Command::RerunMatch),
        Command::Reset(args) => operator::reset(&common, &args),
        Command::ResetSeason(args) => operator::run(&common, &args, tool::Command::ResetSeason),
        Command::Standings(args) => show::standings(&common, &args),
        Command::Match(args) => show::one_match(&common, &args),
        Command::Export(args) => export::run(&common, &args),
        Command::Schema(args) => schema::run(&args),
        #[cfg(feature = "lab")]
        Command::CrashTest(args) => crash_test::run(&common, &args),
        #[cfg(feature = "lab")]
        Command::Siege(args) => siege::run(&common, &args),
        #[cfg(feature = "sim")]
        Command::Sim(args) => sim::run(&common, &args),
        #[cfg(feature = "lab")]
        Command::Bench(args) => bench::run(&common, &args),
        #[cfg(feature = "lab")]
        Command::BenchBare(args) => bench::bare(&args),
    }
}

/// The configuration of a rig.
#[cfg(feature = "lab")]
fn load_rig(common: &Common) -> anyhow::Result<Config> {
    let config = common.load(toml::Table::new())?;
    if common.log.is_some() {
        crate::logs::start(&config)?; // Otherwise only the figures speak.
    }
    Ok(config)
}

/// What a process says once it listens: a line for people, an object for scripts.
fn announce(common: &Common, role: &str, endpoint: &str) -> anyhow::Result<()> {
    announce_with(common, role, endpoint, Map::new())
}

/// The same with more fields in the object; for people they are said elsewhere.
fn announce_with(
    common: &Common,
    role: &str,
    endpoint: &str,
    more: Map<String, Value>,
) -> anyhow::Result<()> {
    let mut said = json!({ "role": role, "endpoint": endpoint });
    if let Some(said) = said.as_object_mut() {
        said.extend(more);
    }
    output::show(common, &said, || format!("{role} listening on {endpoint}"))
}

/// The same for a process that reads a mailbox.
fn announce_mail(common: &Common, role: &str, address: &Address) -> anyhow::Result<()> {
    let said = json!({ "role": role, "address": address });
    output::show(common, &said, || format!("{role} reads the mail of {address}"))
}
