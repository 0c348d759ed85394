//! Saying something to many: written once, addressed to each, and kept back from those who must
//! hear something else first.
//!
//! Spec: docs/protocol/season.md

use agon_proto::{AgentId, Contact, Sender};

use super::super::news::{News, Told};
use super::Book;
use crate::effect::{Broadcast, Effect, Recipient, Tag};
use crate::league::registry::Agent;

/// One to whom something is told.
#[derive(Debug, Clone)]
pub(in crate::roles::manager) struct Reader {
    /// Nobody yet, if it is only expected.
    pub(in crate::roles::manager) who: Option<AgentId>,
    pub(in crate::roles::manager) contact: Contact,
    /// What becomes of it is known by that.
    pub(in crate::roles::manager) tag: Tag,
}

impl Reader {
    /// Somebody whose answer nobody waits for.
    pub(in crate::roles::manager) fn at(contact: Contact) -> Self {
        Self { who: None, contact, tag: Tag::Notice }
    }

    fn of((who, agent): (AgentId, &Agent)) -> Self {
        Self { who: Some(who), ..Self::at(agent.contact.clone()) }
    }
}

impl Book<'_> {
    /// Everybody who is in the league; of a season that has begun, who takes part.
    pub(in crate::roles::manager) fn readers(&self) -> Vec<Reader> {
        // An iterator over them cannot tell how many they are.
        let registry = &self.league().registry;
        let count = registry.player_count() + registry.referee_count();
        let mut readers = Vec::with_capacity(count as usize);
        readers.extend(self.league().everybody().map(Reader::of));
        readers
    }

    /// That agent, if it is one.
    pub(in crate::roles::manager) fn reader_of(&self, who: AgentId) -> Option<Reader> {
        self.league().registry.agent(who).map(|agent| Reader::of((who, agent)))
    }

    /// Tells it to those who may hear it now, and to the others when they may.
    pub(in crate::roles::manager) fn say(&mut self, news: News, to: Vec<Reader>) {
        if self.league().settings.is_by_letters() {
            self.publish(news, to);
        } else {
            self.announce(news, &to);
        }
    }

    fn announce(&mut self, news: News, to: &[Reader]) {
        let mut recipients = Vec::with_capacity(to.len());
        recipients.extend(to.iter().filter_map(|reader| self.recipient(reader)));
        let league = &self.records.league;
        let mut told = news.in_messages(league).into_iter();
        while let Some(Told { message, conversation, topic }) = told.next() {
            let last = told.len() == 0;
            let to = if last { std::mem::take(&mut recipients) } else { recipients.clone() };
            let mut news = Broadcast {
                sender: Sender::LeagueManager,
                timestamp: self.now,
                conversation_id: conversation,
                topic,
                message,
                recipients: to,
            };
            self.heard.hold(&mut news, self.now + league.settings.notice());
            if !news.recipients.is_empty() {
                self.out.push(Effect::Broadcast(Box::new(news)));
            }
        }
    }

    /// Where one who is let in is called, and with what.
    fn recipient(&self, Reader { who, contact, tag }: &Reader) -> Option<Recipient> {
        let who = (*who)?;
        let auth_token = self.records.signing.manager_token(who)?.clone();
        Some(Recipient { who, tag: *tag, to: contact.endpoint(), auth_token })
    }
}
