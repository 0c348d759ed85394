//! `agon schema [MESSAGE]`: the JSON Schemas of the messages.

use std::process::ExitCode;

use agon_proto::{MessageType, schema};
use anyhow::Context;

use crate::args::Schema;
use crate::output;

pub(crate) fn run(args: &Schema) -> anyhow::Result<ExitCode> {
    let text = match &args.message {
        Some(name) => {
            let kind = MessageType::from_name(name).with_context(|| {
                let names: Vec<_> = MessageType::ALL.iter().map(|kind| kind.name()).collect();
                format!("there is no message {name}; there are {}", names.join(", "))
            })?;
            serde_json::to_string_pretty(&schema::schema(kind))?
        }
        None => {
            let all: serde_json::Map<_, _> =
                schema::all().into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect();
            serde_json::to_string_pretty(&all)?
        }
    };
    output::line(text);
    Ok(ExitCode::SUCCESS)
}
