//! The one list of games, and what everybody else holds of them: [`Rules`] and [`Position`].
//!
//! Neither tells which game it is. A game from outside will be one more variant.

use std::fmt::Display;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use crate::even_odd::EvenOdd;
use crate::matrix::{Hand, Matrix, Stance};
use crate::q21::Q21;
use crate::{
    BadMove, BadPayload, BadRules, BadShown, Failed, Gains, Game, GameInfo, Play, Retraced, Seat,
    Seats, Taken, Turn,
};
use crate::{play, settings};

/// Makes the two enums of the list, and `with!`, which opens both at once.
macro_rules! games {
    ($d:tt $($Variant:ident($Game:ty)),+ $(,)?) => {
        #[derive(Debug, Clone, PartialEq, Eq)]
        enum AnyRules {
            $($Variant($Game),)+
        }

        #[derive(Debug, Clone, PartialEq)]
        enum AnyPosition {
            $($Variant(Play<$Game>),)+
        }

        const GAMES: &[GameInfo] = &[$(<$Game as Game>::INFO),+];

        fn read(name: &str, settings: &Map<String, Value>) -> Option<Result<AnyRules, BadRules>> {
            $(if same(<$Game as Game>::INFO.name, name) {
                return Some(settings::read(settings).map(AnyRules::$Variant));
            })+
            None
        }

        /// With the rules alone, or with a position of theirs. `as` says how to wrap a position.
        macro_rules! with {
            ($d rules:expr, |$d game:ident| $d body:expr) => {
                match $d rules {
                    $(AnyRules::$Variant($d game) => $d body,)+
                }
            };
            ($d rules:expr, |$d game:ident, $d wrap:ident| $d body:expr) => {
                match $d rules {
                    $(AnyRules::$Variant($d game) => {
                        let $d wrap = |play| Position(AnyPosition::$Variant(play));
                        $d body
                    })+
                }
            };
            ($d rules:expr, $d position:expr, |$d game:ident, $d play:ident| $d body:expr) => {
                match ($d rules, $d position) {
                    $((AnyRules::$Variant($d game), AnyPosition::$Variant($d play)) => $d body,)+
                    _ => unreachable!("a position is played by the rules that opened it"),
                }
            };
        }
    };
}

games! { $
    EvenOdd(EvenOdd),
    Q21(Q21),
    RockPaperScissors(Matrix<Hand>),
    PrisonersDilemma(Matrix<Stance>),
}

/// What is known of every game, in the order of the list.
pub fn games() -> &'static [GameInfo] {
    GAMES
}

/// A game with its settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rules(AnyRules);

/// A game under way. Only the rules that opened it may play it.
#[derive(Debug, Clone, PartialEq)]
pub struct Position(AnyPosition);

/// One is held for each match.
const _: () = assert!(size_of::<Position>() <= 96);

/// Whoever wants to know which game it is: tests, and strategies that play one game only.
pub trait Visitor {
    type Output;
    fn visit<G: Game>(self, game: &G) -> Self::Output;
}

impl Rules {
    /// The game of that name; `-` and `_` are the same in it. Settings are a JSON object, and
    /// whatever it leaves out is as usual.
    pub fn new(name: &str, settings: &str) -> Result<Self, BadRules> {
        let settings: Map<String, Value> = serde_json::from_str(settings).map_err(|error| {
            let info = GAMES.iter().find(|info| same(info.name, name));
            info.map_or_else(
                || unknown(name),
                |info| BadRules::Unfit { game: info.name, why: error.to_string().into() },
            )
        })?;
        Self::with(name, &settings)
    }

    fn with(name: &str, settings: &Map<String, Value>) -> Result<Self, BadRules> {
        read(name, settings).unwrap_or_else(|| Err(unknown(name))).map(Self)
    }

    /// Its settings, all of them, as a JSON object.
    pub fn settings(&self) -> String {
        let mut json = String::new();
        with!(&self.0, |game| play::write(game, &mut json));
        json
    }

    /// What a move looks like, as a JSON Schema, where all moves that there ever are can be listed.
    pub fn move_schema(&self) -> Option<String> {
        with!(&self.0, |game| moves_of(game))
    }

    pub fn info(&self) -> &'static GameInfo {
        with!(&self.0, |game| info_of(game))
    }

    /// The most acts that a match can have.
    pub fn acts_max(&self) -> u32 {
        with!(&self.0, |game| game.acts_max())
    }

    /// An answer to a question of that kind that will do for a rehearsal, where answers cannot be
    /// listed. The same seed makes the same of it; what of it nobody may see holds `secret`.
    pub fn example(&self, kind: &str, seed: u64, secret: &str) -> Option<String> {
        with!(&self.0, |game| play::example(game, kind, seed, secret))
    }

    /// The first position of a match.
    pub fn open(&self) -> Position {
        with!(&self.0, |game, wrap| wrap(Play::open(game)))
    }

    /// The position that a public view shows; `None` if the views of this game do not tell so much.
    pub fn retrace(&self, shown: impl AsRef<[u8]>) -> Result<Option<Retraced<Position>>, BadShown> {
        with!(&self.0, |game, wrap| {
            let retraced = Play::retrace(game, shown.as_ref())?;
            Ok(retraced.map(|Retraced { shown, gaps }| Retraced { shown: wrap(shown), gaps }))
        })
    }

    /// What a player says that sees that, when whoever thinks for it has failed for good.
    pub fn move_instead(&self, kind: u8, view: impl AsRef<[u8]>) -> Option<String> {
        with!(&self.0, |game| play::move_instead(game, kind, view.as_ref()))
    }

    pub fn visit<V: Visitor>(&self, visitor: V) -> V::Output {
        with!(&self.0, |game| visitor.visit(game))
    }
}

/// What [`Play`] does, with the rules that opened it.
impl Position {
    pub fn turn(&self, rules: &Rules) -> Turn {
        with!(&rules.0, &self.0, |game, play| play.turn(game))
    }

    /// Which of [`GameInfo::asks`] that seat is asked.
    pub fn kind(&self, rules: &Rules, seat: Seat) -> u8 {
        with!(&rules.0, &self.0, |game, play| play.kind(game, seat))
    }

    /// Takes a move, which stays unseen until it is revealed.
    pub fn seal(
        &mut self,
        rules: &Rules,
        seat: Seat,
        json: impl AsRef<[u8]>,
    ) -> Result<(), BadMove> {
        with!(&rules.0, &mut self.0, |game, play| play.seal(game, seat, json))
    }

    /// The moves of these seats are made, as far as they have any.
    pub fn reveal(&mut self, rules: &Rules, seats: Seats) {
        with!(&rules.0, &mut self.0, |game, play| play.reveal(game, seats));
    }

    /// A number was drawn, counted from 0.
    pub fn draw(&mut self, rules: &Rules, number: u32) -> Result<(), BadMove> {
        with!(&rules.0, &mut self.0, |game, play| play.draw(game, number))
    }

    /// The referee's own judgement has spoken, about one seat or the match.
    pub fn word(
        &mut self,
        rules: &Rules,
        about: Option<Seat>,
        json: impl AsRef<[u8]>,
    ) -> Result<(), BadMove> {
        with!(&rules.0, &mut self.0, |game, play| play.word(game, about, json))
    }

    /// Which of [`GameInfo::judgements`] the referee's own judgement is asked.
    pub fn judgement(&self, rules: &Rules, about: Option<Seat>) -> u8 {
        with!(&rules.0, &self.0, |game, play| play.judgement(game, about))
    }

    /// What counts where the referee's own judgement has failed for good; `None` if the match
    /// cannot go on then.
    pub fn word_instead(&self, rules: &Rules, about: Option<Seat>, seed: u64) -> Option<String> {
        with!(&rules.0, &self.0, |game, play| play.word_instead(game, about, seed))
    }

    /// This seat has failed for good.
    pub fn fail(&mut self, rules: &Rules, seat: Seat) -> Failed {
        with!(&rules.0, &mut self.0, |game, play| play.fail(game, seat))
    }

    /// What that seat has chosen, unseen, as JSON.
    pub fn sealed_text(&self, rules: &Rules, seat: Seat) -> Option<String> {
        with!(&rules.0, &self.0, |_game, play| play.sealed_text(seat))
    }

    /// Takes a step once more that was taken before. Nothing is judged.
    pub fn retake(&mut self, rules: &Rules, taken: &Taken<impl AsRef<[u8]>>) {
        with!(&rules.0, &mut self.0, |game, play| play.retake(game, taken));
    }

    /// Writes what that seat may know now; without a seat, what everybody may.
    pub fn view(
        &self,
        rules: &Rules,
        seat: Option<Seat>,
        out: &mut String,
    ) -> Result<(), BadPayload> {
        with!(&rules.0, &self.0, |game, play| play.view(game, seat, out))
    }

    /// Writes what the referee's own judgement is told.
    pub fn prompt(&self, rules: &Rules, about: Option<Seat>, out: &mut String) {
        with!(&rules.0, &self.0, |game, play| play.prompt(game, about, out));
    }

    /// What that seat may choose, as JSON; `None` if the rules judge whatever comes.
    pub fn options(&self, rules: &Rules, seat: Seat) -> Option<Vec<String>> {
        with!(&rules.0, &self.0, |game, play| play.options(game, seat))
    }

    pub fn gains(&self, rules: &Rules) -> Gains {
        with!(&rules.0, &self.0, |game, play| play.gains(game))
    }

    /// How it ended, in a sentence.
    pub fn tell(&self, rules: &Rules, names: [&dyn Display; 2]) -> String {
        with!(&rules.0, &self.0, |game, play| play.tell(game, names))
    }

    /// Whether it may end so, however it goes on from here. Yes, too, if that would take too long
    /// to find out.
    pub fn may_end(&self, rules: &Rules, fits: &mut dyn FnMut(Gains) -> bool) -> bool {
        with!(&rules.0, &self.0, |game, play| play.may_end(game, fits))
    }
}

/// How rules are written down.
#[derive(Serialize, Deserialize)]
struct Written<S> {
    game: Box<str>,
    settings: S,
}

/// What is played where nothing is said: the first of the list, as usual.
impl Default for Rules {
    fn default() -> Self {
        Self::with(GAMES[0].name, &Map::new()).expect("every game can be played as usual")
    }
}

impl Serialize for Rules {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let game = self.info().name.into();
        with!(&self.0, |settings| Written { game, settings }.serialize(serializer))
    }
}

impl<'de> Deserialize<'de> for Rules {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Written { game, settings }: Written<Map<String, Value>> =
            Written::deserialize(deserializer)?;
        Self::with(&game, &settings).map_err(D::Error::custom)
    }
}

const fn info_of<G: Game>(_: &G) -> &'static GameInfo {
    const { &G::INFO }
}

fn moves_of<G: Game>(_: &G) -> Option<String> {
    let moves: Vec<&str> = G::moves().iter().map(|(json, _)| *json).collect();
    (!moves.is_empty()).then(|| format!("{{\"enum\":[{}]}}", moves.join(",")))
}

fn unknown(name: &str) -> BadRules {
    let known: Vec<&str> = GAMES.iter().map(|info| info.name).collect();
    let given = name.chars().take(40).collect();
    BadRules::UnknownGame { given, known: known.join(", ") }
}

/// Whether two names are the same but for `-` and `_`.
fn same(name: &str, given: &str) -> bool {
    let plain = |byte: u8| if byte == b'-' { b'_' } else { byte };
    name.len() == given.len() && name.bytes().eq(given.bytes().map(plain))
}
