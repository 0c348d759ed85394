//! What every known generation of agents sends, and what we make of it.
//!
//! `golden/q21/<generation>/` holds a letter's JSON (`.json`), its subject where that matters
//! (`.subject`), and the letter that it is (`.letter`, as it is shown; tokens are not).

use agon_proto::Address;
use agon_proto::act::Task;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use agon_games::q21::{
    Q21Choice as Choice, Q21Move as Said, Q21Question as QuestionRow, Q21View as Seen,
};
use agon_proto::AsPayload;
use agon_proto::Letter;
use agon_proto::act::{Act, ActKind, ReportStatus};
use agon_proto::dialect::{Mail, open_mail};
use agon_proto::message::{Blame, Cause};
use serde_json::Value;

use crate::files::{golden, read};

/// The real manager, the field validator, the reference referee (earlier and later), the player
/// (earlier and later), the course book, and other people's referees on league night.
const GENERATIONS: &[&str] = &["lm", "val", "refm", "refh", "whl", "plh", "book", "night"];
/// What only the mail knows.
const HEADER_ID: &str = "<1@league.test>";

/// Who sent a golden letter: whoever it says, in the JSON or in the subject.
fn from(json: &Value, subject: &str) -> Address {
    let within = json["sender"]["email"].as_str().or(json["sender_email"].as_str());
    let beside = || subject.split("::").nth(2).map(str::trim);
    Address::new(within.or_else(beside).unwrap_or("stranger@league.test"))
}

fn open(path: &Path) -> Letter {
    let text = read(path);
    let subject = fs::read_to_string(path.with_extension("subject")).unwrap_or_default();
    let from = from(&serde_json::from_str(&text).unwrap(), &subject);
    let (subject, header_id) = (subject.as_str(), Some(HEADER_ID));
    let mail = Mail { subject, from: &from, header_id, documents: &[text.as_bytes()] };
    open_mail(&mail).unwrap_or_else(|flaw| panic!("{}: {flaw}", path.display()))
}

/// All letters of one generation, with the names of their files.
fn letters(generation: &str) -> Vec<(String, Letter)> {
    let folder = golden(&format!("q21/{generation}"));
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let json = paths.filter(|path| path.extension().is_some_and(|ending| ending == "json"));
    json.map(|path| (path.file_stem().unwrap().to_str().unwrap().to_owned(), open(&path))).collect()
}

fn letter(name: &str) -> Letter {
    open(&golden(&format!("q21/{name}.json")))
}

#[test]
fn every_known_letter_is_what_it_should_be() {
    for generation in GENERATIONS {
        for (name, letter) in letters(generation) {
            let expected = read(&golden(&format!("q21/{generation}/{name}.letter")));
            assert_eq!(format!("{letter:?}"), expected.trim_end(), "{generation}/{name}");
            assert_eq!(letter.written().read(), Some(letter), "{generation}/{name}");
        }
    }
}

#[test]
fn everything_that_is_said_has_been_said_by_somebody_else() {
    let said = GENERATIONS.iter().flat_map(|generation| letters(generation));
    let said: BTreeSet<ActKind> = said.map(|(_, letter)| letter.act.kind()).collect();
    let tasks = [Task::KeepAlive, Task::Pause, Task::Continue, Task::Reset].map(ActKind::State);
    let missing: Vec<_> =
        ActKind::NAMED.iter().chain(&tasks).filter(|kind| !said.contains(kind)).collect();
    assert_eq!(missing, Vec::<&ActKind>::new(), "shown in no dialect");
}

/// The move in a letter.
fn said(letter: &Letter) -> Said {
    let Act::Move(moved) = &letter.act else { panic!("a move") };
    Said::of(&moved.said).unwrap()
}

#[test]
fn both_spellings_of_a_question_are_the_same_question() {
    let [one, other] = ["whl/Q21_QUESTIONS_BATCH", "val/Q21QUESTIONSBATCH"].map(letter);
    let (Said::Questions(one), Said::Questions(other)) = (said(&one), said(&other)) else {
        panic!("questions");
    };
    let numbers =
        |batch: &[QuestionRow]| batch.iter().map(|question| question.number).collect::<Vec<_>>();
    assert_eq!(numbers(&one), [1, 2]);
    assert_eq!(numbers(&other), [1, 2]);
    assert_eq!(&*one[1].text, "Demo question 2?");
    assert_eq!(&*one[1].options[2], "Maybe");
}

#[test]
fn a_guess_is_found_flat_nested_and_under_older_names() {
    for name in ["val/Q21GUESSSUBMISSION", "plh/Q21GUESSSUBMISSION", "book/Q21_GUESS_SUBMISSION"] {
        let Said::Guess(guess) = said(&letter(name)) else { panic!("{name}") };
        assert_eq!(&*guess.opening_sentence, "It was dark.", "{name}");
        assert_eq!(&*guess.associative_word, "night", "{name}");
    }
}

#[test]
fn not_relevant_is_an_answer_in_every_spelling() {
    for name in ["val/Q21ANSWERSBATCH", "refh/Q21ANSWERSBATCH", "book/Q21_ANSWERS_BATCH"] {
        let Act::Ask(asked) = letter(name).act else { panic!("{name}") };
        let answers = Seen::of(&asked.view).unwrap().answers.unwrap();
        assert_eq!(answers[1].choice, Choice::NotRelevant, "{name}");
        assert_eq!(answers[1].number, 2, "{name}");
    }
}

#[test]
fn the_same_name_is_a_result_from_a_referee_and_a_report_from_a_player() {
    let kind = |name: &str| letter(name).act.kind();
    assert_eq!(kind("refm/MATCH_RESULT_REPORT"), ActKind::ResultReport);
    assert_eq!(kind("book/MATCH_RESULT_REPORT"), ActKind::ResultReport);
    assert_eq!(kind("plh/MATCH_RESULT_REPORT.terminated"), ActKind::StatusReport);
}

#[test]
fn the_words_for_how_a_game_ended_are_understood() {
    let check = |name: &str, expected: ReportStatus| {
        let Act::ResultReport(said) = letter(name).act else { panic!("{name}") };
        assert_eq!(said.status, expected, "{name}");
    };
    check("refh/MATCH_RESULT_REPORT.single-player", ReportStatus::Completed);
    check("refh/MATCH_RESULT_REPORT.cancelled", ReportStatus::Abandoned);
    check("refh/MATCH_RESULT_REPORT.new-round", ReportStatus::Abandoned);
    check("refh/MATCH_RESULT_REPORT.aborted", ReportStatus::Timeout);
    check("val/MATCH_RESULT_REPORT", ReportStatus::Timeout);
}

#[test]
fn a_game_that_all_players_failed_names_its_cause_and_whose_fault_it_was() {
    let said = |name: &str| {
        let Act::ResultReport(said) = letter(name).act else { panic!("{name}") };
        (said.cause, said.blame)
    };
    let nobody = (Some(Cause::NoShow), Some(Blame::Both));
    assert_eq!(said("refh/MATCH_RESULT_REPORT.cancelled"), nobody);
    assert_eq!(said("refh/MATCH_RESULT_REPORT.new-round"), (None, None));
}

#[test]
fn a_manager_without_an_address_is_known_by_its_subject() {
    let address = letter("lm/BROADCAST_NEW_LEAGUE_ROUND").head.from.address.unwrap();
    assert_eq!(address.as_str(), "manager@league.test");
}
