//! The operator's orders, as a Q21 league hears of them.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::q21::{Body, FreeText, Halt, Part};
use agon_proto::tool::LeaguePhase;
use agon_proto::{MatchId, PlayerId, Timestamp};

use super::super::{Manager, Out};
use super::outbox::News;
use crate::fact::Order;
use crate::league::registry::Agent;

impl Manager {
    /// The league is paused: the clock stands still until it goes on.
    pub(in crate::roles::manager) fn tell_paused(
        &mut self,
        order: &Order,
        now: Timestamp,
        out: &mut Out,
    ) {
        let halt = Halt { reason: order.reason.as_str().into() };
        self.tell_halt("pause", Body::Pause(halt), now, out);
    }

    pub(in crate::roles::manager) fn tell_resumed(
        &mut self,
        order: &Order,
        now: Timestamp,
        out: &mut Out,
    ) {
        let halt = Halt { reason: order.reason.as_str().into() };
        self.tell_halt("continue", Body::Continue(halt), now, out);
    }

    fn tell_halt(&mut self, about: &'static str, body: Body, now: Timestamp, out: &mut Out) {
        if self.league.season.phase() != LeaguePhase::Completed {
            let which = self.league.calendar.pauses.to_string();
            let everybody = self.everybody();
            self.tell(everybody, News { which, ..News::once(about, body) }, now, out);
        }
    }

    /// Tells those who play and judge a game that it does not count.
    pub(in crate::roles::manager) fn tell_voided(
        &mut self,
        match_id: MatchId,
        order: &Order,
        now: Timestamp,
        out: &mut Out,
    ) {
        let game = self.game(match_id);
        let parts = [Part::Player1, Part::Player2, Part::Referee].into_iter();
        let members = parts.filter_map(|part| self.party(match_id, part));
        let to = members.map(Agent::address).collect();
        let text = format!("Game {game} does not count: {}", order.reason).into();
        let body = Body::FreeText(FreeText { text });
        let news = News { which: game.to_string(), ..News::once("void", body) };
        self.tell(to, news, now, out);
    }

    pub(in crate::roles::manager) fn tell_withdrawn(
        &mut self,
        player: PlayerId,
        reason: &str,
        now: Timestamp,
        out: &mut Out,
    ) {
        let name = self.league.registry.player(player).map(|agent| agent.name.to_string());
        let text = format!("{} plays no more: {reason}", name.unwrap_or_default()).into();
        let body = Body::FreeText(FreeText { text });
        let news = News { which: player.to_string(), ..News::once("withdrawn", body) };
        let everybody = self.everybody();
        self.tell(everybody, news, now, out);
    }
}
