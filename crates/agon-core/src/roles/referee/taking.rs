//! Taking matches: a new attempt replaces an older one, and nobody takes more than it has room for.
//!
//! Spec: docs/protocol/assignment.md

use std::sync::Arc;

use agon_games::Rules;
use agon_proto::message::{MatchAssignment, StepLimits, game_settings};
use agon_proto::{Answer, GameType, MatchId, Payload, Receipt, ReceiptStatus, Timestamp};

use super::{Out, Referee, Stage};
use crate::Refusal;
use crate::effect::RequestId;
use crate::fact::RefereeFact;
use crate::matches::{Match, MatchTerms};

/// The terms that were asked for last.
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

impl Referee {
    pub(super) fn take(
        &mut self,
        request: RequestId,
        assignment: MatchAssignment,
        now: Timestamp,
        out: &mut Out,
    ) {
        let (match_id, attempt) = (assignment.match_id, assignment.attempt);
        let answer = |status| Answer::Receipt(Receipt { status, match_id: Some(match_id) });
        match self.seen.get(&match_id) {
            Some(&current) if attempt < current => {
                return out.refuse(request, Refusal::StaleAttempt { current });
            }
            Some(&current) if attempt == current => {
                return out.reply(request, answer(ReceiptStatus::Accepted));
            }
            Some(_) | None => {}
        }
        let Some(terms) = self.terms.of(&assignment) else {
            return out.refuse(request, Refusal::Unsupported("game_type"));
        };
        if self.live >= self.me.profile.capacity.unwrap_or(1) {
            return out.reply(request, answer(ReceiptStatus::Refused));
        }
        out.reply(request, answer(ReceiptStatus::Accepted));
        self.drop_match(match_id);
        self.record(RefereeFact::Assigned(Arc::new(assignment)), out);
        if let Some(held) = self.held.get_mut(&match_id) {
            let live = Match::begin(terms, now, &mut self.scratch);
            held.stage = Stage::Live(live, None);
            self.live += 1;
            self.carry_out(match_id, now, out);
        }
    }

    /// Forgets a match that another attempt has overtaken.
    fn drop_match(&mut self, match_id: MatchId) {
        let Some(held) = self.held.remove(&match_id) else {
            return;
        };
        match held.stage {
            Stage::Live(_, deadline) => {
                self.live -= 1;
                if let Some(deadline) = deadline {
                    self.timers.remove(&(deadline, match_id));
                }
            }
            // Whoever has not heard of it yet hears of the next attempt.
            Stage::Telling(..) => self.told.add(match_id),
            Stage::Abandoned | Stage::Judged(..) => {}
        }
    }
}
