//! `agon invite`: an address by which an agent is let in, or one for each line of a list.
//!
//! The address alone goes to stdout, so that a script can take it; the rest is for the person. A
//! list can be said again after a failure: whoever has an invitation is shown the same one.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;

use agon_node::ToolResponse;
use agon_proto::tool::{AgentRole, Command, Invited, Tool, ToolAnswer, ToolParams};
use agon_proto::{DisplayName, Fault};
use anyhow::{Context, bail, ensure};
use csv::StringRecord;

use super::operator::{refused, signed};
use crate::args::{Common, Invite};
use crate::caller::ask;
use crate::output;

pub(super) async fn run(common: &Common, args: &Invite) -> anyhow::Result<ExitCode> {
    if let Some(list) = &args.csv {
        return each(common, args, list).await;
    }
    match invite(common, args, args.label.as_deref()).await? {
        Ok(invited) => output::show(common, &invited, || {
            eprintln!("{}", explained(&invited));
            invited.address.to_string()
        }),
        Err(fault) => Ok(refused(&fault)),
    }
}

/// One for each line of a list, for whoever stands in it.
async fn each(common: &Common, args: &Invite, list: &Path) -> anyhow::Result<ExitCode> {
    let broken = || format!("could not read the list {}", list.display());
    let mut lines = csv::Reader::from_path(list).with_context(broken)?;
    let mut out = csv::Writer::from_writer(Vec::new());
    let mut head = lines.headers().with_context(broken)?.clone();
    ["invitation", "code", "address"].into_iter().for_each(|column| head.push_field(column));
    out.write_record(&head)?;
    let people = lines.records().collect::<Result<Vec<_>, _>>().with_context(broken)?;
    ensure!(
        !people.is_empty(),
        "{} has a first line with names of columns, and no more",
        list.display()
    );
    // Before the first one is made: who it is for is what tells one invitation from another.
    let label =
        |person: &StringRecord| DisplayName::new(&person.iter().collect::<Vec<_>>().join(" "));
    let mut labels = BTreeSet::new();
    for person in &people {
        let label = label(person);
        ensure!(labels.insert(label.to_string()), "two lines of the list are for {label}");
    }
    for mut person in people {
        let label = label(&person);
        let invited = match invite(common, args, Some(label.as_str())).await? {
            Ok(invited) => invited,
            Err(fault) => return Ok(refused(&fault)),
        };
        let Invited { number, code, address, .. } = &*invited;
        [&number.to_string(), code.reveal(), address]
            .into_iter()
            .for_each(|field| person.push_field(field));
        if common.json {
            output::line(serde_json::to_string(&invited)?);
        } else {
            out.write_record(&person)?;
        }
    }
    if !common.json {
        output::line(String::from_utf8(out.into_inner()?)?.trim_end());
    }
    Ok(ExitCode::SUCCESS)
}

async fn invite(
    common: &Common,
    args: &Invite,
    label: Option<&str>,
) -> anyhow::Result<Result<Box<Invited>, Fault>> {
    let Invite { role, uses, until, order, .. } = args;
    let params = ToolParams {
        role: Some(*role),
        uses: Some(*uses),
        until: *until,
        label: label.map(DisplayName::new),
        ..ToolParams::default()
    };
    let (manager, params) = (&order.read.manager, signed(order, params)?);
    match ask(common, manager, Tool::Command(Command::Invite), &params).await? {
        ToolResponse::Answered(ToolAnswer::Invited(invited)) => Ok(Ok(invited)),
        ToolResponse::Refused(fault) => Ok(Err(fault)),
        ToolResponse::Answered(_) => bail!("{manager} gave the answer to another question"),
    }
}

fn explained(invited: &Invited) -> String {
    let Invited { number, role, label, uses, until, known, .. } = invited;
    let label = label.as_ref().map_or(String::new(), |label| format!(" for {label}"));
    let until = until.map_or(String::new(), |until| format!(", until {until}"));
    let whom = match (role, uses) {
        (AgentRole::Player, 1) => "one player".to_owned(),
        (AgentRole::Referee, 1) => "one referee".to_owned(),
        (role, uses) => format!("{uses} {}s", role.as_str()),
    };
    let made = if *known { ", made before" } else { "" };
    format!(
        "invitation {number}{label} lets in {whom}{until}{made}; its author uses this address as \
         the manager's:"
    )
}
