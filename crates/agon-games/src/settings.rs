//! What a game says of itself as data, and how its settings are read.

use serde_json::{Map, Value};
use thiserror::Error;

use crate::{Game, Reason};

/// What lists, configurations, prompts and formats need to know of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameInfo {
    /// As it is configured, and its `game_type` on the wire.
    pub name: &'static str,
    pub seats: u8,
    /// The rules, for whoever plays it.
    pub rules: &'static str,
    pub settings: &'static [Setting],
    /// The kinds of question: limits are set by them, and a move is named by them on the wire.
    pub asks: &'static [&'static str],
    /// Its first turn is the invitation: who fails there never came.
    pub greets: bool,
    pub failed: Failed,
    /// The kinds of question to the referee's own judgement; none where nobody asks it.
    pub judgements: &'static [&'static str],
    /// Seats swapped give swapped gains.
    pub symmetric: bool,
    /// What one gains the other loses.
    pub zero_sum: bool,
    pub can_draw: bool,
}

impl GameInfo {
    /// A game like most: for two who choose and are judged alike, and nobody else judges. What is
    /// its own each game says itself.
    pub const USUAL: Self = Self {
        name: "",
        seats: 2,
        rules: "",
        settings: &[],
        asks: &[],
        greets: false,
        failed: Failed::Over,
        judgements: &[],
        symmetric: true,
        zero_sum: false,
        can_draw: true,
    };

    /// Whether it asks for the referee's own judgement.
    pub const fn is_judged(&self) -> bool {
        !self.judgements.is_empty()
    }
}

/// What the failure of a seat means for the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failed {
    /// The match is over.
    Over,
    /// The others go on ([`Step::Failed`](crate::Step::Failed)).
    GoesOn,
}

/// Something that may be set: one number, or a table of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setting {
    pub name: &'static str,
    pub meaning: &'static str,
    pub min: i64,
    pub max: i64,
}

/// Why there are no such rules.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BadRules {
    #[error("there is no game {given}; there are {known}")]
    UnknownGame { given: String, known: String },
    #[error("{game} has no setting {given}; it has {known}")]
    UnknownSetting { game: &'static str, given: String, known: String },
    #[error("{game}: {setting} is {given}; it must be {min} to {max}")]
    OutOfBounds { game: &'static str, setting: &'static str, given: String, min: i64, max: i64 },
    #[error("{game}: {why}")]
    Unfit { game: &'static str, why: Reason },
}

/// The game with these settings, a JSON object; whatever is left out is as usual.
pub(crate) fn read<G: Game>(settings: &Map<String, Value>) -> Result<G, BadRules> {
    let GameInfo { name: game, settings: known, .. } = G::INFO;
    let unfit = |why: String| BadRules::Unfit { game, why: why.into() };
    for (given, value) in settings {
        let Some(setting) = known.iter().find(|setting| setting.name == given) else {
            let names: Vec<&str> = known.iter().map(|setting| setting.name).collect();
            let (given, known) = (given.clone(), names.join(", "));
            return Err(BadRules::UnknownSetting { game, given, known });
        };
        check_bounds(game, setting, value)?;
    }
    let standard = serde_json::to_value(G::standard()).map_err(|error| unfit(error.to_string()))?;
    let Value::Object(mut whole) = standard else {
        return Err(unfit("its settings are no object".to_owned()));
    };
    whole.extend(settings.clone());
    let rules: G = serde_json::from_value(Value::Object(whole))
        .map_err(|error| unfit(format!("its settings could not be read: {error}")))?;
    rules.check().map_err(|why| BadRules::Unfit { game, why })?;
    Ok(rules)
}

/// Every number of a setting is within its bounds, and there is nothing but numbers in it.
fn check_bounds(game: &'static str, setting: &Setting, value: &Value) -> Result<(), BadRules> {
    let Setting { name, min, max, .. } = *setting;
    match value {
        Value::Array(values) => {
            values.iter().try_for_each(|value| check_bounds(game, setting, value))
        }
        Value::Number(number) if number.as_i64().is_some_and(|it| (min..=max).contains(&it)) => {
            Ok(())
        }
        Value::Number(_) | Value::Null | Value::Bool(_) | Value::String(_) | Value::Object(_) => {
            let given = value.to_string().chars().take(40).collect();
            Err(BadRules::OutOfBounds { game, setting: name, given, min, max })
        }
    }
}
