//! Agents that were started before their manager.

use serde_json::json;

use crate::league::{TERMS, manager};
use crate::process::{Process, quiet_port};

/// What an agent says meanwhile.
const WAITS: &str = "no manager answers there yet: trying on";

#[test]
fn t15_agents_wait_for_a_manager_that_is_not_there_yet() {
    for game in [&[][..], &["--game", "q21"]] {
        let dir = tempfile::tempdir().unwrap();
        let address = format!("127.0.0.1:{}", quiet_port());
        let endpoint = format!("http://{address}/mcp");
        let mut agents = ["referee", "player"].map(|role| {
            let usual = [role, "--manager", &endpoint, "--listen", "127.0.0.1:0"];
            let args = [&usual[..], &TERMS, &["--wait", "5000"], game].concat();
            Process::agon(dir.path(), &args)
        });
        for agent in &mut agents {
            let said = agent.logs(WAITS);
            assert_eq!((&said["level"], &said["manager"]), (&json!("WARN"), &json!(endpoint)));
        }
        let args = [&["--listen", &address][..], game].concat();
        let (manager, _) = manager(dir.path(), &args);
        for agent in &mut agents {
            agent.logs("registered");
        }
        manager.terminate();
        manager.succeed();
    }
}

#[test]
fn t15_nobody_waits_longer_than_was_said() {
    for game in [&[][..], &["--game", "q21"]] {
        for role in ["referee", "player"] {
            let dir = tempfile::tempdir().unwrap();
            let endpoint = format!("http://127.0.0.1:{}/mcp", quiet_port());
            let usual = [role, "--manager", &endpoint, "--listen", "127.0.0.1:0"];
            let args = [&usual[..], &TERMS, &["--wait", "10"], game].concat();
            let ended = Process::agon(dir.path(), &args).exit(2);
            let told = format!("agon: no manager answered at {endpoint} for 1 s");
            assert!(ended.err.contains(&told), "{}", ended.err);
        }
    }
}
