//! An agent is tried where it says that it is called, before the season: who does not answer is
//! shown to the operator with the reason, and hears it itself without.

use std::io::{BufReader, Write};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use serde_json::{Value, json};

use crate::http;
use crate::league::League;
use crate::process::{PATIENCE, Process, quiet_port};
use crate::refusals::clerk::{Clerk, request};

/// What the manager logs of an agent that does not answer, and once it does.
const OUT: &str = "cannot be called: trying on until the season begins";
const IN: &str = "can be called now";
/// Agents are tried soon.
const SOON: [(&str, &str); 1] = [("AGON_ADMISSION__PROBE_AFTER_S", "0.2")];

/// Answers whatever comes with these bytes, and tells what came.
fn serve(listener: TcpListener, head: &'static str, body: &'static str) -> Receiver<Value> {
    let (tell, heard) = channel();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            while let Some(asked) = request(&mut reader) {
                tell.send(serde_json::from_slice(&asked).unwrap()).ok();
                let length = body.len();
                let answer = format!("HTTP/1.1 {head}\r\nContent-Length: {length}\r\n\r\n{body}");
                stream.write_all(answer.as_bytes()).unwrap();
            }
        }
    });
    heard
}

fn open() -> League {
    League::open_with(&[], &SOON)
}

/// The agents, as the operator and as everybody else sees them.
fn listed(league: &League) -> [Value; 2] {
    ["data", "elsewhere"].map(|data| {
        std::fs::create_dir_all(league.path().join("elsewhere")).unwrap();
        let token = format!("tok-{:064x}", 7);
        std::fs::write(league.path().join("elsewhere/operator.token"), token).unwrap();
        league.ask(&["agents", "--data", data]).succeed().json()
    })
}

/// What the agent itself is told.
fn told(league: &League, clerk: &Clerk) -> Value {
    let mut query = clerk.letter("LEAGUE_QUERY");
    query["league_id"] = league.state()["league_id"].clone();
    query["query_type"] = json!("GET_REGISTRATION");
    http::call(&league.endpoint, "league_query", &query)["result"].clone()
}

#[test]
fn u03_an_endpoint_that_does_not_answer_is_shown_until_it_does() {
    let mut league = open();
    let port = quiet_port();
    let endpoint = format!("http://127.0.0.1:{port}/mcp");
    let clerk = Clerk::sign_up(&league.endpoint, "player", &endpoint);
    let line = league.manager.logs(OUT);
    let problem = format!("connection refused by 127.0.0.1:{port}");
    assert_eq!((&line["agent"], &line["problem"]), (&json!("P01"), &json!(problem)), "{line}");
    assert_eq!(line["endpoint"], endpoint, "{line}");

    let [operator, everybody] = listed(&league).map(|all| all["agents"][0].clone());
    assert_eq!((&operator["reachable"], &operator["problem"]), (&json!(false), &json!(problem)));
    assert!(everybody.get("reachable").is_none() && everybody.get("problem").is_none());
    let words = ["agents", "--data", "data", "--manager", &league.endpoint];
    let shown = Process::agon_with(league.path(), &words, &[]).succeed().out;
    assert!(shown.contains(&format!("P01 cannot be called: {problem}")), "{shown}");
    let answer = told(&league, &clerk);
    assert_eq!((&answer["reachable"], &answer["success"]), (&json!(false), &json!(true)));
    assert!(!answer.to_string().contains("refused"), "{answer}");

    // It listens at last, and does not even know what it is asked.
    let listener = TcpListener::bind(("127.0.0.1", port)).unwrap();
    let error = r#"{"jsonrpc":"2.0","error":{"code":-32601,"message":"?"},"id":1}"#;
    let heard = serve(listener, "400 Bad Request", error);
    assert_eq!(league.manager.logs(IN)["agent"], "P01");
    assert_eq!(heard.recv_timeout(PATIENCE).unwrap()["method"], "ping");
    let agent = listed(&league)[0]["agents"][0].take();
    assert_eq!(agent["reachable"], true, "{agent}");
    assert!(agent["last_contact"].is_string(), "{agent}");
    assert_eq!(told(&league, &clerk)["reachable"], true);
    league.close();
}

#[test]
fn u03_somebody_who_is_no_agent_is_told_apart_from_nobody() {
    let mut league = open();
    for (head, body, problem) in [
        ("404 Not Found", r#"{"detail":"Not Found"}"#, "404: nothing is served at this path"),
        ("405 No", "", "405: POST is not taken at this path"),
        ("200 OK", "<html>It works!</html>", "200 with a page of HTML"),
        ("308 Elsewhere\r\nLocation: /mcp/", "", "308, redirects are not followed"),
    ] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let endpoint = format!("http://{}/mcp", listener.local_addr().unwrap());
        let _heard = serve(listener, head, body);
        Clerk::sign_up(&league.endpoint, "player", &endpoint);
        let line = league.manager.logs(OUT);
        let told = line["problem"].as_str().unwrap();
        let whole = format!("it answers, but is no agent there: HTTP {problem}");
        assert!(told.starts_with(&whole), "{line}");
    }
    league.close();
}

#[test]
fn u03_our_own_agents_say_that_they_are_not_called() {
    let league = open();
    for role in ["player", "referee"] {
        let nowhere = format!("127.0.0.1:{}", quiet_port());
        let mut agent = league.agent(role, &["--advertise", &nowhere]);
        let text = "the manager cannot call us there: see --listen, --advertise, firewalls";
        let line = agent.logs(text);
        assert_eq!(line["endpoint"], format!("http://{nowhere}/mcp"), "{line}");
        agent.terminate();
    }
    league.close();
}

#[test]
fn u03_who_waits_for_the_operator_is_called_by_nobody_and_approving_it_shows_why() {
    let mut league = League::open_with(&["--admit", "approved"], &SOON);
    let port = quiet_port();
    let endpoint = format!("http://127.0.0.1:{port}/mcp");
    Clerk::sign_up(&league.endpoint, "player", &endpoint);
    league.manager.logs("asks to be let in: agon approve, or remove");
    // Whoever came later is in, and was tried already.
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let later = format!("http://{}/mcp", other.local_addr().unwrap());
    let heard = serve(other, "200 OK", r#"{"result":{"status":"ok"},"id":1}"#);
    Clerk::sign_up(&league.endpoint, "player", &later);
    league.ask(&["approve", "P02", "--data", "data"]).succeed();
    assert_eq!(heard.recv_timeout(PATIENCE).unwrap()["method"], "ping");
    assert!(listed(&league)[0]["agents"][0].get("reachable").is_none());
    let approved = league.ask(&["approve", "P01", "--data", "data"]).succeed();
    let problem = format!("P01 cannot be called: connection refused by 127.0.0.1:{port}");
    assert!(approved.err.contains(&problem), "{}", approved.err);
    league.close();
}

#[test]
fn u03_who_comes_last_is_tried_too_and_ends_with_the_season() {
    let mut league = League::open_with(&["--start-when", "2"], &SOON);
    let others = [league.member("referee", &[]), league.member("player", &[])];
    let nowhere = format!("127.0.0.1:{}", quiet_port());
    let mut last = league.agent("player", &["--advertise", &nowhere]);
    last.logs("the manager cannot call us there: see --listen, --advertise, firewalls");
    league.manager.logs("league completed");
    let ended = last.exit(1);
    let why = format!("the season is over, and nobody has called us at http://{nowhere}/mcp");
    assert!(ended.err.contains(&why), "{}", ended.err);
    others.into_iter().for_each(|agent| drop(agent.succeed()));
    let agent = listed(&league)[0]["agents"][1].take();
    assert_eq!((&agent["player_id"], &agent["reachable"]), (&json!("P02"), &json!(false)));
    league.close();
}
