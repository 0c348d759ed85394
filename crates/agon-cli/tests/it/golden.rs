//! Golden journals: seasons that a version wrote down, and that every later one opens and
//! understands as it did.
//!
//! A manager's, a referee's and a player's journal of each game are kept, and beside them what they
//! come to. `AGON_GOLDEN_JOURNAL=write` plays the seasons and keeps them for the version of today,
//! unless that one is released: what people have on their disks is never written anew.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use agon_core::{League, LeagueFact, Machine, Player, PlayerFact, Referee, RefereeFact};
use agon_node::config::Config;
use agon_node::{player_times, profile, referee_settings, settings};
use agon_proto::{Contact, Endpoint};
use agon_store::Journal;
use rusqlite::Connection;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tempfile::TempDir;
use toml::Table;

use crate::process::Process;

const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Whose journals are kept, as their folders are called.
const ROLES: [&str; 3] = ["manager", "referee", "player"];

#[test]
fn u11_golden_journals_of_even_odd_open() {
    by_call("even_odd", "even-odd", "", 3, 1);
}

#[test]
fn u11_golden_journals_of_rock_paper_scissors_open() {
    by_call("rock_paper_scissors", "rock-paper-scissors", "", 3, 1);
}

#[test]
fn u11_golden_journals_of_the_prisoners_dilemma_open() {
    by_call("prisoners_dilemma", "prisoners-dilemma", r#"{"rounds": 5}"#, 3, 1);
}

#[test]
fn u11_golden_journals_of_q21_by_call_open() {
    by_call("q21_by_call", "q21", "", 3, 3);
}

#[test]
fn u11_a_golden_journal_of_a_released_version_is_not_written_anew() {
    let changelog = "# Changelog\n\n## Unreleased\n\n## 0.2.0 - 2026-12-01\n\n## [0.1.0]\n";
    let [next, two, one] = ["0.3.0", "0.2.0", "0.1.0"].map(|it| is_released(changelog, it));
    assert!(!next && two && one);
    assert!(!is_released(changelog, "0.1"));
    // Whatever has its journals here beside those of the version that comes next.
    let changelog = fs::read_to_string(repository("CHANGELOG.md")).unwrap();
    assert!(is_released(&changelog, "0.1.0"));
}

/// A season of so many players and referees by call, kept or only opened.
fn by_call(name: &str, game: &str, settings: &str, players: u32, referees: u32) {
    check(name, game, |dir| {
        let start_when = players.to_string();
        let args = ["manager", "--game", game, "--data", "manager", "--start-when", &start_when];
        let talk = ["--listen", "127.0.0.1:0", "--json", "--log-format", "json"];
        let env = [("AGON_LEAGUE__GAME_SETTINGS", settings)];
        let mut manager = Process::agon_with(dir, &[&args[..], &talk].concat(), &env);
        let endpoint = manager.endpoint();
        let mut agents = Vec::new();
        for number in 1..=players.max(referees) {
            for (role, count) in [("referee", referees), ("player", players)] {
                if number > count {
                    continue;
                }
                let folder = if number == 1 { role.to_owned() } else { format!("{role}{number}") };
                let to = [role, "--game", game, "--manager", &endpoint, "--data", &folder];
                let team = format!("team{number:04}");
                let team = if game == "q21" { &["--group", &*team][..] } else { &[] };
                let listen = ["--listen", "127.0.0.1:0", "--log", "warn"];
                agents.push(Process::agon(dir, &[&to[..], team, &listen].concat()));
                manager.logs(&format!("{role} registered"));
            }
        }
        manager.logs("league completed");
        for agent in agents {
            agent.succeed();
        }
        manager.terminate();
        manager.succeed();
    });
}

/// Opens the journals of that season of every version. If they are asked for, those of today's are
/// made first, by playing it in a folder in which each role has one.
#[track_caller]
pub(crate) fn check(name: &str, game: &str, play: impl FnOnce(&Path)) {
    if std::env::var_os("AGON_GOLDEN_JOURNAL").is_some_and(|it| it == "write") {
        let changelog = fs::read_to_string(repository("CHANGELOG.md")).unwrap();
        let refusal = "is released: raise the version, or take its heading out of CHANGELOG.md";
        assert!(!is_released(&changelog, VERSION), "{VERSION} {refusal}");
        let dir = TempDir::new().unwrap();
        play(dir.path());
        keep(name, game, dir.path());
    }
    let mut opened = 0;
    for version in fs::read_dir(golden()).unwrap() {
        let season = version.unwrap().path().join(name);
        if season.exists() {
            open(&season, game);
            opened += 1;
        }
    }
    assert!(opened > 0, "no version has kept {name}: AGON_GOLDEN_JOURNAL=write keeps it");
}

/// Whether the changelog has a heading for that version.
fn is_released(changelog: &str, version: &str) -> bool {
    let headings = changelog.lines().filter_map(|line| line.strip_prefix("## "));
    let mut names = headings.filter_map(|heading| heading.split(' ').next());
    names.any(|name| name.trim_matches(['[', ']']) == version)
}

/// Keeps the journals of a season that was played in that folder, each as one small file.
fn keep(name: &str, game: &str, dir: &Path) {
    let season = golden().join(VERSION).join(name);
    let _ = fs::remove_dir_all(&season);
    fs::create_dir_all(&season).unwrap();
    for role in ROLES {
        let file = season.join(format!("{role}.sqlite3"));
        let journal = Connection::open(dir.join(role).join("journal.sqlite3")).unwrap();
        journal.execute("VACUUM INTO ?1", [file.to_str().unwrap()]).unwrap();
    }
    fs::write(season.join("told.txt"), Opened::copy(&season).tell(game)).unwrap();
}

/// Opens the journals of a season, and compares what they come to. The programs of today take them:
/// they are exported, and a manager goes on with its own.
#[track_caller]
fn open(season: &Path, game: &str) {
    let opened = Opened::copy(season);
    let told = fs::read_to_string(season.join("told.txt")).unwrap();
    assert_eq!(opened.tell(game), told, "{}", season.display());
    let dir = opened.0.path();
    let game = ["--game", game];
    let export = [&["export", "--data", "manager", "--to", "out"][..]].concat();
    Process::agon(dir, &export).succeed();
    let start = ["manager", "--data", "manager", "--listen", "127.0.0.1:0", "--json"];
    let mut manager = Process::agon(dir, &[&start[..], &game].concat());
    let said = manager.says();
    let champion = said["finished"]["champion"]["player_id"].as_str().unwrap_or_default();
    assert!(told.contains(&format!("\n1. {champion}")), "{said}\n{told}");
    manager.terminate();
    manager.succeed();
}

/// Copies of the journals of a season, each in a folder, because whoever opens one may write to it.
struct Opened(TempDir);

impl Opened {
    fn copy(season: &Path) -> Self {
        let dir = TempDir::new().unwrap();
        for role in ROLES {
            let folder = dir.path().join(role);
            fs::create_dir(&folder).unwrap();
            let file = season.join(format!("{role}.sqlite3"));
            fs::copy(file, folder.join("journal.sqlite3")).unwrap();
        }
        Self(dir)
    }

    fn facts<F>(&self, role: &str) -> Vec<F>
    where
        F: Serialize + DeserializeOwned + Send + 'static,
    {
        let mut facts = Vec::new();
        Journal::read_only(&self.0.path().join(role)).unwrap().replay(|it| facts.push(it)).unwrap();
        facts
    }

    /// What the journals come to.
    fn tell(&self, game: &str) -> String {
        let flags = format!("[league]\ngame = \"{game}\"").parse::<Table>().unwrap();
        let config = Config::load(None, std::iter::empty(), flags).unwrap();
        let told = [self.league(&config), self.referee(&config), self.player(&config)];
        told.join("\n")
    }

    /// The table, and every result.
    fn league(&self, config: &Config) -> String {
        let mut league = League::new(settings(config));
        self.facts::<LeagueFact>("manager").iter().for_each(|fact| league.apply(fact));
        let season = league.season();
        let (id, rounds) = (&league.settings().league_id, season.rounds_completed());
        let mut text = format!("{id}: {} matches in {rounds} rounds\n", season.completed);
        for row in league.table(usize::MAX) {
            let (rank, player, points) = (row.rank, row.player_id, row.points);
            let (played, wins, draws, losses) = (row.played, row.wins, row.draws, row.losses);
            let record = format!("{played} played, {wins} won, {draws} drawn, {losses} lost");
            let _ = writeln!(text, "{rank}. {player}: {points} points, {record}");
        }
        for id in season.ids() {
            let record = season.result(id).unwrap();
            let verdict = serde_json::to_string(&record.verdict).unwrap();
            let what = season.details(record).as_str();
            let (referee, attempt) = (record.referee, record.attempt);
            let _ = writeln!(text, "{id} by {referee}, attempt {attempt}: {verdict} {what}");
        }
        text
    }

    /// Who it is, and what it judged.
    fn referee(&self, config: &Config) -> String {
        let nowhere = Contact::Call(Endpoint::new(""));
        let profile = profile(config, "R", nowhere.clone(), nowhere, Some(1), 0);
        let mut role = Referee::by_letter(profile, referee_settings(config));
        let facts = self.facts::<RefereeFact>("referee");
        facts.iter().for_each(|fact| role.apply(fact));
        let id = role.id().map(|id| format!(" {id}")).unwrap_or_default();
        let mut text = format!("referee{id}, at work on {} matches\n", role.live());
        for fact in &facts {
            if let RefereeFact::Judged { match_id, attempt, verdict, .. } = fact {
                let verdict = serde_json::to_string(verdict).unwrap();
                let _ = writeln!(text, "{match_id}, attempt {attempt}: {verdict}");
            }
        }
        text
    }

    /// Who it is, and how its matches ended.
    fn player(&self, config: &Config) -> String {
        let nowhere = Contact::Call(Endpoint::new(""));
        let profile = profile(config, "P", nowhere.clone(), nowhere, None, 0);
        let mut role = Player::new(profile, player_times(config));
        let facts = self.facts::<PlayerFact>("player");
        facts.iter().for_each(|fact| role.apply(fact));
        let id = role.id().map(|id| format!(" {id}")).unwrap_or_default();
        let mut text = format!("player{id}\n");
        for played in role.history().matches() {
            let (id, opponent) = (played.match_id, played.opponent_id);
            let _ = writeln!(text, "{id} against {opponent}: {}", played.result.as_str());
        }
        for game in role.player_standings().history {
            let _ = writeln!(text, "{}", serde_json::to_string(&game).unwrap());
        }
        text
    }
}

fn golden() -> PathBuf {
    repository("crates/agon-cli/tests/golden")
}

fn repository(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}
