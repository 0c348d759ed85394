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

use agon_proto::{Address, tool};

use crate::args::{Agon, Command, Common};

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
        Command::Void(args) => operator::void(&common, &args),
        Command::Withdraw(args) => operator::withdraw(&common, &args),
        Command::Rerun(args) => operator::rerun(&common, &args),
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

/// What a process says once it listens: a line for people, an object for scripts.
fn announce(common: &Common, role: &str, endpoint: &str) -> anyhow::Result<()> {
    announce_with(common, role, endpoint, serde_json::Map::new())
}

/// The same with more fields in the object; for people they are said elsewhere.
fn announce_with(
    common: &Common,
    role: &str,
    endpoint: &str,
    more: serde_json::Map<String, serde_json::Value>,
) -> anyhow::Result<()> {
    if common.json {
        let mut said = serde_json::json!({ "role": role, "endpoint": endpoint });
        if let Some(said) = said.as_object_mut() {
            said.extend(more);
        }
        crate::output::json(&said)
    } else {
        crate::output::line(format!("{role} listening on {endpoint}"));
        Ok(())
    }
}

/// The same for a process that reads a mailbox.
fn announce_mail(common: &Common, role: &str, address: &Address) -> anyhow::Result<()> {
    if common.json {
        crate::output::json(&serde_json::json!({ "role": role, "address": address }))
    } else {
        crate::output::line(format!("{role} reads the mail of {address}"));
        Ok(())
    }
}
