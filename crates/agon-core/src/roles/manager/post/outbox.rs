//! Writing letters: each is written down before it goes, and its id says what it is about.
//!
//! By mail a broadcast is one letter to all; by call everybody gets a copy, because each is shown
//! what proves us to it alone.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::q21::{
    Address, Body, BroadcastId, Context, Letter, MessageId, Origin, Role, SeasonId,
};
use agon_proto::{DisplayName, RoundId, Timestamp};

use super::super::{Manager, Out};
use crate::effect::Effect;
use crate::fact::LeagueFact;
use crate::post::PostFact;

/// What we call ourselves, as real league managers do.
const LOGICAL_ID: &str = "LM001";

/// News for many.
pub(super) struct News {
    /// What it is about, in the broadcast's id: `newround`.
    pub(super) about: &'static str,
    /// Which one of them: `R1`. Nothing, if a season has one only.
    pub(super) which: String,
    pub(super) round: Option<RoundId>,
    pub(super) body: Body,
    /// After this nobody wants it any more.
    pub(super) until: Option<Timestamp>,
}

impl News {
    /// News that there is once in a season.
    pub(super) fn once(about: &'static str, body: Body) -> Self {
        Self { about, which: String::new(), round: None, body, until: None }
    }

    /// News of a round.
    pub(super) fn of_round(about: &'static str, round: RoundId, body: Body) -> Self {
        Self { about, which: format!("R{round}"), round: Some(round), body, until: None }
    }

    /// `bc-newround-S01-R1`: the same however often it is written.
    fn id(&self, season: &SeasonId) -> String {
        match &*self.which {
            "" => format!("bc-{}-{season}", self.about),
            which => format!("bc-{}-{season}-{which}", self.about),
        }
    }
}

impl Manager {
    /// Everybody who is concerned: those who enrolled, and once the season has begun those who are
    /// in it. Players first.
    pub(super) fn everybody(&self) -> Vec<Address> {
        self.league.everybody().map(|(_, agent)| agent.address()).collect()
    }

    pub(super) fn tell(&mut self, to: Vec<Address>, news: News, now: Timestamp, out: &mut Out) {
        if to.is_empty() {
            return;
        }
        let id = news.id(&self.league.settings.q21.season);
        let News { round, body, until, .. } = news;
        let letter = Letter {
            context: Context { broadcast: Some(BroadcastId::new(&id)), ..self.context(round) },
            ..self.compose(&id, "BROADCAST", body, now)
        };
        if self.league.settings.q21.by_call {
            for address in to {
                self.post(vec![address], letter.clone(), until, out);
            }
        } else {
            self.post(to, letter, until, out);
        }
    }

    /// Answers a letter. The answer's id is made of the letter's, so that the same letter never
    /// gets two.
    pub(super) fn reply(
        &mut self,
        to: &Address,
        letter: &Letter,
        body: Body,
        now: Timestamp,
        out: &mut Out,
    ) {
        let broadcast = letter.context.broadcast.clone();
        let reply = Letter {
            answers: Some(letter.id.clone()),
            context: Context { broadcast, ..self.context(None) },
            ..self.compose(&format!("re-{}", letter.id), to.as_str(), body, now)
        };
        self.post(vec![to.clone()], reply, None, out);
    }

    pub(super) fn compose(&self, id: &str, recipient: &str, body: Body, now: Timestamp) -> Letter {
        Letter {
            id: MessageId::new(id),
            sent_at: now,
            from: Origin {
                address: self.league.settings.q21.address.clone(),
                role: Some(Role::Manager),
                logical_id: Some(DisplayName::new(LOGICAL_ID)),
            },
            recipient: recipient.into(),
            answers: None,
            context: self.context(None),
            auth_token: None,
            body,
        }
    }

    fn context(&self, round: Option<RoundId>) -> Context {
        let season = &self.league.settings.q21.season;
        Context {
            league: Some(self.league.settings.league_id.clone()),
            season: Some(season.clone()),
            round: round.map(|round| format!("{season}_R{round}").into()),
            game: None,
            broadcast: None,
        }
    }

    pub(super) fn post(
        &mut self,
        to: Vec<Address>,
        letter: Letter,
        until: Option<Timestamp>,
        out: &mut Out,
    ) {
        let parcel = self.letterbox.parcel(to, letter, until);
        self.record(LeagueFact::Post(PostFact::Queued(parcel.clone())), out);
        out.push(Effect::Post(self.attach_tokens(parcel)));
    }
}
