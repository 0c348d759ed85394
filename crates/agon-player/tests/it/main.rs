//! Guests in a real league: sockets on free ports, a manager, a referee, and `play`.

use std::net::{Ipv4Addr, SocketAddr};

use agon_core::{Manager, ManagerOptions, Referee, Secrets, TokenHash};
use agon_node::{Dice, Ledger, LetterUse, Listener, Mindless, Node, Role};
use agon_node::{profile, random_nonce, settings};
use agon_player::{Chance, ChildTerms, Config, Guest, PlayError, Record, play, strategy};
use agon_proto::{AuthToken, Endpoint};
use tokio::sync::watch;

const ANYWHERE: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 0);

fn config(scale: &str) -> Config {
    let env = [("AGON_TIMES__SCALE".to_owned(), scale.to_owned())];
    Config::load(None, env.into_iter(), Default::default()).expect("a good scale")
}

async fn place() -> Listener {
    let listener = Listener::open(ANYWHERE, &config("1"), false).await;
    listener.expect("there is a free port")
}

/// Starts a manager that begins with so many players, and a referee. They run for as long as the
/// sender lives.
async fn open_league(players: u32) -> (Endpoint, watch::Sender<bool>) {
    let (stopper, stop) = watch::channel(false);
    let listener = place().await;
    let manager = listener.endpoint();
    let options = ManagerOptions {
        secrets: Secrets::new([1; 32]),
        operator: TokenHash::of(&AuthToken::derived([2; 32])).expect("one of ours"),
        start_when: Some(players),
        admission: agon_core::AdmissionRules::local(),
    };
    let node = Node {
        role: Manager::new(settings(&config("1")), options),
        kind: Role::Manager,
        listener: Some(listener),
        ledger: Ledger::forgetful(),
        mind: Box::new(Mindless),
        dice: Dice::Fair,
        witness: None,
        stay: true,
        metrics: false,
        letters: LetterUse::default(),
        messages: None,
    };
    let ear = stop.clone();
    tokio::spawn(async move { node.run(&config("1"), ear).await });
    let listener = place().await;
    let (here, to) = (listener.endpoint(), manager.clone());
    let profile = profile(&config("1"), "Referee", here, to, Some(2), random_nonce());
    let node = Node {
        role: Referee::new(profile),
        kind: Role::Referee,
        listener: Some(listener),
        ledger: Ledger::forgetful(),
        mind: Box::new(Mindless),
        dice: Dice::Seeded(1),
        witness: None,
        stay: false,
        metrics: false,
        letters: LetterUse::default(),
        messages: None,
    };
    tokio::spawn(async move { node.run(&config("1"), stop).await });
    (manager, stopper)
}

async fn guest(manager: &str, spec: &str) -> Result<Record, PlayError> {
    let strategy =
        strategy("even_odd", spec, Chance::Seeded(1), &ChildTerms::default()).expect("a good spec");
    play(Guest::new(manager, spec).expect("good settings"), strategy).await
}

#[tokio::test]
async fn four_guests_play_a_whole_league() {
    let (manager, _stopper) = open_league(4).await;
    let url = manager.as_str().trim_end_matches("/mcp"); // The path may be left out.
    let (even, odd, child, adaptive) = tokio::join!(
        guest(url, "even"),
        guest(url, "odd"),
        guest(url, "exec:sh -c 'while read q; do echo even; done'"),
        guest(url, "adaptive"),
    );
    let records = [even, odd, child, adaptive].map(Result::unwrap);
    for record in records {
        assert_eq!(record.wins + record.losses + record.draws, 3, "{records:?}");
    }
    let count = |of: fn(&Record) -> u32| records.iter().map(of).sum::<u32>();
    assert_eq!(count(|it| it.wins), count(|it| it.losses));
    assert!(records[0].draws >= 1, "even met even");
    assert!(records[2].draws >= 1, "even met even");
    assert!(records[1].draws <= 1, "odd met even twice");
}

#[tokio::test]
async fn without_a_manager_a_guest_gives_up() {
    let nobody = tokio::net::TcpListener::bind(ANYWHERE).await.unwrap();
    let manager = format!("http://{}", nobody.local_addr().unwrap());
    drop(nobody);
    let guest = Guest { config: config("0.001"), ..Guest::new(&manager, "Early bird").unwrap() };
    let strategy = strategy("even_odd", "even", Chance::Fair, &ChildTerms::default()).unwrap();
    match play(guest, strategy).await {
        Err(PlayError::NoManager(why)) => assert!(why.contains(&manager), "{why}"),
        other => panic!("nobody is there, yet: {other:?}"),
    }
}

#[tokio::test]
async fn a_guest_is_not_exposed_by_accident() {
    let guest = Guest {
        listen: SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0)),
        ..Guest::new("http://127.0.0.1:1", "Exposed").unwrap()
    };
    let strategy = strategy("even_odd", "even", Chance::Fair, &ChildTerms::default()).unwrap();
    assert!(matches!(play(guest, strategy).await, Err(PlayError::Listener(_))));
}
