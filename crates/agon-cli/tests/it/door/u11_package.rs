//! What is installed: units that systemd takes, and containers whose commands make a league.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use tempfile::TempDir;

use crate::namespace::Namespace;
use crate::process::Process;

fn packaging(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../packaging").join(path)
}

/// Runs a program that checks a unit.
#[track_caller]
fn analyze(args: &[&str], unit: &str) {
    let checked = Command::new("systemd-analyze").args(args).arg(unit).output().unwrap();
    let said = String::from_utf8_lossy(&checked.stderr);
    assert!(checked.status.success() && said.is_empty(), "{unit}: {said}");
}

#[test]
fn u11_systemd_takes_the_units_and_finds_little_exposed() {
    let dir = TempDir::new().unwrap();
    for (file, name) in [
        ("agon-manager.service", "agon-manager.service"),
        ("agon-referee@.service", "agon-referee@8001.service"),
    ] {
        let unit = fs::read_to_string(packaging("systemd").join(file)).unwrap();
        assert!(unit.contains("ExecStart=/usr/local/bin/agon "), "{unit}");
        let here = unit.replace("/usr/local/bin/agon", env!("CARGO_BIN_EXE_agon"));
        fs::write(dir.path().join(name), here).unwrap();
        let unit = dir.path().join(name);
        analyze(&["verify", "--man=no"], unit.to_str().unwrap());
        // Of a hundred; a service that says nothing about it has 96.
        analyze(&["security", "--offline=true", "--threshold=20"], unit.to_str().unwrap());
    }
}

#[test]
fn u11_the_containers_file_names_the_toolchain_and_what_is_there() {
    let container = fs::read_to_string(packaging("container/Containerfile")).unwrap();
    let version = env!("CARGO_PKG_RUST_VERSION");
    assert!(container.contains(&format!("rust:{version}-slim")), "{container}");
    let needed = fs::read_to_string(packaging("container/Containerfile.dockerignore")).unwrap();
    for kept in needed.lines().filter_map(|line| line.strip_prefix('!')) {
        assert!(packaging("..").join(kept).exists(), "{kept}");
    }
}

/// One service of the compose file.
struct Service {
    command: Vec<String>,
    env: Vec<(String, String)>,
    address: String,
}

impl Service {
    /// The one of that name. The file keeps each of these on one line.
    fn read(compose: &str, name: &str) -> Self {
        let (_, block) = compose.split_once(&format!("\n  {name}:\n")).unwrap();
        let lines: Vec<_> = block.lines().take_while(|line| line.starts_with("    ")).collect();
        let said = |key: &str| lines.iter().find_map(|line| line.trim().strip_prefix(key));
        let command = said("command: ").unwrap().split(' ').map(str::to_owned).collect();
        let address = said("networks: { league: { ipv4_address: ").unwrap();
        let variables = lines.iter().filter_map(|line| line.trim().split_once(": "));
        let env = variables.filter(|(name, _)| name.starts_with("AGON_"));
        let env = env.map(|(name, value)| (name.to_owned(), value.trim_matches('\'').to_owned()));
        let address = address.trim_end_matches([' ', '}']).to_owned();
        Self { command, env: env.collect(), address }
    }

    /// Starts it at its place, with `/data` in that folder.
    fn start(&self, place: &Namespace, dir: &TempDir, name: &str) -> Process {
        let data = dir.path().join(name);
        fs::create_dir(&data).unwrap();
        let place_of = |word: &String| word.replace("/data", data.to_str().unwrap());
        let args: Vec<_> = self.command.iter().map(place_of).collect();
        let args: Vec<_> =
            args.iter().map(String::as_str).chain(["--json", "--log-format", "json"]).collect();
        let env: Vec<_> = self.env.iter().map(|(key, value)| (&**key, &**value)).collect();
        place.enter(|| Process::agon_with(dir.path(), &args, &env))
    }
}

#[test]
fn u11_the_commands_of_the_containers_make_a_league() {
    let compose = fs::read_to_string(packaging("container/compose.yaml")).unwrap();
    let [manager, one, two] =
        ["manager", "referee-1", "referee-2"].map(|name| Service::read(&compose, name));
    let (hub, spokes) = Namespace::star(&manager.address, &[&one.address, &two.address]);
    let dir = TempDir::new().unwrap();
    let mut process = manager.start(&hub, &dir, "manager");
    let endpoint = process.endpoint();
    let referees = [one.start(&spokes[0], &dir, "one"), two.start(&spokes[1], &dir, "two")];
    referees.iter().for_each(|_| drop(process.logs("referee registered")));
    let ask = |command: &[&str]| {
        let usual = ["--manager", &endpoint, "--json"];
        hub.enter(|| Process::agon(dir.path(), &[command, &usual].concat()).succeed().json())
    };
    let invitation = ask(&["invite", "--uses", "2", "--data", "manager/league"]);
    let address = invitation["address"].as_str().unwrap();
    let players = [8101, 8102].map(|port| {
        let listen = format!("{}:{port}", manager.address);
        let args = ["player", "--manager", address, "--listen", &listen, "--insecure"];
        hub.enter(|| Process::agon(dir.path(), &args))
    });
    players.iter().for_each(|_| drop(process.logs("player registered")));
    ask(&["start", "--data", "manager/league"]);
    for agent in referees.into_iter().chain(players) {
        agent.succeed();
    }
    let table = ask(&["standings"]);
    assert_eq!(table["standings"][0]["played"], 1, "{table}");
}
