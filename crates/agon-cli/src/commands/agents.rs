//! `agon agents`: who is in, who waits, since when and where, and who was invited.

use std::process::ExitCode;
use std::time::Duration;

use agon_node::ToolResponse;
use agon_node::clock::Clock;
use agon_proto::tool::{
    AgentEntry, AgentPlace, AgentsAnswer, InvitationEntry, Tool, ToolAnswer, ToolParams,
};
use agon_proto::{AgentId, AuthToken, ShortText, Timestamp};
use anyhow::{Context, bail};

use crate::args::{Agents, Common};
use crate::caller::ask;
use crate::{data, output};

pub(super) async fn run(common: &Common, args: &Agents) -> anyhow::Result<ExitCode> {
    // Whoever works beside the manager is its operator nearly always.
    let usual = data::usual_data(&args.read.manager);
    let usual = usual.filter(|usual| usual.join(data::OPERATOR_FILE).exists());
    let auth_token = data::viewer_token(args.data.as_deref().or(usual))?;
    let all = all(common, &args.read.manager, auth_token).await?;
    output::show(common, &all, || tell(&all))
}

/// Everybody whom that manager lists, as the holder of that token sees them.
pub(super) async fn all(
    common: &Common,
    manager: &str,
    auth_token: Option<AuthToken>,
) -> anyhow::Result<AgentsAnswer> {
    let mut all: Option<AgentsAnswer> = None;
    loop {
        let last = all.as_ref().and_then(|all| all.agents.last());
        let (player_id, referee_id) =
            last.map_or((None, None), |last| (last.player_id, last.referee_id));
        let auth_token = auth_token.clone();
        let params = ToolParams { auth_token, player_id, referee_id, ..ToolParams::default() };
        let page = match ask(common, manager, Tool::ListAgents, &params).await? {
            ToolResponse::Answered(ToolAnswer::Agents(page)) => *page,
            ToolResponse::Answered(_) => bail!("the manager answered something else"),
            ToolResponse::Refused(fault) => bail!("the manager refused: {}", fault.message),
        };
        let more = page.more && !page.agents.is_empty();
        match &mut all {
            None => all = Some(page),
            Some(all) => {
                all.agents.extend(page.agents);
                (all.invitations, all.more) = (page.invitations, page.more);
            }
        }
        if !more {
            break;
        }
    }
    all.context("the manager answered something else")
}

/// So often somebody looks what came of a probe, and that long it waits before.
const LOOKS: u32 = 12;
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// Says why that agent, which has just been let in, cannot be called, if it cannot. It is being
/// tried.
pub(super) async fn say_if_out_of_reach(
    common: &Common,
    manager: &str,
    auth_token: Option<&AuthToken>,
    approved: AgentId,
) -> anyhow::Result<()> {
    for _ in 0..LOOKS {
        tokio::time::sleep(LOOK_EVERY).await;
        let listed = all(common, manager, auth_token.cloned()).await?;
        let known = listed.agents.iter().find(|agent| id(agent) == Some(approved));
        let Some(agent) = known else { return Ok(()) };
        let contact = agent.contact.as_ref().map(ShortText::as_str).unwrap_or_default();
        if agent.reachable.is_some() || !contact.starts_with("http") {
            out_of_reach(agent).into_iter().for_each(|line| eprintln!("{line}"));
            return Ok(());
        }
    }
    Ok(())
}

fn tell(all: &AgentsAnswer) -> String {
    let AgentsAnswer { league_id, agents, invitations, .. } = all;
    let now = Clock::start().now();
    let mut text = match &agents[..] {
        [] => format!("{league_id}: nobody is in yet"),
        _ => {
            let head = ["agent", "name", "state", "for", "matches", "mistakes", "heard"];
            let rows = agents.iter().map(|agent| row(agent, now));
            let grid = output::grid(&head, rows, |place| place == 4 || place == 5);
            let more = [String::new()].into_iter().chain(agents.iter().map(more));
            let lines = grid.lines().zip(more).map(|(line, more)| match &*more {
                "" => line.to_owned(),
                more => format!("{line}\n        {more}"),
            });
            lines.collect::<Vec<_>>().join("\n")
        }
    };
    if agents.iter().any(|agent| agent.state == AgentPlace::Waiting) {
        text +=
            "\nWho waits is let in by `agon approve AGENT`, or turned down by `agon remove AGENT`.";
    }
    for line in agents.iter().filter_map(out_of_reach) {
        text += &format!("\n{line}");
    }
    if !invitations.is_empty() {
        let head = ["invitation", "for", "role", "used", "until", ""];
        let rows = invitations.iter().map(invitation);
        text += &format!("\n\n{}", output::grid(&head, rows, |_| false));
    }
    text
}

fn id(agent: &AgentEntry) -> Option<AgentId> {
    agent.player_id.map(AgentId::Player).or(agent.referee_id.map(AgentId::Referee))
}

/// Which agent does not answer, and why.
fn out_of_reach(agent: &AgentEntry) -> Option<String> {
    let (problem, id) = (agent.problem.as_ref()?, id(agent)?);
    Some(format!("{id} cannot be called: {problem}"))
}

/// Who that is.
pub(super) fn id_of(agent: &AgentEntry) -> String {
    id(agent).map_or_else(String::new, |id| id.to_string())
}

fn row(agent: &AgentEntry, now: Timestamp) -> [String; 7] {
    let heard = agent.last_contact.map(|at| format!("{} ago", output::ago(now.since(at))));
    [
        id_of(agent),
        output::clipped(agent.display_name.as_str()),
        agent.state.as_str().to_lowercase(),
        output::ago(now.since(agent.since)),
        agent.matches.to_string(),
        agent.mistakes.to_string(),
        heard.unwrap_or_else(|| "-".to_owned()),
    ]
}

/// What does not fit into its row: where it is, how it came, and what is wrong with it.
fn more(agent: &AgentEntry) -> String {
    let mut said = Vec::new();
    said.extend(agent.contact.as_ref().map(ToString::to_string));
    said.extend(agent.called_from.as_ref().map(|address| format!("from {address}")));
    said.extend(agent.invitation.map(|number| format!("invitation {number}")));
    said.extend((agent.reachable == Some(false)).then(|| "cannot be called".to_owned()));
    said.extend(agent.breaker_open.then(|| "keeps failing".to_owned()));
    said.extend(agent.unproved.then(|| "came again without its token".to_owned()));
    said.join(", ")
}

fn invitation(entry: &InvitationEntry) -> [String; 6] {
    let InvitationEntry { number, role, label, uses, used, until, revoked } = entry;
    [
        number.to_string(),
        label.as_ref().map_or_else(|| "-".to_owned(), ToString::to_string),
        role.as_str().to_owned(),
        format!("{used} of {uses}"),
        until.map_or_else(|| "-".to_owned(), |until| until.to_string()),
        if *revoked { "revoked".to_owned() } else { String::new() },
    ]
}
