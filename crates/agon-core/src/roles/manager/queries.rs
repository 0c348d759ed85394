//! Answers to questions. Reads only; nothing here changes anything.
//!
//! Spec: docs/protocol/query.md

use agon_proto::message::{LeagueQuery, LeagueQueryResponse, MatchPhase};
use agon_proto::tool::{MatchState, ToolAnswer};
use agon_proto::{Answer, ConversationId, MatchId, Timestamp};

use super::{Manager, Out};
use crate::Refusal;
use crate::assignments::Place;
use crate::effect::{Effect, RequestId, Viewer};
use crate::gate::Speaker;

impl Manager {
    pub(super) fn answer_query(
        &self,
        speaker: Speaker,
        query: &LeagueQuery,
        conversation: ConversationId,
        request: RequestId,
        now: Timestamp,
        out: &mut Out,
    ) {
        let league = &self.league().settings.league_id;
        if query.league_id != *league {
            return out.refuse(request, Refusal::WrongLeague(league.clone()));
        }
        let asked_about = query.query_params.player_id.or(match speaker {
            Speaker::Player(id) => Some(*id.get()),
            Speaker::Referee(_) | Speaker::Manager(_) | Speaker::Newcomer => None,
        });
        let data = self.league().look_up(query, asked_about);
        let (data, error) = match data {
            Ok(data) => (Some(data), None),
            Err(why) => (None, Some(why.into())),
        };
        let response = LeagueQueryResponse {
            query_type: query.query_type,
            success: data.is_some(),
            data,
            error,
        };
        out.reply(request, Self::letter(conversation, response.into(), now));
    }

    /// A match, with its transcript if it is over.
    pub(super) fn show_match(
        &self,
        id: Option<MatchId>,
        viewer: Viewer,
        request: RequestId,
        out: &mut Out,
    ) {
        let state = id.and_then(|id| self.match_state(id));
        match state {
            None => out.refuse(request, Refusal::NoSuchMatch),
            // What is played again has a transcript already, of what does not count.
            Some(state) if state.result.is_none() && state.rerun.is_some() => {
                out.reply(request, Answer::Tool(ToolAnswer::Match(Box::new(state))));
            }
            Some(state) => out.push(Effect::Fetch { request, state: Box::new(state), viewer }),
        }
    }

    /// What we know of one match: whether it is out, a league cannot tell.
    pub(super) fn match_state(&self, match_id: MatchId) -> Option<MatchState> {
        let mut state = self.league().match_state(match_id)?;
        if state.result.is_none() && self.in_play.assignments.place(match_id) == Some(Place::Out) {
            state.state = MatchPhase::WaitingForPlayers;
        }
        Some(state)
    }
}
