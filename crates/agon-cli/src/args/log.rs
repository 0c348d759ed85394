//! What `agon log` is told: whose messages, and which of them.

use std::path::PathBuf;
use std::time::Duration;

use agon_node::clock::Clock;
use agon_node::config::slips;
use agon_proto::act::ActKind;
use agon_proto::tool::Tool;
use agon_proto::{MatchId, MessageType, Timestamp};
use clap::Args;
use clap::builder::PossibleValuesParser;

/// What `agon log --help` says.
const HELP: &str = include_str!("log.txt").trim_ascii_end();

/// What can become of a message. Everything but the first is trouble.
const OUTCOMES: [&str; 12] = [
    "ok",
    "not-ok",
    "refused",
    "failed",
    "late",
    "unreachable",
    "too-large",
    "cut-off",
    "forbidden",
    "not-sent",
    "not-taken",
    "left-out",
];

#[derive(Debug, Args)]
#[command(long_about = HELP)]
pub(crate) struct Log {
    /// The data folder of a manager, a referee or a player, which may be running
    #[arg(long, value_name = "DIR", default_value = "agon-data")]
    pub data: PathBuf,
    /// Only messages about this match, e.g. R1M1, or 0101001 in a season of q21
    #[arg(long = "match", value_name = "ID", value_parser = super::match_id)]
    pub match_id: Option<MatchId>,
    /// Only messages from or to this agent, e.g. P03, REF01, manager, or a part of its address
    #[arg(long, value_name = "WHO")]
    pub agent: Option<String>,
    /// Only messages of this name, e.g. GAME_INVITATION, or the method of a tool
    #[arg(long, value_name = "NAME", value_parser = name)]
    pub message: Option<String>,
    /// Only since then: a time such as 2026-12-24T18:00:00Z, 18:00 (today, UTC), or 10m (ago)
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub since: Option<Timestamp>,
    /// Only until then
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub until: Option<Timestamp>,
    /// Only what ended so; not-ok is all but ok
    #[arg(long, value_name = "HOW", value_parser = PossibleValuesParser::new(OUTCOMES))]
    pub outcome: Option<String>,
    /// Show what was said and answered, too
    #[arg(long, short = 'v', visible_alias = "verbose")]
    pub whole: bool,
    /// Go on with what comes
    #[arg(long, short)]
    pub follow: bool,
}

/// The name of a message that there is, however it is written.
fn name(text: &str) -> Result<String, String> {
    let messages = MessageType::ALL.iter().map(|kind| kind.name());
    let tools = Tool::ALL.iter().map(|tool| tool.method());
    let letters = ActKind::NAMED.iter().map(|kind| kind.name());
    let known: Vec<&str> = messages.chain(tools).chain(letters).collect();
    let folded = |name: &str| name.replace('-', "_").to_ascii_uppercase();
    let said = folded(text);
    if let Some(name) = known.iter().find(|name| folded(name) == said) {
        return Ok((*name).to_owned());
    }
    let distance = |name: &&str| slips(folded(name).as_bytes(), said.as_bytes());
    let holds = |name: &&str| said.len() > 3 && folded(name).contains(&said);
    let near = known.iter().min_by_key(|name| if holds(name) { 0 } else { distance(name) });
    let hint = near.filter(|name| holds(name) || distance(name) <= 1 + said.len() / 2);
    Err(match hint {
        Some(near) => format!("there is no such message; did you mean {near}?"),
        None => "there is no such message; agon schema lists them".to_owned(),
    })
}

/// A moment; a time of day is one of today, and how long ago is counted from now.
fn time(text: &str) -> Result<Timestamp, &'static str> {
    let (now, second) = (Clock::start().now(), 1_000_000);
    let today = now.to_string();
    let day = today.split('T').next().unwrap_or_default();
    let spelled = [
        text.to_owned(),
        format!("{text}T00:00:00Z"),
        format!("{day}T{text}Z"),
        format!("{day}T{text}:00Z"),
    ];
    if let Some(time) = spelled.iter().find_map(|text| text.parse().ok()) {
        return Ok(time);
    }
    let unit = text.chars().last().and_then(|unit| match unit {
        's' => Some(second),
        'm' => Some(60 * second),
        'h' => Some(3_600 * second),
        'd' => Some(86_400 * second),
        _ => None,
    });
    let number = unit.and_then(|_| text[..text.len() - 1].parse::<u32>().ok());
    let ago = number.zip(unit).map(|(number, unit)| u64::from(number) * unit);
    let ago = ago.map(|ago| now - Duration::from_micros(ago));
    ago.ok_or("neither a time such as 2026-12-24T18:00:00Z or 18:00, nor a while such as 10m or 2h")
}
