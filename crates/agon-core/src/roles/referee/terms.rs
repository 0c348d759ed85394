//! What our matches are played by: those of the table as we are set up, those that were given to us
//! by call as they say.
//!
//! Spec: docs/protocol/assignment.md

use std::sync::Arc;
use std::time::Duration;

use agon_games::Rules;
use agon_proto::message::{MatchAssignment, StepLimits, game_settings};
use agon_proto::{GameType, Payload};

use crate::matches::{MatchTerms, PlayedOnce};

/// How a referee works whose matches stand in the season's table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefereeSettings {
    pub played: PlayedOnce,
    /// How long our program may think, by kind of question.
    pub callbacks: Vec<Duration>,
}

/// The terms that were asked for last: nearly always those of the next match, too.
#[derive(Debug, Default)]
pub(super) struct KnownTerms(Option<Known>);

/// What the terms of a match follow from.
type Known = (GameType, StepLimits, Option<Payload>, Arc<MatchTerms>);

impl KnownTerms {
    /// The terms of that match; `None` if it is not played by calls.
    pub(super) fn of(&mut self, assignment: &MatchAssignment) -> Option<Arc<MatchTerms>> {
        let MatchAssignment { game_type, limits, game_settings: settings, .. } = assignment;
        if let Some((game, known, said, terms)) = &self.0
            && game == game_type
            && known == limits
            && said == settings
        {
            return Some(terms.clone());
        }
        let rules = Rules::new(game_type.as_str(), &game_settings(assignment)).ok()?;
        let rules = Some(rules).filter(|rules| !rules.info().is_judged())?;
        let terms = Arc::new(MatchTerms::attempted(rules, limits));
        self.0 = Some((game_type.clone(), *limits, settings.clone(), terms.clone()));
        Some(terms)
    }
}
