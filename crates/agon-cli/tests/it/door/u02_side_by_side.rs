//! Twelve agents, each with one mistake of its own: what each of their authors is told stands side
//! by side in docs/players.md, word for word.

use serde_json::{Value, json};

use super::u02_reasons::author::{Author, Habit, Sent, choice, said};
use crate::league::League;
use crate::process::quiet_port;
use crate::refusals::clerk::Clerk;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/players.md");
/// Where the table begins on that page.
const HEAD: &str =
    "| your agent | is told in GAME_ERROR, each time | and in GAME_OVER |\n|---|---|---|\n";

/// What is sent back to the question for a choice.
type Mistake = fn(&Value) -> Sent;

/// Answers the question for a choice in that way, and everything else well.
fn wrongly(habit: Mistake) -> impl Habit {
    move |asked| (asked["params"]["message_type"] == "CHOOSE_PARITY_CALL").then(|| habit(asked))
}

/// A choice with something changed in it.
fn changed(asked: &Value, change: impl FnOnce(&mut Value)) -> Sent {
    let mut answer = choice(asked);
    change(&mut answer);
    said(asked, &answer)
}

fn renamed(asked: &Value, name: &str) -> Sent {
    changed(asked, |answer| {
        let word = answer.as_object_mut().unwrap().remove("parity_choice").unwrap();
        answer[name] = word;
    })
}

/// Eleven that can be called, and what each does instead of answering.
const MISTAKES: [(&str, Mistake); 11] = [
    ("leaves `parity_choice` out", |asked| {
        changed(asked, |answer| drop(answer.as_object_mut().unwrap().remove("parity_choice")))
    }),
    ("calls the field `choice`", |asked| renamed(asked, "choice")),
    ("writes `parityChoice`", |asked| renamed(asked, "parityChoice")),
    ("sends the bare message, without its frame", |asked| ("200 OK", choice(asked).to_string())),
    ("answers HTTP 500", |_| ("500 Oops", "KeyError: 'match_id'".to_owned())),
    ("answers HTTP 404", |_| ("404 Not Found", String::new())),
    ("answers with a page", |_| ("200 OK", "<html>It works!</html>".to_owned())),
    ("redirects", |_| ("307 Elsewhere\r\nLocation: /mcp/", String::new())),
    ("never answers", |_| {
        loop {
            std::thread::park();
        }
    }),
    ("chooses `maybe`", |asked| changed(asked, |answer| answer["parity_choice"] = json!("maybe"))),
    ("answers about another match", |asked| {
        changed(asked, |answer| answer["match_id"] = json!("R7M7"))
    }),
];

/// The same text, whoever it was told to and about whichever match. What was received is shortened.
fn alike(told: &Value, player: u32) -> String {
    let text = told.as_str().unwrap();
    let text = text
        .split_once("received: {")
        .map_or(text.to_owned(), |(before, _)| format!("{before}received: {{…}}"));
    text.replace(&format!("P{player:02}"), "P02").replace(&format!("R1M{}", player - 1), "R1M1")
}

/// What its author was told before it was asked again, and when the match was over.
fn row(name: &str, heard: &[Value], player: u32) -> String {
    let error = heard.iter().find(|it| it["message_type"] == "GAME_ERROR");
    let before = error.map_or("nothing: it is not asked again".to_owned(), |error| {
        let told = ["error_code", "problem"].map(|field| alike(&error[field], player));
        told.join(": ")
    });
    let over = alike(&heard.last().unwrap()["game_result"]["reason"], player);
    format!("| {name} | {before} | {over} |\n")
}

/// Who cannot be called hears nothing: it reads about itself.
fn absent_row(shown: &Value, port: u16) -> String {
    let lapses = shown["transcript"].as_array().unwrap().iter();
    let problem = lapses.filter_map(|entry| entry["problem"].as_str()).next_back().unwrap();
    let problem = problem.replace(&port.to_string(), "8101");
    let cause = shown["result"]["reason"].as_str().unwrap();
    let read = format!("nothing; `agon match` says: {cause}, {problem}");
    format!("| is not there any more | nothing | {read} |\n")
}

#[test]
fn u02_what_twelve_wrong_agents_are_told_stands_side_by_side() {
    let mut league = League::open(&["--start-when", "24"]);
    let _referee = league.member("referee", &[]);
    // In round 1 the first meets the second, and the nth meets who is n from the end.
    let good = || Author::join(&league.endpoint, |_| None);
    let first = good();
    let wrong =
        MISTAKES.map(|(name, habit)| (name, Author::join(&league.endpoint, wrongly(habit))));
    let port = quiet_port();
    Clerk::sign_up(&league.endpoint, "player", &format!("http://127.0.0.1:{port}/mcp"));
    let _others: Vec<_> = std::iter::repeat_with(good).take(11).collect();
    let _ = first.whole_match();
    let mut table = HEAD.to_owned();
    for ((name, author), player) in wrong.iter().zip(2..) {
        table += &row(name, &author.whole_match(), player);
    }
    league.manager.logs("round completed");
    table += &absent_row(&league.shown("R1M12"), port);
    let page = std::fs::read_to_string(PAGE).unwrap();
    assert!(page.contains(&table), "docs/players.md should have:\n\n{table}");
    league.close();
}
