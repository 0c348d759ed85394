//! Which room may use which: the table of crates, and what the rules must never know.

use super::Finding;
use super::source::mentions;
use super::tree::Tree;

/// What a crate may use.
struct Room {
    name: &'static str,
    /// Of ours.
    ours: &'static [&'static str],
    /// Of others; `None` leaves it to the review.
    others: Option<&'static [&'static str]>,
}

const fn room(name: &'static str, ours: &'static [&'static str]) -> Room {
    Room { name, ours, others: None }
}

const ROOMS: &[Room] = &[
    room("agon-proto", &["agon-games"]),
    room("agon-games", &[]),
    Room {
        name: "agon-core",
        ours: &["agon-proto", "agon-games"],
        others: Some(&["blake3", "rustc-hash", "serde", "subtle"]),
    },
    Room { name: "agon-link", ours: &[], others: Some(&["rustc-hash"]) },
    room("agon-net", &[]),
    room("agon-store", &[]),
    room("agon-node", &["agon-proto", "agon-core", "agon-link", "agon-net", "agon-store"]),
    room("agon-player", &["agon-node", "agon-core", "agon-games", "agon-proto"]),
    room("agon-sim", &["agon-proto", "agon-core", "agon-games", "agon-link"]),
    room(
        "agon-lab",
        &[
            "agon-proto",
            "agon-core",
            "agon-net",
            "agon-store",
            "agon-node",
            "agon-player",
            "agon-sim",
        ],
    ),
    room(
        "agon-cli",
        &[
            "agon-proto",
            "agon-games",
            "agon-core",
            "agon-net",
            "agon-store",
            "agon-node",
            "agon-lab",
            "agon-player",
            "agon-sim",
        ],
    ),
    room(
        "fuzz",
        &["agon-proto", "agon-games", "agon-core", "agon-net", "agon-node", "agon-player"],
    ),
    room("xtask", &[]),
];

/// Where the rules live.
const RULES: &str = "crates/agon-core/src/";

/// The world, as far as it could slip into the rules.
const WORLDLY: &[&str] =
    &["tokio", "std::net", "std::fs", "SystemTime", "Instant::now", "serde_json", "rand::"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let manifests = tree.manifests().flat_map(|(name, path, text)| manifest(name, path, text));
    manifests.chain(core_knows(tree)).collect()
}

fn manifest(name: &str, path: &str, text: &str) -> Vec<Finding> {
    let Some(room) = ROOMS.iter().find(|room| room.name == name) else {
        let text = format!("{name} is not in the table of crates: give it a row in xtask's rooms");
        return vec![Finding::new(path, 1, text)];
    };
    let uses = dependencies(text).into_iter();
    uses.filter_map(|(line, used)| Some(Finding::new(path, line, room.refuses(used)?))).collect()
}

impl Room {
    /// Why the crate may not use another, if so.
    fn refuses(&self, used: &str) -> Option<String> {
        let Self { name, ours, others } = self;
        if used.starts_with("agon-") {
            let text = format!("{name} must not use {used}: move the line to where both may meet");
            return (!ours.contains(&used)).then_some(text);
        }
        let others = others.filter(|others| !others.contains(&used))?;
        Some(format!("{name} uses only {} of others, not {used}: drop it", others.join(", ")))
    }
}

/// The crates that a manifest builds with, and where it says so. Those of tests are free.
fn dependencies(manifest: &str) -> Vec<(usize, &str)> {
    let mut section = "";
    let mut found = Vec::new();
    for (number, line) in (1..).zip(manifest.lines()) {
        let line = line.trim();
        if let Some(header) = line.strip_prefix('[') {
            section = header.split(']').next().unwrap_or_default();
            let own_table = section.rsplit_once('.').filter(|(kind, _)| builds_with(kind));
            found.extend(own_table.map(|(_, name)| (number, name.trim_matches('"'))));
        } else if builds_with(section)
            && !line.starts_with('#')
            && let Some((key, value)) = line.split_once('=')
        {
            let renamed =
                value.split_once("package = \"").and_then(|(_, name)| name.split('"').next());
            let key = key.split('.').next().unwrap_or(key).trim().trim_matches('"');
            found.push((number, renamed.unwrap_or(key)));
        }
    }
    found
}

/// Whether a section lists dependencies of the crate itself, on any target.
fn builds_with(section: &str) -> bool {
    let kind = section.rsplit('.').next().unwrap_or(section);
    matches!(kind, "dependencies" | "build-dependencies")
}

fn core_knows(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in tree.sources.iter().filter(|source| source.path.starts_with(RULES)) {
        for (number, line) in source.numbered().filter(|(_, line)| !line.test) {
            for word in WORLDLY.iter().filter(|word| mentions(&line.code, word)) {
                let text = format!("the rules must not know `{word}`: make it an event or effect");
                findings.push(Finding::new(&source.path, number, text));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests;
