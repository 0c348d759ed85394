//! placeholder
use crate::args::{Common, Export};
use std::process::ExitCode;
pub fn run(_common: &Common, _args: &Export) -> anyhow::Result<ExitCode> {
    anyhow::bail!("x")
}
