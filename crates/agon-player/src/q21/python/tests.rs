//! Real classes in real processes: good ones, bad ones, and what their authors hear.
//!
//! A callback that should be slow waits for something that never happens, so nothing here sleeps.
//! Limits are real time: short where they must run out, long where they must not.

use std::fs;
use std::path::{Path, PathBuf};

use agon_proto::q21::callback::{MishapKind, PlayerQuery, RefereeQuery};
use agon_proto::q21::{Answered, Choice, Guess};
use tempfile::TempDir;

use super::super::testing::{all_of_a_player, all_of_a_referee, book, contestant, player, referee};
use super::*;
use crate::testing::{Lifeline, cut};

const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(200);

fn patient() -> PythonTerms {
    PythonTerms { limits: Limits::all(LONG), ..PythonTerms::default() }
}

/// Enough time to start, little for each callback.
fn hurried() -> PythonTerms {
    let limits = Limits { loading: LONG, ..Limits::all(SHORT) };
    PythonTerms { limits, ..PythonTerms::default() }
}

/// A folder with one file in it.
struct Author(TempDir, Side);

impl Author {
    fn of(side: Side, text: &str) -> Self {
        let author = Self(tempfile::tempdir().unwrap(), side);
        fs::write(author.path(), text).unwrap();
        author
    }

    /// A player whose four methods do the same.
    fn player(body: &str) -> Self {
        Self::of(Side::Player, &class("q21_player", "PlayerAI", &all_of_a_player(), body))
    }

    fn referee(body: &str) -> Self {
        Self::of(Side::Referee, &class("q21_referee", "RefereeAI", &all_of_a_referee(), body))
    }

    fn path(&self) -> PathBuf {
        self.0.path().join("my_ai.py")
    }

    fn hire(&self, terms: PythonTerms) -> PythonAdvisor {
        self.hire_as(":MyAI", terms)
    }

    fn hire_as(&self, class: &str, terms: PythonTerms) -> PythonAdvisor {
        let spec = format!("{}{class}", self.path().display());
        PythonAdvisor::new(self.1, &spec, terms).unwrap()
    }
}

fn class(module: &str, base: &str, asked: &[Consultation], body: &str) -> String {
    let body = body.replace('\n', "\n        ");
    let mut text = format!(
        "import os, sys, threading, subprocess\nfrom {module} import {base}\n\n\
         class MyAI({base}):\n    count = 0\n"
    );
    for consultation in asked {
        let method = consultation.query.method();
        text.push_str(&format!("    def {method}(self, ctx):\n        {body}\n"));
    }
    text
}

/// Both roles with the same bodies, and all that they are asked.
fn both(body: &str) -> [(Author, [Consultation; 4]); 2] {
    [(Author::player(body), all_of_a_player()), (Author::referee(body), all_of_a_referee())]
}

#[track_caller]
fn assert_mishap(said: Result<Advice, Mishap>, kind: MishapKind, words: &[&str]) {
    let mishap = said.unwrap_err();
    assert_eq!(mishap.kind, kind, "{}", mishap.text);
    for word in words {
        assert!(mishap.text.contains(word), "`{word}` is not in: {}", mishap.text);
    }
}

#[tokio::test]
async fn an_exception_in_each_callback_is_told_with_its_place() {
    for (author, asked) in both("return think()") {
        let text = fs::read_to_string(author.path()).unwrap();
        let helper = "def think():\n    raise ValueError('no idea')\n";
        fs::write(author.path(), text + helper).unwrap();
        let advisor = author.hire(patient());
        for consultation in asked {
            let method = consultation.query.method();
            let words = [
                &format!("{method} raised ValueError: no idea (my_ai.py line "),
                " in think, called from my_ai.py line ",
                &format!(" in {method})"),
            ];
            assert_mishap(advisor.advise(&consultation).await, MishapKind::Raised, &words);
        }
    }
}

#[tokio::test]
async fn a_callback_that_hangs_is_ended_in_each_case() {
    for (author, asked) in both("threading.Event().wait()") {
        for consultation in asked {
            let advisor = author.hire(hurried());
            advisor.check().await.unwrap();
            let method = consultation.query.method();
            let words =
                [&*format!("{method} did not come to an end within 0.2 s"), "remembered is gone"];
            assert_mishap(advisor.advise(&consultation).await, MishapKind::TimedOut, &words);
        }
    }
}

#[tokio::test]
async fn a_wrong_return_value_of_each_callback_is_named() {
    for (author, asked) in both("return 42") {
        let advisor = author.hire(patient());
        for consultation in asked {
            let method = consultation.query.method();
            let said = advisor.advise(&consultation).await;
            if method == "on_score_received" {
                assert_eq!(said, Ok(Advice::Noted));
                continue;
            }
            let words = format!("what {method} returned must be a dict, but it is a number: 42");
            assert_mishap(said, MishapKind::WrongValue, &[&words]);
        }
    }
}

#[tokio::test]
async fn a_value_that_cannot_be_written_down_is_named_in_each_callback() {
    for (author, asked) in both("return {'answer': object()}") {
        let advisor = author.hire(patient());
        for consultation in asked {
            let method = consultation.query.method();
            let said = advisor.advise(&consultation).await;
            if method == "on_score_received" {
                assert_eq!(said, Ok(Advice::Noted));
                continue;
            }
            let words = [&*format!("what {method} returned cannot be sent"), "a object is no str"];
            assert_mishap(said, MishapKind::WrongValue, &words);
        }
    }
}

#[tokio::test]
async fn a_process_that_ends_in_a_callback_is_told_with_its_last_words() {
    for (author, asked) in both("print('oops', file=sys.stderr, flush=True)\nos._exit(3)") {
        for consultation in asked {
            let advisor = author.hire(patient());
            let method = consultation.query.method();
            let ended = format!("the process ended (exit status: 3) in {method}");
            let words = [&*ended, "remembered is gone", "it last wrote to stderr: oops"];
            assert_mishap(advisor.advise(&consultation).await, MishapKind::Gone, &words);
        }
    }
}

#[tokio::test]
async fn leaving_the_program_is_an_exception_like_any_other() {
    let advisor = Author::player("sys.exit(1)");
    let advisor = (advisor.hire(patient()), advisor);
    let said = advisor.0.advise(&all_of_a_player()[0]).await;
    assert_mishap(said, MishapKind::Raised, &["get_warmup_answer raised SystemExit: 1"]);
}

#[tokio::test]
async fn prints_do_not_disturb_the_talk() {
    let body = "print('{\"id\": 7, \"value\": 1}')\n\
                os.write(1, b'raw\\n')\n\
                subprocess.run(['echo', 'from a child'])\n\
                try:\n    input()\nexcept EOFError:\n    return {'answer': 'still here'}";
    let author = Author::player(body);
    let advisor = author.hire(patient());
    for _ in 0..2 {
        let said = advisor.advise(&all_of_a_player()[0]).await;
        assert_eq!(said, Ok(Advice::Warmup("still here".into())));
    }
}

#[tokio::test]
async fn an_object_remembers_until_its_process_ends() {
    let body = "self.count += 1\n\
                if ctx['dynamic'].get('warmup_question') is None:\n    threading.Event().wait()\n\
                return {'answer': self.count}";
    let author = Author::player(body);
    let limits = Limits { questions: SHORT, ..Limits::all(LONG) };
    let advisor = author.hire(PythonTerms { limits, ..PythonTerms::default() });
    let [warmup, questions, ..] = all_of_a_player();
    for (asked, expected) in [(&warmup, Some("1")), (&warmup, Some("2")), (&questions, None)] {
        let said = advisor.advise(asked).await.ok();
        assert_eq!(said, expected.map(|text| Advice::Warmup(text.into())));
    }
    assert_eq!(advisor.advise(&warmup).await, Ok(Advice::Warmup("1".into())));
}

#[tokio::test]
async fn callbacks_come_one_at_a_time() {
    let author = Author::player("self.count += 1\nreturn {'answer': self.count}");
    let advisor = author.hire(patient());
    let warmup = &all_of_a_player()[0];
    let thoughts: Vec<_> = (0..4).map(|_| tokio::spawn(advisor.advise(warmup))).collect();
    for (thought, expected) in thoughts.into_iter().zip(1..) {
        let expected = Advice::Warmup(expected.to_string().into());
        assert_eq!(thought.await.unwrap(), Ok(expected));
    }
}

#[tokio::test]
async fn a_file_that_cannot_be_imported_says_why() {
    let cases = [
        ("import no_such_module_anywhere", ["ModuleNotFoundError", "my_ai.py line 1 in <module>"]),
        ("class MyAI(:\n    pass\n", ["SyntaxError", "line 1"]),
        ("raise SystemExit(5)", ["SystemExit: 5", "could not be imported"]),
    ];
    for (text, words) in cases {
        let author = Author::of(Side::Player, text);
        let said = author.hire(patient()).advise(&all_of_a_player()[0]).await;
        assert_mishap(said, MishapKind::Gone, &words);
    }
}

#[tokio::test]
async fn a_file_that_was_mended_is_loaded_again() {
    let author = Author::of(Side::Player, "nonsense");
    let advisor = author.hire(patient());
    let said = advisor.check().await.unwrap_err();
    assert!(said.text.contains("NameError: name 'nonsense' is not defined"), "{}", said.text);
    let good = Author::player("return {'answer': 'mended'}");
    fs::copy(good.path(), author.path()).unwrap();
    let said = advisor.advise(&all_of_a_player()[0]).await;
    assert_eq!(said, Ok(Advice::Warmup("mended".into())));
}

#[tokio::test]
async fn a_class_that_is_not_there_is_named_with_those_that_are() {
    let author = Author::player("return {}");
    let said = author.hire_as(":Wrong", patient()).check().await.unwrap_err();
    assert_eq!(said.kind, MishapKind::Gone);
    assert!(said.text.ends_with("has no class Wrong; it has: MyAI"), "{}", said.text);
}

#[tokio::test]
async fn the_class_need_not_be_named_if_there_is_one() {
    let author = Author::player("return {'answer': 'me'}");
    let said = author.hire_as("", patient()).advise(&all_of_a_player()[0]).await;
    assert_eq!(said, Ok(Advice::Warmup("me".into())));
    let author = Author::of(Side::Player, "x = 1\n");
    let said = author.hire_as("", patient()).check().await.unwrap_err();
    assert!(said.text.contains("has 0 classes that are a PlayerAI: say which one"));
}

#[tokio::test]
async fn a_method_that_is_missing_is_named() {
    let abstract_one = "from q21_player import PlayerAI\nclass MyAI(PlayerAI):\n    pass\n";
    let free_one = "class MyAI:\n    def get_guess(self, ctx):\n        pass\n";
    for text in [abstract_one, free_one] {
        let author = Author::of(Side::Player, text);
        let said = author.hire(patient()).check().await.unwrap_err();
        assert_eq!(said.kind, MishapKind::Gone);
        assert!(said.text.contains("get_warmup_answer"), "{}", said.text);
    }
}

#[tokio::test]
async fn a_constructor_that_fails_says_why() {
    let text = "class MyAI:\n    def __init__(self):\n        raise KeyError('API_KEY')\n";
    let author = Author::of(Side::Referee, text);
    let said = author.hire(patient()).check().await.unwrap_err();
    let expected = "MyAI() could not be made: KeyError: 'API_KEY' (my_ai.py line 3 in __init__)";
    assert_eq!(&*said.text, expected);
}

#[tokio::test]
async fn a_file_that_is_not_there_and_a_module_are_told_apart() {
    let nowhere = PythonAdvisor::new(Side::Player, "nowhere.py:MyAI", patient()).unwrap();
    let said = nowhere.check().await.unwrap_err();
    assert!(said.text.starts_with("there is no file nowhere.py in "), "{}", said.text);
    let module = PythonAdvisor::new(Side::Player, "json:JSONDecoder", patient()).unwrap();
    let said = module.check().await.unwrap_err();
    assert!(said.text.starts_with("JSONDecoder has no method get_warmup_answer"));
}

#[tokio::test]
async fn without_python_there_is_a_clear_word() {
    let author = Author::player("return {}");
    let terms = PythonTerms { python: "/no/such/python3".into(), ..patient() };
    let said = author.hire(terms).advise(&all_of_a_player()[0]).await;
    let words = ["/no/such/python3 could not be started", "install Python 3"];
    assert_mishap(said, MishapKind::Gone, &words);
}

#[tokio::test]
async fn after_too_many_failures_there_is_a_pause() {
    let author = Author::player("os._exit(1)");
    let terms = PythonTerms { restarts: 1, pause: LONG * 2, pause_max: LONG * 2, ..hurried() };
    let terms = PythonTerms { limits: Limits { guess: SHORT, ..Limits::all(LONG) }, ..terms };
    let advisor = author.hire(terms);
    let [warmup, _, guess, _] = all_of_a_player();
    for _ in 0..2 {
        assert_mishap(advisor.advise(&warmup).await, MishapKind::Gone, &["exit status: 1"]);
    }
    let words = ["failed too often in a row"];
    assert_mishap(advisor.advise(&guess).await, MishapKind::Gone, &words);
}

#[tokio::test]
async fn the_environment_is_clean() {
    // Cargo sets this one for us.
    let name = "CARGO_MANIFEST_DIR";
    let author = Author::player(&format!("return {{'answer': str('{name}' in os.environ)}}"));
    let said = author.hire(patient()).advise(&all_of_a_player()[0]).await;
    assert_eq!(said, Ok(Advice::Warmup("False".into())));
    let handed_down = PythonTerms { env: vec![name.into()], ..patient() };
    let said = author.hire(handed_down).advise(&all_of_a_player()[0]).await;
    assert_eq!(said, Ok(Advice::Warmup("True".into())));
}

#[tokio::test]
async fn files_beside_the_class_can_be_imported() {
    let author = Author::of(Side::Player, "from helper import MyAI\n");
    let good = Author::player("return {'answer': 'helped'}");
    fs::copy(good.path(), author.path().with_file_name("helper.py")).unwrap();
    let said = author.hire(patient()).advise(&all_of_a_player()[0]).await;
    assert_eq!(said, Ok(Advice::Warmup("helped".into())));
}

#[tokio::test]
async fn the_process_dies_with_the_advisor_even_while_it_thinks() {
    let lifeline_folder = tempfile::tempdir().unwrap();
    let lifeline = Lifeline::new(lifeline_folder.path());
    let body = format!(
        "line = open('{}', 'w')\nline.write('up\\n')\nline.flush()\nthreading.Event().wait()",
        lifeline.path().display()
    );
    let author = Author::player(&body);
    let advisor = author.hire(patient());
    let thought = tokio::spawn(advisor.advise(&all_of_a_player()[0]));
    let line = lifeline.up().await;
    drop(advisor);
    let said = thought.await.unwrap();
    assert_mishap(said, MishapKind::Gone, &["nobody waits for the answer any more"]);
    cut(line).await;
}

#[tokio::test]
async fn odd_values_are_understood_or_named() {
    let cases = [
        ("{'answer': {3, 1}}", "[1,3]"),
        ("{'answer': (1, 2)}", "[1,2]"),
        ("{'answer': '\\ud800x'}", "?x"),
        ("{'answer': 'ä→'}", "ä→"),
    ];
    for (value, expected) in cases {
        let author = Author::player(&format!("return {value}"));
        let said = author.hire(patient()).advise(&all_of_a_player()[0]).await;
        assert_eq!(said, Ok(Advice::Warmup(expected.into())));
    }
    let author = Author::player("return {'confidence': float('nan')}");
    let said = author.hire(patient()).advise(&all_of_a_player()[2]).await;
    assert_mishap(said, MishapKind::WrongValue, &["get_guess returned cannot be sent"]);
    let author = Author::player("return {'answer': 'x' * 300_000}");
    let said = author.hire(patient()).advise(&all_of_a_player()[0]).await;
    assert_mishap(said, MishapKind::WrongValue, &["more than 262144 bytes"]);
}

fn example(side: Side, spec: &str) -> PythonAdvisor {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/q21");
    let spec = root.join(spec);
    PythonAdvisor::new(side, spec.to_str().unwrap(), patient()).unwrap()
}

#[tokio::test]
async fn the_examples_play_a_whole_game_with_each_other() {
    let team = example(Side::Player, "my_player.py:MyPlayerAI");
    let house = example(Side::Referee, "my_referee.py:MyRefereeAI");
    let players = || [contestant("alphateam"), contestant("betateam")];
    let ask = async |query| house.advise(&referee("0101001", query)).await.unwrap();
    let tell = async |query| team.advise(&player("0101001", query)).await.unwrap();

    let Advice::WarmupQuestion(question) =
        ask(RefereeQuery::WarmupQuestion { players: players() }).await
    else {
        panic!("a question was asked for");
    };
    assert_eq!(tell(PlayerQuery::Warmup { question }).await, Advice::Warmup("4".into()));
    let Advice::RoundStart(book) = ask(RefereeQuery::RoundStart { players: players() }).await
    else {
        panic!("a book was asked for");
    };
    let public = book.public.clone();
    let Advice::Questions(questions) = tell(PlayerQuery::Questions { book: public.clone() }).await
    else {
        panic!("questions were asked for");
    };
    let asked = RefereeQuery::Answers {
        player: contestant("alphateam"),
        book: book.clone(),
        questions: questions.clone(),
    };
    let Advice::Answers(answers) = ask(asked).await else { panic!("answers were asked for") };
    // The fifteenth question is whether it is about a journey, the first whether about the sea.
    assert!(answers.contains(&Answered { number: 15, choice: Choice::A }));
    assert!(answers.contains(&Answered { number: 1, choice: Choice::B }));
    let Advice::Guess(guess) = tell(PlayerQuery::Guess { book: public, answers, questions }).await
    else {
        panic!("a guess was asked for");
    };
    assert!(guess.opening_sentence.contains("a journey"), "{guess:?}");
    let asked = RefereeQuery::Score { player: contestant("alphateam"), book, guess };
    let Advice::Score(score) = ask(asked).await else { panic!("a score was asked for") };
    assert!((2000..9000).contains(&score.private_score.hundredths()), "{score:?}");
    let told = PlayerQuery::Score {
        league_points: 1,
        private_score: score.private_score,
        breakdown: score.breakdown,
        feedback: Some(score.feedback),
    };
    assert_eq!(tell(told).await, Advice::Noted);
}

#[tokio::test]
async fn the_examples_need_no_remark() {
    let team = example(Side::Player, "my_player.py");
    for consultation in all_of_a_player() {
        let (number, line) = (consultation.number, talk::call(&consultation, LONG));
        let method = consultation.query.method();
        let json = team.program.ask(number, method, &line, LONG).await.unwrap();
        let heard = agon_proto::q21::callback::read(&consultation.query, json.as_bytes()).unwrap();
        assert_eq!(heard.remarks, [""; 0]);
    }
    let house = example(Side::Referee, "my_referee.py");
    let right = Guess { opening_sentence: "It was late.".into(), ..Guess::default() };
    let guess = RefereeQuery::Score { player: contestant("a"), book: book(), guess: right };
    let [warmup, start, answers, _] = all_of_a_referee();
    for consultation in [warmup, start, answers, referee("0101001", guess)] {
        let (number, line) = (consultation.number, talk::call(&consultation, LONG));
        let method = consultation.query.method();
        let json = house.program.ask(number, method, &line, LONG).await.unwrap();
        let heard = agon_proto::q21::callback::read(&consultation.query, json.as_bytes()).unwrap();
        assert_eq!(heard.remarks, [""; 0]);
    }
}
