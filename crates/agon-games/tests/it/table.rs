//! Random play of any game: the acts of a match, and their fold.

use std::fmt::Write as _;

use agon_games::{Game, Play, Playing, Rules, Seat, Seats, Turn, Visitor, games};

/// One act of a match, as text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Act {
    /// Moves of these seats, made at once.
    Moves(Vec<(Seat, String)>),
    Drawn(u32),
    Word(Option<Seat>, String),
    Failed(Seat),
}

impl Act {
    /// How many acts of a game it counts for.
    pub(crate) fn count(&self) -> usize {
        if let Self::Moves(moves) = self { moves.len() } else { 1 }
    }

    /// Takes the act; `None` if the rules refuse it.
    pub(crate) fn take<G: Game>(&self, play: &mut Play<G>) -> Option<()> {
        match self {
            Self::Moves(moves) => {
                for (seat, json) in moves {
                    play.seal(*seat, json.as_bytes()).ok()?;
                }
                play.reveal(Seats::BOTH);
            }
            Self::Drawn(number) => play.draw(*number).ok()?,
            Self::Word(about, json) => play.word(*about, json.as_bytes()).ok()?,
            Self::Failed(seat) => assert_eq!(play.fail(*seat), G::INFO.failed),
        }
        Some(())
    }

    pub(crate) fn swapped(&self) -> Self {
        match self {
            Self::Moves(moves) => {
                let swapped = moves.iter().map(|(seat, json)| (seat.other(), json.clone()));
                Self::Moves(swapped.collect())
            }
            Self::Drawn(number) => Self::Drawn(*number),
            Self::Word(about, json) => Self::Word(about.map(Seat::other), json.clone()),
            Self::Failed(seat) => Self::Failed(seat.other()),
        }
    }
}

/// Numbers that follow from a seed.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((mixed ^ (mixed >> 31)) % bound as u64).unwrap()
    }
}

/// A whole match between players who choose at random and fail now and then.
pub(crate) fn random_match<G: Game>(game: &G, dice: &mut Dice, fails: bool) -> Vec<Act> {
    let mut play = Play::open(game);
    let mut acts = Vec::new();
    loop {
        let act = match play.turn() {
            Turn::Over => return acts,
            Turn::Chance(below) => Act::Drawn(u32::try_from(dice.below(below as usize)).unwrap()),
            Turn::Oracle => Act::Word(None, any_word(&play, None, dice)),
            Turn::Together(seats) if fails && dice.below(20) == 0 => Act::Failed(one(seats, dice)),
            Turn::Together(seats) => {
                let moves = seats.iter().map(|seat| (seat, any_move(&play, seat, dice)));
                Act::Moves(moves.collect())
            }
            Turn::Apart { asked, judged } => {
                let seat = one(Seats::which(|it| asked.contains(it) || judged.contains(it)), dice);
                match (asked.contains(seat), fails && dice.below(20) == 0) {
                    (true, true) => Act::Failed(seat),
                    (true, false) => Act::Moves(vec![(seat, any_move(&play, seat, dice))]),
                    (false, _) => Act::Word(Some(seat), any_word(&play, Some(seat), dice)),
                }
            }
        };
        act.take(&mut play).expect("a legal act");
        acts.push(act);
        let count: usize = acts.iter().map(Act::count).sum();
        assert!(count <= game.acts_max() as usize, "too long: {acts:?}");
    }
}

/// What these acts come to; `None` if one of them is refused.
pub(crate) fn fold<G: Game>(game: &G, acts: &[Act]) -> Option<Play<G>> {
    let mut play = Play::open(game);
    for act in acts {
        act.take(&mut play)?;
    }
    Some(play)
}

pub(crate) fn view<G: Game>(play: &Play<G>, seat: Option<Seat>) -> String {
    play.view(seat).unwrap()
}

fn one(seats: Seats, dice: &mut Dice) -> Seat {
    let seats: Vec<Seat> = seats.iter().collect();
    seats[dice.below(seats.len())]
}

/// A move that is legal there, by chance.
pub(crate) fn any_move<G: Game>(play: &Play<G>, seat: Seat, dice: &mut Dice) -> String {
    match play.options(seat) {
        Some(listed) => listed[dice.below(listed.len())].clone(),
        None => {
            let legal = |json: &String| play.clone().seal(seat, json.as_bytes()).is_ok();
            free_moves(dice).into_iter().find(legal).expect("a free move that is legal")
        }
    }
}

/// Moves for games that list none.
fn free_moves(dice: &mut Dice) -> [String; 3] {
    let mut asked = String::new();
    for number in 1..=dice.below(22) + 1 {
        let comma = if number > 1 { "," } else { "" };
        let text = dice.below(1_000);
        write!(
            asked,
            r#"{comma}{{"number":{number},"text":"{text}?","options":["1","2","3","4"]}}"#
        )
        .unwrap();
    }
    let (warm, word) = (dice.below(1_000), dice.below(1_000));
    [
        format!(r#"{{"warmup":"{warm}"}}"#),
        format!(r#"{{"questions":[{asked}]}}"#),
        format!(
            r#"{{"guess":{{"opening_sentence":"{word}","sentence_justification":"",
                "associative_word":"w","word_justification":"","confidence":50}}}}"#
        ),
    ]
}

/// A word that is legal there, by chance.
pub(crate) fn any_word<G: Game>(play: &Play<G>, about: Option<Seat>, dice: &mut Dice) -> String {
    let [question, secret, points] = [dice.below(9), dice.below(1_000), dice.below(10_001)];
    let choice = ["A", "B", "C", "D", "NotRelevant"][dice.below(5)];
    let words = [
        format!(r#"{{"warmup_question":"what is {question} and {question}?"}}"#),
        format!(
            r#"{{"book":{{"public":{{"name":"book","hint":"","association_word":"tools"}},
                "opening_sentence":"SECRET it was {secret}.","associative_word":"SECRET"}}}}"#
        ),
        format!(r#"{{"answers":[{{"number":1,"choice":"{choice}"}}]}}"#),
        format!(
            r#"{{"score":{{"private_score":{points},"breakdown":{{"opening_sentence":{points},
                "sentence_justification":0,"associative_word":0,"word_justification":0}},
                "feedback":{{"opening_sentence":"not secret, {secret}",
                "associative_word":"close"}}}}}}"#
        ),
    ];
    let legal = |json: &String| play.clone().word(about, json.as_bytes()).is_ok();
    words.into_iter().find(legal).expect("a word that is legal")
}

/// Runs a test on every game of the list, and on some of their settings.
pub(crate) fn every_game<V: Visitor + Copy>(visitor: V) {
    for info in games() {
        Rules::new(info.name, "{}").unwrap().visit(visitor);
    }
    for (name, settings) in [
        ("even_odd", r#"{"draw_min":7,"draw_max":7}"#),
        ("q21", r#"{"questions":1}"#),
        ("rock_paper_scissors", r#"{"rounds":1}"#),
        ("prisoners_dilemma", r#"{"rounds":2,"payoffs":[[1,-4],[9,0]]}"#),
    ] {
        Rules::new(name, settings).unwrap().visit(visitor);
    }
}
