//! Writing letters: each is written down before it goes, and its id says what it is about.
//!
//! By mail a broadcast is one letter to all; by call everybody gets a copy, because each is shown
//! what proves us to it alone.
//!
//! Spec: docs/protocol/q21.md

use agon_proto::announcement::{Announcement, SeasonName};
use agon_proto::dialect::q21::{self as dialect, Bulletin};
use agon_proto::q21::{Address, Body, BroadcastId, Context, Letter, MessageId, Origin, Role};
use agon_proto::{Contact, DisplayName, RoundId, Timestamp};

use super::super::saying::Reader;
use super::super::{Manager, Out};
use crate::effect::Effect;
use crate::fact::LeagueFact;
use crate::post::PostFact;

/// What we call ourselves, as real league managers do.
const LOGICAL_ID: &str = "LM001";

impl Manager {
    /// Tells that in letters: by mail one for all, by call a copy for each.
    pub(in crate::roles::manager) fn publish(
        &mut self,
        news: Announcement,
        to: Vec<Reader>,
        now: Timestamp,
        out: &mut Out,
    ) {
        let (by_mail, called): (Vec<_>, Vec<_>) =
            to.into_iter().map(|reader| reader.contact).partition(Contact::vouches);
        let by_mail: Vec<_> = by_mail.iter().map(Contact::address).collect();
        for Bulletin { id, round, body, until } in dialect::spell(news, &self.season_name()) {
            let letter = Letter {
                context: Context { broadcast: Some(BroadcastId::new(&id)), ..self.context(round) },
                ..self.compose(&id, "BROADCAST", body, now)
            };
            for contact in &called {
                self.post(vec![contact.address()], letter.clone(), until, out);
            }
            if !by_mail.is_empty() {
                self.post(by_mail.clone(), letter, until, out);
            }
        }
    }

    pub(super) fn season_name(&self) -> SeasonName {
        self.league.settings.season()
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
