//! One file a command.

mod agent;
#[cfg(feature = "lab")]
mod bench;
#[cfg(feature = "lab")]
mod crash_test;
mod demo;
mod dry_run;
mod export;
mod mailbox;
mod manager;
mod operator;
mod player;
mod programs;
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
use agon_proto::{Contact, tool};
use serde_json::{Map, Value};

use crate::args::{Agon, Command, Common};
use crate::output;

/// Does what was asked for.
pub(crate) fn run(agon: Agon) -> anyhow::Result<ExitCode> {
    let Agon { common, command } = agon;
    match command {
        Command::Demo(args) => demo::run(&common, &args),
        Command::Manager(args) => manager::run(&common, &args),
        Command::Referee(args) => referee::run(&common, &args),
        Command::Player(args) => player::run(&common, &args),
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
    output::show(common, &more, || format!("{role} {what} {}", contact.as_str()))
}
